# The window: view.c is the loop; then what is shown, what keys and mouse do, what is written.
set(viewer_sources
    view.c window.c draw/renderer.c overlay.c
    source/worker_source.c source/source_live.c source/live_worker.c source/live_colliders.c
    source/source_replay.c source/snapshot.c source/colouring.c
    source/particle.c source/fragments.c source/history.c source/file_read.c
    input/controls.c input/actions.c input/tools.c input/pick.c input/script.c
    names.c record.c source/write_csv.c save/save_scene.c save/save_camera.c
    save/save_named.c)

# Panels: panels/panels.c is the list, with one file per panel.
set(viewer_panels
    panels/panels.c panels/panel_run.c panels/panel_colour.c panels/panel_particle.c
    panels/panel_plots.c panels/panel_scene.c panels/panel_save.c panels/scene_values.c)
set(viewer_widgets gui/gui_imgui.cc gui/gui_widgets.cc gui/gui_plot.cc)

# Drawing: draw/draw.c is the ordered list of passes, with one file per pass.
list(APPEND viewer_sources
    draw/draw.c
    draw/draw_shadow.c draw/draw_spheres.c draw/draw_surface.c draw/draw_colliders.c
    draw/draw_ground.c draw/draw_light.c draw/draw_water.c draw/draw_finish.c draw/draw_text.c
    draw/draw_gui.c
    draw/colour_scale.c draw/draw_programs.c draw/font_atlas.c draw/font_builtin.c
    gl/gl_program.c gl/gl_target.c gl/headless.c draw/png_write.c draw/draw_bench.c)

# One file per stage of a program, then pieces that several share (draw/draw_programs.c).
set(viewer_shaders
    sphere_vert.glsl sphere_frag.glsl sphere_depth_frag.glsl sphere_thickness_frag.glsl
    sphere_shadow_vert.glsl sphere_shadow_frag.glsl collider_vert.glsl collider_frag.glsl
    collider_shadow_vert.glsl collider_shadow_frag.glsl screen_vert.glsl ground_frag.glsl
    smooth_frag.glsl median_frag.glsl
    surface_frag.glsl occlusion_frag.glsl occlusion_blur_frag.glsl light_frag.glsl water_frag.glsl
    tone_frag.glsl fxaa_frag.glsl text_vert.glsl text_frag.glsl gui_vert.glsl gui_frag.glsl
    frame.glsl sphere_fetch.glsl sphere_hit.glsl hash.glsl sky.glsl shadow.glsl
    surface_slope.glsl)
