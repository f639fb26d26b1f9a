# LAB_HOST_ISAS: the instruction sets of the host for which the virtual GPU's lane instructions are
# compiled. A build with tests has them all, because they must agree. A build for use has this
# processor's best: the others would take a quarter of the time to the first verdict. On a processor
# that has none of them, core/build.cpp adds its own and builds again; the program never runs
# instructions that the processor lacks (vgpu/host_isa.h).
set(flags_avx2 avx2 fma bmi1 bmi2 abm)
set(flags_avx512 ${flags_avx2} avx512f avx512bw avx512cd avx512dq avx512vl)

function(lab_best_host_isa variable)
    set(${variable} baseline PARENT_SCOPE)
    if(NOT EXISTS /proc/cpuinfo)
        return()
    endif()
    file(STRINGS /proc/cpuinfo line REGEX "^flags" LIMIT_COUNT 1)
    string(REGEX MATCHALL "[a-z0-9_]+" flags "${line}")
    foreach(isa avx2 avx512)
        set(missing ${flags_${isa}})
        list(REMOVE_ITEM missing ${flags})
        if(NOT missing)
            set(${variable} ${isa} PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# Without optimisation, inline functions of headers would be emitted for all; then one set is enough.
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" OR NOT CMAKE_BUILD_TYPE MATCHES "Rel" OR LAB_SANITIZE)
    set(default_isas baseline)
elseif(BUILD_TESTING)
    set(default_isas baseline avx2 avx512)
else()
    lab_best_host_isa(default_isas)
endif()
set(LAB_HOST_ISAS "${default_isas}" CACHE STRING
    "Instruction sets of the virtual GPU's lane instructions: baseline;avx2;avx512")
