// Computes the products of lab 05 on the CPU, by a plain loop: the answers that the grader expects.
#pragma once

#include <cstddef>
#include <vector>

#include "check/check.h"

struct Shape {
    int m, k, n;
};

inline std::size_t area(int rows, int cols) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

inline std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

struct Product {
    std::vector<float> c;
    std::vector<float> magnitude;  ///< sums of |a * b|
};

/// The product, computed in double.
Product cpu_matmul(const std::vector<float>& a, const std::vector<float>& b, Shape shape);

/// The factors of a call, with random elements.
struct Inputs {
    std::vector<float> a, b;
    Shape shape;

    explicit Inputs(Shape s)
        : a(lab::random_floats(area(s.m, s.k))), b(lab::random_floats(area(s.k, s.n))), shape(s) {}
};
