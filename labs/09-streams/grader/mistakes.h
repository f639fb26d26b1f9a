// The mistakes that the grader of lab 09 knows by what they compute, or by what they leave out.
//
// Interface: Mistake, mistakes_of_pipeline, Named, other_rounds, rest_of_the_pieces,
// only_one_piece, only_as_many_as_streams, last_piece_missing, pieces_in_elements;
// mistakes_of_jobs, missing_jobs; is_near, advice_on_time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "work.h"

using Mistake = lab::KnownMistake<Floats>;

/// Of what pipeline makes of `in`, in pieces of so many elements.
std::vector<Mistake> mistakes_of_pipeline(const Floats& in, int piece, int rounds);

/// An argument of the function, as work_kernel may get it in the place of `rounds`.
struct Named {
    std::string name;
    int value;
};
/// "Every element went through one round too few", or through as many as another argument says.
/// `in` must outlive it.
lab::Diagnoser other_rounds(const Floats& in, int rounds, std::vector<Named> others);

/// "The last 3 elements were not written": n is no multiple of the number of pieces.
lab::Diagnoser rest_of_the_pieces(int n, int chunks);

/// "Only the first piece was written": the others went to its place, or nowhere.
std::optional<std::string> only_one_piece(const lab::Evidence& e, std::size_t piece);

/// "Only the first 3 pieces were written, as many as there are streams."
std::optional<std::string> only_as_many_as_streams(const lab::Evidence& e, int piece, int streams);

/// "The last piece was not written": it is shorter than the others.
std::optional<std::string> last_piece_missing(const lab::Evidence& e, std::size_t piece);

/// "Only a quarter of each piece arrived": a copy that counts elements, not bytes.
std::optional<std::string> pieces_in_elements(const lab::Evidence& e, std::size_t piece);

/// Of what run_jobs makes of `in`, n elements a job.
std::vector<Mistake> mistakes_of_jobs(const Floats& in, int n, int rounds);

/// "Job 7 did not run": some rows are untouched, and all others right.
std::optional<std::string> missing_jobs(const lab::Evidence& e, int jobs, int n);

/// Is this the kernel's time? `tolerated_ms`: how much longer it may be, beside 2 % of it.
bool is_near(double got_ms, double expected_ms, double tolerated_ms);
/// What to say of one that is not.
std::string advice_on_time(double got_ms, double expected_ms, double tolerated_ms);
