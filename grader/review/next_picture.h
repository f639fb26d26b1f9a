// What comes after a lab: the title of the next one, and the first picture of its handout.
#pragma once

#include <string>

#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

struct NextPicture {
    std::string title;        ///< "lab 04, Julia set"; empty: this was the last one
    std::string description;  ///< the picture's alternative text
    std::string bytes;        ///< the file's; empty: no picture
    bool is_png = false;      ///< else SVG
};

/// The first picture, SVG or PNG, in the handout of the lab that follows `lab` in the list.
NextPicture next_picture(const Project& project, const Lab& lab);

}  // namespace lab
