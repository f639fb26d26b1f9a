// A device with one module loaded, as a test drives it: arrays in, a kernel launched, arrays out.
//
//     Program program(ptx_of("features"));
//     const auto a = program.array<float>({1, 2, 3}, "a");
//     const auto result = program.launch("scale", {1}, {3}, a.at, 2.0f);
//     CHECK(program.read(a) == ...);
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "vgpu/arguments.h"
#include "vgpu/device.h"

namespace vgpu::test {

/// The text of a kernels/NAME.cu, compiled by nvcc with -O3 (VARIANT "O3") or -G.
inline std::string ptx_of(const std::string& name, const std::string& variant = "O3") {
    const std::string path = std::string(VGPU_TEST_PTX) + "/" + name + "." + variant + ".ptx";
    std::ifstream file(path);
    if (!file) throw Error("cannot open " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether it is what the virtual GPU gives where PTX leaves a word undefined: as an integer and as
/// a float too large for any sum to come out right.
inline bool is_undefined_value(int value) {
    return std::abs(std::int64_t{value}) > 1 << 24 && std::abs(std::bit_cast<float>(value)) > 1e30F;
}

template <class T>
struct Array {
    Address at = 0;
    std::size_t size = 0;
};

class Program {
public:
    explicit Program(const std::string& ptx, const Options& options = {})
        : device(options), module(device.load_module(ptx)) {}

    template <class T>
    Array<T> array(const std::vector<T>& values, std::string name = "array") {
        const Address at = *device.allocate(values.size() * sizeof(T), std::move(name));
        device.write(at, std::as_bytes(std::span(values)));
        return {at, values.size()};
    }
    /// Never written.
    template <class T>
    Array<T> empty(std::size_t size, std::string name = "empty") {
        return {*device.allocate(size * sizeof(T), std::move(name)), size};
    }
    template <class T>
    std::vector<T> read(const Array<T>& array) const {
        std::vector<T> values(array.size);
        if (!device.read(std::as_writable_bytes(std::span(values)), array.at))
            throw Error("cannot read");
        return values;
    }
    /// `kernel` has C linkage. Arguments are packed by their own sizes and alignments.
    template <class... T>
    LaunchResult launch(const std::string& kernel, Dim3 grid, Dim3 block, T... arguments) {
        return launch_shared(kernel, grid, block, 0, arguments...);
    }
    template <class... T>
    LaunchResult launch_shared(const std::string& kernel, Dim3 grid, Dim3 block,
                               std::uint32_t shared_bytes, T... arguments) {
        return device.launch(
            {module, kernel, grid, block, shared_bytes, vgpu::arguments(arguments...)});
    }
    template <class... T>
    LaunchResult launch_cooperative(const std::string& kernel, Dim3 grid, Dim3 block,
                                    T... arguments) {
        Launch launch{module, kernel, grid, block, 0, vgpu::arguments(arguments...)};
        launch.cooperative = true;
        return device.launch(launch);
    }

    Device device;
    ModuleId module;
};

}  // namespace vgpu::test
