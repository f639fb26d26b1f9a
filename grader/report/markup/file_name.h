// Names of a report's files, made from names that strangers have chosen.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// Letters, digits, ".", "_" and "-" of ASCII; at most 60. A name that needs no change stays as it
/// is. Others get a hash: different names stay different, also where upper and lower case are the
/// same.
std::string file_name_of(std::string_view name);

}  // namespace lab
