// Recognises mistakes of lab 05 by the products that they compute.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/check.h"
#include "product.h"

using Mistake = lab::KnownMistake<std::function<std::vector<float>()>>;

/// Mistakes that need no tiles.
std::vector<Mistake> general_mistakes(const Inputs& inputs);
/// Mistakes of programs with tiles of this width.
std::vector<Mistake> mistakes_of_tiles(const Inputs& inputs, int tile);
/// Mistakes of blocks of threads x threads in which each computes each x each elements.
std::vector<Mistake> mistakes_of_threads(const Inputs& inputs, int threads, int each);

/// "Only the first of the 4 x 4 elements of each thread were stored."
lab::Diagnoser only_the_first_of_each_thread(Shape shape, int threads, int each);
