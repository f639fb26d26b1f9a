// The session on its own: what a client of ours would never send, and errors that need no program.
#include "runtime/session.h"

#include <zstd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <random>

#include "runtime/tests/tiny_module.h"
#include "vgpu/record.h"

using namespace vgpu;
using wire::Op;

namespace {

struct Desk {
    std::vector<std::string> lines;
    Records records{[this](std::string_view line) { lines.emplace_back(line); }};
    Options options{.memory_bytes = 64 << 20, .warp_instruction_limit = 100000};
    Session session{options, records};

    static wire::Request request(Op op) {
        wire::Request r{};
        r.op = op;
        r.rows = 1;
        std::strcpy(r.function, "test");
        return r;
    }
    wire::Reply send(const wire::Request& r) { return session.handle(r).reply; }
    Address allocate(std::uint64_t bytes) {
        wire::Request r = request(Op::allocate);
        r.bytes = bytes;
        const auto reply = send(r);
        REQUIRE(reply.error == cudaSuccess);
        return reply.address;
    }

    /// Sends a request whose staged text is `text`.
    wire::Reply send(wire::Request r, std::string_view text) {
        std::memcpy(session.staging().data(), text.data(), text.size());
        r.staged_bytes = static_cast<std::uint32_t>(text.size());
        return send(r);
    }
    void load() { load(test::tiny_fatbin()); }
    void load(const std::string& fatbin) {
        CHECK(send(request(Op::append_code), fatbin).error == cudaSuccess);
        const auto reply = send(request(Op::load_module));
        REQUIRE(reply.error == cudaSuccess);
        REQUIRE(reply.module == 0);
    }
    std::uint32_t kernel(std::string_view name) {
        const auto reply = send(request(Op::find_kernel), name);
        REQUIRE(reply.error == cudaSuccess);
        return reply.kernel;
    }
    wire::Reply launch(std::uint32_t kernel, wire::Extent3 grid, wire::Extent3 block,
                       std::string_view parameters, std::uint64_t shared = 0) {
        wire::Request r = request(Op::launch);
        r.kernel = kernel;
        r.grid = grid;
        r.block = block;
        r.dynamic_shared_bytes = shared;
        return send(r, parameters);
    }
    std::uint32_t read_word(Address at) {
        wire::Request r = request(Op::read);
        r.from = at;
        r.bytes = 4;
        REQUIRE(send(r).error == cudaSuccess);
        std::uint32_t word = 0;
        std::memcpy(&word, session.staging().data(), 4);
        return word;
    }
    /// store's parameters
    static std::string store_to(Address at, std::uint32_t value) {
        std::string bytes(12, '\0');
        std::memcpy(&bytes[0], &at, 8);
        std::memcpy(&bytes[8], &value, 4);
        return bytes;
    }
};

/// `text` as nvcc embeds it by default: compressed.
std::string packed_fatbin(const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
    std::string fatbin = test::tiny_fatbin(packed);
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(&fatbin[kFatbinHeaderBytes + at], &value, sizeof value);
    };
    put(16, static_cast<std::uint32_t>(packed.size()));
    put(40, std::uint64_t{0x8000});  // zstd
    put(56, static_cast<std::uint64_t>(text.size()));
    return fatbin;
}

}  // namespace

TEST_CASE("session: ids that were never given out are violations") {
    Desk desk;
    wire::Request r = Desk::request(Op::find_kernel);
    r.staged_bytes = 3;
    CHECK_THROWS_AS(desk.session.handle(r), wire::Violation);
    r = Desk::request(Op::launch);
    CHECK_THROWS_AS(desk.session.handle(r), wire::Violation);
    r = Desk::request(Op::bind_managed);
    r.staged_bytes = 3;
    CHECK_THROWS_AS(desk.session.handle(r), wire::Violation);
}

TEST_CASE("session: bytes that are no fatbin are refused with a message for the user") {
    Desk desk;
    wire::Request r = Desk::request(Op::append_code);
    r.staged_bytes = 100;
    CHECK(desk.send(r).error == cudaSuccess);
    const auto reply = desk.send(Desk::request(Op::load_module));
    CHECK(reply.error == cudaErrorNoKernelImageForDevice);
    CHECK(reply.staged_bytes > 0);
}

TEST_CASE("session: a program of a thousand modules") {
    Desk desk;
    const std::string fatbin = test::tiny_fatbin();
    for (std::uint32_t i = 0; i < 1000; ++i) {
        REQUIRE(desk.send(Desk::request(Op::append_code), fatbin).error == cudaSuccess);
        const auto reply = desk.send(Desk::request(Op::load_module));
        REQUIRE(reply.error == cudaSuccess);
        REQUIRE(reply.module == i);
    }
    const Address at = desk.allocate(128);
    wire::Request last = Desk::request(Op::find_kernel);
    last.module = 999;
    const auto found = desk.send(last, "store");
    REQUIRE(found.error == cudaSuccess);
    CHECK(desk.launch(found.kernel, {1, 1, 1}, {32, 1, 1}, Desk::store_to(at, 7)).error ==
          cudaSuccess);
    CHECK(desk.read_word(at + 124) == 7);
}

TEST_CASE("session: files that unpack to more than is kept, all together") {
    const std::string text = std::string(test::kTinyPtx) + std::string(24 << 20, ' ');
    const std::string file = packed_fatbin(text);
    CHECK(file.size() < 1 << 20);
    Desk one;
    one.load(file);
    Desk desk;
    for (int i = 0; i < 3; ++i)
        REQUIRE(desk.send(Desk::request(Op::append_code), file).error == cudaSuccess);
    const auto reply = desk.send(Desk::request(Op::load_module));
    CHECK(reply.error == cudaErrorNoKernelImageForDevice);
    const std::string said(reinterpret_cast<const char*>(desk.session.staging().data()),
                           reply.staged_bytes);
    CHECK(said == "the files of the program unpack to more than 64 MiB of PTX");
}

TEST_CASE("session: copies outside of an allocation say by how much") {
    Desk desk;
    const Address at = desk.allocate(100);
    wire::Request r = Desk::request(Op::read);
    r.from = at + 10;
    r.bytes = 91;
    CHECK(desk.send(r).error == cudaErrorInvalidValue);
    REQUIRE(desk.lines.size() == 2);
    CHECK(desk.lines[0] ==
          "{\"record\":\"allocation\",\"name\":\"test #1\",\"size_bytes\":100,\"callers\":[],"
          "\"kept\":false}\n");
    const auto record = nlohmann::json::parse(desk.lines[1]);
    CHECK(record["record"] == "api");
    const auto call = failed_call_of(record);
    REQUIRE(call);
    CHECK(call->function == "test");
    CHECK(call->error == "cudaErrorInvalidValue");
    CHECK(describe(*call) ==
          "copying from the device: 91 bytes from byte 10 of test #1, which has 100 bytes");
    r.bytes = 90;
    CHECK(desk.send(r).error == cudaSuccess);
    r.bytes = 10;
    r.rows = 10;
    r.from_pitch = 10;
    CHECK(desk.send(r).error == cudaErrorInvalidValue);
    r.from = at;
    CHECK(desk.send(r).staged_bytes == 100);
}

TEST_CASE("session: memory is limited, shared memory too, and comes back") {
    Desk desk;
    wire::Request r = Desk::request(Op::allocate);
    r.bytes = 65 << 20;
    CHECK(desk.send(r).error == cudaErrorMemoryAllocation);
    r = Desk::request(Op::share);
    r.bytes = 40 << 20;
    const auto first = desk.send(r);
    CHECK(first.error == cudaSuccess);
    CHECK(desk.send(r).error == cudaErrorMemoryAllocation);
    r.bytes = ~0ull;
    CHECK(desk.send(r).error == cudaErrorMemoryAllocation);
    wire::Request release = Desk::request(Op::release);
    release.to = first.address;
    CHECK(desk.send(release).error == cudaSuccess);
    CHECK(desk.send(release).error == cudaErrorInvalidValue);
    r.bytes = 40 << 20;
    CHECK(desk.send(r).error == cudaSuccess);
}

TEST_CASE("session: reset gives everything back") {
    Desk desk;
    const Address at = desk.allocate(100);
    CHECK(desk.send(Desk::request(Op::reset)).error == cudaSuccess);
    wire::Request r = Desk::request(Op::look_up);
    r.to = at;
    CHECK(desk.send(r).bytes == 0);
    CHECK(desk.send(Desk::request(Op::memory)).address == 64 << 20);
}

TEST_CASE("session: where the host has a variable of the device, that is said") {
    Desk desk;
    desk.load();
    const std::uint32_t store = desk.kernel("store");
    const auto said_of = [&](Address at) {
        desk.launch(store, {1, 1, 1}, {1, 1, 1}, Desk::store_to(at, 5));
        desk.send(Desk::request(Op::synchronize));
        const auto is_finding = [](const std::string& line) {
            return line.starts_with("{\"record\":\"finding\"");
        };
        const auto last = std::find_if(desk.lines.rbegin(), desk.lines.rend(), is_finding);
        return last == desk.lines.rend() ? "" : describe(*finding_of(nlohmann::json::parse(*last)));
    };
    desk.session.keep_going();
    wire::Request note = Desk::request(Op::host_variable);
    note.to = 0x7fff'0000'0000;
    note.bytes = 64;
    CHECK(desk.send(note, "table").error == cudaSuccess);
    constexpr const char* kSaid = "where the host has table, a variable of the device";
    CHECK(said_of(0x7fff'0000'0020).find(kSaid) != std::string::npos);
    CHECK(said_of(0x7fff'0000'0040).find(kSaid) == std::string::npos);  // just past its end
}

TEST_CASE("session: told to keep going, it goes on after a kernel with a bad access") {
    Desk desk;
    desk.load();
    const std::uint32_t store = desk.kernel("store");
    const Address at = desk.allocate(32 * 4);
    const auto launch = [&](std::uint32_t threads, std::uint64_t skip) {
        desk.launch(store, {1, 1, 1}, {threads, 1, 1}, Desk::store_to(at + skip, 5));
        return desk.send(Desk::request(Op::synchronize)).error;
    };
    const auto findings = [&] {
        return std::count_if(desk.lines.begin(), desk.lines.end(), [](const std::string& line) {
            return line.starts_with("{\"record\":\"finding\"");
        });
    };
    desk.session.keep_going();
    CHECK(launch(33, 0) == cudaSuccess);
    CHECK(launch(1, 2) == cudaSuccess);
    CHECK(findings() == 2);
    CHECK(launch(32, 0) == cudaSuccess);
    CHECK(desk.read_word(at + 31 * 4) == 5);
    CHECK(findings() == 2);
}

TEST_CASE("session: a trap is the program's own word: kept, going or not") {
    Desk desk;
    desk.load();
    desk.session.keep_going();
    desk.launch(desk.kernel("trap"), {1, 1, 1}, {1, 1, 1}, "");
    CHECK(desk.send(Desk::request(Op::synchronize)).error == cudaErrorLaunchFailure);
}

TEST_CASE("session: facts of a kernel, its launch, and what it wrote") {
    Desk desk;
    desk.load();
    const auto found = desk.send(Desk::request(Op::find_kernel), "store");
    CHECK(found.error == cudaSuccess);
    CHECK(found.facts.parameters == 2);
    CHECK(found.facts.parameter_bytes == 12);
    CHECK(found.facts.max_threads_per_block == 256);
    CHECK(found.facts.max_dynamic_shared_bytes == 49152);
    CHECK(found.facts.ptx_arch == 75);
    const Address at = desk.allocate(400);
    CHECK(desk.launch(found.kernel, {1, 1, 1}, {100, 1, 1}, Desk::store_to(at, 5)).error ==
          cudaSuccess);
    CHECK(desk.read_word(at + 396) == 5);
    CHECK(desk.send(Desk::request(Op::find_kernel), "stor").error ==
          cudaErrorInvalidDeviceFunction);
}

TEST_CASE("session: a launch out of limits is refused with kernel, numbers and limit") {
    Desk desk;
    desk.load();
    const auto store = desk.kernel("store");
    const std::string parameters = Desk::store_to(desk.allocate(4), 1);
    CHECK(desk.launch(store, {0, 1, 1}, {1, 1, 1}, parameters).error == cudaErrorInvalidValue);
    CHECK(desk.launch(store, {1, 1, 1}, {1025, 1, 1}, parameters).error == cudaErrorInvalidValue);
    CHECK(desk.launch(store, {1, 1, 1}, {257, 1, 1}, parameters).error == cudaErrorInvalidValue);
    CHECK(desk.launch(store, {1, 1, 1}, {1, 1, 1}, parameters, 1ull << 40).error ==
          cudaErrorInvalidValue);
    REQUIRE(desk.lines.size() == 4);
    CHECK(desk.lines[0].find("store <<<(0, 1, 1), (1, 1, 1), 0>>>: you launched 0 blocks, and CUDA "
                             "needs at least 1") != std::string::npos);
    CHECK(desk.lines[1].find("at most 1024 threads") != std::string::npos);
    CHECK(desk.lines[2].find("its __launch_bounds__ allow 256 threads") != std::string::npos);
    CHECK(desk.lines[3].find("49152 bytes of dynamic shared memory") != std::string::npos);
    CHECK(desk.lines[1].find("the number of blocks comes first") == std::string::npos);
    desk.launch(store, {256, 1, 1}, {1172, 1, 1}, parameters);
    CHECK(desk.lines[4].find("the number of blocks comes first") != std::string::npos);
    CHECK_THROWS_AS(desk.launch(store, {1, 1, 1}, {1, 1, 1}, "short"), wire::Violation);
}

TEST_CASE("session: an estimate of registers refuses a block only if it is too large by half") {
    // Loads `numbers` values before it adds them up.
    const auto kernel_with = [](int numbers) {
        std::string ptx =
            ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry many(.param .u64 p)\n"
            "{\n.reg .u64 %rd<2>;\n.reg .u32 %r<" +
            std::to_string(numbers + 1) + ">;\nld.param.u64 %rd1, [p];\n";
        for (int i = 0; i < numbers; ++i) {
            ptx += "ld.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) +
                   "];\n";
        }
        for (int i = 1; i < numbers; ++i) {
            ptx += "add.u32 %r0, %r0, %r" + std::to_string(i) + ";\n";
        }
        return test::tiny_fatbin(ptx + "st.global.u32 [%rd1], %r0;\nret;\n}\n");
    };
    const auto error_with = [&](int numbers) {
        Desk desk;
        desk.load(kernel_with(numbers));
        const Address at = desk.allocate(4096);
        std::string parameters(8, '\0');
        std::memcpy(parameters.data(), &at, 8);
        return desk.launch(desk.kernel("many"), {1, 1, 1}, {1024, 1, 1}, parameters).error;
    };
    CHECK(error_with(40) == cudaSuccess);
    CHECK(error_with(80) == cudaSuccess);  // a block of 1024 may have 64 registers a thread
    CHECK(error_with(120) == cudaErrorLaunchOutOfResources);
}

TEST_CASE("session: after a failed kernel everything is refused, but reports and text") {
    Desk desk;
    desk.load();
    const auto store = desk.kernel("store");
    const auto launched = desk.launch(store, {1, 1, 1}, {1, 1, 1}, Desk::store_to(12345, 1));
    CHECK(launched.error == cudaSuccess);
    CHECK(launched.context_error == cudaErrorIllegalAddress);
    for (const Op op : {Op::synchronize, Op::memory, Op::find_kernel, Op::launch, Op::fill}) {
        CHECK(desk.send(Desk::request(op), "store").error == cudaErrorIllegalAddress);
    }
    CHECK(desk.send(Desk::request(Op::take_printed)).error == cudaSuccess);
    CHECK(desk.send(Desk::request(Op::report_absent), "f").error == cudaSuccess);
    CHECK(desk.send(Desk::request(Op::reset)).error == cudaSuccess);
    CHECK(desk.send(Desk::request(Op::synchronize)).error == cudaErrorDevicesUnavailable);
}

TEST_CASE("session: a managed variable is the same for host and kernels") {
    Desk desk;
    desk.load();
    wire::Request share = Desk::request(Op::share);
    share.bytes = 4;
    share.value = static_cast<std::uint32_t>(wire::Shared::managed);
    const Address shared = desk.send(share).address;
    wire::Request bind = Desk::request(Op::bind_managed);
    bind.to = shared;
    CHECK(desk.send(bind, "total").error == cudaSuccess);
    CHECK(desk.read_word(shared) == 7);
    const auto count = desk.kernel("count");
    desk.launch(count, {1, 1, 1}, {1, 1, 1}, "");
    CHECK(desk.read_word(shared) == 8);
    wire::Request host_writes = Desk::request(Op::write);
    host_writes.to = shared;
    host_writes.bytes = 4;
    desk.send(host_writes, std::string("\x14\0\0\0", 4));
    desk.launch(count, {1, 1, 1}, {1, 1, 1}, "");
    CHECK(desk.read_word(shared) == 21);
    // Once its memory is freed, kernels must not touch it any more.
    wire::Request release = Desk::request(Op::release);
    release.to = shared;
    CHECK(desk.send(release).error == cudaSuccess);
    CHECK(desk.launch(count, {1, 1, 1}, {1, 1, 1}, "").error == cudaSuccess);
    CHECK(desk.send(Desk::request(Op::synchronize)).error == cudaErrorIllegalAddress);
    CHECK(std::any_of(desk.lines.begin(), desk.lines.end(), [](const std::string& line) {
        return line.find("use_after_free") != std::string::npos;
    }));
}

TEST_CASE("session: a managed variable is bound once, and gone when its memory is freed") {
    Desk desk;
    desk.load();
    wire::Request share = Desk::request(Op::share);
    share.bytes = 4;
    share.value = static_cast<std::uint32_t>(wire::Shared::managed);
    wire::Request bind = Desk::request(Op::bind_managed);
    bind.to = desk.send(share).address;
    CHECK(desk.send(bind, "total").error == cudaSuccess);
    wire::Request again = bind;
    CHECK_THROWS_AS(desk.send(again, "total"), wire::Violation);
    again.to = desk.send(share).address;
    CHECK_THROWS_AS(desk.send(again, "total"), wire::Violation);
    wire::Request release = Desk::request(Op::release);
    release.to = bind.to;
    CHECK(desk.send(release).error == cudaSuccess);
    CHECK(desk.send(Desk::request(Op::find_variable), "total").error == cudaErrorInvalidSymbol);
    CHECK(desk.send(again, "total").error == cudaErrorInvalidSymbol);
}

TEST_CASE("session: a variable cannot move once a kernel knows its place") {
    Desk desk;
    desk.load();
    desk.kernel("count");
    wire::Request share = Desk::request(Op::share);
    share.bytes = 4;
    share.value = static_cast<std::uint32_t>(wire::Shared::managed);
    wire::Request bind = Desk::request(Op::bind_managed);
    bind.to = desk.send(share).address;
    CHECK(desk.send(bind, "total").error == cudaErrorInvalidSymbol);
}

TEST_CASE("session: an extern \"C\" kernel keeps its name") {
    Desk desk;
    desk.load();
    desk.launch(desk.kernel("f"), {1, 1, 1}, {1, 1, 1}, "");
    REQUIRE(desk.lines.size() == 1);
    CHECK(desk.lines[0].find(R"("kernel":"f",)") != std::string::npos);
}

TEST_CASE("session: a cooperative launch must fit on the GPU") {
    Desk desk;
    desk.load();
    wire::Request r = Desk::request(Op::launch);
    r.kernel = desk.kernel("f");
    r.grid = {132 * 8, 1, 1};
    r.block = {256, 1, 1};
    r.cooperative = 1;
    CHECK(desk.send(r).error == cudaSuccess);
    r.grid.x += 1;
    CHECK(desk.send(r).error == cudaErrorCooperativeLaunchTooLarge);
    r.cooperative = 0;
    CHECK(desk.send(r).error == cudaSuccess);
}

TEST_CASE("session: variables and modules cannot be freed") {
    Desk desk;
    desk.load();
    const auto variable = desk.send(Desk::request(Op::find_variable), "total");
    CHECK(variable.bytes == 4);
    wire::Request release = Desk::request(Op::release);
    release.to = variable.address;
    CHECK(desk.send(release).error == cudaErrorInvalidValue);
    CHECK(desk.read_word(variable.address) == 7);
}

TEST_CASE("session: the clock runs with the work that the host waits for") {
    Desk desk;
    desk.load();
    const Address at = desk.allocate(1 << 20);
    const auto store = desk.kernel("store");
    const auto start = desk.send(Desk::request(Op::synchronize)).clock_ns;
    const auto launched = desk.launch(store, {1, 1, 1}, {1, 1, 1}, Desk::store_to(at, 1)).clock_ns;
    CHECK(launched - start <= 1000);  // the call itself
    const auto over = desk.send(Desk::request(Op::synchronize)).clock_ns;
    CHECK(over - start > 4000);
    CHECK(over - start < 8000);
    wire::Request fill = Desk::request(Op::fill);
    fill.to = at;
    fill.bytes = 1 << 20;
    desk.send(fill);
    CHECK(desk.send(Desk::request(Op::synchronize)).clock_ns > over + 2000);
}

TEST_CASE("session: streams that are made and destroyed for ever, and events of them all") {
    Desk desk;
    const auto on = [](Op op, std::uint32_t stream, std::uint32_t value = 0) {
        wire::Request r = Desk::request(op);
        r.stream = stream;
        r.value = value;
        return r;
    };
    const auto non_blocking = static_cast<std::uint32_t>(wire::StreamKind::non_blocking);
    std::uint32_t made = 0;
    wire::Reply reply;
    while (made < 20000 &&
           (reply = desk.send(on(Op::create_stream, made + 1, non_blocking))).error ==
               cudaSuccess) {
        ++made;
        desk.send(on(Op::host_function, made));
        desk.send(on(Op::destroy_stream, made));
    }
    CHECK(made == 1 << 13);
    CHECK(reply.error == cudaErrorMemoryAllocation);
    // Nothing is remembered of what somebody has waited for.
    CHECK(desk.send(Desk::request(Op::synchronize)).error == cudaSuccess);
    CHECK(desk.send(on(Op::create_stream, made + 1, non_blocking)).error == cudaSuccess);
}

TEST_CASE("session: the operations that events remember are limited, all events together") {
    Desk desk;
    wire::Request r = Desk::request(Op::create_stream);
    constexpr std::uint32_t kStreams = 1000;
    for (r.stream = 1; r.stream <= kStreams; ++r.stream) {
        CHECK(desk.send(r).error == cudaSuccess);
        wire::Request host_function = Desk::request(Op::host_function);
        host_function.stream = r.stream;
        desk.send(host_function);
    }
    wire::Request record = Desk::request(Op::record_event);  // in the legacy stream: knows of all
    const auto record_until_refused = [&] {
        while (record.event < 10000 && desk.send(record).error == cudaSuccess) ++record.event;
        return record.event;
    };
    const std::uint32_t most = record_until_refused();
    CHECK(most >= 4000);
    CHECK(most < 5000);
    wire::Request forget = Desk::request(Op::forget_event);
    CHECK(desk.send(forget).error == cudaSuccess);
    CHECK(desk.send(record).error == cudaSuccess);
}

TEST_CASE("session: survives random requests") {
    // Plausible ones: small numbers, real addresses and ids, now and then extremes.
    Desk desk;
    std::mt19937_64 random(12345);
    std::vector<Address> known{0, kWindowBegin, kWindowEnd};
    const auto number = [&]() -> std::uint64_t {
        switch (random() % 6) {
            case 0:
                return random() % 4;
            case 1:
                return random() % 5000;
            case 2:
                return known[random() % known.size()] + random() % 300;
            case 3:
                return ~random() % 8;
            case 4:
                return 1ull << random() % 64;
            default:
                return known[random() % known.size()];
        }
    };
    int answered = 0;
    for (int i = 0; i < 20000; ++i) {
        wire::Request r =
            Desk::request(static_cast<Op>(random() % (static_cast<unsigned>(Op::count_) + 1)));
        if (r.op == Op::reset && random() % 50 != 0) continue;
        r.version = wire::kVersion;
        r.stream = static_cast<std::uint32_t>(random() % 4);
        r.event = static_cast<std::uint32_t>(random() % 4);
        r.in_stream = random() % 2;
        r.waits = random() % 2;
        r.continues = random() % 2;
        r.module = static_cast<std::uint32_t>(random() % 3);
        r.kernel = static_cast<std::uint32_t>(random() % 3);
        r.to = number();
        r.from = number();
        r.bytes = number();
        r.rows = random() % 3 == 0 ? number() : 1;
        r.to_pitch = number();
        r.from_pitch = number();
        r.value = static_cast<std::uint32_t>(number());
        r.staged_bytes = static_cast<std::uint32_t>(random() % 2 ? r.bytes * r.rows : number());
        try {
            const wire::Reply reply = desk.send(r);
            ++answered;
            if (reply.error == cudaSuccess && reply.address != 0 && known.size() < 100) {
                known.push_back(reply.address);
            }
        } catch (const wire::Violation&) {
        }
    }
    CHECK(answered > 1000);
}
