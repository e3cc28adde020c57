// SPDX-License-Identifier: MIT
// Small scenes that together have everything that a picture can have: each kind of surface, light,
// solid and fluid, a lens, a shutter, a noise target.
#pragma once
#include "render/path/picture_fixture.h"

typedef struct picture_case {
    const char* name;
    const char* colliders;
    const char* render;  // after width, height and camera
    const char* camera;  // more keys of the camera
    bool moves;          // the snow
    bool water;          // the upper half of the ball
    bool bright_sky;     // a sky picture with a bright spot
    bool noise_target;   // ends before all samples
    bool by_embree;      // triangles or solids, which the CPU meets by Embree
} picture_case;

static const picture_case picture_cases[] = {
    {.name = "snow alone", .colliders = "", .render = ", samples: 5"},
    {.name = "floor, lens and shutter",
     .colliders = "{shape: {plane: {}}, surface: {kind: rough, colour: [0.4, 0.3, 0.2]}}",
     .render = ", samples: 9, shutter: 0.5",
     .camera = ", lens: 0.02, focus: 0.6",
     .moves = true},
    {.name = "metal floor, bright sky",
     .colliders = "{shape: {plane: {}}, surface: {kind: metal, colour: [0.9, 0.6, 0.3]}}",
     .render = ", samples: 5, sun_strength: 0.5",
     .bright_sky = true},
    {.name = "grounds by name",
     .colliders = "{shape: {plane: {}}, surface: {kind: asphalt, scale: 0.3}}, {shape: {plane: "
                  "{point: [0, 0, -0.3], normal: [0, 0, 1]}}, surface: {kind: wood}}, {shape: "
                  "{plane: {point: [-0.3, 0, 0], normal: [1, 0, 0]}}, surface: {kind: ice}}",
     .render = ", samples: 5"},
    {.name = "plain floor", .colliders = "{shape: {plane: {}}}", .render = ", samples: 5"},
    {.name = "noise target",
     .colliders = "{shape: {plane: {}}, surface: {kind: shadow_catcher}}",
     .render = ", samples: 400, noise: 0.2, sun: [-1, 1, 0]",
     .noise_target = true},
    {.name = "bodies and area lights",
     .colliders =
         "{shape: {plane: {}}, surface: {kind: rough, colour: [0.4, 0.3, 0.2], roughness: 0.3}}, "
         "{shape: {box: {center: [-0.25, 0.1, -0.1], size: [0.1, 0.2, 0.1]}}, surface: {kind: "
         "metal, colour: [0.9, 0.6, 0.3], roughness: 0.4}}, "
         "{shape: {difference: [{sphere: {center: [0.2, 0.05, 0.1], radius: 0.05}}, {box: {center: "
         "[0.2, 0.1, 0.1], size: [0.2, 0.08, 0.2]}}]}, velocity: [3, 0, 0], surface: {kind: "
         "diffuse, colour: [0.2, 0.7, 0.3]}}",
     .render = ", samples: 6, shutter: 1, sun: [-0.6, 0.8, 0.5], lights: [{center: [0.3, 0.5, 0], "
               "edge_u: [0.1, 0, 0], edge_v: [0, 0, 0.1], radiance: [3, 3, 9]}]",
     .moves = true,
     .by_embree = true},
    {.name = "a mesh with a picture",  // a tetrahedron, four colours
     .colliders =
         "{shape: {plane: {}}, surface: {kind: diffuse, colour: [0.4, 0.3, 0.2]}}, {shape: "
         "{mesh: {file: \"" FIRN_SOURCE_DIR "/test/render/path/painted.gltf\", voxel: "
         "0.02}}, position: [0.12, 0, -0.05]}",
     .render = ", samples: 6",
     .by_embree = true},
    {.name = "snow and water",
     .colliders = "{shape: {box: {center: [0, -0.1, 0], size: [1, 0.2, 1]}}, surface: {kind: "
                  "diffuse, colour: [0.6, 0.5, 0.4]}}",
     .render = ", samples: 6",
     .water = true,
     .by_embree = true},
};
enum { PICTURE_CASES = sizeof picture_cases / sizeof *picture_cases };

// A sky with one texel a hundred times as bright as the others.
static inline const char* bright_sky_file(void)
{
    static const char path[] = FIRN_TEST_TMP "/bright_sky.exr";
    enum { WIDTH = 16, HEIGHT = 8 };
    float plane[WIDTH * HEIGHT];
    for (int k = 0; k < WIDTH * HEIGHT; k++) plane[k] = k == 2 * WIDTH + 5 ? 40 : 0.4f;
    const firn_exr_channel c[] = {{"R", plane, false}, {"G", plane, false}, {"B", plane, false}};
    assert_int_equal(firn_exr_write(path, WIDTH, HEIGHT, c, 3, NULL, 0, NULL), FIRN_OK);
    return path;
}

// The scene of a case, with `more` keys of the block `render`; sets up the ball.
static inline firn_scene_data picture_case_scene(const picture_case* c, const char* more, ball* b)
{
    static uint8_t material[COUNT];
    char text[3000], sky[300] = "";
    if (c->bright_sky) snprintf(sky, sizeof sky, ", sky: {picture: \"%s\"}", bright_sky_file());
    const int n = snprintf(
        text, sizeof text,
        "firn: 1\n%ssnow: [{shape: {sphere: {center: [0, 0.15, 0], radius: 0.1}}}]\n"
        "colliders: [%s]\n"
        "render: {width: 38, height: 22, camera: {eye: [0.4, 0.3, 0.5], look_at: [0, 0.12, 0], "
        "fov: 35%s}, denoise: false%s%s%s}\n",
        c->water ? "materials: {dry: {}, wet: {look: {kind: water}}}\n" : "", c->colliders,
        c->camera != NULL ? c->camera : "", c->render, sky, more);
    assert_in_range(n, 1, sizeof text - 1);
    for (int p = 0; p < COUNT; p++) {
        b->v[p] = c->moves ? firn_v3(1, -2, 0) : firn_v3(0, 0, 0);
        material[p] = b->x[p].y > (firn_real)0.15;
    }
    b->snow.material = c->water ? material : NULL;
    firn_scene_data scene = parse_good(text, NULL);
    if (c->water) assert_int_equal(scene.material_count, 2);
    return scene;
}
