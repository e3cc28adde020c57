firn_sources(sim
    sim_create.c sim_read.c sim_run.c sim_show.c sim_advance.c sim_advance_by.c sim_colliders.c
    sim_loads.c
    sim_weather.c cache_api.c collider_info.c collider_mesh.c defs.c entry.c frame_poses.c knowledge.c
    play_state.c replay.c
    bench/bench.c bench/bench_case.c bench/bench_device.c bench/bench_grains.c
    bench/bench_picture.c bench/bench_run.c bench/bench_scale.c bench/bench_sph.c bench/bench_table.c
    render/render_film.c render/render_picture.c render/render_plan.c render/render_run.c
    render/render_settings.c render/render_wait.c
    host/host_threads.c
    run/run_clear.c run/run_folder.c run/run_frame.c run/run_resume.c
    scene/scene_api.c scene/scene_build.c scene/scene_colliders.c scene/scene_emitters.c
    scene/scene_fit.c
    scene/scene_paths.c scene/snow_vary.c)
