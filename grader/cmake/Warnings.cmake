# Warnings are errors in our own code (presets dev and ci); never in a student's file, which nvcc
# compiles without these flags. Link `lab_warnings` PRIVATE.
option(LAB_WERROR "Treat warnings in the project's own code as errors" OFF)
set(LAB_SANITIZE "" CACHE STRING "Sanitizers for the project's own code: address,undefined or thread")

add_library(lab_warnings INTERFACE)
target_compile_options(lab_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps in std::string's own assignments (its bug 105651).
    target_compile_options(lab_warnings INTERFACE -Wno-restrict)
endif()
if(LAB_WERROR)
    target_compile_options(lab_warnings INTERFACE -Werror)
endif()
if(LAB_SANITIZE)
    add_compile_options(-fsanitize=${LAB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${LAB_SANITIZE})
    # With sanitizers GCC 12 takes variables inside its own <regex> for uninitialised.
    target_compile_options(lab_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
