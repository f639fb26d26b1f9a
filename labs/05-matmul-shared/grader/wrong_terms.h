// Recognises mistakes in the terms of the sums: which elements of a and b meet, and how often.
#pragma once

#include <vector>

#include "mistakes.h"

/// Lengths, bounds or signs taken from another matrix, with tiles of any width.
std::vector<Mistake> mistakes_of_lengths(const Inputs& inputs);
/// For tiles of this width: loops over other tiles than those along k, tiles filled up with other
/// numbers than 0, and threads that take each other's row or column.
std::vector<Mistake> mistakes_of_terms(const Inputs& inputs, int tile);

/// "Most terms are added 32 times": a loop along k in steps of 1.
lab::Diagnoser terms_added_many_times(const Inputs& inputs, int tile);
/// "The grid has as many blocks as tiles of 32 need": for matmul_dynamic with smaller tiles.
lab::Diagnoser grid_for_other_tiles(Shape shape, int tile);
