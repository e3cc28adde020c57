// SPDX-License-Identifier: MIT
#include "solver/sph/step03_other_accelerations.h"

#include "core/threads/team.h"
#include "physics/particle_drag.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/run/wind.h"

// The emitter of a flake; null: other snow.
static const firn_emitter* emitter_of(const firn_sph_other_accelerations_args* a, firn_local i)
{
    const uint32_t number = a->p.emitter != NULL ? a->p.emitter[i] : 0;
    if (number == 0 || number > (uint32_t)a->scene->emitter_count) return NULL;
    return &a->scene->emitters[number - 1];
}

// The rate of the drag, which grows with the speed, is that of v, with gravity and without drag.
static firn_vec3 drag(const firn_sph_other_accelerations_args* a, firn_local i, firn_vec3 v)
{
    const firn_air_block* air = &a->scene->air;
    const firn_vec3 wind = firn_wind(a->scene, a->p.position[i], a->time);
    const firn_vec3 past = firn_v3_sub(v, wind);
    const firn_real exposed = firn_drag_exposure((firn_real)a->neighbours[i]);
    if (!(exposed > 0)) return v;
    const firn_real speed = firn_sqrt(firn_v3_dot(past, past));
    const firn_emitter* e = emitter_of(a, i);
    const firn_real rate = firn_drag_particle(
        exposed, speed, a->p.mass[i], a->p.fresh_density[i], e != NULL ? e->flake_size : 0,
        e != NULL ? e->flake_density : 0, (firn_real)air->density, (firn_real)air->viscosity);
    return firn_dragged(v, wind, a->dt, rate);
}

static void accelerate_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_other_accelerations_args* a = self;
    const bool airy = a->scene->air.active && a->scene->air.drag;
    for (firn_local i = begin; i < end; i++) {
        firn_vec3 v = firn_v3_madd(a->p.velocity[i], a->dt, a->gravity);
        if (airy) v = drag(a, i, v);
        a->v_star[i] = (firn_vec4){v.x, v.y, v.z, 0};
    }
    const firn_sph_range near = firn_sph_contacts_of(a->contact, a->contact_count, begin, end);
    for (firn_local t = near.begin; t < near.end; t++) {
        const firn_vec3 pull = a->contact[t].adhesion;
        a->v_star[a->contact[t].particle] +=
            (firn_vec4){a->dt * pull.x, a->dt * pull.y, a->dt * pull.z, 0};
    }
}

void firn_sph_other_accelerations(const firn_sph_other_accelerations_args* a)
{
    firn_share(a->p.count, FIRN_SPH_SIMPLE / 4, accelerate_range, a);
}
