# Fuzzes all readers of untrusted bytes, with clang's libFuzzer: fatbins (vgpu_fatbin), PTX text
# (vgpu_ptx), modules that are loaded and launched (vgpu_core), and a client's requests (vgpu_server). How
# to build and run them: docs/dev/sanitizers.md. Each finding becomes a test next to the code.
include_guard(GLOBAL)
option(LAB_FUZZ "Build the fuzzers (clang only)" OFF)

# lab_fuzz(LIBRARY SOURCE...): a program fuzz-LIBRARY.
function(lab_fuzz library)
    if(NOT LAB_FUZZ)
        return()
    endif()
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "LAB_FUZZ needs clang: add -DCMAKE_CXX_COMPILER=clang++")
    endif()
    target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link)
    add_executable(fuzz-${library} ${ARGN})
    target_compile_options(fuzz-${library} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz-${library} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz-${library} PRIVATE ${library} vgpu_internal lab_warnings)
endfunction()
