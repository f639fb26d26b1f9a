# Everything the project stands on, found once: what the virtual GPU needs, by its own module, and what
# the course needs besides. ./lab installs what is missing (packages.sh, toolkit.sh); packages unpacked
# into a folder of their own are found through LAB_DEPS.
include(VgpuDependencies)
find_package(tomlplusplus REQUIRED)
find_c_library(seccomp seccomp.h)
