// SPDX-License-Identifier: MIT
// Adds force fields from code, and sets gravity over time. The ranges are those of the scene file
// (force_keys.c).
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "physics/force_field.h"
#include "sim/defs.h"
#include "sim/scene/scene_api.h"

_Static_assert((int)FIRN_FORCE_TYPE_NOISE == (int)FIRN_FORCE_NOISE &&
                   (int)FIRN_FORCE_TYPE_VORTEX == (int)FIRN_FORCE_VORTEX &&
                   (int)FIRN_FORCE_TYPE_POINT == (int)FIRN_FORCE_POINT &&
                   (int)FIRN_FALLOFF_TYPE_SMOOTH == (int)FIRN_FORCE_SMOOTH &&
                   (int)FIRN_FALLOFF_TYPE_INVERSE == (int)FIRN_FORCE_INVERSE,
               "as in physics/force_field.h");
_Static_assert(sizeof(firn_factor_key) == sizeof(firn_force_key), "as in physics/force_field.h");

static bool is_between(double x, double low, double high)
{
    return x >= low && x <= high;
}

static bool vector_is_between(firn_vec3 v, double most)
{
    return is_between((double)v.x, -most, most) && is_between((double)v.y, -most, most) &&
           is_between((double)v.z, -most, most);
}

// Times of key k - 2, k - 1 and k.
static bool is_in_order(const double* first, size_t stride, size_t k)
{
    const double now = first[k * stride];
    if (!is_between(now, -1e6, 1e6)) return false;
    if (k > 0 && now < first[(k - 1) * stride]) return false;
    return k < 2 || now > first[(k - 2) * stride];
}

static const char* find_mistake(const firn_force_def* f)
{
    if (f->type < 0 || f->type > FIRN_FORCE_TYPE_NOISE || f->falloff < 0 ||
        f->falloff > FIRN_FALLOFF_TYPE_INVERSE)
        return "a force needs a type of firn_force_type and a falloff of firn_falloff_type";
    if (!is_between(f->strength, -1e6, 1e6) || !vector_is_between(f->center, 1e6) ||
        !vector_is_between(f->direction, 1e6) || !(firn_v3_length(f->direction) > 0))
        return "a force needs a strength of -1e6 to 1e6 m/s^2, a center within 1e6 m and a "
               "direction with a length";
    if (!(f->radius == 0 || is_between(f->radius, 1e-6, 1e6)) ||
        (f->falloff != FIRN_FALLOFF_TYPE_NONE && !(f->radius > 0)))
        return "a force needs a radius of 0 (everywhere) or 1e-6 to 1e6 m, and above 0 for a "
               "falloff";
    if (!is_between(f->length, 1e-4, 1e6) || !is_between(f->period, 1e-3, 1e6) || f->seed < 0)
        return "a force needs a length of 1e-4 to 1e6 m, a period of 1e-3 to 1e6 s and a seed of "
               "at "
               "least 0";
    if (f->key_count > FIRN_FORCE_KEYS_MAX || (f->key_count > 0 && f->keys == NULL))
        return "a force has at most 32 keys";
    for (size_t k = 0; k < f->key_count; k++)
        if (!is_in_order(&f->keys[0].time, 2, k) || !is_between(f->keys[k].factor, -1e6, 1e6))
            return "keys of a force must be in order of time, at most two at the same, with "
                   "factors "
                   "of -1e6 to 1e6";
    return NULL;
}

static firn_force force_of(const firn_force_def* def)
{
    firn_force f = {.kind = def->type,
                    .falloff = def->falloff,
                    .strength = def->strength,
                    .center = {(double)def->center.x, (double)def->center.y, (double)def->center.z},
                    .radius = def->radius,
                    .length = def->length,
                    .period = def->period,
                    .seed = def->seed,
                    .key_count = (int32_t)def->key_count};
    const double d[3] = {(double)def->direction.x, (double)def->direction.y,
                         (double)def->direction.z};
    const double size = sqrt(firn_force_dot(d, d));
    for (int a = 0; a < 3; a++) f.direction[a] = d[a] / size;
    for (size_t k = 0; k < def->key_count; k++)
        f.keys[k] = (firn_force_key){def->keys[k].time, def->keys[k].factor};
    return f;
}

firn_result firn_scene_add_force(firn_scene* scene, const firn_force_def* def)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_force_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_FORCE, def, &own));
    firn_scene_data* d = &scene->data;
    firn_error error = {0};
    const char* mistake = find_mistake(&own);
    if (mistake != NULL)
        firn_fail(&error, FIRN_REFUSED_ARGUMENT, "%s", mistake);
    else if (!firn_reserve((void**)&d->forces, &d->force_capacity, d->force_count + 1,
                           sizeof *d->forces))
        firn_fail(&error, FIRN_BROKEN_MEMORY, "out of memory");
    if (error.code != FIRN_OK) return firn_scene_refuse(scene, &error);
    d->forces[d->force_count++] = force_of(&own);
    firn_scene_data_changed(d);
    return FIRN_OK;
}

firn_result firn_scene_set_gravity_keys(firn_scene* scene, const firn_gravity_at* keys,
                                        size_t count)
{
    (void)firn_call(NULL);
    if (scene == NULL || (keys == NULL && count > 0)) return firn_call_null(__func__);
    firn_scene_data* d = &scene->data;
    firn_gravity_key own[FIRN_GRAVITY_KEYS_MAX];
    bool good = count <= FIRN_GRAVITY_KEYS_MAX;
    for (size_t k = 0; k < count && good; k++) {
        const firn_vec3 g = keys[k].gravity;
        own[k] = (firn_gravity_key){keys[k].time, {(double)g.x, (double)g.y, (double)g.z}};
        good = is_in_order(&own[0].time, sizeof own[0] / sizeof(double), k) &&
               vector_is_between(g, 1e4);
    }
    if (!good) {
        firn_error error = {0};
        firn_fail(&error, FIRN_REFUSED_ARGUMENT,
                  "gravity has at most 32 keys, in order of time, at most two at the same, each of "
                  "-1e4 to 1e4 m/s^2");
        return firn_scene_refuse(scene, &error);
    }
    memcpy(d->gravity_keys, own, count * sizeof *own);
    d->gravity_key_count = (int32_t)count;
    if (count > 0) memcpy(d->gravity, own[0].gravity, sizeof d->gravity);
    firn_scene_data_changed(d);
    return FIRN_OK;
}
