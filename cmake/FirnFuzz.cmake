# libFuzzer targets: firn_fuzz_NAME for every name of the list in test/fuzz/fuzz.h. tools/fuzz
# builds and runs them; `cmake --preset fuzz` configures a tree for them.
if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "FIRN_FUZZ needs clang, which has libFuzzer: cmake --preset fuzz")
endif()
set(folder ${CMAKE_SOURCE_DIR}/test/fuzz)
include(${folder}/targets.cmake)  # FIRN_FUZZ_NAMES, FIRN_FUZZ_SOURCES

add_library(firn_fuzz_targets STATIC ${FIRN_FUZZ_SOURCES})
target_include_directories(firn_fuzz_targets PUBLIC ${CMAKE_SOURCE_DIR}/test ${FIRN_GENERATED_DIR})
target_link_libraries(firn_fuzz_targets PUBLIC firn_flags firn_static_${FIRN_MAIN_VARIANT})

foreach(name IN LISTS FIRN_FUZZ_NAMES)
    add_executable(firn_fuzz_${name} ${folder}/fuzz_main.c)
    target_compile_definitions(firn_fuzz_${name} PRIVATE FIRN_FUZZ_TARGET=${name})
    target_link_options(firn_fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(firn_fuzz_${name} PRIVATE firn_fuzz_targets)
    list(APPEND executables firn_fuzz_${name})
endforeach()
add_custom_target(firn_fuzz DEPENDS ${executables})
