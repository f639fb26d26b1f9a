// Wrong: computed on the host. The image is made there, and copied over; julia_set never touches
// the device.
//
// expect vgpu: "launch_julia_set: up to 16 x 16 pixels": "no kernel was launched"
// expect vgpu: "julia_set: both images on the host": "no kernel was launched"
// expect gpu: "launch_julia_set: at least 0.35x the reference": "too slow"

#include "julia_set.h"

#include <vector>

static int escape_count(float re, float im) {
    for (int step = 0; step < julia_max_steps; ++step) {
        const float new_re = re * re - im * im + julia_c_re;
        im = 2 * re * im + julia_c_im;
        re = new_re;
        if (re * re + im * im > julia_bound) return step;
    }
    return julia_max_steps;
}

void launch_julia_set(int* counts, int dim, float scale) {
    std::vector<int> on_host(dim * dim);
    std::vector<int> member(dim * dim);
    julia_set(member.data(), on_host.data(), dim, scale);
    cudaMemcpy(counts, on_host.data(), on_host.size() * sizeof(int), cudaMemcpyHostToDevice);
}

void julia_set(int* member, int* counts, int dim, float scale) {
    for (int y = 0; y < dim; ++y) {
        for (int x = 0; x < dim; ++x) {
            const float re = scale * (2 * x + 1 - dim) / dim;
            const float im = scale * (dim - 1 - 2 * y) / dim;
            counts[y * dim + x] = escape_count(re, im);
            member[y * dim + x] = counts[y * dim + x] == julia_max_steps;
        }
    }
}
