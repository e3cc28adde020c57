# How everything is compiled. The target firn_flags carries it; link it privately.
#
# The state hash depends on the SIMD level alone, never on compiler or optimisation. Hence no
# fast-math and no contraction (kernels call firn_fma by name), and -march only where the run-time
# dispatcher chooses among the results (firn_simd_sources). -fno-math-errno and -fno-trapping-math
# change no bits: they only let sqrt be one instruction and comparisons be vectorised.
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
    -ffp-contract=off -fno-math-errno -fno-trapping-math
    -Wall -Wextra -Wpedantic -Wmissing-prototypes -Wshadow)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # Vectors are passed between functions of one SIMD level only: their ABI is no concern.
    target_compile_options(firn_flags INTERFACE -Wno-psabi)
endif()
if(FIRN_WERROR)
    target_compile_options(firn_flags INTERFACE -Werror)
endif()
if(FIRN_SANITIZE)
    target_compile_options(firn_flags INTERFACE
        -fsanitize=${FIRN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    target_link_options(firn_flags INTERFACE -fsanitize=${FIRN_SANITIZE})
endif()
