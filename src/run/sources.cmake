firn_sources(run
    sim_run.c start_from.c run_clear.c run_folder.c run_frame.c run_writer.c run_resume.c run_start.c
    run_loads.c cache_api.c scene_differences.c frame_drawing.c frame_picture.c frame_keys.c
    frame_poses.c frame_powder.c frame_rows.c replay.c
    export/export_api.c export/rest_state.c export/stage_mesh.c export/stage_points.c
    export/stage_record.c
    bench/bench.c bench/bench_case.c bench/bench_device.c bench/bench_grains.c
    bench/bench_picture.c bench/bench_run.c bench/bench_scale.c bench/bench_sph.c
    bench/bench_table.c
    render/render_film.c render/render_picture.c render/render_plan.c render/render_run.c
    render/render_settings.c render/render_camera.c render/render_wait.c)
