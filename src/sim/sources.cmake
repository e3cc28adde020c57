firn_sources(sim
    sim_create.c sim_read.c sim_show.c sim_advance.c sim_advance_by.c sim_colliders.c sim_ids.c
    sim_loads.c sim_cut.c sim_ranks.c sim_weather.c sim_powder.c collider_info.c collider_mesh.c defs.c
    entry.c knowledge.c play_state.c
    edit/add_snow.c edit/clear_seeds.c edit/edit.c edit/field_edit.c edit/remove_snow.c edit/state.c
    edit/state_particles.c edit/state_sections.c
    device/device_field.c device/dlpack.c
    host/host_memory.c host/host_threads.c
    query/query_amount.c query/query_heights.c query/query_ray.c query/query_state.c
    query/query_surface.c
    scene/collider_def.c scene/scene_api.c scene/scene_support.c scene/scene_build.c
    scene/scene_materials.c
    scene/scene_colliders.c scene/scene_cost.c scene/scene_emitters.c scene/scene_forces.c
    scene/scene_fit.c scene/scene_joints.c
    scene/scene_paths.c scene/snow_vary.c
    world/world_air.c world/world_colliders.c world/world_emitters.c world/world_joints.c
    world/world_push.c
    world/world_state.c)
firn_optional_sources(sim features.c)
