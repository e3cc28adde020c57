# The window: view.c is the loop; then what is shown, what keys and mouse do, what is written.
set(viewer_sources
    view.c window.c draw/stage.c overlay.c
    source/source_live.c source/live_worker.c source/live_tools.c source/source_replay.c source/snapshot.c source/colouring.c
    input/controls.c input/tools.c input/pick.c input/script.c
    names.c record.c source/write_moment.c)

# Drawing: a frame as an ordered list of passes (draw/draw.c), one file per pass, then what they share.
list(APPEND viewer_sources
    draw/draw.c
    draw/draw_shadow.c draw/draw_spheres.c draw/draw_surface.c draw/draw_bodies.c draw/draw_ground.c draw/draw_light.c draw/draw_water.c draw/draw_finish.c
    draw/draw_words.c
    draw/colour_scale.c draw/draw_programs.c draw/font_atlas.c draw/font_builtin.c draw/gl_program.c draw/gl_target.c
    draw/headless.c draw/png_write.c draw/draw_bench.c)

# One file per stage of a program, then pieces that several begin with (draw/draw_programs.c).
set(viewer_shaders
    sphere_vert.glsl sphere_frag.glsl sphere_depth_frag.glsl sphere_thickness_frag.glsl
    sphere_shadow_vert.glsl sphere_shadow_frag.glsl body_vert.glsl body_frag.glsl body_shadow_vert.glsl
    body_shadow_frag.glsl screen_vert.glsl ground_frag.glsl smooth_frag.glsl median_frag.glsl surface_frag.glsl
    occlusion_frag.glsl occlusion_blur_frag.glsl light_frag.glsl water_frag.glsl tone_frag.glsl edges_frag.glsl
    words_vert.glsl words_frag.glsl
    frame.glsl sphere_fetch.glsl hash.glsl sky.glsl shadow.glsl)
