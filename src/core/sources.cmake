firn_sources(core result.c simd.c memory.c log.c timer.c hash.c suggest.c file.c text.c words.c sort_keys.c)
