// Mistakes in the terms of the sums: which elements of a and b meet, and how often.
//
// Interface: mistakes_of_lengths, mistakes_of_terms, terms_added_many_times,
// grid_for_other_tiles.
#pragma once

#include <vector>

#include "mistakes.h"

/// Lengths, bounds or signs that are another's: whatever the tiles are.
std::vector<Mistake> mistakes_of_lengths(const Inputs& inputs);
/// Loops over other tiles than those along k, tiles that are filled up with other numbers than 0,
/// and threads that take each other's row or column, where tiles have this width.
std::vector<Mistake> mistakes_of_terms(const Inputs& inputs, int tile);

/// "Most terms are added 32 times": a loop along k in steps of 1.
lab::Diagnoser terms_added_many_times(const Inputs& inputs, int tile);
/// "The grid has as many blocks as tiles of 32 need": of matmul_dynamic, whose tiles are smaller.
lab::Diagnoser grid_for_other_tiles(Shape shape, int tile);
