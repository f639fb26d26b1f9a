// The part of a finding's sentence that its cause has to say.
#include <fmt/format.h>

#include <algorithm>

#include "findings/words.h"
#include "vgpu/describe.h"

namespace vgpu {
namespace {

std::string line_text(int line) {
    return line == 0 ? "another place" : fmt::format("line {}", line);
}

/// "0 to 2, 5"
std::string runs_text(const cause::Group& group) {
    std::string text;
    for (const auto& [first, last] : group.numbers) {
        text += text.empty() ? "" : ", ";
        text += first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
    }
    return text;
}

std::string place_text(const cause::Group& group) {
    switch (group.doing) {
        case cause::Group::Doing::running:
            break;
        case cause::Group::Doing::at_barrier:
            return "waiting at the barrier in " + line_text(group.line);
        case cause::Group::Doing::at_warp_barrier:
            return "waiting for other lanes in " + line_text(group.line);
    }
    return "in " + line_text(group.line);
}

/// "; warps 0 to 2 in line 7; warp 3 waiting at the barrier in line 9", in the order of the places.
std::string groups_text(const char* one, const std::vector<cause::Group>& groups) {
    std::vector<std::pair<std::string, const cause::Group*>> by_place;
    for (const cause::Group& group : groups) by_place.emplace_back(place_text(group), &group);
    std::sort(by_place.begin(), by_place.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (const auto& [place, group] : by_place) {
        const auto& runs = group->numbers;
        const bool is_one = runs.size() == 1 && runs[0].first == runs[0].second;
        text += fmt::format("; {}{} {} {}", one, is_one ? "" : "s", runs_text(*group), place);
    }
    return text;
}

std::string polled_text(const std::optional<Allocation>& polled, const Names& names) {
    if (!polled) return "";
    return fmt::format(
        "; it looks at {} again and again, which the host can write, too: on the virtual GPU "
        "the host does not go on while a kernel runs, so a flag that it sets after the launch "
        "is not seen",
        names.allocation(*polled));
}

/// As programs write them: small ones are counts and flags, others the bits of something.
std::string number(std::uint64_t bits) {
    constexpr std::uint64_t kSmall = 10'000;
    return bits < kSmall ? fmt::format("{}", bits) : fmt::format("{:#x}", bits);
}

std::string allowed(const Permissions& given) {
    std::string text;
    const auto add = [&](bool is_given, const char* what) {
        if (is_given) text += (text.empty() ? "" : " and ") + std::string(what);
    };
    add(given.read, "reading");
    add(given.write, "writing");
    add(given.atomic, "atomic operations");
    return text.empty() ? "nothing" : "only " + text;
}

/// One overload a cause.
struct Words {
    const Finding& finding;
    const Names& names;

    std::string operator()(std::monostate) const { return ""; }

    std::string operator()(const cause::Endless& c) const {
        std::string text = fmt::format(
            "after {} warp instructions{}{}{}", c.limit,
            c.is_certain ? ", and nothing that its loop depends on changes any more" : "",
            groups_text("warp", c.warps), polled_text(c.polled, names));
        if (c.swap)
            text += fmt::format("; its atomicCAS stores only where it finds {}, and finds {}",
                                number(c.swap->expects), number(c.swap->finds));
        if (c.blocks_to_come > 0)
            text += fmt::format(
                "; {} blocks run at once, as many as a GPU holds of this kernel, and {} start when "
                "one of them ends: those that wait for these wait for ever",
                c.blocks_at_once, c.blocks_to_come);
        else if (c.blocks_at_once > 1)
            text += fmt::format("; {} blocks run at once", c.blocks_at_once);
        return text;
    }

    std::string operator()(const cause::Stuck& c) const {
        std::string text = "these threads wait for ever";
        if (c.for_lanes)
            text +=
                ", for lanes of their warp that are elsewhere: what waits for all lanes "
                "must not stand in a loop or a branch that some of them leave out";
        if (c.elsewhere) text += fmt::format("; thread {} is elsewhere", words::text(*c.elsewhere));
        return text + groups_text("warp", c.warps);
    }

    std::string operator()(const cause::StuckGrid& c) const {
        std::string text =
            c.to_come == 0
                ? "these threads wait in a loop, and nobody is left who could end it"
                : fmt::format(
                      "these threads wait in a loop, and {} blocks have not started: a GPU "
                      "holds {} of this kernel at once, and starts another when one has ended",
                      c.to_come, c.resident);
        text += groups_text("block", c.blocks) + groups_text("warp", c.warps);
        if (c.ended != 0)
            text += fmt::format("; {} of the {} blocks {} ended", c.ended,
                                c.ended + c.resident + c.to_come, c.ended == 1 ? "has" : "have");
        if (c.polled)
            text += fmt::format("; they read {} again and again, which nobody writes any more",
                                names.allocation(*c.polled));
        return text;
    }

    std::string operator()(const cause::WaitsForHost& c) const {
        return fmt::format(
            "it reads {} again and again, which the host is to write; but here the host goes on "
            "only when the kernel has ended",
            names.allocation(c.polled));
    }

    std::string operator()(const cause::OtherBarrier& c) const {
        return fmt::format("thread {} waits at the barrier in {} instead", words::text(c.thread),
                           line_text(c.line));
    }

    std::string operator()(const cause::Returned& c) const {
        return fmt::format("thread {} has already returned, and {} in all", words::text(c.first),
                           c.threads);
    }

    std::string operator()(const cause::WrongMask& c) const {
        return fmt::format("lane {} calls with the mask {:#010x}, which does not name it", c.lane,
                           c.mask);
    }

    std::string operator()(const cause::AbsentLane& c) const {
        return fmt::format(
            "lane {} reads from lane {}, which {}", c.lane, c.from,
            c.is_named ? "has left the kernel or was never there" : "the mask does not name");
    }

    std::string operator()(const cause::PartialWarp& c) const {
        return fmt::format(
            "matrices take all 32 lanes of a warp, and lane {} has left the kernel or was never "
            "there",
            c.absent);
    }

    std::string operator()(const cause::Missing& c) const { return c.what; }

    std::string operator()(const cause::Trap& c) const {
        using Why = cause::Trap::Why;
        switch (c.why) {
            case Why::called:
                break;
            case Why::grid_sync:
                return "grid.sync() works in a cooperative launch only, which makes sure that all "
                       "blocks run at once: start the kernel with cudaLaunchCooperativeKernel "
                       "instead of <<<...>>>";
            case Why::switch_table:
                return "it jumps past the end of a switch's table";
            case Why::null_function:
                return "it calls a function through a null pointer";
            case Why::no_function:
                return fmt::format(
                    "it calls a function through the pointer {:#x}, which is not the address of a "
                    "function of this program",
                    c.address);
            case Why::wrong_parameters:
                return fmt::format(
                    "it calls {} through a pointer to a function with other parameters",
                    c.function);
        }
        return "__trap() was called";
    }

    std::string operator()(const cause::Assertion& c) const {
        const auto indices = [](const Dim3& d) { return fmt::format("[{},{},{}]", d.x, d.y, d.z); };
        return fmt::format("{}:{}: {}: block: {}, thread: {} Assertion `{}` failed.",
                           names.file(c.where.file), c.where.line, c.function,
                           indices(finding.block), indices(finding.thread), c.expression);
    }

    std::string operator()(const cause::BadPointer& c) const {
        using Why = cause::BadPointer::Why;
        switch (c.why) {
            case Why::other_space:
                break;
            case Why::read_only:
                return "constant memory and parameters cannot be written";
            case Why::no_texture:
                return "this is no texture or surface object, or one that was destroyed: pass what "
                       "cudaCreateTextureObject or cudaCreateSurfaceObject gave";
            case Why::host_variable:
                return fmt::format(
                    "that is where the host has {}, a variable of the device, whose address there "
                    "is another one: host code gets it from cudaGetSymbolAddress",
                    c.variable);
        }
        return "the address belongs to another state space";
    }

    std::string operator()(const cause::NotHandedOut& c) const {
        std::string text = fmt::format(
            "byte {} belongs to no part that the program has handed out (nvtxMemRegionsRegister)",
            c.byte);
        if (c.nearest)
            text += fmt::format("; the nearest has bytes {} to {}", c.nearest->first,
                                c.nearest->second);
        return text;
    }

    std::string operator()(const cause::NotPermitted& c) const {
        return fmt::format("the program allows {} there{} (nvtxMemPermissionsAssign)",
                           allowed(c.given), c.is_atomic ? ", no atomic operations" : "");
    }

    std::string operator()(const cause::OutsideSurface& c) const {
        return fmt::format(
            "it has {} bytes a row, {} rows and {} layers; x counts bytes, not elements",
            c.row_bytes, c.rows, c.layers);
    }

    std::string operator()(const cause::StackOverflow&) const {
        return "the stack overflows: the thread's stack is full (on a GPU it has "
               "cudaLimitStackSize bytes), so functions call each other too deep, or one calls "
               "itself without end";
    }

    std::string operator()(const cause::UnfencedFlag&) const {
        return "a flag is set after the first and looked at before the second, but without a fence "
               "(__threadfence()) another block may see the flag before it sees the data";
    }

    std::string operator()(const cause::PartlyWritten& c) const {
        return fmt::format("only {} of its {} {} written before", c.written_bytes,
                           words::bytes(c.of_bytes), c.written_bytes == 1 ? "was" : "were");
    }

    std::string operator()(const cause::OverlappingCopy&) const {
        return "source and destination of a copy must not overlap; copy to another array first, "
               "and from there";
    }

    std::string operator()(const cause::Unordered& c) const {
        using Between = cause::Unordered::Between;
        if (c.between == Between::host)
            return "wait for it first, with cudaStreamSynchronize, cudaEventSynchronize or "
                   "cudaDeviceSynchronize";
        // Rather pieces of one job that were meant to lie apart than one that needs the other's
        // result; and nobody wants to wait for new data, but to have a place of their own for them.
        const std::string apart =
            c.is_same_work
                ? "if each is to write a part of its own, look at where each part begins "
                  "and how long it is; if not, "
            : c.brings_new_data
                ? "if each stream is to work on a part of its own, look at where each part begins "
                  "and how long it is, in copies and kernels; if not, "
                : "";
        if (c.between == Between::graph_nodes)
            return apart +
                   "the graph has no edge between their nodes, nor a chain of edges from one to "
                   "the other: give the later node the earlier one as a dependency (where streams "
                   "are captured, let one wait for an event of the other)";
        return apart +
               "record an event behind the first, in its stream, and let the other stream wait for "
               "it with cudaStreamWaitEvent, or put both into one stream, or wait in between with "
               "cudaDeviceSynchronize";
    }

    std::string operator()(const cause::Freed&) const { return "freed"; }

    std::string operator()(const cause::MoreLeaks& c) const {
        std::string text;
        for (const Allocation& other : c.others)
            text += (text.empty() ? "" : ", ") + names.allocation(other);
        return text;
    }

    std::string operator()(const cause::LaunchError& c) const { return c.why; }
};

}  // namespace

std::string describe_cause(const Finding& finding, const Names& names) {
    return std::visit(Words{finding, names}, finding.cause);
}

}  // namespace vgpu
