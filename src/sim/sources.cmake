firn_sources(sim body_info.c body_mesh.c frame_poses.c replay.c sim_show.c
             bench.c bench_case.c bench_device.c bench_picture.c bench_scale.c bench_sph.c bench_grains.c cache_api.c defs.c knowledge.c play_state.c
             render_film.c render_picture.c render_plan.c render_run.c render_settings.c render_wait.c
             run_clear.c run_folder.c run_frame.c run_resume.c scene_api.c scene_build.c
             scene_colliders.c scene_emitters.c scene_paths.c sim_advance.c sim_advance_by.c sim_bodies.c sim_create.c sim_read.c sim_run.c sim_weather.c snow_vary.c)
