// The session on its own: what a client of ours would never send, and errors that need no program.
#include "vgpu/runtime/session.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <random>

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
};

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

TEST_CASE("session: copies outside of an allocation say by how much") {
    Desk desk;
    const Address at = desk.allocate(100);
    wire::Request r = Desk::request(Op::read);
    r.from = at + 10;
    r.bytes = 91;
    CHECK(desk.send(r).error == cudaErrorInvalidValue);
    REQUIRE(desk.lines.size() == 1);
    CHECK(desk.lines[0] ==
          "{\"record\":\"api\",\"function\":\"test\",\"error\":\"cudaErrorInvalidValue\",\"detail\":"
          "\"copying from the device: 91 bytes from byte 10 of test #1, which has 100 bytes\"}\n");
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

TEST_CASE("session: survives random requests") {
    // Plausible ones: small numbers, real addresses and ids, now and then extremes.
    Desk desk;
    std::mt19937_64 random(12345);
    std::vector<Address> known{0, kWindowBegin, kWindowEnd};
    const auto number = [&]() -> std::uint64_t {
        switch (random() % 6) {
            case 0: return random() % 4;
            case 1: return random() % 5000;
            case 2: return known[random() % known.size()] + random() % 300;
            case 3: return ~random() % 8;
            case 4: return 1ull << random() % 64;
            default: return known[random() % known.size()];
        }
    };
    int answered = 0;
    for (int i = 0; i < 20000; ++i) {
        wire::Request r = Desk::request(static_cast<Op>(random() % 24));
        if (r.op == Op::reset && random() % 50 != 0) continue;
        r.version = 1;
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
