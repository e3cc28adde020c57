// SPDX-License-Identifier: MIT
#include "solver/sph/rigid/sph_lumps_shear.h"

#include <string.h>

#include "core/threads/team.h"
#include "solver/sph/laws/face.h"
#include "solver/sph/laws/stress.h"
#include "solver/sph/step06_shear.h"

#define HOLDS 64  // of a part of a shared loop: 100 ns each

static firn_vec3 of_record(firn_vec4 v)
{
    return firn_v3(v[0], v[1], v[2]);
}

static firn_sph_held_snow snow_of(const firn_sph_shear_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    const firn_real trace_F = firn_m3_trace(firn_sph_F_of(w, i));
    return (firn_sph_held_snow){.LB = firn_v3(w->LB[0][i], w->LB[1][i], w->LB[2][i]),
                                .mass = a->mass[i],
                                .volume = w->volume[i],
                                .stiffness = firn_sph_wall_stiffness(w->shear[i],
                                                                     a->combined ? w->lambda[i] : 0,
                                                                     trace_F, a->dt * a->dt),
                                .rubs = a->contact_count > 0};
}

// ---- the accelerations of colliders ------------------------------------------------------------

static void open_yield(firn_sph_lumps* s, const firn_sph_shear_args* a)
{
    for (firn_local k = 0; k < s->lumps.count; k++) {
        memset(s->answer[k], 0, sizeof s->answer[k]);
        memset(s->yield[k], 0, sizeof s->yield[k]);
    }
    for (firn_local n = 0; n < s->count; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        const firn_sph_contact_sums* t = &a->near[hold->contact];
        if (t->fluid) continue;
        const firn_sph_held_snow snow = snow_of(a, hold->particle);
        firn_sph_hold_answer(hold, t, &snow, (double)a->dt, s->answer[hold->lump],
                             s->yield[hold->lump]);
    }
}

// A hold's force on its collider, of the field's stresses and velocities.
static void pull_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_yield_args* y = self;
    const firn_sph_shear_args* a = y->shear;
    const firn_sph_lumps* s = a->lumps;
    for (firn_local n = begin; n < end; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        const firn_local i = hold->particle;
        const firn_sph_contact_sums* t = &a->near[hold->contact];
        memset(s->pull[n], 0, sizeof s->pull[n]);
        if (t->fluid) continue;
        const firn_sph_held_snow snow = snow_of(a, i);
        const firn_vec3 slide = firn_sph_slide(t, of_record(y->u[i]), a->dt, y->known);
        firn_sph_hold_pull(hold, t, &snow, a->work->source[i], slide, s->pull[n]);
    }
}

// A of each collider, in the order of particles.
static void yield(firn_sph_lumps* s, const firn_sph_yield_args* y)
{
    double(*pull)[6] = y->known ? s->known : s->rate;
    firn_share(s->count, HOLDS, pull_range, y);
    for (firn_local k = 0; k < s->lumps.count; k++) memset(pull[k], 0, sizeof pull[k]);
    for (firn_local n = 0; n < s->count; n++)
        for (int d = 0; d < 6; d++) pull[s->hold[n].lump][d] += s->pull[n][d];
    for (firn_local k = 0; k < s->lumps.count; k++) {
        double A[6];
        if (y->known)
            firn_sph_lump_close(&s->lumps.all[k], s->lumps.pins, pull[k], (double)y->shear->dt,
                                s->answer[k], s->yield[k]);
        firn_sph_lump_yield(s->yield[k], pull[k], A);
        memcpy(pull[k], A, sizeof A);
    }
}

// ---- what the snow near them has of it ---------------------------------------------------------

// Adds the stress by w to particle i, and to its row what that does.
static void strain(const firn_sph_yield_args* y, firn_local i, firn_real w_i)
{
    const firn_sph_shear_args* a = y->shear;
    const firn_sph_work* w = a->work;
    const firn_sph_wall_stress more =
        firn_sph_wall_stress_of(firn_sph_F_of(w, i), firn_sph_correction_of(w, i), w->shear[i],
                                a->combined ? w->lambda[i] : 0, a->dt * a->dt, w_i);
    firn_vec4* stress = &w->stress[3 * (size_t)i];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) stress[r][c] += w->volume[i] * more.T.m[r][c];
    if (y->rows == NULL) {
        stress[0][3] += more.third;
        return;
    }
    const firn_vec3 S = firn_v3(w->S[0][i], w->S[1][i], w->S[2][i]);
    const firn_vec3 LB = firn_v3(w->LB[0][i], w->LB[1][i], w->LB[2][i]);
    const firn_vec3 row = firn_sph_wall_stress_force(&more, S, LB, of_record(y->rows[i]),
                                                     (y->known ? 1 : -1) / a->density[i]);
    y->rows[i] = (firn_vec4){row.x, row.y, row.z, 0};
}

// Holds of a contact record follow each other; a range has those of the records that begin in it.
static void strain_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_yield_args* y = self;
    const firn_sph_shear_args* a = y->shear;
    const firn_sph_lumps* s = a->lumps;
    double(*rate)[6] = y->known ? s->known : s->rate;
    for (firn_local n = begin; n < end; n++) {
        const firn_local k = s->hold[n].contact;
        if (n > 0 && s->hold[n - 1].contact == k) continue;
        firn_sph_contact_sums* t = &a->near[k];
        t->follow = firn_v3(0, 0, 0);
        if (t->fluid) continue;
        double w_i = 0;
        for (firn_local m = n; m < s->count && s->hold[m].contact == k; m++) {
            const firn_sph_hold* hold = &s->hold[m];
            w_i += firn_sph_hold_divergence(hold, rate[hold->lump]);
            t->follow = firn_v3_madd(t->follow, hold->part,
                                     firn_lump_velocity_at(rate[hold->lump], hold->arm));
        }
        strain(y, t->particle, (firn_real)w_i);
    }
}

void firn_sph_lumps_yield(firn_sph_lumps* s, const firn_sph_yield_args* y)
{
    if (s->count == 0) return;
    if (y->known) open_yield(s, y->shear);
    yield(s, y);
    firn_share(s->count, HOLDS, strain_range, y);
}

// ---- before and after the solve ----------------------------------------------------------------

// What pushes near dynamic colliders counts less, by what pulls.
static void face(firn_sph* m)
{
    firn_sph_lumps* s = m->lumps;
    for (firn_local k = 0; k < s->lumps.count; k++) memset(s->face[k], 0, sizeof s->face[k]);
    for (firn_local n = 0; n < s->count; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        const firn_sph_contact_sums* t = &m->contact[hold->contact];
        if (t->friction > 0)
            firn_sph_face_add(hold, t, m->p.mass[hold->particle], s->face[hold->lump]);
    }
    for (firn_local n = 0, end; n < s->count; n = end) {
        firn_sph_contact_sums* t = &m->contact[s->hold[n].contact];
        double less = 0;
        for (end = n; end < s->count && s->hold[end].contact == s->hold[n].contact; end++)
            less += (double)s->hold[end].part * firn_sph_face_less(t, s->face[s->hold[end].lump]);
        firn_sph_grip_less(t, less);
    }
}

void firn_sph_lumps_open_shear(firn_sph* m)
{
    if (m->lumps->count > 0 && m->def.contact == FIRN_SPH_COULOMB) face(m);
    firn_sph_lumps_rub(m);
}

static void grip_again_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_yield_args* y = self;
    const firn_sph_shear_args* a = y->shear;
    const firn_sph_lumps* s = a->lumps;
    for (firn_local n = begin; n < end; n++) {
        const firn_local k = s->hold[n].contact;
        if (n > 0 && s->hold[n - 1].contact == k) continue;
        firn_sph_contact_sums* t = &a->near[k];
        if (!(t->friction * t->push > 0)) continue;
        const firn_vec3 before = firn_v3_scale(t->drag_velocity, 1 / t->drag);
        firn_vec3 v_b = before;
        for (firn_local m = n; m < s->count && s->hold[m].contact == k; m++) {
            const firn_sph_hold* hold = &s->hold[m];
            double rate[6];
            for (int d = 0; d < 6; d++) rate[d] = s->known[hold->lump][d] + s->rate[hold->lump][d];
            v_b = firn_v3_madd(v_b, a->dt * hold->part, firn_lump_velocity_at(rate, hold->arm));
        }
        const firn_vec3 v = firn_v3_madd(of_record(a->work->v_star[t->particle]), a->dt,
                                         of_record(y->u[t->particle]));
        firn_sph_grip_at(t, v, v_b, a->least_slip);
        t->drag_velocity = firn_v3_scale(before, t->drag);
    }
}

void firn_sph_lumps_grip_again(const firn_sph_shear_args* shear, const firn_vec4* a)
{
    firn_share(shear->lumps->count, HOLDS, grip_again_range,
               &(firn_sph_yield_args){shear, a, false, NULL});
}

void firn_sph_lumps_close_shear(firn_sph* m)
{
    firn_sph_lumps* s = m->lumps;
    if (s->count == 0) return;
    const double dt = (double)(firn_real)m->base.dt;
    for (firn_local k = 0; k < s->lumps.count; k++)
        for (int d = 0; d < 6; d++) s->lumps.all[k].V[d] += dt * (s->known[k][d] + s->rate[k][d]);
    firn_sph_lumps_rub(m);
    firn_sph_lumps_follow(m);
}
