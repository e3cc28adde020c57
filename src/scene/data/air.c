// SPDX-License-Identifier: MIT
// Copies, releases and writes the block `air`.
#include "scene/data/air.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/levelset/velocity_volume.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/write/keys_write.h"

bool firn_air_own(firn_air_block* copy)
{
    firn_velocity_volume_share(copy->volume.velocities);
    return firn_keys_own(&firn_air_keys, copy);
}

void firn_air_release(firn_air_block* air)
{
    firn_keys_release(&firn_air_keys, air);
    firn_velocity_volume_release(air->volume.velocities);
    *air = (firn_air_block){0};
}

double firn_air_temperature(const firn_scene_data* scene, double time)
{
    const firn_air_block* air = &scene->air;
    if (!air->active) return NAN;
    if (air->temperature_key_count == 0) return air->temperature;
    return firn_temperature_at(air->temperature_keys, air->temperature_key_count, time);
}

double firn_body_temperature(const firn_scene_data* scene, const firn_collider* collider,
                             double time)
{
    return collider->temperature_of_air ? firn_air_temperature(scene, time)
                                        : (double)collider->temperature;
}

static void add_number(firn_text* text, const char* name, double value, int digits)
{
    firn_text_add(text, ", %s: ", name);
    firn_write_number(text, value, digits);
}

static void add_gusts(firn_text* text, const firn_gust_block* gusts, int digits)
{
    if (!(gusts->strength > 0)) return;  // the other keys have no effect
    firn_text_add(text, ", gusts: {seed: %lld", (long long)gusts->seed);
    add_number(text, "strength", gusts->strength, digits);
    add_number(text, "length", gusts->length, digits);
    add_number(text, "period", gusts->period, digits);
    firn_text_add(text, "}");
}

static void add_temperature(firn_text* text, const firn_air_block* air, int digits)
{
    if (air->temperature_key_count == 0) {
        if (!isnan(air->temperature)) add_number(text, "temperature", air->temperature, digits);
        return;
    }
    for (int32_t k = 0; k < air->temperature_key_count; k++) {
        firn_text_add(text, k == 0 ? ", temperature_keys: [{time: " : ", {time: ");
        firn_write_number(text, air->temperature_keys[k].time, digits);
        add_number(text, "temperature", air->temperature_keys[k].temperature, digits);
        firn_text_add(text, "}");
    }
    firn_text_add(text, "]");
}

static void add_volume(firn_text* text, const firn_wind_file* volume, bool for_hash)
{
    if (volume->file == NULL) return;
    if (for_hash && volume->velocities != NULL) {
        firn_text_add(text, ", volume: %016llx",
                      (unsigned long long)firn_velocity_volume_hash(volume->velocities));
        return;
    }
    firn_text_add(text, ", volume: {file: ");
    firn_text_add_json(text, volume->file);
    if (volume->grid != NULL) {
        firn_text_add(text, ", grid: ");
        firn_text_add_json(text, volume->grid);
    }
    firn_text_add(text, "}");
}

void firn_air_write(firn_text* text, const firn_air_block* air, int digits, bool for_hash)
{
    if (!air->active) return;
    firn_text_add(text, "air: {drag: %s, velocity: [", air->drag ? "true" : "false");
    for (int d = 0; d < 3; d++) {
        if (d > 0) firn_text_add(text, ", ");
        firn_write_number(text, air->velocity[d], digits);
    }
    firn_text_add(text, "]");
    add_gusts(text, &air->gusts, digits);
    add_volume(text, &air->volume, for_hash);
    add_number(text, "density", air->density, digits);
    add_number(text, "viscosity", air->viscosity, digits);
    add_number(text, "heat_transfer", air->heat_transfer, digits);
    add_temperature(text, air, digits);
    firn_text_add(text, "}\n");
}
