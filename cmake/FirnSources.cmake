# Sources are listed by hand, one sources.cmake per folder of src/, with three calls:
#   firn_sources(core hash.c log.c)             compiled once, for the baseline of the architecture
#   firn_simd_sources(solver/mpm mpm_cpu.c)     compiled once per SIMD level, see below
#   firn_cuda_sources(device cuda_device.cu ELSE cuda_none.c)
#                                               by nvcc where CUDA is built (FirnCuda.cmake); the C
#                                               files after ELSE stand in for them where it is not
# firn_add_variant then makes a static library of all of them, as often as variants are needed.

# A level compiles the same file with another -march and FIRN_SIMD_LEVEL; the file gives its
# external symbols a name per level, and a dispatcher in a baseline file chooses at run time.
set(FIRN_SIMD_LEVELS 1)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(FIRN_SIMD_LEVELS 1 3 4)
endif()
set(FIRN_SIMD_OPTIONS_3 -march=x86-64-v3)
set(FIRN_SIMD_OPTIONS_4 -march=x86-64-v4)

function(firn_collect_sources property folder)
    foreach(name IN LISTS ARGN)
        set(path ${CMAKE_SOURCE_DIR}/src/${folder}/${name})
        if(EXISTS ${path})
            set_property(GLOBAL APPEND PROPERTY ${property} ${path})
        else()
            message(SEND_ERROR "src/${folder}/sources.cmake lists ${name}, which does not exist")
        endif()
    endforeach()
endfunction()

function(firn_sources folder)
    firn_collect_sources(FIRN_SOURCES ${folder} ${ARGN})
endfunction()

function(firn_simd_sources folder)
    firn_collect_sources(FIRN_SIMD_SOURCES ${folder} ${ARGN})
endfunction()

function(firn_cuda_sources folder)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ELSE")
    firn_collect_sources(FIRN_CUDA_SOURCES ${folder} ${arg_UNPARSED_ARGUMENTS})
    firn_collect_sources(FIRN_NO_CUDA_SOURCES ${folder} ${arg_ELSE})
endfunction()

set(FIRN_VDB_SOURCES
    ${CMAKE_SOURCE_DIR}/src/output/export/vdb_shim.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/level_set_vdb.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/level_set_vdb_file.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/vdb_file.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/vdb_survey.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/vdb_surface.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/vdb_tree.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/texture_vdb.cc
    ${CMAKE_SOURCE_DIR}/src/geometry/levelset/velocity_vdb.cc)

# firn_add_variant(<name> [DEFINITIONS …] [OPTIONS …] [LINK_OPTIONS …] [VDB] [CUDA])
# Adds firn_objects_<name> (all object files) and the static library firn_static_<name> of them.
# DEFINITIONS reach whoever links the variant (they change public types), OPTIONS come last and win.
function(firn_add_variant variant)
    cmake_parse_arguments(PARSE_ARGV 1 arg "VDB;CUDA" "" "DEFINITIONS;OPTIONS;LINK_OPTIONS")
    get_property(sources GLOBAL PROPERTY FIRN_SOURCES)
    get_property(simd_sources GLOBAL PROPERTY FIRN_SIMD_SOURCES)
    get_property(cuda_sources GLOBAL PROPERTY FIRN_CUDA_SOURCES)
    get_property(no_cuda_sources GLOBAL PROPERTY FIRN_NO_CUDA_SOURCES)
    if(NOT arg_CUDA)
        list(APPEND sources ${no_cuda_sources})
    endif()

    set(usage firn_usage_${variant})
    add_library(${usage} INTERFACE)
    target_compile_definitions(${usage} INTERFACE ${arg_DEFINITIONS}
        $<$<OR:$<CONFIG:Debug>,$<BOOL:${FIRN_ASSERTS}>>:FIRN_ASSERTS>)
    target_compile_options(${usage} INTERFACE ${arg_OPTIONS})
    target_link_options(${usage} INTERFACE ${arg_LINK_OPTIONS})
    target_include_directories(${usage} INTERFACE
        ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${usage} INTERFACE firn_deps)

    set(object_targets firn_objects_${variant})
    add_library(firn_objects_${variant} OBJECT ${sources})
    if(simd_sources)
        foreach(level IN LISTS FIRN_SIMD_LEVELS)
            set(target firn_simd${level}_${variant})
            add_library(${target} OBJECT ${simd_sources})
            # -O3 for its unrolling and vectorisation of the hot loops; it changes no bits.
            # A file has all steps of a solver: gcc must not stop inlining hot loops because of its
            # length.
            target_compile_options(${target} PRIVATE
                $<$<CONFIG:Release>:-O3>
                $<$<AND:$<CONFIG:Release>,$<C_COMPILER_ID:GNU>>:--param=inline-unit-growth=400>
                ${FIRN_SIMD_OPTIONS_${level}})
            target_compile_definitions(${target} PRIVATE FIRN_SIMD_LEVEL=${level})
            list(APPEND object_targets ${target})
        endforeach()
    endif()
    foreach(target IN LISTS object_targets)
        target_link_libraries(${target} PRIVATE firn_flags ${usage})
        target_include_directories(${target} PRIVATE ${FIRN_GENERATED_DIR})
        target_compile_definitions(${target} PRIVATE FIRN_BUILDING)
        add_dependencies(${target} firn_build_info)
    endforeach()

    if(arg_VDB)
        # The C++ files, over OpenVDB. Its headers warn and take half a minute: own flags, built
        # once. Compiled with hidden visibility, openvdb::initialize crashes; hidden by the version
        # script when libfirn is linked (FirnSymbols.cmake), it does not.
        add_library(firn_vdb_shim_${variant} OBJECT ${FIRN_VDB_SOURCES})
        set_target_properties(firn_vdb_shim_${variant} PROPERTIES
            CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
        # As one file all but the largest, because each would instantiate the same trees: 31 s
        # instead of 84 s.
        set(together ${FIRN_VDB_SOURCES})
        list(REMOVE_ITEM together ${CMAKE_SOURCE_DIR}/src/geometry/levelset/level_set_vdb.cc)
        set_source_files_properties(${together} PROPERTIES UNITY_GROUP vdb)
        target_include_directories(firn_vdb_shim_${variant} PRIVATE
            ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
        target_compile_definitions(firn_vdb_shim_${variant} PRIVATE ${arg_DEFINITIONS})
        target_link_libraries(firn_vdb_shim_${variant} PRIVATE firn_vdb firn_hardening)
        # Not `undefined`: OpenVDB's headers would be reported.
        if(FIRN_SANITIZE MATCHES "address")
            target_compile_options(firn_vdb_shim_${variant} PRIVATE
                -fsanitize=address$<$<BOOL:${FIRN_FUZZ}>:,fuzzer-no-link>
                -fno-omit-frame-pointer -g1)
        endif()
        target_compile_definitions(${usage} INTERFACE FIRN_HAVE_VDB)
        target_link_libraries(${usage} INTERFACE $<LINK_ONLY:firn_vdb> stdc++)
        list(APPEND object_targets firn_vdb_shim_${variant})
    endif()

    if(arg_CUDA)
        firn_cuda_objects(firn_cuda_${variant} ${cuda_sources})
        target_compile_definitions(firn_cuda_${variant} PRIVATE ${arg_DEFINITIONS})
        target_link_libraries(${usage} INTERFACE firn_cuda)
        list(APPEND object_targets firn_cuda_${variant})
    endif()

    set(objects "")
    foreach(target IN LISTS object_targets)
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
    add_library(firn_static_${variant} STATIC ${objects})
    set_target_properties(firn_static_${variant} PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(firn_static_${variant} PUBLIC ${usage})
    set(FIRN_OBJECTS_${variant} ${objects} PARENT_SCOPE)
endfunction()
