// Names that nvcc does not know: what the author may have meant.

#include "nvcc/undeclared_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "base/nearest.h"
#include "base/source_text.h"
#include "nvcc/symbols.h"

namespace lab {
namespace {

/// Headers of the C++ library that declare the functions beginners use.
const std::map<std::string, const char*>& headers() {
    static const std::map<std::string, const char*> all = {
        {"printf", "cstdio"},       {"fprintf", "cstdio"},     {"stderr", "cstdio"},
        {"puts", "cstdio"},         {"cout", "iostream"},      {"cerr", "iostream"},
        {"endl", "iostream"},       {"vector", "vector"},      {"array", "array"},
        {"string", "string"},       {"to_string", "string"},   {"swap", "utility"},
        {"unique_ptr", "memory"},   {"make_unique", "memory"}, {"numeric_limits", "limits"},
        {"sort", "algorithm"},      {"fill", "algorithm"},     {"copy", "algorithm"},
        {"accumulate", "numeric"},  {"iota", "numeric"},       {"runtime_error", "stdexcept"},
        {"thread", "thread"},       {"assert", "cassert"},     {"FLT_MAX", "cfloat"},
        {"DBL_MAX", "cfloat"},      {"INT_MAX", "climits"},    {"uint8_t", "cstdint"},
        {"uint32_t", "cstdint"},    {"uint64_t", "cstdint"},   {"int64_t", "cstdint"},
        {"malloc", "cstdlib"},      {"free", "cstdlib"},       {"exit", "cstdlib"},
        {"abort", "cstdlib"},       {"rand", "cstdlib"},       {"EXIT_FAILURE", "cstdlib"},
        {"memcpy", "cstring"},      {"memset", "cstring"},     {"high_resolution_clock", "chrono"},
        {"function", "functional"},
    };
    return all;
}

constexpr const char* kCudaNames[] = {
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "dim3",
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "__restrict__",
    "__syncthreads",
    "__syncwarp",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__ballot_sync",
    "__activemask",
    "__threadfence",
    "atomicAdd",
    "atomicMin",
    "atomicMax",
    "atomicExch",
    "atomicCAS",
    "cudaMalloc",
    "cudaMallocHost",
    "cudaMallocManaged",
    "cudaMallocPitch",
    "cudaMallocAsync",
    "cudaFree",
    "cudaFreeHost",
    "cudaFreeAsync",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpyAsync",
    "cudaMemcpyToSymbol",
    "cudaMemset",
    "cudaMemsetAsync",
    "cudaMemcpyHostToDevice",
    "cudaMemcpyDeviceToHost",
    "cudaMemcpyDeviceToDevice",
    "cudaMemcpyDefault",
    "cudaDeviceSynchronize",
    "cudaGetLastError",
    "cudaGetErrorString",
    "cudaSuccess",
    "cudaError_t",
    "cudaStream_t",
    "cudaStreamCreate",
    "cudaStreamDestroy",
    "cudaStreamSynchronize",
    "cudaStreamWaitEvent",
    "cudaEvent_t",
    "cudaEventCreate",
    "cudaEventRecord",
    "cudaEventDestroy",
};

/// Names that sound right, made of CUDA's own.
struct Confusion {
    const char *name, *text;
};
constexpr Confusion kConfusions[] = {
    {"threaddim", "CUDA has no threadDim. The number of threads in a block is blockDim."},
    {"gridsize", "CUDA has no gridSize. The number of blocks in the grid is gridDim."},
    {"gridid", "CUDA has no gridId. The number of the thread's block in the grid is blockIdx."},
    {"grididx", "CUDA has no gridIdx. The number of the thread's block in the grid is blockIdx."},
};

std::string lower(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Words of the source that are worth suggesting, each once.
std::vector<std::string> words_of(std::string_view source) {
    constexpr std::size_t kShortest = 3, kLongest = 60, kMost = 2000;  // chosen
    std::set<std::string> words;
    const std::string code = code_only(source);
    for (std::size_t i = 0; i < code.size() && words.size() < kMost;) {
        std::size_t end = i;
        while (end < code.size() && is_word(code[end])) ++end;
        const bool is_name = end > i && std::isdigit(static_cast<unsigned char>(code[i])) == 0;
        if (is_name && end - i >= kShortest && end - i <= kLongest)
            words.insert(code.substr(i, end - i));
        i = end + 1;
    }
    return {words.begin(), words.end()};
}

/// Whether a line lies in a kernel, or in another function for the GPU.
bool is_in_device_code(std::string_view source, int line) {
    const std::string code = code_only(source);
    for (; line > 0; --line) {
        const std::string_view here = line_at(code, line);
        if (here.find("__global__") != std::string_view::npos ||
            here.find("__device__") != std::string_view::npos)
            return true;
        if (here.starts_with('}')) return false;
    }
    return false;
}

/// A name that the source itself has, used otherwise than it is declared.
std::string of_the_source(const std::string& name, std::string_view source) {
    if (source.find("#define " + name + "(") != std::string_view::npos)
        return fmt::format("{0} is a macro, and takes its argument in parentheses: {0}(...).",
                           name);
    const std::vector<std::string> words = words_of(source);
    const auto found = std::ranges::find_if(
        words, [&](const std::string& word) { return word != name && lower(word) == lower(name); });
    if (found == words.end()) return "";
    return fmt::format("It is called {} here: capital and small letters differ.", *found);
}

}  // namespace

std::string header_of(const std::string& name) {
    const auto found = headers().find(name);
    return found == headers().end() ? "" : found->second;
}

std::string nearest_cuda_name(const std::string& word) {
    const std::vector<std::string> names(std::begin(kCudaNames), std::end(kCudaNames));
    return nearest(word, names).value_or("");
}

std::string explain_undeclared(const std::string& name, const NvccMessage& message,
                               std::string_view source) {
    const bool is_stream = name == "cout" || name == "cerr" || name == "endl";
    if (is_stream && is_in_device_code(source, message.line))
        return fmt::format(
            "std::{} works on the host only. In a kernel use printf, with #include <cstdio>.",
            name);
    for (const Confusion& confusion : kConfusions)
        if (lower(name) == confusion.name && message.code.find(name + ".") != std::string::npos)
            return confusion.text;
    if (const auto found = header_of(name); !found.empty())
        return fmt::format("{} is declared in <{}>: add #include <{}> at the top of the file.",
                           name, found, found);
    for (const char* known : kCudaNames) {
        if (name != known && lower(name) == lower(known))
            return fmt::format("CUDA calls it {}: capital and small letters differ.", known);
    }
    if (std::string text = of_the_source(name, source); !text.empty()) return text;
    for (const char* known : kCudaNames) {
        constexpr std::size_t kLongEnough = 8;
        if (name.size() >= kLongEnough && std::string_view(known).ends_with(name))
            return fmt::format("There is no {} here. Did you mean {}?", name, known);
    }
    if (const int line = line_of_definition(source, name); line > message.line)
        return fmt::format(
            "{} is defined on line {}, below its first use: move it up, or declare it before.",
            name, line);
    std::vector<std::string> candidates(std::begin(kCudaNames), std::end(kCudaNames));
    for (std::string& word : words_of(source))
        if (word != name) candidates.push_back(std::move(word));
    constexpr std::size_t kShortest = 3, kLongest = 60;  // shorter ones resemble everything
    if (name.size() >= kShortest && name.size() <= kLongest) {
        if (const auto near = nearest(name, candidates))
            return fmt::format("There is no {} here. Did you mean {}?", name, *near);
    }
    if (message.code.find(name + "(") != std::string::npos)
        return fmt::format("No function or macro {} is declared before this line.", name);
    return fmt::format(
        "No variable {} is declared before this line. Its declaration needs a type, as in "
        "int {} = ...;",
        name, name);
}

}  // namespace lab
