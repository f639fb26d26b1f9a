# Results are the same whatever the host's processor. For 64-bit Arm, GCC by default makes one fused
# operation of a product and a sum, which rounds otherwise than two, and its char has no sign. Both
# hold for references, models and the virtual GPU's arithmetic alike, so for the whole project: a
# target that somebody forgets would compute other numbers, silently.
include_guard(GLOBAL)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    add_compile_options(-ffp-contract=off -fsigned-char)
endif()
