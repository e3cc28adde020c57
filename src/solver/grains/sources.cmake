firn_sources(solver/grains grains_def.c grains_seed.c grains_work.c grains_prepare.c grains_run.c grains_step.c
    grains_fault.c grains_bodies.c grains_solver.c step01_neighbours.c step02_cohesion.c step03_heat.c step04_compression.c
    step05_velocity.c step06_advect.c)
