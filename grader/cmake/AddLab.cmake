# add_lab(NN-topic): adds a lab to the build. This line is all that a lab needs elsewhere.
#
#   grader-NN-topic   B/bin/grader-NN-topic: the checker, from labs/NN-topic/grader/*.cpp. Only that
#                     folder: a student's own .cpp files next to TOPIC.cu stay out of the checker
#   entry-NN-topic    B/lib/entry/libNN-topic.a: the runner's table of the contract's functions
#   test-NN-topic     B/bin/test-NN-topic, where labs/NN-topic/grader/ has *_test.cpp files
#   grade NN-topic    the test that grades the student's file (label student)
#
# The contract is labs/NN-topic/TOPIC.h, TOPIC being the lab's name in snake_case without its number.
function(add_lab name)
    set(lab ${PROJECT_SOURCE_DIR}/labs/${name})
    string(REGEX REPLACE "^[0-9]+-" "" topic ${name})
    string(REPLACE "-" "_" topic ${topic})
    set(generated ${PROJECT_BINARY_DIR}/generated/${name})

    file(CONFIGURE OUTPUT ${generated}/entry.cpp CONTENT [==[
// The functions of @name@ that a submission defines, as the runner finds them.
#include "runner/entry.h"
#include "@topic@.h"
]==] @ONLY)
    add_library(entry-${name} OBJECT ${generated}/entry.cpp)
    target_include_directories(entry-${name} PRIVATE ${PROJECT_SOURCE_DIR}/grader ${lab})
    target_include_directories(entry-${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    if(LAB_SANITIZE AND NOT LAB_SANITIZE_PROGRAMS)
        lab_without_sanitizers(entry-${name})
    endif()
    set(entry ${PROJECT_BINARY_DIR}/lib/entry/${name}.o)
    add_custom_command(OUTPUT ${entry}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/lib/entry
        COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:entry-${name}> ${entry}
        DEPENDS entry-${name} $<TARGET_OBJECTS:entry-${name}>
        VERBATIM)
    add_custom_target(entry-object-${name} ALL DEPENDS ${entry})

    file(CONFIGURE OUTPUT ${generated}/contract_list.cpp CONTENT [==[
// The functions of @name@ that a submission defines, as text: for --contract.
#include "check/contract_list.h"
#define LAB_DETAIL_REGISTER(name)                     \
    [[maybe_unused]] static const bool lab_listed_##name = lab::add_contract_function( \
        {#name, lab::Contract<&name>::signature});
#include "@topic@.h"
std::string lab::grader_lab_name() { return "@name@"; }
]==] @ONLY)
    # Globbed, so that a new file needs no second edit; grader/ holds the checker's files and no others. The
    # folder's time tells: with GLOB's own CONFIGURE_DEPENDS `ninja -n` never finds a build current.
    file(GLOB sources ${lab}/grader/*.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lab}/grader)
    set(tests ${sources})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    add_executable(grader-${name} ${sources} ${generated}/contract_list.cpp)
    target_include_directories(grader-${name} PRIVATE ${lab} ${lab}/grader)
    target_include_directories(grader-${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(grader-${name} PRIVATE lab_check lab_warnings)
    lab_quick_build(grader-${name})
    # Authors change single files, and contract_list.cpp reads the contract in its own way.
    set_target_properties(grader-${name} PROPERTIES UNITY_BUILD OFF)

    if(tests AND BUILD_TESTING)
        # The checker's own files, without the test cases that call a submission.
        list(FILTER sources EXCLUDE REGEX "/grader\\.cpp$")
        lab_test(${name} SOURCES ${tests} ${sources} LINK lab_check_parts)
        target_include_directories(test-${name} PRIVATE ${lab} ${lab}/grader)
        target_include_directories(test-${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    endif()

    # ctest --preset student -R 02
    add_test(NAME "grade ${name}" COMMAND ${CMAKE_COMMAND} -E env "LAB_BUILD=${PROJECT_BINARY_DIR}"
             "${PROJECT_SOURCE_DIR}/lab" grade ${name})
    set_tests_properties("grade ${name}" PROPERTIES LABELS student)
endfunction()
