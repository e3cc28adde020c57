// SPDX-License-Identifier: MIT
// Adds emitters from code.
#include <math.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/emitter.h"
#include "sim/defs.h"
#include "sim/scene/scene_api.h"
#include "sim/sim_ids.h"

static firn_result refuse(firn_scene* scene, firn_result code, const char* text)
{
    firn_error error;
    firn_fail(&error, code, "%s", text);
    return firn_scene_refuse(scene, &error);
}

// The ranges are those of the scene file (emitter_keys.c).
static const char* find_mistake(const firn_emitter_def* def)
{
    const bool flows = def->flow >= 1e-9 && def->flow <= 1e9 && def->rate == 0;
    if (!flows && !(def->rate >= 1e-6 && def->rate <= 1e9 && def->flow == 0))
        return "an emitter needs a rate of 1e-6 to 1e9 flakes per second, or a flow of 1e-9 to 1e9 "
               "kg/s and a rate of 0";
    if (!(def->mass == 0 || (def->mass >= 1e-12 && def->mass <= 1e15 && def->limit == 0)))
        return "an emitter needs a mass of 0 (no limit), or of 1e-12 to 1e15 kg and a limit of 0";
    if (!(fabs(def->speed) <= 1e4) ||
        !(def->depth == 0 || (def->depth >= 1e-9 && def->depth <= 1e3)))
        return "an emitter needs a speed of -1e4 to 1e4 m/s, and a depth of 0 (anywhere inside) or "
               "1e-9 to 1e3 m";
    if (!firn_v3_is_finite(def->velocity) || !(def->spread >= 0 && def->spread <= 1e4) ||
        !(def->size == 0 || (def->size >= 1e-6 && def->size <= 1e3)))
        return "an emitter needs a finite velocity, a spread of 0 to 1e4 m/s and a size of 0 (the "
               "solver's) or 1e-6 to 1e3 m";
    if (!(def->flake_size >= 0 && def->flake_size <= 1) ||
        !(def->flake_density >= 0.1 && def->flake_density <= FIRN_FLAKE_DENSITY_MAX))
        return "an emitter needs a flake_size of 0 (none) to 1 m and a flake_density of 0.1 to 917 "
               "kg/m^3";
    if (!(def->stop > def->start) || !isfinite(def->start) || def->limit < 0 || def->seed < 0)
        return "an emitter must stop after it starts, and needs a limit and a seed of at least 0";
    if (!(def->temperature >= -273.15 && def->temperature <= 100))
        return "an emitter needs a temperature of -273.15 to 100 degC";
    return NULL;
}

// Finds the shape and the material (null: the first) of the def.
static firn_result find_parts(const firn_scene* scene, const firn_emitter_def* def,
                              firn_emitter* emitter, firn_error* error)
{
    firn_error why;
    firn_result r = firn_scene_shape_find(scene, def->shape, &emitter->shape, &why);
    if (r == FIRN_OK && def->material.slot1 != 0)
        r = firn_scene_material_find(scene, def->material, &emitter->material, &why);
    firn_local followed = -1;
    const firn_id_list colliders = {"collider", scene->owner, scene->data.collider_count};
    if (r == FIRN_OK && def->follow.slot1 != 0) {
        r = firn_id_find(&colliders, def->follow.slot1, def->follow.owner, &followed, &why);
        if (r == FIRN_OK && scene->data.colliders[followed].mass > 0)
            r = firn_fail(&why, FIRN_REFUSED_ARGUMENT, "it cannot follow a collider with a mass");
        emitter->follow1 = followed + 1;
    }
    if (r == FIRN_OK) return FIRN_OK;
    return firn_fail(error, r, "an emitter needs a shape and a material of this scene: %.200s",
                     why.text);
}

firn_result firn_emitter_from_def(const firn_scene* scene, const firn_emitter_def* def,
                                  firn_emitter* out_emitter, firn_error* error)
{
    firn_emitter_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_EMITTER, def, &own, error));
    def = &own;
    firn_emitter emitter = {
        .rate = def->rate,
        .velocity = {(double)def->velocity.x, (double)def->velocity.y, (double)def->velocity.z},
        .spread = def->spread,
        .flow = def->flow,
        .mass = def->mass,
        .speed = def->speed,
        .depth = def->depth,
        .size = def->size,
        .flake_size = def->flake_size,
        .flake_density = def->flake_density,
        .start = def->start,
        .stop = def->stop,
        .limit = def->limit > 0 ? def->limit : FIRN_EMITTER_NO_LIMIT,
        .seed = def->seed,
        .temperature = def->temperature};
    FIRN_TRY(find_parts(scene, def, &emitter, error));
    const char* mistake = find_mistake(def);
    if (mistake != NULL) return firn_fail(error, FIRN_REFUSED_ARGUMENT, "%s", mistake);
    *out_emitter = emitter;
    return FIRN_OK;
}

firn_result firn_scene_add_emitter(firn_scene* scene, const firn_emitter_def* def,
                                   firn_emitter_id* out_id)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_scene_data* d = &scene->data;
    firn_emitter emitter;
    firn_error error;
    if (firn_emitter_from_def(scene, def, &emitter, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    FIRN_TRY(firn_scene_need_material(scene));
    if (!firn_reserve((void**)&d->emitters, &d->emitter_capacity, d->emitter_count + 1,
                      sizeof *d->emitters))
        return refuse(scene, FIRN_BROKEN_MEMORY, "out of memory");
    d->emitters[d->emitter_count++] = emitter;
    if (out_id != NULL) *out_id = (firn_emitter_id){(uint32_t)d->emitter_count, scene->owner};
    firn_scene_data_changed(d);
    return FIRN_OK;
}
