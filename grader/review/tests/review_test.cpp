// What a student gets who has full marks: the comparison, the surprise, the notes and the page.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "profiler/tests/kernel.h"
#include "report/lines.h"
#include "review/comparison.h"
#include "review/review_notes.h"
#include "review/review_page.h"
#include "review/review_text.h"
#include "review/surprise.h"

using namespace lab;
using namespace lab::test;
using Catch::Matchers::ContainsSubstring;
using vgpu::model::h200;

namespace {

KernelProfile uncoalesced_kernel() {
    KernelProfile kernel = streaming_kernel();
    vgpu::Counts& c = kernel.work.counts;
    c.global_load_sectors = c.global_load_passes = 32 * c.global_load_requests;
    kernel.work.l1_reuse.first = c.global_load_passes;
    return modelled(kernel);
}

Review review_of(const KernelProfile& mine) {
    const KernelProfile theirs = modelled(streaming_kernel());
    return {
        "Lab 02  Vector add",
        "an NVIDIA H200",
        {{"vector_add", "vector_add(n = 16777216)", compare_kernels({mine}, {theirs}), 2.0, 1.0}},
        "A surprise.",
        {{"A note with `code`."}, {{"Which is faster?", "Run `./lab bench 02`.", "Neither."}}},
        "lab 03, Addressing",
        "build/reviews/02-vector-add.html"};
}

}  // namespace

TEST_CASE("comparison: names what differs, with both numbers") {
    const Comparison slow = compare_kernels({uncoalesced_kernel()}, {modelled(streaming_kernel())});
    CHECK(slow.ratio() < 0.5);
    CHECK_THAT(slow.why,
               ContainsSubstring("times the reference's time. Most of it is in L2 Cache"));
    CHECK_THAT(slow.why, ContainsSubstring("global sectors: 18.9M against 4.19M"));

    const Comparison fast = compare_kernels({modelled(streaming_kernel())}, {uncoalesced_kernel()});
    CHECK_THAT(fast.why, ContainsSubstring("times as fast as the reference"));

    const Comparison same =
        compare_kernels({modelled(streaming_kernel())}, {modelled(streaming_kernel())});
    CHECK(same.ratio() == 1);
    CHECK(same.why ==
          "Yours takes as long as the reference. Your counts are within 10 % of the reference's.");
}

TEST_CASE(
    "comparison: counts of all launches of all kernels; those that neither has are left out") {
    std::vector<KernelProfile> twice;
    add_launch(twice, modelled(streaming_kernel()));
    add_launch(twice, modelled(streaming_kernel()));
    const Comparison c = compare_kernels(twice, {modelled(streaming_kernel())});
    REQUIRE_FALSE(c.counts.empty());
    CHECK(c.counts.front().name == "launches");
    CHECK(c.counts.front().submission == 2);
    for (const ComparedRow& row : c.counts) {
        CAPTURE(row.name);
        CHECK(row.submission == 2 * row.reference);
        CHECK(row.name != "atomics");
    }
}

TEST_CASE("comparison: launches of one kernel count as they were, not as the longest") {
    KernelProfile small = streaming_kernel();
    vgpu::Counts& c = small.work.counts;
    c.warp_instructions /= 64;
    c.global_load_sectors = c.global_store_sectors = 100;
    c.global_load_passes = c.global_store_passes = 25;
    small.work.touched_bytes /= 64;
    small.work.far_cycles /= 64;
    small.work.near_cycles /= 64;
    small.work.blocks /= 64;
    small.all.lines = {{{"add.cu", 8}, 10, 320, 0, 0, 0, 0, 0, 0, 0}};
    std::vector<KernelProfile> kernels;
    add_launch(kernels, modelled(small));
    add_launch(kernels, modelled(streaming_kernel()));
    REQUIRE(kernels.size() == 1);
    const KernelProfile& both = kernels.front();
    const std::uint64_t large = streaming_kernel().counts().warp_instructions;
    CHECK(both.all.launches == 2);
    CHECK(both.counts().warp_instructions == large);  // the longest one's
    CHECK(both.all.counts.warp_instructions == large + large / 64);
    REQUIRE(both.all.lines.size() == 2);
    CHECK(both.all.lines.front().warp_instructions ==
          10 + streaming_kernel().all.lines.back().warp_instructions);
    const Comparison comparison = compare_kernels(kernels, {modelled(streaming_kernel())});
    CHECK(comparison.submission_s < 1.5 * comparison.reference_s);
    CHECK(comparison.submission_s > comparison.reference_s);
}

TEST_CASE("surprise: something that holds for the kernel, the same each time") {
    const std::string text = surprise_about(modelled(streaming_kernel()), h200());
    CHECK_THAT(text,
               ContainsSubstring("took no time at all, add_one would be no faster. What takes "
                                 "the time is bytes from memory."));
    CHECK(surprise_about(modelled(streaming_kernel()), h200()) == text);

    KernelProfile busy = streaming_kernel();  // arithmetic is the limit
    busy.work.counts.warp_instructions *= 100;
    busy.work.counts.thread_instructions *= 100;
    busy.work.counts.fma *= 400;
    busy.work.counts.ffma = 32 * busy.work.counts.fma;
    CHECK(surprise_about(modelled(busy), h200()).find("took no time at all") == std::string::npos);
}

TEST_CASE("review notes: errors name line and remedy") {
    const ReviewNotes notes = parse_review_notes(
        "notes = [\"one\", \"two\"]\n[[question]]\nask = \"a\"\ntry = \"b\"\nanswer = \"c\"\n",
        "r");
    CHECK(notes.notes.size() == 2);
    REQUIRE(notes.questions.size() == 1);
    CHECK(notes.questions[0].try_it == "b");
    const auto message = [](const char* toml) {
        try {
            parse_review_notes(toml, "labs/02-x/review.toml");
        } catch (const Failure& failure) {
            return std::string(failure.what());
        }
        return std::string("nothing");
    };
    CHECK_THAT(message("notes = []\n[[question]]\nask = \"a\"\n"),
               ContainsSubstring("labs/02-x/review.toml:2") && ContainsSubstring("try = "));
    CHECK_THAT(message("note = [\"a\"]\n"), ContainsSubstring("notes = "));
}

TEST_CASE("review text: 80 columns; answers are kept for the page") {
    const std::string text = review_text(review_of(uncoalesced_kernel()), TextStyle{});
    for (const std::string& line : split_lines(text)) CHECK(line.size() <= 80);
    CHECK_THAT(text, ContainsSubstring("Which is faster?"));
    CHECK_THAT(text, ContainsSubstring("(modelled); 2.00 ms and 1.00 ms measured."));
    CHECK(text.find("Neither.") == std::string::npos);
}

TEST_CASE("review page: both programs with the cost of each line; nothing of them acts") {
    KernelProfile kernel = uncoalesced_kernel();
    const auto shares = line_shares({kernel}, "add.cu");
    REQUIRE(shares.size() == 2);
    CHECK(shares.at(8) > shares.at(7));
    CHECK(line_shares({kernel}, "other.cu").empty());
    const std::string evil = "// <script>alert(1)</script>\n";
    const std::string page =
        review_page(review_of(kernel), {"yours", evil + "int x;\n", "", shares},
                    {"the reference", "", "This release has none.", {}},
                    {"lab 03", "a fractal", "bytes", true});
    CHECK(page.find("<script") == std::string::npos);
    CHECK_THAT(page, ContainsSubstring("&lt;script&gt;") && ContainsSubstring("<code>code</code>"));
    CHECK_THAT(page, ContainsSubstring("<details><summary>") && ContainsSubstring("Neither."));
    CHECK_THAT(page, ContainsSubstring("This release has none."));
    CHECK_THAT(page, ContainsSubstring("alt=\"a fractal\" src=\"data:image/png;base64,Ynl0ZXM=\""));
}

TEST_CASE("next picture: every lab but the last leads to a picture of the one that follows") {
    Project project;
    project.root = LAB_TEST_ROOT;
    const auto labs = list_labs(project);
    REQUIRE(labs.size() >= 11);
    for (std::size_t i = 0; i < labs.size(); ++i) {
        const NextPicture next = next_picture(project, read_lab(project, labs[i]));
        CAPTURE(labs[i]);
        if (i + 1 == labs.size()) {
            CHECK(next.title.empty());
            continue;
        }
        CHECK_THAT(next.title, ContainsSubstring("lab " + labs[i + 1].substr(0, 2)));
        CHECK_FALSE(next.description.empty());
        CHECK(next.bytes.find(next.is_png ? "PNG" : "<svg") != std::string::npos);
    }
}

TEST_CASE("review notes: every lab has some, short, with what to try") {
    std::size_t labs = 0;
    for (const auto& entry : fs::directory_iterator(LAB_TEST_ROOT "/labs")) {
        if (!fs::exists(entry.path() / "lab.toml")) continue;
        ++labs;
        const std::string file = (entry.path() / "review.toml").string();
        CAPTURE(file);
        const ReviewNotes review = parse_review_notes(read_file(file), file);
        CHECK(review.notes.size() >= 2);
        REQUIRE_FALSE(review.questions.empty());
        std::vector<std::string> texts = review.notes;
        for (const Question& question : review.questions) {
            texts.insert(texts.end(), {question.ask, question.answer});
            CHECK_THAT(question.try_it, ContainsSubstring("`"));
        }
        for (const std::string& text : texts) {
            CAPTURE(text);
            CHECK(std::ranges::count(text, ' ') < 70);
            CHECK(std::ranges::count(text, '`') % 2 == 0);
        }
    }
    CHECK(labs >= 11);
}
