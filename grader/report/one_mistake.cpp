#include "report/one_mistake.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "report/vgpu_remedy.h"
#include "vgpu/describe.h"

namespace lab {
namespace {

/// The place, and the other place of a race, in no order: the one found first depends on the
/// threads.
auto places_of(const vgpu::Finding& finding) {
    const auto key = [](const vgpu::SourceLine& place) {
        return std::pair(place.file, place.line);
    };
    const auto here = key(finding.where);
    const auto there = key(finding.other ? finding.other->where : vgpu::SourceLine());
    return std::pair(std::min(here, there), std::max(here, there));
}

/// The culprit; for a kernel in a stream, without its launch.
std::string doer(const vgpu::Finding& finding) {
    return source_name(finding.actor ? describe(*finding.actor) : finding.kernel);
}

/// Of a race in one file: the lines between which a barrier orders it are those after the first, up
/// to the second.
std::pair<int, int> lines_between(const vgpu::Finding& race) {
    return std::minmax({race.where.line, race.other->where.line});
}

/// Whether one barrier can order both races.
bool may_share_barrier(const vgpu::Finding& a, const vgpu::Finding& b) {
    if (a.check != vgpu::Check::race || !a.other || !b.other) return false;
    for (const vgpu::Finding* race : {&a, &b})
        if (race->where.file != race->other->where.file) return false;
    if (a.where.file != b.where.file) return false;
    const auto [a_begin, a_end] = lines_between(a);
    const auto [b_begin, b_end] = lines_between(b);
    return std::max(a_begin, b_begin) < std::min(a_end, b_end);
}

/// Two operations whose order is missing, wherever in memory they meet.
bool is_same_pair(const vgpu::Finding& a, const vgpu::Finding& b) {
    if (a.check != vgpu::Check::hazard || a.cause.index() != b.cause.index()) return false;
    const auto pair_of = [](const vgpu::Finding& f) {
        return std::pair(f.actor ? f.actor->what + f.actor->function : "",
                         f.other ? f.other->actor.what + f.other->actor.function : "");
    };
    return pair_of(a) == pair_of(b) && describe_cause(a) == describe_cause(b);
}

bool is_of_warp(vgpu::Check check) {
    return check == vgpu::Check::invalid_mask || check == vgpu::Check::absent_lane;
}

}  // namespace

std::string source_name(std::string kernel) {
    if (kernel.starts_with("void ")) kernel.erase(0, 5);
    constexpr std::string_view kUnnamed = "(anonymous namespace)";
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        if (kernel.compare(i, kUnnamed.size(), kUnnamed) == 0)
            i += kUnnamed.size() - 1;
        else if (kernel[i] == '<' || kernel[i] == '(')
            return kernel.substr(0, i);
    }
    return kernel;
}

bool is_same(const vgpu::Finding& a, const vgpu::Finding& b) {
    if (a.check != b.check || doer(a) != doer(b)) return false;
    // Without lines, only the messages differ.
    if (a.where.line == 0) return a.where == b.where && describe(a) == describe(b);
    return places_of(a) == places_of(b);
}

bool is_alike(const vgpu::Finding& a, const vgpu::Finding& b) {
    if (a.check != b.check) return false;
    if (is_same_pair(a, b)) return true;
    if (a.where.line == 0 || b.where.line == 0 || doer(a) != doer(b)) return false;
    if (is_of_warp(a.check)) return true;
    if (a.space != b.space || remedy(a) != remedy(b)) return false;
    const bool is_same_memory =
        a.nearest && b.nearest && a.nearest->allocation == b.nearest->allocation;
    return is_same_memory || may_share_barrier(a, b);
}

}  // namespace lab
