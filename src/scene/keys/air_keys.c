// SPDX-License-Identifier: MIT
// Block `air`: wind, drag and temperature of the air.
#include <math.h>

#include "core/memory.h"
#include "geometry/levelset/velocity_volume.h"
#include "scene/data/air.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"

static void set_defaults(void* at)
{
    *(firn_air_block*)at = (firn_air_block){.gusts = {.length = 5, .period = 3, .seed = 1},
                                            .density = 1.3,
                                            .viscosity = 1.7e-5,
                                            .temperature = NAN,
                                            .heat_transfer = FIRN_AIR_HEAT_TRANSFER,
                                            .drag = true};
}

// Reads the file together with the block, and releases the previous one.
static void finish_volume(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool valid)
{
    (void)at;
    firn_wind_file* volume = item;
    if (!valid || r->dry || volume->file == NULL) return;
    firn_error error = {0};
    const firn_velocity_volume* read = NULL;
    if (!firn_read_check(
            r, node, firn_velocity_volume_read(volume->file, volume->grid, &read, &error), &error))
        return;
    firn_velocity_volume_release(volume->velocities);
    volume->velocities = read;
}

static void finish_temperature(firn_scene_reader* r, const firn_doc_node* node, void* item,
                               void* at, bool valid)
{
    const firn_temperature_key* key = item;
    const firn_rows* rows = at;
    if (!valid || rows->count == 0) return;
    const firn_temperature_key* keys = firn_rows_items(rows);
    const double before = keys[rows->count - 1].time;
    if (key->time < before)
        firn_doc_error(r->doc, node,
                       "temperature keys must be in order of time: %g s comes before %g s",
                       key->time, before);
    else if (rows->count > 1 && key->time == before && keys[rows->count - 2].time == before)
        firn_doc_error(r->doc, node,
                       "three keys of a temperature at %g s: two make a step, remove the one "
                       "between them",
                       before);
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                   bool valid)
{
    (void)at;
    firn_air_block* air = item;
    air->active = true;
    const bool constant = firn_doc_find(node, "temperature") != NULL;
    const bool keyed = firn_doc_find(node, "temperature_keys") != NULL;
    if (valid && constant && keyed)
        firn_doc_key_error(r->doc, node,
                           "'air' has either 'temperature' or 'temperature_keys', not both");
    else if (constant)
        air->temperature_key_count = 0;  // replaces keys that were set before
    if (air->temperature_key_count > 0) air->temperature = air->temperature_keys[0].temperature;
}

_Static_assert(FIRN_ROWS_FIT(firn_air_block, temperature_key_count, temperature_keys), "rows");

#define AT(field) offsetof(firn_gust_block, field)
static const firn_key gust_keys[] = {
    {"strength", FIRN_KEY_REAL, AT(strength), "-", 0, 10, "0", NULL, NULL,
     "RMS speed of the gusts along each axis, as a fraction of the wind speed; 0.15 in open "
     "country, 0.3 in a city."},
    {"length", FIRN_KEY_REAL, AT(length), "m", 1e-3, 1e5, "5", NULL, NULL, "Size of an eddy."},
    {"period", FIRN_KEY_REAL, AT(period), "s", 1e-3, 1e6, "3", NULL, NULL,
     "Time after which the pattern of eddies has changed; the eddies also drift with the wind."},
    {"seed", FIRN_KEY_INT, AT(seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of the random gusts."},
};
static const firn_key_block gusts = {
    "gusts",
    "Turbulence that is added to the wind: smooth, divergence-free eddies.",
    gust_keys,
    FIRN_KEY_COUNT(gust_keys),
    sizeof(firn_gust_block),
    NULL,
    NULL};

#undef AT
#define AT(field) offsetof(firn_wind_file, field)
static const firn_key volume_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL,
     "A .vdb file; path relative to the scene file."},
    {"grid", FIRN_KEY_TEXT, AT(grid), NULL, 0, 0, "v, vel or velocity", NULL, NULL,
     "Name of the velocity grid; its transform maps it to world space."},
};
static const firn_key_block volume = {
    "volume",
    "A steady wind from a file; where the grid has no value the wind is 'velocity'.",
    volume_keys,
    FIRN_KEY_COUNT(volume_keys),
    sizeof(firn_wind_file),
    NULL,
    finish_volume};

#undef AT
#define AT(field) offsetof(firn_temperature_key, field)
static const firn_key temperature_keys[] = {
    {"time", FIRN_KEY_REAL, AT(time), "s", -1e6, 1e6, NULL, NULL, NULL,
     "Time of the key; not earlier than the key before. Two keys at the same time are a step."},
    {"temperature", FIRN_KEY_REAL, AT(temperature), "degC", -273.15, 1e4, NULL, NULL, NULL,
     "Temperature of the air at that time."},
};
static const firn_key_block temperature_key = {"temperature key",
                                               "The temperature of the air at one time.",
                                               temperature_keys,
                                               FIRN_KEY_COUNT(temperature_keys),
                                               sizeof(firn_temperature_key),
                                               NULL,
                                               finish_temperature};

#undef AT
#define AT(field) offsetof(firn_air_block, field)
static const firn_key keys[] = {
    {"velocity", FIRN_KEY_VEC3, AT(velocity), "m/s", -1e3, 1e3, "[0, 0, 0]", NULL, NULL,
     "Uniform wind velocity."},
    {"gusts", FIRN_KEY_BLOCK, AT(gusts), NULL, 0, 0, "none", NULL, &gusts,
     "Turbulence that is added to the wind."},
    {"volume", FIRN_KEY_BLOCK, AT(volume), NULL, 0, 0, "none", NULL, &volume,
     "Wind velocities from a file."},
    {"density", FIRN_KEY_REAL, AT(density), "kg/m^3", 1e-3, 2000, "1.3", NULL, NULL,
     "Density of the air; 1.3 at 0 degC."},
    {"viscosity", FIRN_KEY_REAL, AT(viscosity), "Pa s", 1e-9, 1e3, "1.7e-5", NULL, NULL,
     "Dynamic viscosity of the air; 1.7e-5 at 0 degC."},
    {"temperature", FIRN_KEY_REAL, AT(temperature), "degC", -273.15, 1e4, "none: no heat exchange",
     NULL, NULL, "Temperature of the air."},
    {"temperature_keys", FIRN_KEY_ROWS, AT(temperature_key_count), NULL, 1,
     FIRN_TEMPERATURE_KEYS_MAX, "none", NULL, &temperature_key,
     "The temperature over time, instead of 'temperature': linear between the keys, constant "
     "before the first and after the last."},
    {"heat_transfer", FIRN_KEY_REAL, AT(heat_transfer), "W/m^2/K", 0, 1e6, "10", NULL, NULL,
     "Heat transfer coefficient between air and snow: 5 in still air, 10 to 50 in wind."},
    {"drag", FIRN_KEY_BOOL, AT(drag), NULL, 0, 0, "true", NULL, NULL,
     "Whether the air drags flakes."},
};
const firn_key_block firn_air_keys = {
    "air",
    "The air around the snow. Without this block there is no air: flakes fall freely.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(firn_air_block),
    set_defaults,
    finish};
