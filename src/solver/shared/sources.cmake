firn_sources(solver/shared base.c stages.c fault.c)
