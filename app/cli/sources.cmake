# One file per command, then what they share.
firn_app_sources(
    main.c interrupt.c ranks.c ranks_watch.c memory_cap.c memory_guard.c option_values.c options.c
    commands/run.c commands/view.c commands/render.c commands/check.c commands/info.c
    commands/measure.c commands/trim.c commands/diff.c
    diff/run_diff.c diff/run_diff_frame.c diff/run_diff_sheet.c diff/run_diff_steps.c
    commands/verify.c commands/export.c commands/scenes.c commands/presets.c
    commands/bench.c commands/web.c commands/version.c commands/help.c
    commands/command_help.c commands/frame_list.c commands/measure_figures.c
    commands/resume_command.c commands/run_folder.c commands/run_report.c commands/scene_options.c
    verify/expected.c verify/series.c verify/quantity.c verify/plot.c verify/page.c
    verify/page_file.c
    bench/figures.c bench/bench_stages.c
    bench/bench_mpm.c bench/bench_sph.c bench/bench_table.c bench/bench_grains.c bench/bench_device.c
    bench/bench_ranks.c bench/bench_scale.c bench/bench_pictures.c bench/bench_drawing.c
    terminal/format.c terminal/json.c terminal/markdown_view.c terminal/message.c
    terminal/progress.c terminal/quote.c terminal/render_progress.c terminal/table.c
    terminal/terminal.c
    web/request.c web/server.c)
