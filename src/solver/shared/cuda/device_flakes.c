// SPDX-License-Identifier: MIT
#include "solver/shared/cuda/device_flakes.h"

#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/flake_due.h"
#include "solver/solver.h"

void firn_device_emitter_fill(const firn_scene_data* scene, firn_local k, double spacing,
                              firn_device_emitter* out)
{
    const firn_emitter* e = &scene->emitters[k];
    const double volume = firn_flake_volume(e, spacing);
    out->law = *e;
    out->box = firn_shape_bounds(&scene->shapes, e->shape);
    out->mass = (firn_real)((double)scene->materials[e->material].snow.density * volume);
    out->volume = (firn_real)volume;
}

void firn_device_take_flakes(const firn_scene_data* scene, const firn_device_record* record,
                             double next_id_after, uint32_t* next_id, int64_t* emitted,
                             firn_step_report* report)
{
    const uint32_t after = (uint32_t)next_id_after;
    report->culled += (int64_t)(after - *next_id);
    *next_id = after;
    for (firn_local k = 0; k < scene->emitter_count; k++) {
        const int64_t due = firn_emitter_due(&scene->emitters[k], record->time);
        if (due > emitted[k]) emitted[k] = due;
    }
}
