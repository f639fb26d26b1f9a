# Warnings are errors in our own code (presets dev and ci); never in a student's file, which nvcc
# compiles without these flags. Link `lab_warnings` PRIVATE.
include_guard(GLOBAL)
option(LAB_WERROR "Treat warnings in the project's own code as errors" OFF)
set(LAB_SANITIZE "" CACHE STRING "Sanitizers for the project's own code: address,undefined or thread")

add_library(lab_warnings INTERFACE)
if(BUILD_TESTING)  # who only uses the tool waits a sixth less for it without
    target_compile_options(lab_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                           -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps in std::string's own assignments (its bug 105651).
    target_compile_options(lab_warnings INTERFACE -Wno-restrict)
endif()
if(LAB_WERROR)
    target_compile_options(lab_warnings INTERFACE -Werror)
endif()
# What is linked into submissions and into programs of nvcc's is not for ThreadSanitizer, which keeps
# the addresses for itself at which the client maps the device's window.
set(LAB_SANITIZE_PROGRAMS "")
if(LAB_SANITIZE MATCHES "address|undefined")
    set(LAB_SANITIZE_PROGRAMS "-fsanitize=${LAB_SANITIZE}")
endif()
if(LAB_SANITIZE)
    add_compile_options(-fsanitize=${LAB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${LAB_SANITIZE})
    if(LAB_SANITIZE MATCHES "address")
        # An empty optional, an index past a vector's end: no sanitizer sees them in every case.
        add_compile_definitions(_GLIBCXX_ASSERTIONS)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # With sanitizers GCC 12 takes variables inside its own <regex> for uninitialised.
        target_compile_options(lab_warnings INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()

# lab_without_sanitizers(TARGET): for what ends up in programs that know nothing of them.
function(lab_without_sanitizers target)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
endfunction()
# lab_program_sanitizers(VARIABLE): the flags with which nvcc compiles and links a program with
# libcudart_static.a.
function(lab_program_sanitizers variable)
    set(flags)
    if(LAB_SANITIZE_PROGRAMS)
        string(REPLACE "," ";" parts ${LAB_SANITIZE})
        foreach(part ${parts})
            list(APPEND flags -Xcompiler -fsanitize=${part})
        endforeach()
    endif()
    set(${variable} ${flags} PARENT_SCOPE)
endfunction()

# lab_quick_build(TARGET): for code that is cold, or waits for others: -O1 compiles it a quarter to a
# third faster than -O3. Never -O0: that doubles a grading where it is not cold after all.
function(lab_quick_build target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
