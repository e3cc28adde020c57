// SPDX-License-Identifier: MIT
// Block `render`: camera, lights, scattering of snow, and image quality.
#include <math.h>
#include <string.h>

#include "core/input.h"
#include "scene/data/render_block.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"
#include "scene/run/sun_position.h"
#include "state/field_table.h"

// ---- defaults -----------------------------------------------------------------------------------

#define FOV 35         // [degrees]
#define SUN_SIZE 0.53  // [degrees] as seen from the Earth

static void set_render_defaults(void* at)
{
    *(firn_render_block*)at = (firn_render_block){.eye = {1.2, 0.8, 1.6},
                                                  .look_at = {0, 0.2, 0},
                                                  .fov_deg = FOV,
                                                  .width = 960,
                                                  .height = 540,
                                                  .sun = {-0.75, 0.5, 0.35},
                                                  .sun_strength = 1,
                                                  .sky_strength = 1,
                                                  .sun_size = SUN_SIZE,
                                                  // Stomakhin 2013, section 9
                                                  .medium = {.extinction = 724,
                                                             .density = 400,
                                                             .albedo = {0.9975, 0.9985, 0.9995},
                                                             .anisotropy = 0.5,
                                                             .glints = 0.1,
                                                             .kernel = FIRN_MEDIUM_DETAIL},
                                                  .sky_turbidity = 2.5,
                                                  .sky_time = -1,
                                                  .sky_latitude = 46.8,
                                                  .sky_day = 32,
                                                  .samples = 64,
                                                  .denoise = true};
}

static void set_light_defaults(void* at)
{
    *(firn_lamp*)at = (firn_lamp){.radiance = {1, 1, 1}};
}

// ---- checks -------------------------------------------------------------------------------------

static bool is_same(const double* a, const double* b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void finish_render(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool valid)
{
    (void)at;
    firn_render_block* render = item;
    static const double zero[3] = {0, 0, 0};
    if (!valid) return;
    if (render->width % 2 != 0 || render->height % 2 != 0)
        firn_doc_key_error(r->doc, node,
                           "'width' and 'height' must be even for the film, "
                           "not %d x %d",
                           (int)render->width, (int)render->height);
    if (render->sky_model == FIRN_SKY_SUN_SKY && render->sky_time >= 0)
        firn_sun_position(render->sky_time, (int)render->sky_day, render->sky_latitude,
                          render->sky_turn, render->sun);
    if (is_same(render->sun, zero))
        firn_doc_key_error(r->doc, node, "'sun' must not be [0, 0, 0]: it is a direction");
}

static void finish_colour(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool valid)
{
    (void)at;
    firn_colour_block* colour = item;
    if (!valid || colour->field == 0) return;
    const firn_field_info* field = &firn_field_table[colour->field];
    const bool plain = firn_doc_find(node, "from") == NULL && firn_doc_find(node, "to") == NULL &&
                       firn_doc_find(node, "colours") == NULL;
    if (plain && field->low < field->high)
        *colour = (firn_colour_block){colour->field, field->low, field->high,
                                      (int32_t)firn_field_colour_maps[colour->field]};
    if (colour->from == colour->to)
        firn_doc_key_error(r->doc, node, "'colour_by' needs two different values: 'from' and 'to'");
}

// Images are read when they are needed; report a missing one before a long run.
static void finish_sky(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                       bool valid)
{
    (void)at;
    const firn_render_block* render = item;
    const firn_doc_node* picture = firn_doc_find(node, "picture");
    firn_error error;
    if (!valid || picture == NULL || firn_input_check(render->sky_picture, &error) == FIRN_OK)
        return;
    firn_doc_key_warning(r->doc, picture, "%s: 'firn render' will need it", error.text);
}

static void finish_light(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                         bool valid)
{
    (void)at;
    const firn_lamp* light = item;
    const double *u = light->edge_u, *v = light->edge_v;
    if (!valid) return;
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    const double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double sides =
        sqrt((u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    if (!(area > 1e-6 * sides))  // also if an edge has length zero
        firn_doc_error(r->doc, node,
                       "'edge_u' and 'edge_v' must span an area: neither zero nor parallel");
}

// ---- tables -------------------------------------------------------------------------------------

static const char* const kernels[] = {"spline", "anisotropic", "detail", NULL};

_Static_assert(FIRN_ROWS_FIT(firn_render_block, light_count, lights), "rows");

#define AT(field) offsetof(firn_lamp, field)
static const firn_key light_keys[] = {
    {"center", FIRN_KEY_VEC3, AT(center), "m", -1e6, 1e6, NULL, NULL, NULL, "Centre of the lamp."},
    {"edge_u", FIRN_KEY_VEC3, AT(edge_u), "m", -1e6, 1e6, NULL, NULL, NULL,
     "First edge vector of the parallelogram."},
    {"edge_v", FIRN_KEY_VEC3, AT(edge_v), "m", -1e6, 1e6, NULL, NULL, NULL,
     "Second edge vector, not parallel to 'edge_u'; the lamp emits along edge_u x edge_v."},
    {"radiance", FIRN_KEY_VEC3, AT(radiance), "-", 0, 1e6, "[1, 1, 1]", NULL, NULL,
     "Emitted radiance in red, green and blue; a white sheet in full daylight has about 1."},
    {"two_sided", FIRN_KEY_BOOL, AT(two_sided), NULL, 0, 0, "false", NULL, NULL,
     "Whether its back emits light too."},
};
static const firn_key_block light = {"light",           "An area light: a parallelogram.",
                                     light_keys,        FIRN_KEY_COUNT(light_keys),
                                     sizeof(firn_lamp), set_light_defaults,
                                     finish_light};

#undef AT
#define AT(field) offsetof(firn_medium_block, field)
static const firn_key medium_keys[] = {
    {"extinction", FIRN_KEY_REAL, AT(extinction), "1/m", 0, 1e6, "724", NULL, NULL,
     "Extinction coefficient of snow of 'density'; proportional to the local density."},
    {"density", FIRN_KEY_REAL, AT(density), "kg/m^3", 1, 2000, "400", NULL, NULL,
     "The density that 'extinction' is for."},
    {"albedo", FIRN_KEY_VEC3, AT(albedo), "-", 0, 1, "[0.9975, 0.9985, 0.9995]", NULL, NULL,
     "Single-scattering albedo in red, green and blue. Stomakhin et al. 2013 give [0.9, 0.95, 1]: "
     "deep blue snow."},
    {"anisotropy", FIRN_KEY_REAL, AT(anisotropy), "-", -0.99, 0.99, "0.5", NULL, NULL,
     "Mean cosine of the scattering angle: 1 is forward, -1 backward."},
    {"glints", FIRN_KEY_REAL, AT(glints), "-", 0, 1, "0.1", NULL, NULL,
     "Share of the sunlight that snow scatters straight into the camera which single crystals send "
     "there: as glints instead of evenly. 0: none."},
    {"voxel", FIRN_KEY_REAL, AT(voxel), "m", 0, 1e3, "0", NULL, NULL,
     "Voxel size of the density grid; 0: with kernel 'detail' what two pixels see at 'look_at', a "
     "quarter of the particle spacing to one; else a third of the solver's cell."},
    {"kernel", FIRN_KEY_ENUM, AT(kernel), NULL, 0, 0, "detail", kernels, NULL,
     "How snow is made of particles: 'detail' smooth inside, with fine grain at surfaces and "
     "specks "
     "where it is loose; 'spline' and 'anisotropic' spread each particle over voxels, round or "
     "stretched along surfaces."},
};
static const firn_key_block medium = {"medium",
                                      "How snow scatters light.",
                                      medium_keys,
                                      FIRN_KEY_COUNT(medium_keys),
                                      sizeof(firn_medium_block),
                                      NULL,
                                      NULL};

#undef AT
#define AT(field) offsetof(firn_render_block, field)
static const char* const sky_models[] = {"gradient", "sun-sky", NULL};
static const char* const layers[] = {"light", "velocity", "id", NULL};
static const char* const tones[] = {"shoulder", "linear", "filmic", "aces", "agx", NULL};
static const firn_key sky_keys[] = {
    {"picture", FIRN_KEY_PATH, AT(sky_picture), NULL, 0, 0, "none: a clear day", NULL, NULL,
     "An .exr or .hdr environment map (latitude-longitude), top row up; path relative to the scene "
     "file."},
    {"turn", FIRN_KEY_REAL, AT(sky_turn), "deg", -360, 360, "0", NULL, NULL,
     "Rotation about the vertical: of the picture, or of north."},
    {"model", FIRN_KEY_ENUM, AT(sky_model), NULL, 0, 0, "gradient", sky_models, NULL,
     "Without a picture: a fixed gradient, or the sun and sky of Preetham et al. 1999."},
    {"turbidity", FIRN_KEY_REAL, AT(sky_turbidity), "-", 2, 10, "2.5", NULL, NULL,
     "Of 'sun-sky': haze in the air. 2 is very clear, 3 clear, 6 warm and moist, 10 hazy."},
    {"time", FIRN_KEY_REAL, AT(sky_time), "h", -1, 24, "-1: 'sun' is the direction", NULL, NULL,
     "Solar time of 'sun-sky', such as 15:30: places the sun. East is +x, south +z."},
    {"latitude", FIRN_KEY_REAL, AT(sky_latitude), "deg", -90, 90, "46.8", NULL, NULL,
     "With 'time': degrees north of the equator; 46.8 is Davos."},
    {"day", FIRN_KEY_INT, AT(sky_day), NULL, 1, 366, "32", NULL, NULL,
     "With 'time': day of the year; 32 is the first of February."},
};
static const firn_key_block sky = {"sky",
                                   "Environment light: a picture, or a model of sun and sky.",
                                   sky_keys,
                                   FIRN_KEY_COUNT(sky_keys),
                                   sizeof(firn_render_block),
                                   NULL,
                                   finish_sky};
#undef AT
#define AT(field) offsetof(firn_colour_block, field)
static const firn_key colour_keys[] = {
    {"field", FIRN_KEY_ENUM, AT(field), NULL, 0, 0, "none", firn_colour_field_keys, NULL,
     "The field; of a vector its length. `broken` and `phase` without other keys use their own "
     "scale."},
    {"from", FIRN_KEY_REAL, AT(from), NULL, 0, 0, "0", NULL, NULL,
     "Value with the first colour, in the field's unit."},
    {"to", FIRN_KEY_REAL, AT(to), NULL, 0, 0, "0", NULL, NULL, "Value with the last colour."},
    {"colours", FIRN_KEY_ENUM, AT(colours), NULL, 0, 0, "blue-red", firn_colour_map_keys, NULL,
     "Blue, white, red; white to black; white to brown; or for 'phase' from 0 to 2: snow white, "
     "ice grey, water blue."},
};
static const firn_key_block colour = {
    "colour_by",
    "The preview's snow coloured by a field. White where the solver has no such field.",
    colour_keys,
    FIRN_KEY_COUNT(colour_keys),
    sizeof(firn_colour_block),
    NULL,
    finish_colour};

#undef AT
#define AT(field) offsetof(firn_render_block, field)
static const firn_key render_keys[] = {
    {"camera", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "chosen to show the snow", NULL, &firn_camera_keys,
     "Position, direction and lens of the camera."},
    {"cameras", FIRN_KEY_MAP, 0, NULL, 0, 0, "none", NULL, &firn_camera_keys,
     "More cameras by name, for `firn render --camera NAME`."},
    {"width", FIRN_KEY_INT, AT(width), "pixels", 16, 16384, "960", NULL, NULL,
     "Width of the picture; even."},
    {"height", FIRN_KEY_INT, AT(height), "pixels", 16, 16384, "540", NULL, NULL,
     "Height of the picture; even."},
    {"sun", FIRN_KEY_VEC3, AT(sun), "-", -1e6, 1e6, "[-0.75, 0.5, 0.35]", NULL, NULL,
     "Direction towards the sun; any length but zero."},
    {"sun_strength", FIRN_KEY_REAL, AT(sun_strength), "-", 0, 1000, "1", NULL, NULL,
     "Brightness of the sun."},
    {"sky_strength", FIRN_KEY_REAL, AT(sky_strength), "-", 0, 1000, "1", NULL, NULL,
     "Brightness of the sky."},
    {"sun_size", FIRN_KEY_REAL, AT(sun_size), "deg", 0.05, 90, "0.53", NULL, NULL,
     "Angular diameter of the sun: a larger one casts softer shadows and emits the same total "
     "light. The preview uses its own value."},
    {"shutter", FIRN_KEY_REAL, AT(shutter), "-", 0, 1, "0", NULL, NULL,
     "Fraction of a frame for which the shutter is open: motion blur."},
    {"sky", FIRN_KEY_BLOCK, 0, NULL, 0, 0, "a clear day", NULL, &sky,
     "Environment light: a picture, or a model of sun and sky."},
    {"lights", FIRN_KEY_ROWS, AT(light_count), NULL, 0, FIRN_AREA_LIGHTS_MAX, "none", NULL, &light,
     "Area lights, in addition to sun and sky."},
    {"medium", FIRN_KEY_BLOCK, AT(medium), NULL, 0, 0, "as below", NULL, &medium,
     "How snow scatters light."},
    {"samples", FIRN_KEY_INT, AT(samples), NULL, 1, 1e6, "64", NULL, NULL,
     "Maximum number of paths per pixel; four times as many halve the noise."},
    {"noise", FIRN_KEY_REAL, AT(noise), "-", 0, 1, "0", NULL, NULL,
     "Stop where the relative standard error is below this; 0: always trace 'samples' paths."},
    {"seconds", FIRN_KEY_REAL, AT(seconds), "s", 0, 1e7, "0", NULL, NULL,
     "Time limit per picture; 0: none."},
    {"seed", FIRN_KEY_INT, AT(seed), NULL, 0, 9007199254740992.0, "0", NULL, NULL,
     "Seed of the sampling."},
    {"denoise", FIRN_KEY_BOOL, AT(denoise), NULL, 0, 0, "true", NULL, NULL,
     "Denoise the result; not for reference pictures."},
    {"exposure", FIRN_KEY_REAL, AT(exposure), "-", -20, 20, "0", NULL, NULL,
     "Exposure of the .png relative to the .exr [stops]: 1 doubles the brightness."},
    {"tone", FIRN_KEY_ENUM, AT(tone), NULL, 0, 0, "shoulder", tones, NULL,
     "Tone mapping of pictures: 'shoulder' keeps the contrast of sunlit snow; 'linear' clips at "
     "1; 'filmic' (Hable), 'aces' (Hill's fit) and 'agx' roll off like film, 'agx' without shifts "
     "of hue."},
    {"layers", FIRN_KEY_FLAGS, AT(layers), NULL, 0, 0, "[]", layers, NULL,
     "More layers of the .exr: 'light' (direct and indirect), 'velocity', 'id' (Cryptomatte)."},
    {"colour_by", FIRN_KEY_BLOCK, AT(colour_by), NULL, 0, 0, "none", NULL, &colour,
     "The preview's snow coloured by a field."},
};

const firn_key_block firn_render_keys = {"render",
                                         "Pictures. It may change between a run and its --resume.",
                                         render_keys,
                                         FIRN_KEY_COUNT(render_keys),
                                         sizeof(firn_render_block),
                                         set_render_defaults,
                                         finish_render};
