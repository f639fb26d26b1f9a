// The reader on fatbins made here, byte by byte, and on those that nvcc makes.
#include "fatbin/fatbin.h"

#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "fatbin/layout.h"
#include "vgpu/device.h"

using namespace vgpu;

namespace {

constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;
const std::string kText = ".version 9.0\n.target sm_75\n" + std::string(200, ' ');

/// One entry; the fields a test wants wrong are set by hand.
struct Entry {
    std::uint16_t kind = 1;
    std::uint32_t arch = 75;
    std::uint64_t flags = 0;
    std::string payload{};
    std::uint64_t unpacked_bytes = 0;
    std::uint32_t header_bytes = 64;
    std::uint64_t padded_bytes = 0;  ///< 0: the payload, rounded up to 8
    std::uint32_t compressed_bytes = 0;
    std::uint32_t name_offset = 0, name_bytes = 0;
};

template <typename T>
void put(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string fatbin_of(const std::vector<Entry>& entries) {
    std::string body;
    for (const Entry& e : entries) {
        const std::uint64_t padded = (e.payload.size() + 7) / 8 * 8;
        put(body, e.kind);
        put(body, std::uint16_t{0x0101});
        put(body, e.header_bytes);
        put(body, e.padded_bytes != 0 ? e.padded_bytes : padded);
        put(body, e.compressed_bytes != 0 ? e.compressed_bytes
                  : e.flags != 0          ? std::uint32_t(e.payload.size())
                                          : 0u);
        put(body, std::uint32_t{0});  // options
        put(body, std::uint16_t{0});  // minor
        put(body, std::uint16_t{9});  // major
        put(body, e.arch);
        put(body, e.name_offset);
        put(body, e.name_bytes);
        put(body, e.flags);
        put(body, std::uint64_t{0});
        put(body, e.unpacked_bytes);
        body += e.payload + std::string(padded - e.payload.size(), '\0');
    }
    std::string fatbin;
    put(fatbin, kFatbinMagic);
    put(fatbin, std::uint16_t{1});
    put(fatbin, std::uint16_t{16});
    put(fatbin, std::uint64_t{body.size()});
    return fatbin + body;
}

Entry zstd(const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return {.flags = kZstd, .payload = packed, .unpacked_bytes = text.size()};
}

Entry lz4(const std::string& text) {
    std::string packed(std::size_t(LZ4_compressBound(int(text.size()))), '\0');
    packed.resize(std::size_t(
        LZ4_compress_default(text.data(), packed.data(), int(text.size()), int(packed.size()))));
    return {.flags = kLz4, .payload = packed, .unpacked_bytes = text.size()};
}

std::vector<FatbinImage> read(const std::string& fatbin) {
    return read_fatbin(std::as_bytes(std::span(fatbin)));
}

/// The first line of the message; the second is the same for all damage.
std::string error_of(const std::string& fatbin) {
    try {
        read(fatbin);
    } catch (const Error& error) {
        const std::string what = error.what();
        const std::size_t end = what.find('\n');
        REQUIRE(what.substr(end + 1) ==
                "The embedded GPU code is damaged, or of a toolkit whose format is not known yet "
                "(CUDA 13.0 is). Build the program again.");
        return what.substr(0, end);
    }
    return "no error";
}

}  // namespace

TEST_CASE("fatbin_size_bytes: header and all entries; 0 for anything else") {
    const std::string fatbin = fatbin_of({{.payload = kText}});
    CHECK(fatbin_size_bytes(fatbin.data()) == fatbin.size());
    CHECK(fatbin_size_bytes(nullptr) == 0);
    CHECK(fatbin_size_bytes("not a fatbin at all") == 0);
    std::string endless = fatbin;
    std::memset(endless.data() + 8, 0xff, 8);
    CHECK(fatbin_size_bytes(endless.data()) == 0);
}

TEST_CASE("read_fatbin: plain, LZ4 and zstd text, with the padding gone") {
    const auto images = read(fatbin_of({{.payload = kText + '\0'},
                                        lz4(kText + '\0'),
                                        zstd(kText + '\0'),
                                        {.kind = 2, .arch = 90, .payload = "ELF"},
                                        {.kind = 64}}));
    REQUIRE(images.size() == 5);
    for (int i = 0; i < 3; ++i) {
        CHECK(images[std::size_t(i)].kind == FatbinImage::Kind::ptx);
        CHECK(images[std::size_t(i)].ptx == kText);
        CHECK(images[std::size_t(i)].arch == 75);
        CHECK(images[std::size_t(i)].version_major == 9);
    }
    CHECK(images[3].kind == FatbinImage::Kind::elf);
    CHECK(images[3].arch == 90);
    CHECK(images[3].ptx.empty());
    CHECK(images[4].kind == FatbinImage::Kind::other);
    CHECK(read(fatbin_of({})).empty());
}

TEST_CASE("read_fatbin: the source file's name, where an entry has one") {
    const std::string name("a.cu\0\0\0\0", 8), text(16, ' ');
    Entry entry{.payload = name + text, .header_bytes = 72, .padded_bytes = text.size()};
    CHECK(read(fatbin_of({entry}))[0].name.empty());
    entry.name_offset = 64;
    entry.name_bytes = 4;
    CHECK(read(fatbin_of({entry}))[0].name == "a.cu");
    entry.name_bytes = 9;  // beyond the entry's header
    CHECK(read(fatbin_of({entry}))[0].name.empty());
    entry.name_offset = ~std::uint32_t{0};
    CHECK(read(fatbin_of({entry}))[0].name.empty());
}

TEST_CASE("read_fatbin: bytes after the fatbin are not its business") {
    CHECK(read(fatbin_of({{.payload = kText}}) + "more").size() == 1);
}

TEST_CASE("read_fatbin: every truncation is noticed, none crashes") {
    const std::string fatbin = fatbin_of({zstd(kText), lz4(kText), {.payload = kText}});
    for (std::size_t size = 0; size < fatbin.size(); ++size) {
        std::string cut = fatbin.substr(0, size);
        CHECK(error_of(cut) != "no error");
        if (size < kFatbinHeaderBytes) continue;
        // The same with a header that agrees; cut between two entries this is a valid fatbin.
        const std::uint64_t body = size - kFatbinHeaderBytes;
        std::memcpy(cut.data() + 8, &body, sizeof body);
        const std::string message = error_of(cut);
        CHECK((message != "no error" || read(cut).size() < 3));
    }
}

TEST_CASE("read_fatbin: messages say which entry and what is wrong with it") {
    CHECK(error_of("") == "fatbin: expected a header of 16 bytes, got 0");
    CHECK(error_of("sixteen bytes or more") ==
          "fatbin: the bytes do not begin with a fatbin header");
    CHECK(error_of(fatbin_of({{.payload = kText}}).substr(0, 100)) ==
          "fatbin: the header announces 312 bytes, but there are 100");
    CHECK(error_of(fatbin_of({{.payload = "12345678", .header_bytes = 63}})) ==
          "fatbin: the entry at byte 16 has 63 + 8 bytes, but 72 are left");
    CHECK(error_of(fatbin_of({{.payload = "12345678", .padded_bytes = 9}})) ==
          "fatbin: the entry at byte 16 has 64 + 9 bytes, but 72 are left");
    CHECK(error_of(fatbin_of({{.payload = "12345678", .padded_bytes = ~std::uint64_t{0}}})) ==
          "fatbin: the entry at byte 16 has 64 + 18446744073709551615 bytes, but 72 are left");
    Entry short_entry{.payload = "12345678"};
    short_entry.padded_bytes = 0;
    std::string cut = fatbin_of({short_entry, short_entry});
    cut.resize(kFatbinHeaderBytes + 72 + 10);
    cut[8] = 82;
    CHECK(error_of(cut) == "fatbin: the entry at byte 88 needs 64 bytes, but 10 are left");

    Entry entry = zstd(kText);
    entry.compressed_bytes = 1000;
    CHECK(error_of(fatbin_of({entry})) ==
          fmt::format("fatbin: the entry at byte 16 has 1000 compressed bytes in a payload of {}",
                      (entry.payload.size() + 7) / 8 * 8));
    // What follows the colon is libzstd's own wording.
    CHECK(error_of(fatbin_of({{.flags = kZstd, .payload = "garbage", .unpacked_bytes = 10}}))
              .starts_with("fatbin: the entry at byte 16 cannot be unpacked by zstd: "));
    CHECK(error_of(fatbin_of({{.flags = kLz4, .payload = "\xff\xff\xff", .unpacked_bytes = 10}})) ==
          "fatbin: the entry at byte 16 cannot be unpacked by LZ4");
    entry = lz4(kText);
    entry.unpacked_bytes += 1;
    CHECK(error_of(fatbin_of({entry})) ==
          fmt::format("fatbin: the entry at byte 16 unpacks to {} bytes, not the {} it announces",
                      kText.size(), kText.size() + 1));
}

TEST_CASE("read_fatbin: a bomb is refused before any memory is taken for it") {
    Entry bomb = zstd(kText);
    bomb.unpacked_bytes = std::uint64_t{1} << 60;
    CHECK(error_of(fatbin_of({bomb})) ==
          "fatbin: the entry at byte 16 unpacks to 1152921504606846976 bytes; all entries together "
          "may have 67108864");
    // Zeros pack well and are stripped as padding, yet they count.
    const Entry zeros = zstd(std::string(std::size_t{40} << 20, '\0'));
    const std::string twice = error_of(fatbin_of({zeros, zeros}));
    CHECK(twice.ends_with("unpacks to 41943040 bytes; all entries together may have 67108864"));
    // An announced size that is too small stops the unpacking.
    Entry liar = zstd(std::string(1 << 20, 'x'));
    liar.unpacked_bytes = 10;
    CHECK(error_of(fatbin_of({liar}))
              .starts_with("fatbin: the entry at byte 16 cannot be unpacked by zstd: "));
}

TEST_CASE("select_ptx: the newest architecture, and a remedy when there is no PTX") {
    using Kind = FatbinImage::Kind;
    const std::vector<FatbinImage> images = {{.kind = Kind::ptx, .arch = 75},
                                             {.kind = Kind::ptx, .arch = 90, .ptx = "first"},
                                             {.kind = Kind::elf, .arch = 100},
                                             {.kind = Kind::ptx, .arch = 90, .ptx = "second"}};
    CHECK(select_ptx(images).ptx == "first");

    const auto message = [](const std::vector<FatbinImage>& of) {
        try {
            select_ptx(of);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    CHECK(message({{.kind = Kind::elf, .arch = 90}, {.kind = Kind::elf, .arch = 80}}) ==
          "The virtual GPU runs PTX, and this program embeds none: it holds machine code for "
          "sm_80, sm_90 only.\n"
          "Compile it with -gencode arch=compute_75,code=compute_75, or with -arch=sm_75, which "
          "embeds PTX as well.");
    CHECK(message({}) ==
          "The virtual GPU runs PTX, and this program embeds none: it holds nothing for a GPU.\n"
          "Compile it with -gencode arch=compute_75,code=compute_75, or with -arch=sm_75, which "
          "embeds PTX as well.");
}

TEST_CASE("read_fatbin: what nvcc writes, in each of its compression modes", "[nvcc]") {
    const std::string mode = GENERATE("none", "speed", "balance", "size");
    std::string folder = (std::filesystem::temp_directory_path() / "fatbin-test-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    // A kernel long enough for compression to be worth it: nvcc leaves tiny texts plain.
    std::ofstream(folder + "/k.cu") << "__global__ void k(float* a, float* b) {\n"
                                       "    for (int i = 0; i < 100; ++i) a[i] += b[i] * a[i];\n"
                                       "}\n";
    const std::string command = fmt::format(
        "{} -gencode arch=compute_75,code=compute_75 --compress-mode={} -fatbin "
        "{}/k.cu -o {}/k.fatbin",
        LAB_NVCC, mode, folder, folder);
    INFO(command);
    REQUIRE(std::system(command.c_str()) == 0);
    std::ifstream file(folder + "/k.fatbin", std::ios::binary);
    const std::string fatbin(std::istreambuf_iterator<char>(file), {});
    std::filesystem::remove_all(folder);

    const auto images = read(fatbin);
    const FatbinImage& image = select_ptx(images);
    CHECK(image.arch == 75);
    CHECK(image.ptx.find(".visible .entry _Z1kPfS_(") != std::string::npos);
    CHECK(image.ptx.find('\0') == std::string::npos);
    CHECK(image.ptx[image.ptx.find_last_not_of('\n')] == '}');
}
