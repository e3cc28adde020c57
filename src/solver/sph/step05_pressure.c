// SPDX-License-Identifier: MIT
#include "solver/sph/step05_pressure.h"

#include <math.h>
#include <string.h>

#include "core/threads/team.h"
#include "math/vec3.h"
#include "solver/sph/rigid/sph_lumps.h"

static firn_vec3 plane_v3(firn_real* const plane[3], firn_local i)
{
    return firn_v3(plane[0][i], plane[1][i], plane[2][i]);
}

static firn_vec3 record_v3(firn_vec4 r)
{
    return firn_v3(r[0], r[1], r[2]);
}

// V_j v_j for all, for sums over neighbours; the fourth real is V_j, or V_j / rho_j.
static void weigh_v_star(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++) {
        w->weighted[i] = firn_vec4_all(w->volume[i]) * w->v_star[i];
        w->weighted[i][3] = firn_sph_flow_weight(a, i);
    }
}

// sum_j (V_j u_j) . grad W_ij - u_i . (S + B): eq. 6 for a field that is 0 on colliders.
static firn_real divergence_particle(const firn_sph_pressure_args* a, firn_local i, firn_vec3 u_i)
{
    const firn_sph_work* w = a->work;
    firn_real sum = 0;
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(a->pairs, i, k);
        sum += firn_v3_dot(record_v3(w->weighted[pair.j]), pair.g);
    }
    return sum - firn_v3_dot(u_i, firn_v3_add(plane_v3(w->S, i), plane_v3(w->B, i)));
}

// What neighbours add to a_ii: V_i sum V_j |grad W_ij|^2, or
// rho_i V_i sum V_j / rho_j |grad W_ij|^2.
static firn_real squares_particle(const firn_sph_pressure_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    if (!a->volumes) return w->volume[i] * w->S2[i];
    firn_real sum = 0;
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(a->pairs, i, k);
        sum += w->weighted[pair.j][3] * firn_v3_dot(pair.g, pair.g);
    }
    return w->volume[i] * w->density[i] * sum;
}

static void source_particle(const firn_sph_pressure_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    const firn_real div =
        divergence_particle(a, i, record_v3(w->v_star[i])) + w->wall_divergence[i];
    w->source[i] = firn_sph_source(a, i, div);
    const firn_vec3 S = plane_v3(w->S, i), B = plane_v3(w->B, i);
    w->diagonal[i] = -firn_sph_softness(a, i) -
                     a->dt * a->dt *
                         (squares_particle(a, i) +
                          firn_v3_dot(firn_v3_madd(S, firn_sph_psi(a, i), B), firn_v3_add(S, B)));
}

// eq. 7, from V_j p_j.
static firn_vec3 gradient_particle(const firn_sph_pressure_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    firn_vec3 sum = {0};
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(a->pairs, i, k);
        sum = firn_v3_madd(sum, w->weighted_p[pair.j], pair.g);
    }
    return firn_v3_madd(sum, a->pressure[i],
                        firn_v3_madd(plane_v3(w->S, i), firn_sph_psi(a, i), plane_v3(w->B, i)));
}

// p_i <- p_i + omega/a_ii (source - A p); returns |source - A p| / rho_0.
static firn_real update_particle(const firn_sph_pressure_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    const firn_vec3 own = firn_v3_scale(record_v3(w->weighted[i]), 1 / w->volume[i]);
    const firn_real laplacian = divergence_particle(a, i, own);
    const firn_real factor = a->dt * a->dt * (a->volumes ? w->density[i] : 1);
    const firn_real Ap = factor * laplacian - firn_sph_softness(a, i) * a->pressure[i];
    const firn_real miss = w->source[i] - Ap;
    if (!(w->diagonal[i] < 0)) return 0;  // no neighbours: no pressure, and none needed
    firn_real p = a->pressure[i] + a->relaxation / w->diagonal[i] * miss;
    firn_real error = firn_abs(miss);
    if (p <= 0 && firn_sph_is_fluid(w, i)) {
        // a fluid may be thinner than rho_0 at no pressure
        p = 0;
        error = firn_max(-miss, 0);
    }
    a->pressure[i] = p;
    w->weighted_p[i] = w->volume[i] * p;
    return error / w->rest_density[i];
}

static void source_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++) {
        source_particle(a, i);
        if (!(w->diagonal[i] < 0)) a->pressure[i] = 0;
        w->weighted_p[i] = w->volume[i] * a->pressure[i];
    }
}

static void pressure_begin(const firn_sph_pressure_args* a)
{
    firn_share(a->pairs->count, FIRN_SPH_SIMPLE, weigh_v_star, a);
    firn_share(a->pairs->count, FIRN_SPH_SLICES * FIRN_SLICE, source_range, a);
}

// V_i grad p_i, or V_i / rho_i grad p_i
static void gradient_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++) {
        const firn_vec3 g = firn_v3_scale(gradient_particle(a, i), firn_sph_flow_weight(a, i));
        w->weighted[i] = (firn_vec4){g.x, g.y, g.z, 0};
    }
}

static bool has_neighbours(const firn_sph_pressure_args* a, firn_local i)
{
    return a->pairs->neighbours[i] > 0 || a->work->wall_kernel[i] > 0;
}

// Adds up the density errors of chunks.
static void error_chunks(const void* self, firn_local first, firn_local last)
{
    const firn_sph_pressure_args* a = self;
    for (firn_local chunk = first; chunk < last; chunk++) {
        const firn_local begin = chunk * FIRN_SPH_CHUNK;
        double sum = 0;
        int counted = 0;
        for (firn_local i = begin; i < a->pairs->count && i < begin + FIRN_SPH_CHUNK; i++) {
            sum += (double)a->work->miss[i];
            if (has_neighbours(a, i)) counted++;
        }
        a->work->partial[2 * chunk] = sum;
        a->work->partial[2 * chunk + 1] = counted;
    }
}

static double mean_error(const firn_sph_pressure_args* a)
{
    double sum = 0, counted = 0;
    firn_share(a->pairs->count / FIRN_SPH_CHUNK + 1, 4, error_chunks, a);  // 2 ns a particle
    for (firn_local k = 0; k <= a->pairs->count / FIRN_SPH_CHUNK; k++) {
        sum += a->work->partial[2 * k];
        counted += a->work->partial[2 * k + 1];
    }
    return counted > 0 ? sum / counted : 0;
}

static void update_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    for (firn_local i = begin; i < end; i++) a->work->miss[i] = update_particle(a, i);
}

// One iteration; returns the mean density error before it, over particles with neighbours.
static double pressure_iterate(const firn_sph_pressure_args* a)
{
    firn_share(a->pairs->count, FIRN_SPH_SLICES * FIRN_SLICE, gradient_range, a);
    firn_share(a->pairs->count, FIRN_SPH_SLICES * FIRN_SLICE, update_range, a);
    return mean_error(a);
}

// v** = v* - dt/rho grad p
static void push_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    const firn_sph_work* w = a->work;
    gradient_range(self, begin, end);
    for (firn_local i = begin; i < end; i++)
        w->v_star[i] = firn_vec4_madd(firn_sph_push_factor(a, i), w->weighted[i], w->v_star[i]);
}

static void pressure_end(const firn_sph_pressure_args* a)
{
    firn_share(a->pairs->count, FIRN_SPH_SLICES * FIRN_SLICE, push_range, a);
}

static void reset_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    for (firn_local i = begin; i < end; i++) a->pressure[i] = a->work->weighted_p[i] = 0;
}

static void pressure_reset(const firn_sph_pressure_args* a)
{
    firn_share(a->pairs->count, FIRN_SPH_SIMPLE, reset_range, a);
}

// The parts of the solve, plain or fast. Solves of other phases could alternate with the calls of
// `iterate` (section 3.2.1).
typedef struct pressure_loops {
    void (*begin)(const firn_sph_pressure_args* args);
    double (*iterate)(const firn_sph_pressure_args* args);
    void (*end)(const firn_sph_pressure_args* args);
    void (*reset)(const firn_sph_pressure_args* args);  // p = 0 everywhere, for a restart
    bool in_work;  // pressures are in the work's array during the solve
} pressure_loops;

// firn_sph_jacobi_judge explains when omega changes and when the solve restarts.
static firn_sph_pressure_result solve_pressure(const firn_sph_pressure_args* a,
                                               const pressure_loops* loops)
{
    firn_sph_pressure_args now = *a;
    firn_sph_jacobi jacobi = firn_sph_jacobi_begin(a->relaxation);
    if (a->pairs->count == 0)  // arrays may be null before the first flake
        return (firn_sph_pressure_result){0};
    loops->begin(&now);
    do {
        if (a->lumps != NULL)
            firn_sph_lumps_couple(a->lumps, &now, loops->in_work ? a->work->pressure : a->pressure,
                                  jacobi.iterations == 0);
        const double error = loops->iterate(&now);
        if (firn_sph_jacobi_judge(&jacobi, error)) loops->reset(&now);
        now.relaxation = jacobi.relaxation;
    } while (firn_sph_jacobi_goes_on(&jacobi, a->density_error, a->max_iterations));
    loops->end(&now);
    if (a->lumps != NULL) firn_sph_lumps_couple(a->lumps, &now, a->pressure, false);
    return (firn_sph_pressure_result){jacobi.iterations, jacobi.error};
}

static firn_sph_pressure_result pressure(const firn_sph_pressure_args* a)
{
    static const pressure_loops plain = {pressure_begin, pressure_iterate, pressure_end,
                                         pressure_reset, false};
    return solve_pressure(a, &plain);
}
