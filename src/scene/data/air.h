// SPDX-License-Identifier: MIT
// The air of a scene: wind (sampled by wind.h), drag on flakes and heat exchange. Zeroed: there is
// no air, flakes fall freely.
#pragma once
#include "core/result.h"
#include "scene/data/gusts.h"
#include "scene/data/temperature.h"

typedef struct firn_velocity_volume firn_velocity_volume;  // geometry/levelset/velocity_volume.h
typedef struct firn_text firn_text;                        // core/text.h
typedef struct firn_scene_data firn_scene_data;            // scene/data/scene.h
typedef struct firn_collider firn_collider;                // geometry/collider/collider.h

// Wind velocities from a file.
typedef struct firn_wind_file {
    char* file;  // owned: a .vdb file; null: none
    char* grid;  // owned: its name in the file; null: v, vel or velocity
    const firn_velocity_volume* velocities;  // one counted reference; null: none
} firn_wind_file;

#define FIRN_AIR_HEAT_TRANSFER 10.0  // [W/m^2/K] default

typedef struct firn_air_block {
    bool active;         // the block is given; set by the parser
    double velocity[3];  // [m/s] of the wind, where `volume` has none
    firn_gust_block gusts;
    firn_wind_file volume;
    double density;        // [kg/m^3]
    double viscosity;      // [Pa s]
    double temperature;    // [degC] without keys, else that of the first key; NaN: no heat
                           //     exchange. Use firn_air_temperature
    double heat_transfer;  // [W/m^2/K] between air and snow
    // Rows (FIRN_KEY_ROWS): a count, then room for as many as there may be.
    int32_t temperature_key_count;                                     // 0: constant `temperature`
    firn_temperature_key temperature_keys[FIRN_TEMPERATURE_KEYS_MAX];  // ascending in time
    bool drag;  // whether the air drags flakes
} firn_air_block;

// Temperature of the air, and of a collider, at a time [degC]; NaN: no heat exchange.
double firn_air_temperature(const firn_scene_data* scene, double time);
double firn_body_temperature(const firn_scene_data* scene, const firn_collider* collider,
                             double time);

// Makes a bytewise copy own its strings and its reference. False: out of memory, release it.
bool firn_air_own(firn_air_block* copy);
void firn_air_release(firn_air_block* air);  // frees what it owns, zeroes the struct
// Writes the line `air: {...}` of a scene, if it has air. For the hash, a volume is written as a
// hash of its contents, independent of its path.
void firn_air_write(firn_text* text, const firn_air_block* air, int digits, bool for_hash);
