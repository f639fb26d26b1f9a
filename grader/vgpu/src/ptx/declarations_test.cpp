// Variables: types, shapes, initial values and addresses in them.
#include <cstring>

#include <catch2/catch_test_macros.hpp>

#include "ptx/test_text.h"

using namespace vgpu::ptx;

namespace {

template <typename T>
std::vector<T> values(const Variable& v) {
    std::vector<T> result(v.initial.size() / sizeof(T));
    std::memcpy(result.data(), v.initial.data(), result.size() * sizeof(T));
    return result;
}

}  // namespace

TEST_CASE("parse_type: scalar types by name") {
    CHECK(parse_type("f32") == Type{'f', 32});
    CHECK(parse_type("pred") == Type{'p', 1});
    CHECK(parse_type("bf16x2") == Type{'f', 16, 2, true});
    CHECK(parse_type("bf16x2")->size_bytes() == 4);
    CHECK(parse_type("b128")->size_bytes() == 16);
    CHECK_FALSE(parse_type("f33"));
    CHECK_FALSE(parse_type(""));
}

TEST_CASE("variable: space, alignment, vector, dimensions") {
    const Variable tile = variable(".shared .align 16 .f32 tile[16][17];");
    CHECK(tile.space == StateSpace::shared);
    CHECK(tile.align_bytes == 16);
    CHECK(tile.is_array);
    CHECK(tile.array_length == 272);
    CHECK(tile.size_bytes() == 1088);

    const Variable dynamic = variable(".extern .shared .align 8 .b8 memory[];");
    CHECK(dynamic.is_extern);
    CHECK(dynamic.is_array);
    CHECK(dynamic.array_length == 0);

    const Variable vector = variable(".visible .global .attribute(.managed) .v4 .f32 v[2];");
    CHECK(vector.space == StateSpace::global);
    CHECK(vector.vector == 4);
    CHECK(vector.size_bytes() == 32);

    CHECK(parse(with_header(".const .u32 a, b[3];")).variables.at(1).array_length == 3);
    CHECK(variable(".global .texref image;").size_bytes() == 8);

    const Function kernel =
        parse(with_header(".entry k() { .local .align 8 .b8 depot[16]; .reg .v2 .f32 a, b<3>; }"))
            .functions.at(0);
    CHECK(kernel.variables.at(0).space == StateSpace::local);
    CHECK(kernel.registers.at(0).count == 0);
    CHECK(kernel.registers.at(1).count == 3);
    CHECK(kernel.registers.at(1).vector == 2);
}

TEST_CASE("initial values: numbers are stored in the type of the variable") {
    CHECK(values<std::uint32_t>(variable(".global .u32 a = 7;")) == std::vector<std::uint32_t>{7});
    CHECK(values<std::int16_t>(variable(".global .s16 a[3] = {-1, 0x10};")) ==
          std::vector<std::int16_t>{-1, 16});
    CHECK(values<float>(variable(".const .f32 a[4] = {0f3F800000, 2.5, 3, -0f40000000};")) ==
          std::vector<float>{1, 2.5f, 3, -2});
    CHECK(values<double>(variable(".const .f64 a[2] = {0d3FF0000000000000, 0f40000000};")) ==
          std::vector<double>{1, 2});
    CHECK(values<float>(variable(".const .b32 raw = 0f3F800000;")) == std::vector<float>{1});
    CHECK(values<float>(variable(".const .b32 raw = -0f3F800000;")) == std::vector<float>{-1});
    CHECK(values<std::uint32_t>(variable(".const .f32 nan = 0f7F800001;")) ==
          std::vector<std::uint32_t>{0x7F800001});
}

TEST_CASE("initial values: nested braces start a row, open dimensions count") {
    const Variable rows = variable(".global .u32 a[2][3] = {{1, 2}, {3}};");
    CHECK(values<std::uint32_t>(rows) == std::vector<std::uint32_t>{1, 2, 0, 3});
    const Variable mixed = variable(".global .u32 a[2][2] = {1, {3, 4}};");
    CHECK(values<std::uint32_t>(mixed) == std::vector<std::uint32_t>{1, 0, 3, 4});
    CHECK(variable(".global .u32 a[] = {1, 2, 3};").array_length == 3);
    CHECK(variable(".global .u32 a[][2] = {{1, 2}, {3}};").array_length == 4);
    CHECK(variable(".global .v2 .u32 a[] = {{1, 2}, {3, 4}};").array_length == 2);
}

TEST_CASE("initial values: addresses, plain, generic and in bytes") {
    const Variable table = variable(".global .u64 t[3] = {f, generic(text)+4, other-8};");
    REQUIRE(table.references.size() == 3);
    CHECK(table.initial.size() == 24);
    CHECK(table.references[0].symbol == "f");
    CHECK_FALSE(table.references[0].generic);
    CHECK(table.references[1].at_byte == 8);
    CHECK(table.references[1].symbol == "text");
    CHECK(table.references[1].offset == 4);
    CHECK(table.references[1].generic);
    CHECK(table.references[2].offset == -8);

    // nvcc writes packed structures so: struct __attribute__((packed)) { char c; const char* s; }
    const Variable packed = variable(
        ".global .align 1 .u8 packed[9] = {120, 0XFF(generic($str)), 0xFF00(generic($str)), "
        "0xFF0000(generic($str)), 0xFF000000(generic($str)), 0xFF00000000(generic($str)), "
        "0xFF0000000000(generic($str)), 0xFF000000000000(generic($str)), "
        "0xFF00000000000000(generic($str))};");
    REQUIRE(packed.references.size() == 1);
    CHECK(packed.references[0].at_byte == 1);
    CHECK(packed.references[0].symbol == "$str");
    CHECK(packed.initial.size() == 9);
}

TEST_CASE("declarations: messages") {
    const auto error = [](const std::string& text) { return error_of(with_header(text)); };
    CHECK(error(".global x;") == "PTX line 4: expected a type, got 'x'");
    CHECK(error(".global .align 3 .u32 x;") ==
          "PTX line 4: an alignment of 3 bytes is no power of two");
    CHECK(error(".global .f33 x;") == "PTX line 4: expected a type, got '.f33'");
    CHECK(error(".global .pred x;") ==
          "PTX line 4: 'x' is a predicate, which only a register can hold");
    CHECK(error(".shared .u32 x = 1;") == "PTX line 4: expected ';', got '='");
    CHECK(error(".global .u32 x[2][];") ==
          "PTX line 4: expected the length of a dimension, got ']'");
    CHECK(error(".global .u32 x[2] = {1, 2, 3};") ==
          "PTX line 4: 'x' has more initial values than elements");
    CHECK(error(".global .u32 x[2] = {{{1}}};") == "PTX line 4: expected a value, got '{'");
    CHECK(error(".global .u32 x = f;") ==
          "PTX line 4: the address of 'f' needs 8 bytes, but an element of 'x' has 4");
    CHECK(error(".global .u32 x = 1.5;") ==
          "PTX line 4: an element of 'x' cannot hold this kind of number");
    CHECK(error(".global .f16 x = 0f3F800000;") ==
          "PTX line 4: an element of 'x' cannot hold this kind of number");
    CHECK(error(".global .u8 x[8] = {0xFF(f), 0xFF00(g)};") ==
          "PTX line 4: 'x' holds an address in parts that are not its eight bytes in order, "
          "0xFF(...) first");
    CHECK(error(".global .u8 x[8] = {0xFF(f)};") ==
          "PTX line 4: 'x' holds an address in parts that are not its eight bytes in order, "
          "0xFF(...) first");
    CHECK(error(".entry k(.global .u32 x) {}") ==
          "PTX line 4: expected '.param' or '.reg', got '.global'");
    CHECK(error(".entry k() { .reg .b32 %r<2000000>; }") ==
          "PTX line 4: the number of registers is 2000000, but at most 1000000 is possible");
}

TEST_CASE("declarations: a few characters cannot ask for absurd amounts of memory") {
    const auto error = [](const std::string& text) { return error_of(with_header(text)); };
    CHECK(error(".global .u32 x[1000000000000];") == "PTX line 4: 'x' is larger than 1 TiB");
    CHECK(error(".global .u32 x[][1000000][1000000];") == "PTX line 4: 'x' is larger than 1 TiB");
    const std::string much =
        "PTX line 4: the initial values of all variables take more than 64 MiB";
    CHECK(error(".global .u8 x[2][100000000] = {{1}, {2}};") == much);
    CHECK(
        error(
            ".global .u8 x[2][60000000] = {{1}, {2}}; .global .u8 y[2][60000000] = {{1}, {2}};") ==
        much);
    CHECK(error(".global .u64 x[] = {{1}, {2}};") == "no error");
    CHECK(error(".global .u64 x[][0] = {{}, {}};") == "no error");
    CHECK(error(".global .u8 x" + [] {
              std::string dims;
              for (int i = 0; i < 17; ++i) dims += "[1]";
              return dims;
          }() + ";") == "PTX line 4: an array has more than 16 dimensions");
}
