#include "product.h"

#include <algorithm>
#include <cmath>

#include "protocol/parallel.h"

Product cpu_matmul(const std::vector<float>& a, const std::vector<float>& b, Shape shape) {
    const auto [m, k, n] = shape;
    Product product{std::vector<float>(area(m, n)), std::vector<float>(area(m, n))};
    const auto row_size = static_cast<std::size_t>(n);
    lab::for_each_range(product.c.size(),
                        [&, k = static_cast<std::size_t>(k)](std::size_t begin, std::size_t end) {
                            std::vector<double> sum(row_size), magnitude(row_size);
                            while (begin < end) {  // the part in one row
                                const std::size_t row = begin / row_size, col = begin % row_size;
                                const std::size_t count = std::min(row_size - col, end - begin);
                                std::fill_n(sum.begin(), count, 0.0);
                                std::fill_n(magnitude.begin(), count, 0.0);
                                for (std::size_t i = 0; i < k; ++i) {
                                    const double left = a[row * k + i];
                                    const float* right = &b[i * row_size + col];
                                    for (std::size_t j = 0; j < count; ++j) {
                                        const double term = left * right[j];
                                        sum[j] += term;
                                        magnitude[j] += std::abs(term);
                                    }
                                }
                                std::copy_n(sum.begin(), count, &product.c[begin]);
                                std::copy_n(magnitude.begin(), count, &product.magnitude[begin]);
                                begin += count;
                            }
                        });
    return product;
}
