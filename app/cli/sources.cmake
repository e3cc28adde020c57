# One file per command, then what they share.
firn_app_sources(
    main.c
    run.c view.c render.c check.c info.c measure.c export.c scenes.c presets.c bench.c bench_device.c bench_pictures.c
    bench_drawing.c bench_scale.c bench_sph.c bench_grains.c bench_steps.c version.c help.c
    bench_json.c command_help.c format.c frame_list.c interrupt.c json.c markdown_view.c message.c option_values.c options.c
    progress.c render_progress.c resume_command.c run_folder.c run_report.c scene_options.c table.c terminal.c wait_policy.c)
