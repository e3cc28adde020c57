# The window: view.c is the loop; then what is shown, what keys and mouse do, what is written.
set(viewer_sources
    view.c window.c stage.c overlay.c
    source_live.c live_worker.c live_tools.c source_replay.c snapshot.c colouring.c
    controls.c tools.c pick.c script.c
    names.c record.c write_moment.c)

# Drawing: a frame as an ordered list of passes (draw.c), one file per pass, then what they share.
list(APPEND viewer_sources
    draw.c
    draw_shadow.c draw_spheres.c draw_surface.c draw_bodies.c draw_ground.c draw_light.c draw_water.c draw_finish.c
    draw_words.c
    colour_scale.c draw_programs.c font_atlas.c font_builtin.c gl_program.c gl_target.c
    headless.c png_write.c draw_bench.c)

# One file per stage of a program, then pieces that several begin with (draw_programs.c).
set(viewer_shaders
    sphere_vert.glsl sphere_frag.glsl sphere_depth_frag.glsl sphere_thickness_frag.glsl
    sphere_shadow_vert.glsl sphere_shadow_frag.glsl body_vert.glsl body_frag.glsl body_shadow_vert.glsl
    body_shadow_frag.glsl screen_vert.glsl ground_frag.glsl smooth_frag.glsl median_frag.glsl surface_frag.glsl
    occlusion_frag.glsl occlusion_blur_frag.glsl light_frag.glsl water_frag.glsl tone_frag.glsl edges_frag.glsl
    words_vert.glsl words_frag.glsl
    frame.glsl sphere_fetch.glsl hash.glsl sky.glsl shadow.glsl)
