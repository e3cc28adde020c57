// SPDX-License-Identifier: MIT
// Block `air`: wind, drag and warmth of the air.
#include <math.h>

#include "core/memory.h"
#include "scene/blocks.h"
#include "scene/reader.h"

static void set_defaults(void* at)
{
    *(firn_air_block*)at = (firn_air_block){.gusts = {.length = 5, .period = 3, .seed = 1},
                                            .density = 1.3,
                                            .viscosity = 1.7e-5,
                                            .temperature = NAN,
                                            .heat_transfer = 10,
                                            .drag = true};
}

// The file is read when the block is; what was read before goes.
static void finish_volume(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool sound)
{
    (void)at;
    firn_wind_file* volume = item;
    if (!sound || r->dry || volume->file == NULL) return;
    firn_error error = {0};
    const firn_velocity_volume* read = NULL;
    if (!firn_read_check(
            r, node, firn_velocity_volume_read(volume->file, volume->grid, &read, &error), &error))
        return;
    firn_velocity_volume_release(volume->velocities);
    volume->velocities = read;
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                   bool sound)
{
    (void)r, (void)node, (void)at, (void)sound;
    ((firn_air_block*)item)->active = true;
}

// clang-format off
#define AT(field) offsetof(firn_gust_block, field)
static const firn_key gust_keys[] = {
    {"strength", FIRN_KEY_REAL, AT(strength), "-", 0, 10, "0", NULL, NULL, "Rms of the gusts along each axis, as a share of the wind's speed; open country has 0.15, a city 0.3."},
    {"length", FIRN_KEY_REAL, AT(length), "m", 1e-3, 1e5, "5", NULL, NULL, "Size of an eddy."},
    {"period", FIRN_KEY_REAL, AT(period), "s", 1e-3, 1e6, "3", NULL, NULL, "Time after which the eddies, which drift with the wind, are others."},
    {"seed", FIRN_KEY_INT, AT(seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL, "Another seed, other gusts."},
};
static const firn_key_block gusts = {"gusts", "Turbulence that is added to the wind: smooth eddies without sources.", gust_keys, FIRN_KEY_COUNT(gust_keys), sizeof(firn_gust_block), NULL, NULL};

#undef AT
#define AT(field) offsetof(firn_wind_file, field)
static const firn_key volume_keys[] = {
    {"file", FIRN_KEY_PATH, AT(file), NULL, 0, 0, NULL, NULL, NULL, "A .vdb file; path relative to the scene file."},
    {"grid", FIRN_KEY_TEXT, AT(grid), NULL, 0, 0, "v, vel or velocity", NULL, NULL, "Name of the grid of velocities; it lies in the world as its transform says."},
};
static const firn_key_block volume = {"volume", "A steady wind from a file; where it has no value the wind is 'velocity'.", volume_keys, FIRN_KEY_COUNT(volume_keys), sizeof(firn_wind_file), NULL, finish_volume};

#undef AT
#define AT(field) offsetof(firn_air_block, field)
static const firn_key keys[] = {
    {"velocity", FIRN_KEY_VEC3, AT(velocity), "m/s", -1e3, 1e3, "[0, 0, 0]", NULL, NULL, "The wind, the same everywhere."},
    {"gusts", FIRN_KEY_BLOCK, AT(gusts), NULL, 0, 0, "none", NULL, &gusts, "Turbulence that is added to the wind."},
    {"volume", FIRN_KEY_BLOCK, AT(volume), NULL, 0, 0, "none", NULL, &volume, "A wind from a file."},
    {"density", FIRN_KEY_REAL, AT(density), "kg/m^3", 1e-3, 2000, "1.3", NULL, NULL, "Of the air; 1.3 at 0 degC."},
    {"viscosity", FIRN_KEY_REAL, AT(viscosity), "Pa s", 1e-9, 1e3, "1.7e-5", NULL, NULL, "Of the air; 1.7e-5 at 0 degC."},
    {"temperature", FIRN_KEY_REAL, AT(temperature), "degC", -273.15, 1e4, "none: it neither heats nor cools", NULL, NULL, "Of the air."},
    {"heat_transfer", FIRN_KEY_REAL, AT(heat_transfer), "W/m^2/K", 0, 1e6, "10", NULL, NULL, "Between air and snow: 5 in still air, 10 to 50 in a wind."},
    {"drag", FIRN_KEY_BOOL, AT(drag), NULL, 0, 0, "true", NULL, NULL, "Whether flakes feel it."},
};
// clang-format on
const firn_key_block firn_air_keys = {
    "air",
    "The air around the snow. Without this block there is none: flakes fall freely.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(firn_air_block),
    set_defaults,
    finish};
