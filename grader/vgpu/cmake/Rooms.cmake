# The rooms of the virtual GPU's machine: a folder of src/, a static library each. A room links and
# includes the rooms before it, no other; a test holds the includes to that order, lowest first:
include_guard(GLOBAL)
set(VGPU_ROOMS fatbin ptx findings counts model state memory decode race profile execute execute/ops device)

# add_room(LIBRARY SOURCE...)
function(add_room library)
    add_library(${library} STATIC ${ARGN})
    # Registers are bytes that instructions read as what they take them for.
    target_compile_options(${library} PRIVATE -fno-strict-aliasing)
    if(LAB_FUZZ)
        target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    target_link_libraries(${library} PRIVATE vgpu_internal lab_warnings)
endfunction()
