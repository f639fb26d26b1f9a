# Finds all dependencies once: those of the virtual GPU, by its own module, and the others of the
# course. ./lab installs missing ones (packages.sh, toolkit.sh); LAB_DEPS names a folder of unpacked
# packages.
include(VgpuDependencies)
find_package(tomlplusplus REQUIRED)
find_c_library(seccomp seccomp.h)
find_c_library(md sha256.h) # digests
find_c_library(z zlib.h)

# For classes (`./lab batch`, lab-class): students build without them.
find_package(SQLiteCpp QUIET)
find_path(archive_header archive.h)
find_package(yaml-cpp QUIET)
mark_as_advanced(archive_header)
set(LAB_HAS_CLASS OFF)
if(SQLiteCpp_FOUND AND archive_header AND yaml-cpp_FOUND)
    set(LAB_HAS_CLASS ON)
    find_c_library(archive archive.h)
elseif(BUILD_TESTING)
    message(STATUS "Without lab-class and its tests: they need libsqlitecpp-dev, libarchive-dev and libyaml-cpp-dev")
endif()
