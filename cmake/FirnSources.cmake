# Sources are listed by hand, one sources.cmake per folder of src/, with these calls:
#   firn_sources(core hash.c log.c)             compiled once, for the baseline of the architecture
#   firn_simd_sources(solver/mpm mpm_cpu.c)     compiled once per SIMD level, see below
#   firn_cuda_sources(device cuda_device.cu ELSE cuda_none.c)
#                                               by nvcc where CUDA is built (FirnCuda.cmake); the C
#                                               files after ELSE stand in for them where it is not
#   firn_feature_sources(PNG geometry height_png.c ELSE height_png_none.c)
#                                               the same for a library (PNG, YAML)
#   firn_optional_sources(geometry texture.c)   with parts in `#ifdef FIRN_HAVE_…`: compiled once
#                                               for libfirn and once for libfirn-core
# firn_add_variant then makes libraries of them, as often as variants are needed. The core is all
# folders but FIRN_MODULES (design/0018-embedding.md).
set(FIRN_MODULES output render run)

# A level compiles the same file with another -march and FIRN_SIMD_LEVEL; the file gives its
# external symbols a name per level, and a dispatcher in a baseline file chooses at run time.
set(FIRN_SIMD_LEVELS 1)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(FIRN_SIMD_LEVELS 1 3 4)
endif()
set(FIRN_SIMD_OPTIONS_3 -march=x86-64-v3)
set(FIRN_SIMD_OPTIONS_4 -march=x86-64-v4)

# Appends files of a folder to a list; those of a module to FIRN_MODULE_…
function(firn_collect_sources list folder)
    string(REGEX REPLACE "/.*" "" top ${folder})
    if(top IN_LIST FIRN_MODULES)
        set(list MODULE_${list})
    endif()
    foreach(name IN LISTS ARGN)
        set(path ${CMAKE_SOURCE_DIR}/src/${folder}/${name})
        if(EXISTS ${path})
            set_property(GLOBAL APPEND PROPERTY FIRN_${list} ${path})
        else()
            message(SEND_ERROR "src/${folder}/sources.cmake lists ${name}, which does not exist")
        endif()
    endforeach()
endfunction()

function(firn_sources folder)
    firn_collect_sources(SOURCES ${folder} ${ARGN})
endfunction()

function(firn_simd_sources folder)
    firn_collect_sources(SIMD_SOURCES ${folder} ${ARGN})
endfunction()

function(firn_optional_sources folder)
    firn_collect_sources(OPTIONAL_SOURCES ${folder} ${ARGN})
endfunction()

function(firn_feature_sources feature folder)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ELSE")
    firn_collect_sources(WITH_${feature}_SOURCES ${folder} ${arg_UNPARSED_ARGUMENTS})
    firn_collect_sources(WITHOUT_${feature}_SOURCES ${folder} ${arg_ELSE})
endfunction()

function(firn_cuda_sources folder)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ELSE")
    firn_collect_sources(CUDA_SOURCES ${folder} ${arg_UNPARSED_ARGUMENTS})
    firn_collect_sources(NO_CUDA_SOURCES ${folder} ${arg_ELSE})
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

# firn_object_library(<target> <usage> files…): object files, compiled as everything is.
function(firn_object_library target usage)
    add_library(${target} OBJECT ${ARGN})
    target_link_libraries(${target} PRIVATE firn_flags ${usage})
    target_include_directories(${target} PRIVATE ${FIRN_GENERATED_DIR})
    target_compile_definitions(${target} PRIVATE FIRN_BUILDING)
    add_dependencies(${target} firn_build_info)
endfunction()

# firn_simd_libraries(<out> <name> <usage> files…): one object library per SIMD level.
function(firn_simd_libraries out name usage)
    set(targets "")
    foreach(level IN LISTS FIRN_SIMD_LEVELS)
        set(target ${name}${level})
        firn_object_library(${target} ${usage} ${ARGN})
        # -O3 for its unrolling and vectorisation of the hot loops; it changes no bits.
        # A file has all steps of a solver: gcc must not stop inlining hot loops because of its
        # length.
        target_compile_options(${target} PRIVATE
            $<$<CONFIG:Release>:-O3>
            $<$<AND:$<CONFIG:Release>,$<C_COMPILER_ID:GNU>>:--param=inline-unit-growth=400>
            ${FIRN_SIMD_OPTIONS_${level}})
        target_compile_definitions(${target} PRIVATE FIRN_SIMD_LEVEL=${level})
        list(APPEND targets ${target})
    endforeach()
    set(${out} ${targets} PARENT_SCOPE)
endfunction()

# firn_add_usage(<target> [DEFINITIONS …] [OPTIONS …] [LINK_OPTIONS …]): what all files of a variant
# are compiled with beside firn_flags. DEFINITIONS reach whoever links the variant (they change
# public types), OPTIONS come last and win.
function(firn_add_usage usage)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEFINITIONS;OPTIONS;LINK_OPTIONS")
    add_library(${usage} INTERFACE)
    target_compile_definitions(${usage} INTERFACE ${arg_DEFINITIONS}
        $<$<OR:$<CONFIG:Debug>,$<BOOL:${FIRN_ASSERTS}>>:FIRN_ASSERTS>)
    target_compile_options(${usage} INTERFACE ${arg_OPTIONS})
    target_link_options(${usage} INTERFACE ${arg_LINK_OPTIONS})
    target_include_directories(${usage} INTERFACE
        ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${usage} INTERFACE firn_core_deps)
endfunction()

# firn_core_objects(<variant>): the objects that the core and the whole library share, and the
# usage firn_plain_<variant> that they are compiled with.
function(firn_core_objects variant)
    get_property(sources GLOBAL PROPERTY FIRN_SOURCES)
    get_property(simd_sources GLOBAL PROPERTY FIRN_SIMD_SOURCES)
    firn_add_usage(firn_plain_${variant} ${ARGN})
    firn_object_library(firn_objects_${variant} firn_plain_${variant} ${sources})
    firn_simd_libraries(simd firn_simd_${variant} firn_plain_${variant} ${simd_sources})
    set(FIRN_CORE_TARGETS_${variant} firn_objects_${variant} ${simd} PARENT_SCOPE)
endfunction()

# firn_add_variant(<name> [DEFINITIONS …] [OPTIONS …] [LINK_OPTIONS …] [VDB] [CUDA])
# Adds the static library firn_static_<name> of all files.
function(firn_add_variant variant)
    cmake_parse_arguments(PARSE_ARGV 1 arg "VDB;CUDA" "" "DEFINITIONS;OPTIONS;LINK_OPTIONS")
    set(compile DEFINITIONS ${arg_DEFINITIONS} OPTIONS ${arg_OPTIONS}
        LINK_OPTIONS ${arg_LINK_OPTIONS})
    firn_core_objects(${variant} ${compile})
    set(usage firn_usage_${variant})
    firn_add_usage(${usage} ${compile})
    target_link_libraries(${usage} INTERFACE firn_deps)

    set(lists MODULE_SOURCES OPTIONAL_SOURCES WITH_PNG_SOURCES WITH_YAML_SOURCES)
    if(NOT arg_CUDA)
        list(APPEND lists NO_CUDA_SOURCES MODULE_NO_CUDA_SOURCES)
    endif()
    set(sources "")
    foreach(list IN LISTS lists)
        get_property(files GLOBAL PROPERTY FIRN_${list})
        list(APPEND sources ${files})
    endforeach()
    get_property(simd_sources GLOBAL PROPERTY FIRN_MODULE_SIMD_SOURCES)
    get_property(cuda_sources GLOBAL PROPERTY FIRN_CUDA_SOURCES)
    get_property(module_cuda_sources GLOBAL PROPERTY FIRN_MODULE_CUDA_SOURCES)
    firn_object_library(firn_modules_${variant} ${usage} ${sources})
    firn_simd_libraries(simd firn_modules_simd_${variant} ${usage} ${simd_sources})
    set(object_targets ${FIRN_CORE_TARGETS_${variant}} firn_modules_${variant} ${simd})

    if(arg_VDB)
        # The C++ files, over OpenVDB. Its headers warn and take half a minute: own flags, built
        # once. Their symbols stay visible: OpenVDB's templates have static members that
        # libopenvdb.so and we must share, and hiding ours makes openvdb::initialize crash.
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
        firn_cuda_objects(firn_cuda_${variant} ${cuda_sources} ${module_cuda_sources})
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
    set(FIRN_CORE_TARGETS_${variant} ${FIRN_CORE_TARGETS_${variant}} PARENT_SCOPE)
endfunction()

# firn_add_core(<variant> [CUDA]): libfirn-core, shared (firn_core) and static (firn_core_static), of
# the objects of a variant and of what stands in for the libraries that the core does without.
function(firn_add_core variant)
    cmake_parse_arguments(PARSE_ARGV 1 arg "CUDA" "" "")
    add_library(firn_core_usage INTERFACE)
    target_link_libraries(firn_core_usage INTERFACE firn_plain_${variant})
    set(lists OPTIONAL_SOURCES WITHOUT_PNG_SOURCES)
    if(FIRN_CORE_YAML)
        list(APPEND lists WITH_YAML_SOURCES)
        target_link_libraries(firn_core_usage INTERFACE PkgConfig::libfyaml)
    else()
        list(APPEND lists WITHOUT_YAML_SOURCES)
    endif()
    set(targets ${FIRN_CORE_TARGETS_${variant}} firn_core_objects)
    if(arg_CUDA)
        get_property(cuda_sources GLOBAL PROPERTY FIRN_CUDA_SOURCES)
        firn_cuda_objects(firn_core_cuda ${cuda_sources})
        target_link_libraries(firn_core_usage INTERFACE firn_cuda)
        list(APPEND targets firn_core_cuda)
    else()
        list(APPEND lists NO_CUDA_SOURCES)
    endif()
    set(sources "")
    foreach(list IN LISTS lists)
        get_property(files GLOBAL PROPERTY FIRN_${list})
        list(APPEND sources ${files})
    endforeach()
    firn_object_library(firn_core_objects firn_core_usage ${sources})
    target_compile_definitions(firn_core_objects PRIVATE FIRN_CORE)
    set(objects "")
    foreach(target IN LISTS targets)
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()

    add_library(firn_core_static STATIC ${objects})
    if(EMSCRIPTEN)  # the page links it; there are no shared libraries
        target_link_libraries(firn_core_static PUBLIC firn_core_usage)
        return()
    endif()
    add_library(firn_core SHARED ${objects})
    foreach(target IN ITEMS firn_core firn_core_static)
        target_include_directories(${target} INTERFACE
            $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        target_compile_definitions(${target} INTERFACE FIRN_CORE
            $<$<BOOL:${FIRN_DOUBLE}>:FIRN_DOUBLE>)
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C
            OUTPUT_NAME ${FIRN_CORE_LIBRARY})
    endforeach()
    set_target_properties(firn_core PROPERTIES EXPORT_NAME core BUILD_WITH_INSTALL_RPATH ON
        VERSION ${PROJECT_VERSION} SOVERSION ${FIRN_SOVERSION})
    set_target_properties(firn_core_static PROPERTIES EXPORT_NAME core_static)
    add_library(firn::core ALIAS firn_core)
    add_library(firn::core_static ALIAS firn_core_static)
    firn_limit_symbols(firn_core ${FIRN_CORE_HEADERS})
    if(NOT FIRN_SANITIZE)
        target_link_options(firn_core PRIVATE LINKER:-z,defs)  # the core lacks nothing
    endif()
    target_link_libraries(firn_core PRIVATE $<BUILD_INTERFACE:firn_flags>
        $<BUILD_INTERFACE:firn_core_usage>)
    # Its users link what the objects need: the C library, its mathematics and threads.
    target_link_libraries(firn_core_static PUBLIC m Threads::Threads
        $<$<BOOL:${FIRN_CORE_YAML}>:fyaml>)
    if(arg_CUDA)
        target_link_libraries(firn_core_static PUBLIC CUDA::cudart_static stdc++)
    endif()
    if(FIRN_MPI)
        target_link_libraries(firn_core_static PUBLIC ${MPI_C_LIBRARIES})
    endif()
    target_compile_definitions(firn_core_static INTERFACE FIRN_STATIC)
endfunction()
