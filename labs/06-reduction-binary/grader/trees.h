// Recognises trees that add the wrong pairs, by the sums that they leave.
#pragma once

#include <vector>

#include "check/check.h"
#include "cpu_sums.h"

/// Recognises sums of blocks of `threads` threads with mistakes in the distances between partners,
/// in the partners, in the place where the sum is read, or in the steps of a loop before the tree.
/// The elements of `blocks`, all of one array, must outlive them.
lab::Diagnosers mistakes_of_trees(std::vector<Floats> blocks, int threads);
