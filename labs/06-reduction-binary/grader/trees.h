// Trees that add the wrong pairs, and what they leave.
//
// Interface: mistakes_of_trees.
#pragma once

#include <vector>

#include "check/check.h"
#include "cpu_sums.h"

/// Recognises sums of blocks of so many threads by the distances between partners that a loop went
/// through, by the partners, by the place where the sum was looked for, and by steps of a loop that
/// came before the tree. The elements of `blocks`, all of one array, must outlive them.
lab::Diagnosers mistakes_of_trees(std::vector<Floats> blocks, int threads);
