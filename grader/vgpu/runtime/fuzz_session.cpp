// Fuzzer of the device process's side of the wire: a client that sends whatever it likes, to a
// session that has a module to launch. How to build and run it: grader/vgpu/tests/Fuzz.cmake, with
// fuzz-vgpu_server.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstring>

#include "vgpu/runtime/session.h"
#include "vgpu/runtime/tests/tiny_module.h"

using namespace vgpu;
using wire::Op;

namespace {

/// Addresses and ids that mean something are worth more than random numbers.
class Client {
public:
    Client(Session& session, FuzzedDataProvider& data) : session_(session), data_(data) {}

    void send() {
        wire::Request r{};
        r.op = static_cast<Op>(
            data_.ConsumeIntegralInRange<std::uint32_t>(0, static_cast<std::uint32_t>(Op::count_)));
        r.version = wire::kVersion;
        r.module = small();
        r.kernel = small();
        r.to = address();
        r.from = address();
        r.bytes = number();
        r.rows = data_.ConsumeBool() ? 1 : number();
        r.to_pitch = number();
        r.from_pitch = number();
        r.grid = {small(), small(), small()};
        r.block = {small(), small(), small()};
        r.dynamic_shared_bytes = data_.ConsumeBool() ? 0 : number();
        r.value = small();
        r.stream = small();
        r.event = small();
        r.in_stream = small() & 1;
        r.cooperative = small() & 1;
        r.waits = small() & 1;
        r.continues = small() & 1;
        r.error = data_.ConsumeIntegral<std::int32_t>();
        r.staged_bytes = data_.ConsumeBool() ? static_cast<std::uint32_t>(r.bytes * r.rows)
                                             : static_cast<std::uint32_t>(number());
        const std::string name = data_.ConsumeRandomLengthString(sizeof(r.function));
        std::memcpy(r.function, name.data(), name.size());
        stage(r);
        try {
            const wire::Reply reply = session_.handle(r).reply;
            if (reply.address != 0) last_ = reply.address;
        } catch (const wire::Violation&) {
        }
    }

    void load(std::string_view fatbin) {
        std::memcpy(session_.staging().data(), fatbin.data(), fatbin.size());
        wire::Request r{};
        r.op = Op::append_code;
        r.staged_bytes = static_cast<std::uint32_t>(fatbin.size());
        session_.handle(r);
        r.op = Op::load_module;
        if (session_.handle(r).reply.error != cudaSuccess) __builtin_trap();
    }

private:
    void stage(wire::Request& r) {
        const std::string text =
            data_.ConsumeBool() ? data_.PickValueInArray({"store", "count", "f", "total", "none"})
                                : data_.ConsumeRandomLengthString(64);
        std::memcpy(session_.staging().data(), text.data(), text.size());
        if (data_.ConsumeBool()) r.staged_bytes = static_cast<std::uint32_t>(text.size());
        if (r.op == Op::launch) {
            const std::uint64_t at = address();
            std::memcpy(session_.staging().data(), &at, sizeof(at));
            r.staged_bytes = data_.ConsumeBool() ? 12 : 0;
        }
    }

    std::uint32_t small() { return data_.ConsumeIntegralInRange<std::uint32_t>(0, 40); }
    std::uint64_t number() {
        return data_.ConsumeBool() ? data_.ConsumeIntegralInRange<std::uint64_t>(0, 10000)
                                   : data_.ConsumeIntegral<std::uint64_t>();
    }
    std::uint64_t address() {
        return data_.ConsumeBool() ? last_ + data_.ConsumeIntegralInRange<std::uint64_t>(0, 100)
                                   : number();
    }

    Session& session_;
    FuzzedDataProvider& data_;
    std::uint64_t last_ = kWindowBegin;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    Records records([](std::string_view) {});
    Session session({.memory_bytes = 16 << 20, .warp_instruction_limit = 10000}, records);
    Client client(session, data);
    client.load(test::tiny_fatbin());
    for (int i = 0; i < 200 && data.remaining_bytes() > 0; ++i) client.send();
    return 0;
}
