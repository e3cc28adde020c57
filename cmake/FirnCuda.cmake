# CUDA, for the backend of that name: FIRN_HAVE_CUDA says whether this tree has it, and the target
# firn_cuda carries what its users link. Only the float library gets it: double on a GPU and
# sanitizers of the host's code are of no use to a backend whose work is float on the device.
set(FIRN_CUDA AUTO CACHE STRING "Backend cuda: AUTO (when nvcc is found), ON or OFF")
set_property(CACHE FIRN_CUDA PROPERTY STRINGS AUTO ON OFF)
option(FIRN_CUDA_HOST_LOOPS "Loops of graphs are driven by the host: for compute-sanitizer" OFF)

# Machine code for Hopper, and for everything else from Ampere on PTX, which the driver compiles at
# first use. nvcc compiles once per entry: each costs build time.
set(CMAKE_CUDA_ARCHITECTURES "80-virtual;90-real" CACHE STRING
    "GPUs that CUDA code is compiled for")

set(FIRN_HAVE_CUDA OFF)
set(cuda_missing "")
if(FIRN_CORE AND FIRN_CUDA STREQUAL "AUTO")
    set(cuda_missing "the core has it only where FIRN_CUDA is ON")
elseif(FIRN_CUDA STREQUAL "OFF")
    set(cuda_missing "FIRN_CUDA is OFF")
elseif(FIRN_DOUBLE)
    set(cuda_missing "it computes in float, and FIRN_DOUBLE is ON")
elseif(FIRN_SANITIZE)
    set(cuda_missing "FIRN_SANITIZE is set, and sanitizers do not see the device's code")
else()
    # CMake looks along the path only; the toolkit's own place is not on it by default.
    find_program(FIRN_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda
        PATH_SUFFIXES bin)
    if(NOT DEFINED ENV{CUDACXX} AND FIRN_NVCC)
        set(ENV{CUDACXX} ${FIRN_NVCC})
    endif()
    if(NOT DEFINED ENV{CUDAARCHS})
        set(ENV{CUDAARCHS} "${CMAKE_CUDA_ARCHITECTURES}")  # for check_language's own small project
    endif()
    if(DEFINED ENV{CUDACXX} OR CMAKE_CUDA_COMPILER)
        include(CheckLanguage)
        check_language(CUDA)
        if(CMAKE_CUDA_COMPILER)
            enable_language(CUDA)
            find_package(CUDAToolkit QUIET)
        endif()
        if(TARGET CUDA::cudart_static)
            set(FIRN_HAVE_CUDA ON)
        else()
            set(cuda_missing "$ENV{CUDACXX} does not compile for ${CMAKE_CUDA_ARCHITECTURES} here: \
is there a C++ compiler that it accepts, and libcudart_static.a? \
(delete CMakeCache.txt to have it tried again)")
        endif()
    else()
        set(cuda_missing "nvcc was not found on the path or in /usr/local/cuda/bin")
    endif()
endif()

if(FIRN_HAVE_CUDA)
    message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} found: backend cuda is built for \
${CMAKE_CUDA_ARCHITECTURES}")
    add_library(firn_cuda INTERFACE)
    # The run-time library is linked statically, so that a machine needs a driver and nothing else.
    # It is C++ inside, as our own files: hence the C++ library, although C links.
    target_link_libraries(firn_cuda INTERFACE CUDA::cudart_static stdc++)
    target_compile_definitions(firn_cuda INTERFACE FIRN_HAVE_CUDA)
elseif(FIRN_CUDA STREQUAL "ON")
    message(FATAL_ERROR "FIRN_CUDA is ON, but backend cuda cannot be built: ${cuda_missing}")
else()
    message(STATUS "Backend cuda is left out: ${cuda_missing}")
endif()
set(FIRN_CUDA_BUILT ${FIRN_HAVE_CUDA} CACHE INTERNAL
    "whether backend cuda is in this tree; read by .ci/run")

# firn_cuda_objects(<target> files…): an object library of CUDA files. Contraction is off as in
# C (FirnFlags.cmake): fused multiply-adds are called by name, so that CPU and GPU round alike.
function(firn_cuda_objects target)
    add_library(${target} OBJECT ${ARGN})
    set_target_properties(${target} PROPERTIES
        CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF
        CUDA_SEPARABLE_COMPILATION OFF CUDA_RUNTIME_LIBRARY Static CUDA_VISIBILITY_PRESET hidden)
    # -lineinfo costs no speed, and lets profiler and compute-sanitizer name lines.
    target_compile_options(${target} PRIVATE -O3 -fmad=false -lineinfo
        -Xcompiler=-Wall,-Wextra,-Wshadow,-ffp-contract=off,-fno-math-errno,-fno-trapping-math
        -Xcompiler=-fstack-protector-strong)
    if(FIRN_WERROR)
        target_compile_options(${target} PRIVATE -Werror=all-warnings)
    endif()
    target_include_directories(${target} PRIVATE
        ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_compile_definitions(${target} PRIVATE FIRN_HAVE_CUDA
        $<$<OR:$<CONFIG:Debug>,$<BOOL:${FIRN_ASSERTS}>>:FIRN_ASSERTS>)
    if(FIRN_CUDA_HOST_LOOPS)
        target_compile_definitions(${target} PRIVATE FIRN_CUDA_HOST_LOOPS)
        target_compile_options(${target} PRIVATE
            "SHELL:-include ${CMAKE_SOURCE_DIR}/src/device/cuda_host_loops.cuh")
    endif()
endfunction()
