// A profile on a terminal: on one screen, and in full.
#pragma once

#include <string>
#include <vector>

#include "profiler/advice.h"
#include "profiler/kernel_profile.h"
#include "profiler/sections.h"
#include "report/plots/text_plot.h"
#include "report/style.h"

namespace lab {

struct Profile {
    std::string title;                   ///< "Lab 05  matmul_tiled(m = 64, ...)", or the program
    std::string note;                    ///< a sentence about the data; may be empty
    std::vector<KernelProfile> kernels;  ///< at least one, the one with most time first
};

/// The kernel that takes most of the time: speed of light, occupancy and advice; the others in a
/// line. `gpu`: the one modelled.
std::string profile_screen(const Profile&, const vgpu::model::Gpu&, const TextStyle&);

/// All kernels with all sections, the roofline, and what is not known.
std::string profile_details(const Profile&, const vgpu::model::Gpu&, const TextStyle&,
                            const TextCanvas&);

}  // namespace lab
