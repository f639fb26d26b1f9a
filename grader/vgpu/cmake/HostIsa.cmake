# LAB_HOST_ISAS: the instruction sets of the host for which the virtual GPU's lane instructions are
# compiled. A build for use has this processor's best: each takes a quarter of the time to the first
# verdict. A build with tests has all that this processor can run, because they must agree. On a
# processor that has none of them, ./lab adds its own and builds again; the program never runs
# instructions that the processor lacks (vgpu/host_isa.h).
include_guard(GLOBAL)
set(flags_avx2 avx2 fma bmi1 bmi2 abm)
set(flags_avx512 ${flags_avx2} avx512f avx512bw avx512cd avx512dq avx512vl)

# The instruction sets that this processor has, the best last.
function(lab_host_isas variable)
    set(isas baseline)
    if(EXISTS /proc/cpuinfo)
        file(STRINGS /proc/cpuinfo line REGEX "^flags" LIMIT_COUNT 1)
    endif()
    string(REGEX MATCHALL "[a-z0-9_]+" flags "${line}")
    foreach(isa avx2 avx512)
        set(missing ${flags_${isa}})
        list(REMOVE_ITEM missing ${flags})
        if(NOT missing)
            list(APPEND isas ${isa})
        endif()
    endforeach()
    set(${variable} ${isas} PARENT_SCOPE)
endfunction()

# Without optimisation, inline functions of headers would be emitted for all; then one set is enough.
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" OR NOT CMAKE_BUILD_TYPE MATCHES "Rel" OR LAB_SANITIZE)
    set(default_isas baseline)
else()
    lab_host_isas(default_isas)
    if(NOT BUILD_TESTING)
        list(GET default_isas -1 default_isas)
    endif()
endif()
set(LAB_HOST_ISAS "${default_isas}" CACHE STRING
    "Instruction sets of the virtual GPU's lane instructions: baseline;avx2;avx512")
