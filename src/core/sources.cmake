firn_sources(core
    result.c simd/simd.c machine.c memory.c memory_limit.c log.c timer.c hash.c suggest.c
    file.c draft.c input.c paths.c text.c words.c sort_keys.c threads/team.c threads/cores.c
    threads/copy.c)
# The loop that measures arithmetic.
firn_simd_sources(core machine_cpu.c)
