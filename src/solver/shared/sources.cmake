firn_sources(solver/shared base.c base_bodies.c base_edit.c loads.c lumps.c stages.c fault.c
             powder/powder.c powder/powder_shed.c powder/powder_state.c
             device_parts.c cuda/device_flakes.c device_run.c device_ahead.c device_bodies.c
             device_driver.c halo/halo.c halo/halo_forecast.c halo/halo_border.c halo/halo_parts.c)
firn_cuda_sources(solver/shared cuda_sim.cu cuda_sim_state.cu cuda/cuda_air.cu ELSE
    cuda/cuda_none.c)
