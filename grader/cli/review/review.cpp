// lab review: after full marks, the reference beside the student's own program, and what to find
// out next.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/files.h"
#include "cli/profile/profiled_grading.h"
#include "cli/run_grading.h"
#include "core/course/skeleton.h"
#include "core/standing.h"
#include "profiler/sections.h"
#include "report/lines.h"
#include "report/screen.h"
#include "review/next_picture.h"
#include "review/review_page.h"
#include "review/surprise.h"

namespace lab::cli {
namespace {

struct ReviewOptions {
    std::string lab, file, out;
};

/// Of the latest grading, where that was on a GPU.
const SpeedResult* measured(const std::optional<Standing>& standing, const std::string& test) {
    if (!standing) return nullptr;
    const auto found = std::ranges::find(standing->tests, test, &TestResult::name);
    if (found == standing->tests.end() || !found->speed || !found->speed->timed) return nullptr;
    return &*found->speed;
}

std::vector<ReviewedCall> calls_of(const Profiled& profiled, const Project& project) {
    const auto standing = standing_of(project, profiled.grading.lab.name);
    std::vector<ReviewedCall> calls;
    for (const ProfiledCall& call : profiled.calls) {
        if (call.submission.empty() || call.reference.empty()) continue;
        ReviewedCall reviewed{
            call.function, call.call, compare_kernels(call.submission, call.reference), {}, {}};
        if (const SpeedResult* const speed = measured(standing, call.test)) {
            reviewed.submission_ms = speed->submission_ms;
            reviewed.reference_ms = speed->reference_ms;
        }
        calls.push_back(std::move(reviewed));
    }
    return calls;
}

/// Of the kernel that takes the longest of all: the others may be the labs' slow versions.
std::string surprise_of(const std::vector<ProfiledCall>& calls, const vgpu::model::Gpu& gpu) {
    const auto last = std::ranges::find_if(
        calls.rbegin(), calls.rend(), [](const auto& call) { return !call.submission.empty(); });
    return last == calls.rend() ? "" : surprise_about(last->submission.front(), gpu);
}

/// Of the calls that both programs made: what else one of them did would make its lines look cheap.
std::map<int, double> shares_of(const std::vector<ProfiledCall>& calls,
                                std::vector<KernelProfile> ProfiledCall::*kernels,
                                const fs::path& file) {
    std::vector<KernelProfile> all;
    for (const ProfiledCall& call : calls)
        if (!call.submission.empty() && !call.reference.empty())
            all.insert(all.end(), (call.*kernels).begin(), (call.*kernels).end());
    return line_shares(all, file.string());
}

/// The shares of a text's lines, from those of one that has more lines in between.
std::map<int, double> renumbered(const std::map<int, double>& shares, std::string_view of,
                                 std::string_view shown) {
    const Lines all = split_lines(of), some = split_lines(shown);
    std::map<int, double> result;
    std::size_t at = 0;
    for (std::size_t i = 0; i < some.size() && at < all.size(); ++i, ++at) {
        while (at < all.size() && all[at] != some[i]) ++at;
        const auto share = shares.find(static_cast<int>(at) + 1);
        if (share != shares.end()) result[static_cast<int>(i) + 1] = share->second;
    }
    return result;
}

ReviewedSource reference_source(const Project& project, const Profiled& profiled) {
    const Lab& lab = profiled.grading.lab;
    ReviewedSource source{"the reference", "", "", {}};
    const auto text = read_file_if_there(project.root / lab.solution());
    if (!text) {
        source.note = "This release of the course has no sources of the references.";
        return source;
    }
    source.text = without_markers(*text);
    source.shares = renumbered(shares_of(profiled.calls, &ProfiledCall::reference, lab.solution()),
                               *text, source.text);
    return source;
}

void review(Session& session, const ReviewOptions& options) {
    const Project& project = session.project();
    const Lab lab = session.lab_or_last(options.lab);
    const Profiled profiled = profiled_grading(session, lab, options.file);
    const Grading& grading = profiled.grading;
    if (!grading.built || grading.points() < grading.max_points()) {
        session.say_painted(
            grading_screen(grading, "./lab grade " + lab.number(), session.style()));
        session.say(fmt::format(
            "\nThe review of lab {} comes with full marks: the reference beside your program.\n",
            lab.number()));
        session.exit = grading.exit();
        return;
    }
    const vgpu::model::Gpu& gpu = vgpu::model::h200();
    const NextPicture next = next_picture(project, lab);
    const fs::path page = options.out.empty()
                              ? output_folder(project, "reviews") / (lab.name + ".html")
                              : fs::absolute(options.out);
    const Review review{fmt::format("Lab {}  {}", lab.number(), lab.title),
                        gpu_name(gpu),
                        calls_of(profiled, project),
                        surprise_of(profiled.calls, gpu),
                        read_review_notes(project, lab),
                        next.title,
                        near_path(page).string()};
    const ReviewedSource mine{
        "yours", grading.submission.text, "",
        shares_of(profiled.calls, &ProfiledCall::submission, grading.submission.shown)};
    make_folder(page.parent_path());
    write_atomically(page, review_page(review, mine, reference_source(project, profiled), next));
    session.say_painted(review_text(review, session.style()));
    session.line(Json{{"type", "review"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"surprise", review.surprise},
                      {"file", page.string()}});
}

}  // namespace

void add_review(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "review", "After full marks: the reference beside yours, and what to find out");
    const auto options = std::make_shared<ReviewOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: the one last worked on");
    command->add_option("--file", options->file, "Take this file instead of the lab's own");
    command->add_option("--out", options->out,
                        "Write the page here; without it into build/reviews/");
    session.add_json(*command);
    command->callback([&session, options] { review(session, *options); });
}

}  // namespace lab::cli
