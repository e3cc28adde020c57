// SPDX-License-Identifier: MIT
#include "solver/sph/step08_deformation.h"

#include <string.h>

#include "core/threads/team.h"

static void weigh_velocities(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_deformation_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++) {
        const firn_vec3 v = firn_v3_scale(a->p.velocity[i], w->place[i][3]);
        w->weighted[i] = (firn_vec4){v.x, v.y, v.z, 0};
    }
}

static void keep_clamped(const firn_sph_deformation_args* a, firn_local i, firn_mat3 F_trial)
{
    const firn_sph_material* mat = &a->materials[a->p.material[i]];
    const firn_sph_clamped c =
        firn_sph_clamp_particle(F_trial, firn_sph_varied(mat->theta_c, a->p.compression, i),
                                firn_sph_varied(mat->theta_s, a->p.stretch, i), a->paper);
    a->p.def_grad_elastic[i] = c.F_E;
    if (a->plastic) a->p.plastic_det[i] *= c.ratio;
}

static void deform_particle(const firn_sph_deformation_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    const firn_mat3 grad = firn_sph_gradient_particle(a->pairs, w, w->weighted, a->p.velocity[i],
                                                      w->wall_divergence[i], i);
    firn_mat3 trial = firn_deformation_trial(firn_sph_F_of(w, i), a->dt, grad);
    if (!a->paper)
        trial =
            firn_m3_scale(trial, firn_sph_rotation_factor(grad, firn_sph_moment_of(w, i), a->dt));
    keep_clamped(a, i, trial);
}

static void deform_range(const void* self, firn_local begin, firn_local end)
{
    for (firn_local i = begin; i < end; i++) deform_particle(self, i);
}

// Fluids keep F_E = 1. Most of them have it: reading costs half of writing.
static void relax_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_deformation_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        if (!firn_sph_is_fluid(a->work, i)) continue;
        const firn_mat3 one = firn_m3_identity();
        if (memcmp(&a->p.def_grad_elastic[i], &one, sizeof one) != 0)
            a->p.def_grad_elastic[i] = one;
        if (a->p.plastic_det[i] != 1) a->p.plastic_det[i] = 1;
    }
}

static void relax_fluids(const firn_sph_deformation_args* a)
{
    if (a->mixed) firn_share(a->p.count, FIRN_SPH_SIMPLE, relax_range, a);
}

static void deformation(const firn_sph_deformation_args* a)
{
    firn_share(a->p.count, FIRN_SPH_SIMPLE, weigh_velocities, a);
    firn_share(a->p.count, FIRN_SPH_SLICES * FIRN_SLICE, deform_range, a);
    relax_fluids(a);
}
