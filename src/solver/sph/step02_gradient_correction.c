// SPDX-License-Identifier: MIT
#include "solver/sph/step02_gradient_correction.h"

#include "core/threads/team.h"

static void keep_moments(const firn_sph_work* w, firn_local i, const firn_sph_moments* m)
{
    w->S[0][i] = m->S.x;
    w->S[1][i] = m->S.y;
    w->S[2][i] = m->S.z;
    w->S2[i] = m->S2;
    for (int k = 0; k < 9; k++) w->L[k][i] = m->M.m[k / 3][k % 3];
    w->M[0][i] = m->M.m[0][0];
    w->M[1][i] = m->M.m[0][1];
    w->M[2][i] = m->M.m[0][2];
    w->M[3][i] = m->M.m[1][1];
    w->M[4][i] = m->M.m[1][2];
    w->M[5][i] = m->M.m[2][2];
}

// L holds the moment until the contributions of all colliders are added.
static void invert(const firn_sph_work* w, firn_local i)
{
    firn_mat3 M;
    for (int k = 0; k < 9; k++) M.m[k / 3][k % 3] = w->L[k][i];
    const firn_mat3 L = firn_sph_correction(M);
    for (int k = 0; k < 9; k++) w->L[k][i] = L.m[k / 3][k % 3];
}

static void add_bodies(const firn_sph_gradient_correction_args* a, firn_sph_range near)
{
    for (firn_local t = near.begin; t < near.end; t++) {
        const firn_local i = a->contact[t].particle;
        if (firn_sph_leaves_out(a->work, i / FIRN_SLICE)) continue;
        for (int k = 0; k < 9; k++) a->work->L[k][i] += a->contact[t].moment.m[k / 3][k % 3];
    }
}

// L_i B_i, along the normal of the surface.
static void correct_bodies(const firn_sph_gradient_correction_args* a, firn_sph_range near)
{
    const firn_sph_work* w = a->work;
    for (firn_local k = near.begin; k < near.end; k++) {
        const firn_sph_contact_sums* t = &a->contact[k];
        const firn_local i = t->particle;
        if (firn_sph_leaves_out(w, i / FIRN_SLICE)) continue;
        firn_mat3 L;
        for (int n = 0; n < 9; n++) L.m[n / 3][n % 3] = w->L[n][i];
        const firn_vec3 LB = firn_sph_along_normal(t, firn_m3_mul_v3(L, t->gradient));
        w->LB[0][i] = LB.x;
        w->LB[1][i] = LB.y;
        w->LB[2][i] = LB.z;
    }
}

// S_i alone.
static void sum_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_gradient_correction_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_sph_moments m = firn_sph_moments_particle(a, i);
        a->work->S[0][i] = m.S.x;
        a->work->S[1][i] = m.S.y;
        a->work->S[2][i] = m.S.z;
    }
}

// A particle reads nothing that the others write here.
static void correct_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_gradient_correction_args* a = self;
    const firn_sph_range near = firn_sph_contacts_of(a->contact, a->contact_count, begin, end);
    for (firn_local i = begin; i < end; i++) {
        const firn_sph_moments m = firn_sph_moments_particle(a, i);
        keep_moments(a->work, i, &m);
    }
    add_bodies(a, near);
    for (firn_local i = begin; i < end; i++) invert(a->work, i);
    correct_bodies(a, near);
}

static void gradient_correction(const firn_sph_gradient_correction_args* a)
{
    firn_share(a->pairs->count, FIRN_SPH_SLICES * FIRN_SLICE,
               a->sums_only ? sum_range : correct_range, a);
}
