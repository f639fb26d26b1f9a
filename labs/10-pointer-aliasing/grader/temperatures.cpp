#include "temperatures.h"

#include <algorithm>
#include <cstddef>

Floats cpu_anneal(const Floats& start, const Floats& rate, const Floats& bath, int cycles) {
    double slope = 1, shift = 0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = 0; k < kBaths; ++k) {
            const double r = rate[static_cast<std::size_t>(k)];
            slope *= 1 - r;
            shift = (1 - r) * shift + r * bath[static_cast<std::size_t>(k)];
        }
    }
    Floats temperature(start.size());
    std::ranges::transform(start, temperature.begin(),
                           [=](float t) { return static_cast<float>(slope * t + shift); });
    return temperature;
}
