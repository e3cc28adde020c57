// SPDX-License-Identifier: MIT
// Blocks `time`, `output` and `render`: what is computed, written and shown.
#include "scene/blocks.h"
#include "scene/reader.h"

static void set_time_defaults(void* at)
{
    *(firn_time_block*)at = (firn_time_block){.frames = 96, .fps = 24};
}

static void set_output_defaults(void* at)
{
    *(firn_output_block*)at =
        (firn_output_block){.points = FIRN_POINTS_VTKHDF,
                            .fields = FIRN_OUTPUT_FIELD_VELOCITY | FIRN_OUTPUT_FIELD_DENSITY |
                                      FIRN_OUTPUT_FIELD_ID | FIRN_OUTPUT_FIELD_MASS,
                            .compression = 1,
                            .checkpoint_every = 1,
                            .checkpoint_keep = 2,
                            .stats = true,
                            .preview = true,
                            .film = true};
}

static void set_render_defaults(void* at)
{
    *(firn_render_block*)at = (firn_render_block){.eye = {1.2, 0.8, 1.6},
                                                  .look_at = {0, 0.2, 0},
                                                  .fov_deg = 35,
                                                  .width = 960,
                                                  .height = 540,
                                                  .sun = {-0.75, 0.5, 0.35},
                                                  .sun_strength = 1,
                                                  .sky_strength = 1};
}

static bool is_same(const double* a, const double* b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void finish_render(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool sound)
{
    (void)at;
    const firn_render_block* render = item;
    static const double zero[3] = {0, 0, 0};
    if (!sound) return;
    if (render->width % 2 != 0 || render->height % 2 != 0)
        firn_doc_key_error(r->doc, node,
                           "'width' and 'height' must be even (a film needs it), "
                           "not %d x %d",
                           (int)render->width, (int)render->height);
    if (is_same(render->sun, zero))
        firn_doc_key_error(r->doc, node, "'sun' must not be [0, 0, 0]: it is a direction");
}

static void finish_camera(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool sound)
{
    (void)at;
    const firn_render_block* render = item;
    if (sound && is_same(render->eye, render->look_at))
        firn_doc_key_error(r->doc, node, "'eye' and 'look_at' must be two different points");
}

static const char* const points[] = {"vtkhdf", "ply", "vtp", NULL};
static const char* const volumes[] = {"vdb", NULL};
static const char* const fields[] = {
    "velocity",       "density",          "id",        "mass",        "material", "stiffness",
    "plastic_volume", "def_grad_elastic", "hardening", "compression", "stretch",  NULL};

// clang-format off
#define AT(field) offsetof(firn_time_block, field)
static const firn_key time_keys[] = {
    {"frames", FIRN_KEY_INT, AT(frames), "frames", 1, 1e6, "96", NULL, NULL, "Pictures after the first one."},
    {"fps", FIRN_KEY_REAL, AT(fps), "1/s", 0.1, 1e5, "24", NULL, NULL, "Frames per second."},
};

#undef AT
#define AT(field) offsetof(firn_output_block, field)
static const firn_key checkpoint_keys[] = {
    {"every", FIRN_KEY_INT, AT(checkpoint_every), "frames", 0, 1e6, "1", NULL, NULL, "Frames between full states; 0: only at the end and when interrupted."},
    {"keep", FIRN_KEY_INT, AT(checkpoint_keep), NULL, 1, 1000, "2", NULL, NULL, "How many full states stay on disk."},
};
static const firn_key_block checkpoint = {"checkpoint", "Full states, from which a run can go on.", checkpoint_keys, FIRN_KEY_COUNT(checkpoint_keys), sizeof(firn_output_block), NULL, NULL};
static const firn_key output_keys[] = {
    {"points", FIRN_KEY_FLAGS, AT(points), NULL, 0, 0, "[vtkhdf]", points, NULL, "Particle files written per frame; vtkhdf is the cache itself."},
    {"volume", FIRN_KEY_FLAGS, AT(volume), NULL, 0, 0, "[]", volumes, NULL, "Volume files written per frame."},
    {"fields", FIRN_KEY_FLAGS, AT(fields), NULL, 0, 0, "[velocity, density, id, mass]", fields, NULL, "What a frame holds besides positions."},
    {"compression", FIRN_KEY_INT, AT(compression), NULL, 0, 9, "1", NULL, NULL, "Deflate level of frames: 0 is fast and large, 9 slow and small."},
    {"checkpoint", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "as below", NULL, &checkpoint, "Full states, from which a run can go on."},
    {"voxel", FIRN_KEY_REAL, AT(voxel), "m", 0, 1e3, "0", NULL, NULL, "Edge of a voxel of the volume; 0: the solver's cell."},
    {"stats", FIRN_KEY_BOOL, AT(stats), NULL, 0, 0, "true", NULL, NULL, "Write stats.csv with one row per step."},
    {"preview", FIRN_KEY_BOOL, AT(preview), NULL, 0, 0, "true", NULL, NULL, "Write a picture per frame."},
    {"film", FIRN_KEY_BOOL, AT(film), NULL, 0, 0, "true", NULL, NULL, "Make an .mp4 of the pictures at the end."},
};

#undef AT
#define AT(field) offsetof(firn_render_block, field)
static const firn_key camera_keys[] = {
    {"eye", FIRN_KEY_VEC3, AT(eye), "m", -1e6, 1e6, NULL, NULL, NULL, "Where the camera stands."},
    {"look_at", FIRN_KEY_VEC3, AT(look_at), "m", -1e6, 1e6, NULL, NULL, NULL, "The point in the middle of the picture."},
    {"fov", FIRN_KEY_REAL, AT(fov_deg), "deg", 1, 170, "35", NULL, NULL, "Vertical angle of view."},
};
static const firn_key_block camera = {"camera", "From where the scene is seen.", camera_keys, FIRN_KEY_COUNT(camera_keys), sizeof(firn_render_block), NULL, finish_camera};
static const firn_key render_keys[] = {
    {"camera", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "chosen to show the snow", NULL, &camera, "From where the scene is seen."},
    {"width", FIRN_KEY_INT, AT(width), "pixels", 16, 16384, "960", NULL, NULL, "Width of the picture; even."},
    {"height", FIRN_KEY_INT, AT(height), "pixels", 16, 16384, "540", NULL, NULL, "Height of the picture; even."},
    {"sun", FIRN_KEY_VEC3, AT(sun), "-", -1e6, 1e6, "[-0.75, 0.5, 0.35]", NULL, NULL, "Direction towards the sun; any length but zero."},
    {"sun_strength", FIRN_KEY_REAL, AT(sun_strength), "-", 0, 1000, "1", NULL, NULL, "Brightness of the sun."},
    {"sky_strength", FIRN_KEY_REAL, AT(sky_strength), "-", 0, 1000, "1", NULL, NULL, "Brightness of the sky."},
};
// clang-format on

const firn_key_block firn_time_keys = {"time",
                                       "How long, and how often a frame is kept.",
                                       time_keys,
                                       FIRN_KEY_COUNT(time_keys),
                                       sizeof(firn_time_block),
                                       set_time_defaults,
                                       NULL};
const firn_key_block firn_output_keys = {
    "output",
    "What is written to disk. It may change between a run and its --resume.",
    output_keys,
    FIRN_KEY_COUNT(output_keys),
    sizeof(firn_output_block),
    set_output_defaults,
    NULL};
const firn_key_block firn_render_keys = {"render",
                                         "Pictures. It may change between a run and its --resume.",
                                         render_keys,
                                         FIRN_KEY_COUNT(render_keys),
                                         sizeof(firn_render_block),
                                         set_render_defaults,
                                         finish_render};
