#include "report/class/feedback_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/visible.h"
#include "report/class/failure_html.h"
#include "report/class/source_html.h"
#include "report/class/speed_html.h"
#include "report/markup/html.h"
#include "report/markup/number.h"
#include "report/verdict_table.h"

namespace lab {
namespace {

Html badge_of(const std::string& word) {
    const Html text = text_html(word);
    if (word == "ok") return element("span class='badge good'", text);
    if (word == "FAIL") return element("span class='badge bad'", text);
    if (word == "inconclusive") return element("span class='badge notice'", text);
    return element("span class='badge'", text);
}

Html top(const Feedback& feedback) {
    const Student& student = feedback.grade->student;
    Html who = name_html(student.name.empty() ? student.id : student.name);
    if (!student.name.empty()) who += Html(" &middot; ") + name_html(student.id);
    Html score;
    if (!is_open(*feedback.grade))
        score = element("b", number_html(feedback.grade->points)) +
                element("span", text_html(" / " + short_number(feedback.grade->max_points)));
    else
        score = element("span", text_html(feedback.score()));
    return element("div class='top'",
                   element("div", element("h1", text_html(visible_word(title_of(feedback)))) +
                                      element("p class='soft'", who)) +
                       element("div class='score'", score));
}

Html remarks_html(const Feedback& feedback) {
    Html items;
    for (const std::string& remark : feedback.remarks())
        items += element("p", text_html(visible(remark)));
    return items.empty() ? items : element("section class='card notice'", items);
}

/// What the instructor decided, in the student's eyes.
Html marks_html(const Feedback& feedback) {
    Html items;
    for (const ManualMark& mark : feedback.grade->marks) {
        if (feedback.mark(mark.test) != &mark) continue;
        Html text = mark.test.empty()
                        ? Html()
                        : element("b", text_html(visible_word(mark.test))) + Html(": ");
        if (mark.points)
            text += number_html(*mark.points) +
                    (*mark.points == 1 ? Html(" point") : Html(" points")) +
                    Html(" by your instructor. ");
        text += text_html(mark.comment);
        items += element("p", text);
    }
    if (items.empty()) return items;
    return Html("<h2>From your instructor</h2>") + element("section class='card notice'", items);
}

std::string note_of(const Feedback& feedback, const TestResult& test) {
    const auto failures = feedback.failures();
    for (const TestFailure& failure : failures)
        if (std::ranges::find(failure.same, &test) != failure.same.end()) return "same cause?";
    if (verdict_word(*feedback.grading, test) == "to do") return fmt::format("task {}", test.task);
    if (test.speed && test.speed->ratio > 0)
        return fmt::format("{:.2f}x the reference", test.speed->ratio);
    return "";
}

Html test_row(const Feedback& feedback, const std::string& word, const std::string& name,
              const std::string& note, double earned, double points) {
    const ManualMark* mark = feedback.mark(name);
    const bool by_hand = mark != nullptr && mark->points;
    const Html got = number_html(by_hand ? *mark->points : earned);
    return element("tr",
                   element("td class='tight'", badge_of(word)) +
                       element("td", text_html(visible_word(name))) +
                       element("td class='tight soft'", text_html(by_hand ? "by hand" : note)) +
                       element("td class='number tight'", got + Html(" / ") + number_html(points)));
}

Html tests_table(const Feedback& feedback) {
    Html rows;
    if (feedback.grading) {
        for (const TestResult& test : feedback.grading->checked.tests)
            rows += test_row(feedback, verdict_word(*feedback.grading, test), test.name,
                             note_of(feedback, test), test.earned, test.points);
    } else if (feedback.attempt != nullptr) {
        for (const TestSummary& test : feedback.attempt->tests)
            rows += test_row(feedback, test.verdict == Verdict::pass ? "ok" : "-", test.name, "",
                             test.earned, test.points);
    }
    if (rows.empty()) return rows;
    return element("section class='card scroll'",
                   element("table", Html("<tr><th></th><th>test</th><th></th>"
                                         "<th class='number'>points</th></tr>") +
                                        rows));
}

Html build_html(const Grading& grading) {
    if (grading.built && grading.build_message.empty()) return {};
    const Html message = element("pre", text_html(grading.build_message));
    if (!grading.built)
        return Html("<h2>It does not build</h2>") +
               element("section class='card bad'",
                       Html("<p>No test can run before it does. The compiler says:</p>") + message);
    return Html("<h2>Warnings of the compiler</h2>") +
           element("section class='card notice'", Html("<p>They cost no points.</p>") + message);
}

Html failures_html(const Feedback& feedback) {
    Html html;
    const auto failures = feedback.failures();
    for (std::size_t i = 0; i < failures.size(); ++i) {
        if (i == 0) html += Html("<h2>Fix this first</h2>");
        if (i == 1) html += Html("<h2>And then</h2>");
        html += failure_html(failures[i], *feedback.grading);
    }
    return html;
}

/// Of passed tests, too: a student wants to know how fast the program is.
Html speeds_html(const Grading& grading) {
    Html cards;
    for (const TestResult& test : grading.checked.tests)
        if (test.speed && test.verdict != Verdict::fail && test.verdict != Verdict::not_run)
            cards += element(
                test.verdict == Verdict::pass ? "section class='card good'"
                                              : "section class='card notice'",
                element("h3", text_html(visible_word(test.name))) + speed_html(test, *test.speed));
    return cards.empty() ? cards : Html("<h2>Speed</h2>") + cards;
}

Html attempts_html(const LabGrade& grade) {
    if (grade.attempts.size() < 2) return {};
    Html rows(
        "<tr><th>attempt</th><th>by</th><th>handed in (UTC)</th><th>state</th>"
        "<th class='number'>points</th><th></th></tr>");
    for (std::size_t i = 0; i < grade.attempts.size(); ++i) {
        const GradedAttempt& attempt = grade.attempts[i];
        const bool is_graded = attempt.state == AttemptState::graded;
        rows +=
            element("tr", element("td", text_html(std::to_string(attempt.attempt.number))) +
                              element("td", name_html(attempt.attempt.student)) +
                              element("td", text_html(time_text(attempt.attempt.submitted))) +
                              element("td", text_html(state_word(&attempt))) +
                              element("td class='number'",
                                      is_graded ? number_html(attempt.points()) : Html("-")) +
                              element("td", grade.counts == i ? Html("<b>counts</b>") : Html()));
    }
    return Html("<h2>Your attempts</h2>") +
           element("section class='card scroll'", element("table", rows));
}

Html whole_source(const Grading& grading) {
    if (grading.submission.text.empty()) return {};
    std::vector<MarkedPlace> places;
    for (const TestResult& test : grading.checked.tests)
        if (test.verdict == Verdict::fail) {
            const auto more = places_of(test);
            places.insert(places.end(), more.begin(), more.end());
        }
    return element("details",
                   Html("<summary>Your source, as it was graded</summary>") +
                       source_html(places, grading.submission.shown, grading.submission.text));
}

Html foot(const Feedback& feedback) {
    if (!feedback.grading) return {};
    const Grading& grading = *feedback.grading;
    const std::string device =
        grading.checked.device_name.empty() ? grading.device.name : grading.checked.device_name;
    return element(
        "footer",
        text_html(fmt::format("Graded {} on {} with CUDA {}. SHA-256 of the file: {}", grading.time,
                              device, grading.toolkit, grading.submission.sha256)));
}

}  // namespace

std::string feedback_html(const Feedback& feedback) {
    Html body =
        top(feedback) + remarks_html(feedback) + tests_table(feedback) + marks_html(feedback);
    if (feedback.grading) {
        const Grading& grading = *feedback.grading;
        if (!grading.built) body += build_html(grading);
        body += failures_html(feedback) + speeds_html(grading);
        if (grading.built) body += build_html(grading);
    }
    body += attempts_html(*feedback.grade);
    if (feedback.grading) body += whole_source(*feedback.grading);
    const Student& student = feedback.grade->student;
    return html_document(
        title_of(feedback) + ", " + (student.name.empty() ? student.id : student.name),
        body + foot(feedback));
}

}  // namespace lab
