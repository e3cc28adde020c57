# What the library stands on. The target firn_core_deps carries what the core needs: the C library
# and threads; firn_deps the headers and libraries of the others that are required; firn_vdb those of
# OpenVDB, which is optional. Debian's names are in tools/packages.
find_package(Threads REQUIRED)
add_library(firn_core_deps INTERFACE)
target_link_libraries(firn_core_deps INTERFACE Threads::Threads m)
# Of xxHash only the header: its functions are compiled into ours.
find_path(XXHASH_INCLUDE_DIR xxhash.h)
if(NOT XXHASH_INCLUDE_DIR)
    message(FATAL_ERROR "xxhash.h was not found: install libxxhash-dev")
endif()
target_include_directories(firn_core_deps SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})

# MPI connects the ranks of a simulation that runs on many machines (comm/comm_mpi.c). Two files see
# it, so that all others are compiled alike with and without it.
option(FIRN_MPI "Simulations on many machines, by MPI" OFF)
if(FIRN_MPI)
    find_package(MPI COMPONENTS C)
    if(NOT MPI_C_FOUND)
        message(FATAL_ERROR "FIRN_MPI is ON, but MPI was not found: install libopenmpi-dev")
    endif()
    target_link_libraries(firn_core_deps INTERFACE ${MPI_C_LIBRARIES})
endif()

option(FIRN_CORE_YAML "libfirn-core reads scene files, which needs libfyaml" OFF)
if(EMSCRIPTEN)
    include(FirnWebYaml)   # PkgConfig::libfyaml, compiled from its sources
elseif(FIRN_CORE_YAML OR NOT FIRN_CORE)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(libfyaml REQUIRED IMPORTED_TARGET libfyaml)
endif()
if(FIRN_CORE)
    return()
endif()

find_package(ZLIB REQUIRED)
add_library(firn_deps INTERFACE)
target_link_libraries(firn_deps INTERFACE ZLIB::ZLIB PkgConfig::libfyaml)
# HDF5 is asked for by its serial name: plain `hdf5` may be an MPI build.
foreach(module IN ITEMS hdf5-serial libpng)
    string(MAKE_C_IDENTIFIER ${module} prefix)
    pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET ${module})
    target_link_libraries(firn_deps INTERFACE PkgConfig::${prefix})
endforeach()

# Of OpenEXR only OpenEXRCore, its C library: the others of the package are C++. Its CMake package
# is not asked because it wants Imath's, which complains of files that Debian keeps elsewhere.
pkg_check_modules(openexr QUIET OpenEXR>=3.1)
list(FILTER openexr_LINK_LIBRARIES INCLUDE REGEX "OpenEXRCore")
if(NOT openexr_LINK_LIBRARIES)
    message(FATAL_ERROR "OpenEXRCore (OpenEXR 3.1 or newer) was not found: install libopenexr-dev")
endif()
target_include_directories(firn_deps SYSTEM INTERFACE ${openexr_INCLUDE_DIRS})
target_link_libraries(firn_deps INTERFACE ${openexr_LINK_LIBRARIES})

# Embree 3 traces rays; its interface is C, and it brings its own threads' library.
find_path(EMBREE_INCLUDE_DIR embree3/rtcore.h)
find_library(EMBREE_LIBRARY embree3)
if(NOT EMBREE_INCLUDE_DIR OR NOT EMBREE_LIBRARY)
    message(FATAL_ERROR "Embree 3 was not found: install libembree-dev")
endif()
target_include_directories(firn_deps SYSTEM INTERFACE ${EMBREE_INCLUDE_DIR})
target_link_libraries(firn_deps INTERFACE ${EMBREE_LIBRARY})

# OpenVDB is C++, and the C++ runtime is linked only when OpenVDB is. Its own find module stops the
# configuration when a library is missing that only OpenVDB itself links; what we need is this.
# Boost is for its headers, which OpenVDB's include and Debian's package forgets to depend on.
set(FIRN_HAVE_VDB OFF)
if(NOT FIRN_VDB STREQUAL "OFF")
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
        find_path(OPENVDB_INCLUDE_DIR openvdb/openvdb.h)
        find_path(BOOST_INCLUDE_DIR boost/numeric/conversion/conversion_traits.hpp)
        find_library(OPENVDB_LIBRARY openvdb)
        pkg_check_modules(vdb_needs QUIET IMPORTED_TARGET tbb Imath)
    endif()
    if(OPENVDB_INCLUDE_DIR AND BOOST_INCLUDE_DIR AND OPENVDB_LIBRARY AND vdb_needs_FOUND)
        set(FIRN_HAVE_VDB ON)
        add_library(firn_vdb INTERFACE)
        target_include_directories(firn_vdb SYSTEM INTERFACE
            ${OPENVDB_INCLUDE_DIR} ${BOOST_INCLUDE_DIR})
        target_link_libraries(firn_vdb INTERFACE ${OPENVDB_LIBRARY} PkgConfig::vdb_needs)
        message(STATUS "OpenVDB found: .vdb export is built")
    elseif(FIRN_VDB STREQUAL "ON")
        message(FATAL_ERROR "FIRN_VDB is ON, but OpenVDB was not found: "
            "install libopenvdb-dev, libboost-dev and a C++ compiler")
    else()
        message(STATUS
            "OpenVDB not found (packages libopenvdb-dev, libboost-dev): .vdb export is left out")
    endif()
endif()

# libdeflate is optional: it writes the chunks of frames that zlib writes otherwise, in half the
# time. One file sees it (src/output/sources.cmake).
set(FIRN_LIBDEFLATE AUTO CACHE STRING "libdeflate, for frames: AUTO (when found), ON or OFF")
set_property(CACHE FIRN_LIBDEFLATE PROPERTY STRINGS AUTO ON OFF)
set(FIRN_HAVE_LIBDEFLATE OFF)
if(NOT FIRN_LIBDEFLATE STREQUAL "OFF")
    find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h)
    find_library(LIBDEFLATE_LIBRARY deflate)
    if(LIBDEFLATE_INCLUDE_DIR AND LIBDEFLATE_LIBRARY)
        set(FIRN_HAVE_LIBDEFLATE ON)
        target_link_libraries(firn_deps INTERFACE ${LIBDEFLATE_LIBRARY})
    elseif(FIRN_LIBDEFLATE STREQUAL "ON")
        message(FATAL_ERROR
            "FIRN_LIBDEFLATE is ON, but libdeflate was not found: install libdeflate-dev")
    endif()
endif()

# FreeType is optional: without it the rest builds, and the error of a word as a shape names the
# package.
set(FIRN_FREETYPE AUTO CACHE STRING "FreeType, for words as shapes: AUTO (when found), ON or OFF")
set_property(CACHE FIRN_FREETYPE PROPERTY STRINGS AUTO ON OFF)
if(NOT FIRN_FREETYPE STREQUAL "OFF")
    pkg_check_modules(freetype QUIET IMPORTED_TARGET freetype2)
    if(freetype_FOUND)
        target_link_libraries(firn_deps INTERFACE PkgConfig::freetype)
        target_compile_definitions(firn_deps INTERFACE FIRN_HAVE_FREETYPE)
    elseif(FIRN_FREETYPE STREQUAL "ON")
        message(FATAL_ERROR
            "FIRN_FREETYPE is ON, but FreeType was not found: install libfreetype-dev")
    else()
        message(STATUS "FreeType not found (package libfreetype-dev): words as shapes are left out")
    endif()
endif()
