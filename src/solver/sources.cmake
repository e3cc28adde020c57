firn_sources(solver registry.c)
