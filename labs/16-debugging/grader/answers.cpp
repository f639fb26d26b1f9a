#include "answers.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>

Floats cpu_differences(const Floats& a) {
    Floats d;
    for (std::size_t i = 0; i + 1 < a.size(); ++i) d.push_back(a[i + 1] - a[i]);
    return d;
}

Ints cpu_histogram(const Ints& a) {
    Ints bins(kBins);
    for (const int v : a) ++bins[static_cast<std::size_t>(v)];
    return bins;
}

Floats cpu_double_from(const Floats& a, int first, int n) {
    Floats b(a.begin() + first, a.begin() + first + n);
    for (float& x : b) x *= 2;
    return b;
}

Floats cpu_from_first(const Floats& a, int height, int width) {
    Floats b = a;
    for (int y = 0; y < height; ++y) {
        const auto begin = static_cast<std::size_t>(y * width);
        for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x)
            b[begin + x] = a[begin + x] - a[begin];
    }
    return b;
}

Floats cpu_mirror(const Floats& in, int height, int width) {
    Floats out = in;
    for (int y = 0; y < height; ++y) {
        const auto row = out.begin() + y * width;
        std::reverse(row, row + width);
    }
    return out;
}

unsigned long long cpu_sum_of_squares(const Ints& a) {
    unsigned long long sum = 0;
    for (const long long x : a) sum += static_cast<unsigned long long>(x * x);
    return sum;
}

Ints cpu_block_sums(const Ints& a) {
    Ints sums((a.size() + kThreads - 1) / kThreads);
    for (std::size_t i = 0; i < a.size(); ++i) sums[i / kThreads] += a[i];
    return sums;
}

Ints cpu_warp_maxima(const Ints& a) {
    constexpr std::size_t kWarp = 32;
    Ints maxima((a.size() + kWarp - 1) / kWarp, INT_MIN);
    for (std::size_t i = 0; i < a.size(); ++i)
        maxima[i / kWarp] = std::max(maxima[i / kWarp], a[i]);
    return maxima;
}

const Planted& planted(int k) {
    static const std::array<Planted, 10> kPlanted = {{
        // The guard; or the launch, which may pass n - 1.
        {"differences", Kind::bound, "be", 'e'},
        {"histogram", Kind::uninitialised, "hi", 'i'},
        {"double_from", Kind::misaligned, "c", 'f'},
        {"from_first", Kind::unchecked_launch, "e", 'e'},
        {"mirror_image", Kind::copy_size, "h", 'h'},
        // The type of x, or the product.
        {"sum_of_squares", Kind::overflow, "de", 'i'},
        // The barrier may stand at the end of the loop or at its beginning.
        {"reverse_rows", Kind::missing_barrier, "bce", 'f'},
        {"block_sums", Kind::divergent_barrier, "eg", 'i'},
        // The lanes that leave, or the mask that names them.
        {"warp_maxima", Kind::mask, "bd", 'f'},
        // Two lines have changed places.
        {"two_streams", Kind::stream_order, "bc", 'f'},
    }};
    return kPlanted.at(static_cast<std::size_t>(k - 1));
}

std::string judge(int k, const Finding& finding) {
    const Planted& right = planted(k);
    const std::string call = "bug(" + std::to_string(k) + ")", row = std::to_string(k);
    const bool has_line = finding.line != ' ' && finding.line != '\0';
    if (!has_line && finding.kind == Kind::not_found)
        return "No test finds a mistake in " + right.function +
               ". Which one was planted there? Enter it in row " + row +
               " of kFindings: the letter of the line, and the kind.";
    if (!has_line)
        return call + " names a kind, but no line: enter the letter in front of it in row " + row +
               " of kFindings.";
    if (finding.line < 'a' || finding.line > right.last_line)
        return call + " names line '" + std::string(1, finding.line) + "', but the lines of " +
               right.function + " are 'a' to '" + std::string(1, right.last_line) + "'.";
    if (finding.kind == Kind::not_found)
        return call + " names a line, but no kind: enter it in row " + row +
               " of kFindings. debugging.h has a sentence on each.";
    const bool line = right.lines.find(finding.line) != std::string::npos;
    const bool kind = finding.kind == right.kind;
    if (line && kind) return {};
    if (line)
        return call +
               " names the right line, but the wrong kind. debugging.h has a sentence on each.";
    return call +
           (kind ? " names the right kind, but the wrong line."
                 : " names the wrong line and the wrong kind.") +
           " Name the line that was to blame in the file as it was handed out, not the line where "
           "the mistake showed. debugging.h says how lines are named.";
}
