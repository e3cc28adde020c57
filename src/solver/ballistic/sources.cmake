firn_sources(solver/ballistic ballistic.c ballistic_def.c step01_fall.c)
