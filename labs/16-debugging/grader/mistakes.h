// Recognises half-made repairs of lab 16 by what comes out. They say what is seen, and leave the
// mistake's name to the student.
#pragma once

#include "answers.h"
#include "check/check.h"

/// Of rows: only a part of each arrived, or none at all.
lab::Diagnoser part_of_each_row(int height, int width);

/// Of rows: the last ones did not arrive, or only the first one is right.
lab::Diagnoser some_of_the_rows(int height, int width);

/// Of the reversed rows of a: elements are those of a later row.
lab::Diagnoser of_a_later_row(const Floats& a);

/// Of the warps' maxima: only that of a last warp with fewer elements is wrong.
lab::Diagnoser not_the_largest(const Ints& a);

/// Of a sum: it is off by a multiple of 2^32, or has a float's digits.
lab::Diagnoser off_by_words(const Ints& a);
