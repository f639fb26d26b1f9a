# How the virtual GPU is compiled, and the libraries and the toolkit that it needs.
include_guard(GLOBAL)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
if(DEFINED ENV{LAB_DEPS})
    list(PREPEND CMAKE_PREFIX_PATH "$ENV{LAB_DEPS}")
endif()

# Headers and nvcc; the CUDA language itself is not enabled. ./lab says which toolkit. A preset used by
# hand takes the one in the PATH, then CUDA_HOME's, then what ./lab put into .toolchain/.
find_program(nvcc_in_path nvcc NO_CACHE)
if(NOT CUDAToolkit_ROOT AND NOT nvcc_in_path)
    find_path(CUDAToolkit_ROOT bin/nvcc NO_CACHE
              PATHS "$ENV{CUDA_HOME}" /usr/local/cuda "${CMAKE_SOURCE_DIR}/.toolchain/nvidia/cu13")
endif()
find_program(nvcc_found nvcc NO_CACHE HINTS "${CUDAToolkit_ROOT}/bin")
if(NOT nvcc_found)
    message(FATAL_ERROR "This machine has no nvcc. In CUDA Labs, run ./lab grade 02 once: it finds or installs "
                        "NVIDIA's compiler. Elsewhere, set CUDAToolkit_ROOT. Then run this command again.")
endif()
# CMake 3.25.1 (Debian 12) wants to warn of nvToolsExt, which CUDA 13 no longer has, and stumbles over
# its absence; it leaves older projects alone, so for this one call we are one.
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
find_package(CUDAToolkit 12.4 REQUIRED)
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.25)

find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

# C libraries without CMake packages: lab::zstd and so on. (Not pkg-config, whose files know only the
# folder they were made for.)
function(find_c_library name header)
    find_path(LAB_${name}_INCLUDE_DIR ${header} REQUIRED)
    find_library(LAB_${name}_LIBRARY ${name} REQUIRED)
    mark_as_advanced(LAB_${name}_INCLUDE_DIR LAB_${name}_LIBRARY)
    add_library(lab::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(lab::${name} PROPERTIES IMPORTED_LOCATION "${LAB_${name}_LIBRARY}")
    if(NOT LAB_${name}_INCLUDE_DIR STREQUAL "/usr/include")
        target_include_directories(lab::${name} INTERFACE "${LAB_${name}_INCLUDE_DIR}")
    endif()
endfunction()
find_c_library(zstd zstd.h)
find_c_library(lz4 lz4.h)

# Tests are Catch2 programs, and so are graders. Some distributions have Catch2 2 only.
find_package(Catch2 3.3 QUIET)
if(NOT Catch2_FOUND)
    message(STATUS "Catch2 3 is not installed; fetching version 3.7.1")
    include(FetchContent)
    FetchContent_Declare(Catch2 GIT_REPOSITORY https://github.com/catchorg/Catch2.git
                         GIT_TAG fa43b77429ba76c462b1898d6cd2f2d7a9416b14) # v3.7.1
    FetchContent_MakeAvailable(Catch2)
    list(APPEND CMAKE_MODULE_PATH "${catch2_SOURCE_DIR}/extras")
endif()
include(Catch)

# Tests have names in common, and compile for longer than they run.
function(lab_test_code target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    target_compile_options(${target} PRIVATE -O0)
endfunction()

# One Catch2 program a component: lab_test(vgpu_ptx SOURCES lexer_test.cpp LINK vgpu_core).
function(lab_test name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
    if(NOT BUILD_TESTING)
        return()
    endif()
    add_executable(test-${name} ${arg_SOURCES})
    target_link_libraries(test-${name} PRIVATE ${arg_LINK} Catch2::Catch2WithMain lab_warnings)
    lab_test_code(test-${name})
    catch_discover_tests(test-${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST)
endfunction()
