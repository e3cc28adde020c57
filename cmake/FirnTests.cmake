# Tests. Each test/<folder>/tests.cmake has one line per test file or script:
#   firn_test(math svd3 LABEL unit VARIANTS float double asan)
#       test/math/test_svd3.c defines `int test_svd3(void)`, which returns cmocka's failure count.
#       CTest entries: svd3, svd3.double, svd3.asan; by hand: `bin/firn_test svd3`.
#       Variants: float (the library that ships), double, asan (address and undefined behaviour
#       sanitizers). Default: `float asan` for label unit, else `float`.
#       SIMD plain baseline …: one more CTest entry per SIMD level, bar.plain, of the first variant
#       only, with FIRN_TEST_SIMD naming it; skipped where the machine lacks the level.
#   firn_script_test(resume resume.sh LABEL cli)
#       runs `bash test/<folder>/resume.sh` in a fresh scratch folder, with FIRN (the executable),
#       FIRN_SOURCE_DIR, FIRN_BUILD_DIR and FIRN_SANITIZE in the environment; ARGUMENTS … go to
#       the script. Exit status 77 means skipped.
#   firn_test_simd_sources(lanes_kernels.c)
#       a file beside the tests, path from test/, compiled once per SIMD level (FirnSources.cmake)
#       for all tests to call.
#   firn_test_cuda_sources(geometry/collider/bodies_kernels.cu)
#       the same for CUDA, in the runner of the variant that has it: tests that call it are
#       themselves in `#ifdef FIRN_HAVE_CUDA`, and skip (77) where there is no device.
# The first two take TIMEOUT seconds, and SERIAL for a test that must have the machine to itself.
# LABEL takes several; whatever is also labelled slow stays out of `./firn test`.
set(FIRN_TEST_LABELS unit physics backend golden compile layers scenes cli slow)
set(FIRN_TEST_SCRATCH ${CMAKE_BINARY_DIR}/scratch)

set(FIRN_TEST_ENVIRONMENT FIRN_SANITIZE=${FIRN_SANITIZE})
# The libraries of Debian are not built for it; a test starts threads after a fork.
if(FIRN_SANITIZE MATCHES "thread")
    list(APPEND FIRN_TEST_ENVIRONMENT
        TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0)
endif()
# The C++ library inside libopenvdb.so does not tell the address sanitizer how full its vectors are.
if(FIRN_SANITIZE MATCHES "address")
    list(APPEND FIRN_TEST_ENVIRONMENT ASAN_OPTIONS=detect_container_overflow=0)
endif()

# What every test entry has in common.
function(firn_set_test_properties entry variant)
    cmake_parse_arguments(PARSE_ARGV 2 arg "SERIAL" "TIMEOUT" "LABEL;VARIANTS;SIMD")
    foreach(label IN LISTS arg_LABEL)
        if(NOT label IN_LIST FIRN_TEST_LABELS)
            message(FATAL_ERROR
                "test ${entry}: no label '${label}' (there are: ${FIRN_TEST_LABELS})")
        endif()
    endforeach()
    if(NOT arg_LABEL)
        message(FATAL_ERROR "test ${entry} has no LABEL")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)  # against hanging, not a statement on speed
        if("slow" IN_LIST arg_LABEL)
            set(arg_TIMEOUT 7200)
        endif()
    endif()
    set_tests_properties(${entry} PROPERTIES
        LABELS "${arg_LABEL};${variant}"
        TIMEOUT ${arg_TIMEOUT}
        RUN_SERIAL ${arg_SERIAL}
        SKIP_RETURN_CODE 77
        ENVIRONMENT "FIRN_SCENE_PATH=${CMAKE_SOURCE_DIR}/scenes;\
FIRN=${CMAKE_BINARY_DIR}/bin/firn;FIRN_SOURCE_DIR=${CMAKE_SOURCE_DIR};\
FIRN_BUILD_DIR=${CMAKE_BINARY_DIR};\
UBSAN_OPTIONS=print_stacktrace=1;${FIRN_TEST_ENVIRONMENT}")
endfunction()

function(firn_test folder name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "SERIAL" "TIMEOUT" "LABEL;VARIANTS;SIMD")
    set(path ${CMAKE_SOURCE_DIR}/test/${folder}/test_${name}.c)
    if(NOT EXISTS ${path})
        message(SEND_ERROR
            "test/${folder}/tests.cmake names ${name}, but test_${name}.c does not exist")
        return()
    endif()
    if(NOT arg_VARIANTS)
        set(arg_VARIANTS float)
        if("unit" IN_LIST arg_LABEL)
            set(arg_VARIANTS float asan)
        endif()
    endif()
    set_source_files_properties(${path} PROPERTIES COMPILE_DEFINITIONS
        "FIRN_TEST_TMP=\"${FIRN_TEST_SCRATCH}/${name}.$<TARGET_PROPERTY:FIRN_VARIANT>\"")
    foreach(variant IN LISTS arg_VARIANTS)
        if(NOT variant IN_LIST FIRN_VARIANTS)
            continue()
        endif()
        get_property(known GLOBAL PROPERTY FIRN_TESTS_${variant})
        if(name IN_LIST known)
            message(FATAL_ERROR "two tests are called ${name}: the second is in test/${folder}")
        endif()
        set_property(GLOBAL APPEND PROPERTY FIRN_TESTS_${variant} ${name})
        set_property(GLOBAL APPEND PROPERTY FIRN_TEST_FILES_${variant} ${path})
        set(entry ${name})
        set(runner firn_test)
        if(NOT variant STREQUAL FIRN_MAIN_VARIANT)
            set(entry ${name}.${variant})
            set(runner firn_test_${variant})
        endif()
        add_test(NAME ${entry} COMMAND ${runner} ${name})
        firn_set_test_properties(${entry} ${variant} ${ARGN})
        if(NOT variant STREQUAL FIRN_MAIN_VARIANT)
            continue()
        endif()
        foreach(simd IN LISTS arg_SIMD)
            add_test(NAME ${entry}.${simd} COMMAND ${runner} ${name})
            firn_set_test_properties(${entry}.${simd} ${variant} ${ARGN})
            set_property(TEST ${entry}.${simd} APPEND PROPERTY ENVIRONMENT FIRN_TEST_SIMD=${simd})
            # one scratch folder for all of them
            set_property(TEST ${entry} ${entry}.${simd} APPEND PROPERTY RESOURCE_LOCK ${entry})
        endforeach()
    endforeach()
endfunction()

# firn_test_sources(float asan FILES …): files beside the tests, in the runners of these variants.
function(firn_test_sources)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILES")
    foreach(variant IN LISTS arg_UNPARSED_ARGUMENTS)
        set_property(GLOBAL APPEND PROPERTY FIRN_TEST_FILES_${variant} ${arg_FILES})
    endforeach()
endfunction()

function(firn_test_simd_sources)
    foreach(name IN LISTS ARGN)
        set_property(GLOBAL APPEND PROPERTY FIRN_TEST_SIMD_FILES ${CMAKE_SOURCE_DIR}/test/${name})
    endforeach()
endfunction()

function(firn_test_cuda_sources)
    foreach(name IN LISTS ARGN)
        set_property(GLOBAL APPEND PROPERTY FIRN_TEST_CUDA_FILES ${CMAKE_SOURCE_DIR}/test/${name})
    endforeach()
endfunction()

function(firn_script_test name script)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ARGUMENTS")
    firn_command_test(${name} ${arg_UNPARSED_ARGUMENTS}
        COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/${script} ${arg_ARGUMENTS})
endfunction()

# firn_command_test(<name> LABEL … COMMAND …): any command, in a fresh scratch folder.
function(firn_command_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND")
    add_test(NAME ${name} COMMAND bash -c
        "rm -rf \"$0\" && mkdir -p \"$0\" && cd \"$0\" && exec \"$@\""
        ${FIRN_TEST_SCRATCH}/${name} ${arg_COMMAND})
    firn_set_test_properties(${name} ${FIRN_MAIN_VARIANT} ${arg_UNPARSED_ARGUMENTS})
endfunction()

# Tests, not what they test, are compiled without the optimiser: they run hardly longer, and compile
# in half the time. Linked last, so that its options win.
add_library(firn_unoptimised INTERFACE)
target_compile_options(firn_unoptimised INTERFACE -O0 -U_FORTIFY_SOURCE)

# One runner per variant, made of the test files named so far: call last.
function(firn_add_test_runners)
    foreach(variant IN LISTS FIRN_VARIANTS)
        get_property(names GLOBAL PROPERTY FIRN_TESTS_${variant})
        get_property(files GLOBAL PROPERTY FIRN_TEST_FILES_${variant})
        set(runner firn_test)
        if(NOT variant STREQUAL FIRN_MAIN_VARIANT)
            set(runner firn_test_${variant})
        endif()
        set(list "")
        foreach(name IN LISTS names)
            string(APPEND list "TEST(${name}, \"${FIRN_TEST_SCRATCH}/${name}.${variant}\")\n")
        endforeach()
        file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${runner}/test_list.inc CONTENT "${list}")

        get_property(simd_files GLOBAL PROPERTY FIRN_TEST_SIMD_FILES)
        foreach(level IN LISTS FIRN_SIMD_LEVELS)
            set(target firn_test_simd${level}_${variant})
            add_library(${target} OBJECT ${simd_files})
            target_compile_options(${target} PRIVATE ${FIRN_SIMD_OPTIONS_${level}})
            target_compile_definitions(${target} PRIVATE FIRN_SIMD_LEVEL=${level})
            target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
            target_link_libraries(${target} PRIVATE
                firn_flags firn_usage_${variant} firn_unoptimised)
            list(APPEND files $<TARGET_OBJECTS:${target}>)
        endforeach()
        get_property(cuda_files GLOBAL PROPERTY FIRN_TEST_CUDA_FILES)
        if(cuda_files AND FIRN_HAVE_CUDA AND variant STREQUAL FIRN_MAIN_VARIANT)
            firn_cuda_objects(firn_test_cuda ${cuda_files})
            target_include_directories(firn_test_cuda PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
            list(APPEND files $<TARGET_OBJECTS:firn_test_cuda>)
        endif()
        add_executable(${runner} firn_test.c compare.c ${files})
        set_target_properties(${runner} PROPERTIES FIRN_VARIANT ${variant} LINKER_LANGUAGE C)
        target_include_directories(${runner} PRIVATE
            ${CMAKE_CURRENT_BINARY_DIR}/${runner} ${CMAKE_CURRENT_SOURCE_DIR} ${FIRN_GENERATED_DIR})
        target_compile_definitions(${runner} PRIVATE
            FIRN_SOURCE_DIR="${CMAKE_SOURCE_DIR}" FIRN_CLI="${CMAKE_BINARY_DIR}/bin/firn")
        target_link_libraries(${runner} PRIVATE
            firn_flags firn_static_${variant} PkgConfig::cmocka firn_unoptimised)
        if(FIRN_HAVE_VIEWER AND variant STREQUAL FIRN_MAIN_VARIANT)
            target_link_libraries(${runner} PRIVATE firn_viewer)
        endif()
        if(TARGET PkgConfig::assimp)
            target_link_libraries(${runner} PRIVATE PkgConfig::assimp)
            target_compile_definitions(${runner} PRIVATE FIRN_HAVE_ASSIMP)
        endif()
    endforeach()
endfunction()
