# For editors: how clangd compiles the .cu files (build/editors/compile_commands.json) and the C++
# (build/compile_commands.json, a link). .clangd in the root says which is for what.
#
# Nothing is built from these, so the files may be globbed: clangd takes the flags of the nearest file
# for one that is not listed.
cmake_path(GET CMAKE_BINARY_DIR PARENT_PATH lab_build_root)
if(NOT lab_build_root STREQUAL "${CMAKE_SOURCE_DIR}/build")
    return() # a build folder elsewhere: the checkout stays as it is
endif()

# As core/build/build.cpp starts nvcc, in clang's words. clangd only reads the host's half, so one
# architecture does for every GPU, and device code needs no library (-nocudalib).
cmake_path(GET CUDAToolkit_NVCC_EXECUTABLE PARENT_PATH lab_toolkit)
cmake_path(GET lab_toolkit PARENT_PATH lab_toolkit)
set(lab_clang_flags clang++ -xcuda "--cuda-path=${lab_toolkit}" --cuda-gpu-arch=sm_75 --cuda-host-only
    -nocudalib -std=c++17 -Wno-unknown-cuda-version "-I${CMAKE_SOURCE_DIR}/grader"
    "-I${CMAKE_SOURCE_DIR}/grader/vgpu/include"
    -isystem "${CMAKE_SOURCE_DIR}/grader/editors/cuda13" -include "${CMAKE_SOURCE_DIR}/grader/editors/clang_cuda.h")

file(GLOB_RECURSE lab_cuda_files RELATIVE "${CMAKE_SOURCE_DIR}"
     "${CMAKE_SOURCE_DIR}/labs/*.cu" "${CMAKE_SOURCE_DIR}/solutions/*.cu" "${CMAKE_SOURCE_DIR}/grader/*.cu")
set(lab_entries "")
foreach(file IN LISTS lab_cuda_files)
    set(flags ${lab_clang_flags})
    if(file MATCHES "^(labs|solutions)/([0-9]+-[^/]+)/")
        list(APPEND flags "-I${CMAKE_SOURCE_DIR}/labs/${CMAKE_MATCH_2}")
    endif()
    list(TRANSFORM flags REPLACE "\\\\|\"" "\\\\\\0")
    list(JOIN flags "\", \"" flags)
    string(APPEND lab_entries "${separator}{\"directory\": \"${CMAKE_SOURCE_DIR}\", \"file\": \"${file}\","
           " \"arguments\": [\"${flags}\", \"${file}\"]}")
    set(separator ",\n")
endforeach()
file(WRITE "${lab_build_root}/editors/compile_commands.json" "[\n${lab_entries}\n]\n")
file(CREATE_LINK "${CMAKE_BINARY_DIR}/compile_commands.json" "${lab_build_root}/compile_commands.json"
     SYMBOLIC)
