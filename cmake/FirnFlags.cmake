# How everything is compiled. The target firn_flags carries it; link it privately.
#
# The state hash depends on the SIMD level alone, never on compiler or optimisation. Hence no
# fast-math and no contraction (kernels call firn_fma by name), and -march only where the run-time
# dispatcher chooses among the results (firn_simd_sources). -fno-math-errno and -fno-trapping-math
# change no bits: they only let sqrt be one instruction and comparisons be vectorised. Of OpenMP only
# `omp simd` is used, which needs no library; threads are core/threads/team.h.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-Og -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(firn_flags INTERFACE)
target_compile_options(firn_flags INTERFACE
    -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd
    -Wall -Wextra -Wpedantic -Wmissing-prototypes -Wshadow)
# Vectors are passed between functions of one SIMD level only: their ABI is no concern.
target_compile_options(firn_flags INTERFACE -Wno-psabi)
if(FIRN_WERROR)
    target_compile_options(firn_flags INTERFACE -Werror)
endif()
if(FIRN_SANITIZE)
    target_compile_options(firn_flags INTERFACE
        -fsanitize=${FIRN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
    target_link_options(firn_flags INTERFACE -fsanitize=${FIRN_SANITIZE})
endif()
if(FIRN_FUZZ)
    # Counts edges for libFuzzer, whose main function comes with each target (FirnFuzz.cmake).
    # -O1: more inlining merges edges and takes long to compile.
    target_compile_options(firn_flags INTERFACE -fsanitize=fuzzer-no-link -O1)
endif()

# Hardening: a mistake that slips through ends the process instead of becoming a way in. Checked
# sizes of memcpy and its like need the optimiser, and a sanitizer does that work itself.
if(EMSCRIPTEN)
    # WebAssembly checks addresses, stacks and indirect calls itself, and has no such linker. Its
    # vectors are 16 bytes long and have no fused multiply-add: level 1, as the x86-64 baseline.
    option(FIRN_WEB_THREADS "Threads in WebAssembly, which need a cross-origin isolated page" OFF)
    target_compile_options(firn_flags INTERFACE -msimd128 $<$<BOOL:${FIRN_WEB_THREADS}>:-pthread>)
    return()
endif()
add_library(firn_hardening INTERFACE)
target_compile_options(firn_hardening INTERFACE -fstack-protector-strong)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    # Indirect jumps and returns end where the compiler meant them to.
    target_compile_options(firn_hardening INTERFACE -fcf-protection=full)
endif()
if(NOT FIRN_SANITIZE)
    target_compile_options(firn_hardening INTERFACE $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>
        $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
endif()
# All addresses are resolved at the start, and the tables with them are then read-only.
target_link_options(firn_hardening INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
target_link_libraries(firn_flags INTERFACE firn_hardening)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
