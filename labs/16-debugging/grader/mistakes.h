// Recognises half-made repairs of lab 16 by what comes out. They say what is seen, and leave the
// mistake's name to the student.
#pragma once

#include "answers.h"
#include "check/check.h"

/// Of rows: only a part of each arrived, or none at all.
lab::Diagnoser part_of_each_row(int height, int width);

/// Of a sum: it is off by a multiple of 2^32.
lab::Diagnoser off_by_words(const Ints& a);
