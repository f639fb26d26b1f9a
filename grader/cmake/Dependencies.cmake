# Finds all dependencies once: those of the virtual GPU, by its own module, and the others of the
# course. ./lab installs missing ones (packages.sh, toolkit.sh); LAB_DEPS names a folder of unpacked
# packages.
include(VgpuDependencies)
find_package(tomlplusplus REQUIRED)
find_c_library(seccomp seccomp.h)
