// Recognises mistakes of lab 09 by the elements that they compute or leave out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "work.h"

using Mistake = lab::KnownMistake<Floats>;

/// Mistakes in pipeline's output for `in`, in pieces of `piece` elements.
std::vector<Mistake> mistakes_of_pipeline(const Floats& in, int piece, int rounds);

/// An argument of the function that work_kernel may get instead of `rounds`.
struct Named {
    std::string name;
    int value;
};
/// "Every element went through one round too few", or through as many as another argument says.
/// `in` must outlive it.
lab::Diagnoser other_rounds(const Floats& in, int rounds, std::vector<Named> others);

/// "The last 3 elements were not written": n is not a multiple of the number of pieces.
lab::Diagnoser rest_of_the_pieces(int n, int chunks);

/// "Only the first piece was written": the others went to its place, or nowhere.
std::optional<std::string> only_one_piece(const lab::Evidence& e, std::size_t piece);

/// "Only the first 3 pieces were written, as many as there are streams."
std::optional<std::string> only_as_many_as_streams(const lab::Evidence& e, int piece, int streams);

/// "The last piece was not written": it is shorter than the others.
std::optional<std::string> last_piece_missing(const lab::Evidence& e, std::size_t piece);

/// "Only a quarter of each piece arrived": a copy that counts elements, not bytes.
std::optional<std::string> pieces_in_elements(const lab::Evidence& e, std::size_t piece);

/// Mistakes in run_jobs' output for `in`, with n elements per job.
std::vector<Mistake> mistakes_of_jobs(const Floats& in, int n, int rounds);

/// "Job 7 did not run": some rows are untouched, and all others right.
std::optional<std::string> missing_jobs(const lab::Evidence& e, int jobs, int n);

/// Is this the kernel's time? It may be longer by `tolerated_ms` plus 2 %.
bool is_near(double got_ms, double expected_ms, double tolerated_ms);
/// The advice for a time that is not.
std::string advice_on_time(double got_ms, double expected_ms, double tolerated_ms);
