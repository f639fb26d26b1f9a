#include "runtime/wire.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>

using namespace vgpu::wire;

namespace {
Request request(Op op) {
    Request r{};
    r.op = op;
    r.rows = 1;
    return r;
}
}  // namespace

TEST_CASE("validate: operations beyond the last are violations") {
    CHECK_NOTHROW(validate(request(Op::synchronize)));
    CHECK_THROWS_AS(validate(request(Op::count_)), Violation);
    CHECK_THROWS_AS(validate(request(static_cast<Op>(0xFFFFFFFF))), Violation);
}

TEST_CASE("validate: hello must be of this version") {
    Request hello = request(Op::hello);
    CHECK_THROWS_AS(validate(hello), Violation);
    hello.version = kVersion;
    CHECK_NOTHROW(validate(hello));
}

TEST_CASE("validate: staged sizes stay inside the staging area") {
    Request r = request(Op::append_code);
    CHECK_THROWS_AS(validate(r), Violation);
    r.staged_bytes = kStagingBytes;
    CHECK_NOTHROW(validate(r));
    r.staged_bytes = kStagingBytes + 1;
    CHECK_THROWS_AS(validate(r), Violation);

    r = request(Op::find_kernel);
    r.staged_bytes = kMaxNameBytes;
    CHECK_NOTHROW(validate(r));
    r.staged_bytes = kMaxNameBytes + 1;
    CHECK_THROWS_AS(validate(r), Violation);

    r = request(Op::launch);
    r.staged_bytes = kMaxParameterBytes + 1;
    CHECK_THROWS_AS(validate(r), Violation);
    r = request(Op::report_failure);
    r.error = 1;
    r.staged_bytes = kMaxDetailBytes + 1;
    CHECK_THROWS_AS(validate(r), Violation);
}

TEST_CASE("validate: rows of a copy must not overlap, nor their size overflow") {
    Request r = request(Op::copy);
    r.bytes = 100;
    r.rows = 10;
    r.to_pitch = r.from_pitch = 100;
    CHECK_NOTHROW(validate(r));
    r.from_pitch = 99;
    CHECK_THROWS_AS(validate(r), Violation);
    r.from_pitch = 1ull << 62;
    CHECK_THROWS_AS(validate(r), Violation);
    r = request(Op::fill);
    r.bytes = ~0ull;
    r.rows = 2;
    r.to_pitch = ~0ull;
    CHECK_THROWS_AS(validate(r), Violation);
}

TEST_CASE("validate: what is written is exactly what is staged, what is read fits") {
    Request r = request(Op::write);
    r.bytes = r.to_pitch = 10;
    r.rows = 3;
    r.staged_bytes = 30;
    CHECK_NOTHROW(validate(r));
    r.staged_bytes = 29;
    CHECK_THROWS_AS(validate(r), Violation);
    r = request(Op::read);
    r.bytes = r.from_pitch = kStagingBytes;
    CHECK_NOTHROW(validate(r));
    r.rows = 2;
    CHECK_THROWS_AS(validate(r), Violation);
}

TEST_CASE("validate: a fill's value is a byte, a shared allocation's kind is one of two") {
    Request r = request(Op::fill);
    r.value = 256;
    CHECK_THROWS_AS(validate(r), Violation);
    r = request(Op::share);
    r.value = 2;
    CHECK_THROWS_AS(validate(r), Violation);
}

TEST_CASE("validate: nobody asks for memory of no bytes") {
    Request r = request(Op::allocate);
    CHECK_THROWS_AS(validate(r), Violation);
    r.bytes = 1;
    CHECK_NOTHROW(validate(r));
}

TEST_CASE("validate: a reported error is one of the runtime's") {
    Request r = request(Op::report_failure);
    CHECK_THROWS_AS(validate(r), Violation);
    r.error = -1;
    CHECK_THROWS_AS(validate(r), Violation);
    r.error = 1000;
    CHECK_THROWS_AS(validate(r), Violation);
    r.error = 999;
    CHECK_NOTHROW(validate(r));
}

TEST_CASE("function_name: an identifier, or a question mark") {
    Request r = request(Op::allocate);
    CHECK(function_name(r) == "?");
    std::strcpy(r.function, "cudaMalloc");
    CHECK(function_name(r) == "cudaMalloc");
    std::strcpy(r.function, "{\"x\"}");
    CHECK(function_name(r) == "?");
    std::memset(r.function, 'a', sizeof(r.function));  // no end
    CHECK(function_name(r).size() == sizeof(r.function));
}
