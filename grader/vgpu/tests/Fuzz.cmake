# Fuzzing of what reads untrusted bytes, with clang's libFuzzer:
#     cmake -S . -B build/fuzz -DCMAKE_CXX_COMPILER=clang++ -DLAB_FUZZ=ON -DLAB_SANITIZE=address,undefined
#     cmake --build build/fuzz --target fuzz-vgpu_ptx
#     build/fuzz/bin/fuzz-vgpu_ptx -max_total_time=180 NEW-INPUTS-FOLDER grader/vgpu/tests/corpus/ptx
# What it finds becomes a test beside the code.
include_guard(GLOBAL)
option(LAB_FUZZ "Build the fuzzers (clang only)" OFF)

# lab_fuzz(LIBRARY SOURCE): a program fuzz-LIBRARY.
function(lab_fuzz library source)
    if(NOT LAB_FUZZ)
        return()
    endif()
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "LAB_FUZZ needs clang: add -DCMAKE_CXX_COMPILER=clang++")
    endif()
    target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link)
    add_executable(fuzz-${library} ${source})
    target_compile_options(fuzz-${library} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz-${library} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz-${library} PRIVATE ${library} lab_warnings)
endfunction()
