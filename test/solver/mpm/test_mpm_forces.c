// SPDX-License-Identifier: MIT
// T14, T15, T16: grid forces are minus the gradient of the energy, and H is the gradient of minus
// the forces. The judge works in a wider type with its own energy and stress.
#include "precise_snow.h"
#include "solver/mpm/linear.h"

static const double h = 0.01;

// A small random cloud, stressed at random within the clamp's box, hardened at random.
static world* stressed_cloud(uint64_t seed)
{
    any_source r = any_start(seed);
    world* w = world_create(h);
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    world_scatter(w, &r, (const double[3]){-3, -3, -3}, (const double[3]){6, 6, 6}, 3, 0);
    world_start(w);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        w->m->p.def_grad_elastic[p] = any_stretched(&r, 0.975, 1.0075);
        w->m->p.plastic_det[p] = (firn_real)any_between(&r, 0.9, 1.02);
        w->m->p.stiffness[p] = (firn_real)any_between(&r, 0.5, 2);
    }
    return w;
}

// Table 2, hardened by exp(xi (1 - J_P)) and the particle's own factor; the library's exp would do,
// but not its formula.
static precise_law law_of_particle(const world* w, firn_local p)
{
    const double e = exp(10 * (1 - (double)w->m->p.plastic_det[p])) * (double)w->m->p.stiffness[p];
    const double young = 1.4e5 * e, nu = 0.2;
    return (precise_law){young / (2 * (1 + nu)), young * nu / ((1 + nu) * (1 - 2 * nu))};
}

// grad w_ip of particle p at a node, in the wider type, from the paper's N and N'.
static bool gradient_at(const world* w, firn_local p, firn_vec3 node, precise grad[3])
{
    const firn_vec3 x = w->m->p.position[p];
    precise value[3], slope[3];
    for (int a = 0; a < 3; a++) {
        const precise inverse = 1 / (precise)w->m->grid.cell;
        const precise d = ((precise)(&x.x)[a] - (precise)(&node.x)[a]) * inverse,
                      e = precise_abs(d);
        if (e >= 2) return false;
        value[a] = e < 1 ? e * e * e / 2 - e * e + (precise)2 / 3
                         : -e * e * e / 6 + e * e - 2 * e + (precise)4 / 3;
        slope[a] =
            (e < 1 ? 1.5 * e * e - 2 * e : -e * e / 2 + 2 * e - 2) * (d < 0 ? -inverse : inverse);
    }
    for (int a = 0; a < 3; a++) {
        grad[a] = slope[a];
        for (int b = 0; b < 3; b++)
            if (b != a) grad[a] *= value[b];
    }
    return true;
}

// (I + u grad^T) F
static precise3 displaced(precise3 F, const precise u[3], const precise grad[3])
{
    precise3 G = precise_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) G.m[i][j] += u[i] * grad[j];
    return precise_mul(G, F);
}

// Phi when one node is moved by `step` along `axis`; only the particles that feel it.
static precise energy_with_node_moved(const world* w, firn_vec3 node, int axis, precise step)
{
    precise sum = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        precise grad[3], u[3] = {0};
        if (!gradient_at(w, p, node, grad)) continue;
        u[axis] = step;
        const precise3 F = displaced(precise_from(w->m->p.def_grad_elastic[p]), u, grad);
        sum += (precise)w->m->p.volume[p] * precise_energy(F, law_of_particle(w, p));
    }
    return sum;
}

static void net_force_and_torque(void** state)
{
    (void)state;
    world* w = stressed_cloud(1401);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_03_FORCES, 1e-4);
    double size = 0, force[3] = {0}, torque[3] = {0};
    for (firn_local n = 0; n < world_nodes(w); n++) {
        const firn_vec4 f = w->m->node_force[n];
        const firn_vec3 x = firn_grid_node_position(&w->m->grid, n);
        const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
        const double F[3] = {(double)f[0], (double)f[1], (double)f[2]};
        size += world_length(F);
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            force[a] += F[a];
            torque[a] += at[b] * F[c] - at[c] * F[b];
        }
    }
    assert_greater(size, 1);
    check_figure(T14_net_force, world_length(force) / size);
    check_figure(T14_net_torque, world_length(torque) / (size * 3 * h));
    world_destroy(w);
}

// Nodes that many particles feel, spread over the cloud.
static firn_local next_node(const world* w, any_source* r)
{
    for (;;) {
        const firn_local n = any_below(r, world_nodes(w));
        if ((double)w->m->node_velocity[n][3] > 1e-3 * 400 * h * h * h) return n;
    }
}

static void force_is_energy_gradient(void** state)
{
    (void)state;
    world* w = stressed_cloud(1501);
    any_source r = any_start(1502);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_03_FORCES, 1e-4);
    const precise step = 1e-6 * h;
    double worst = 0, size = 0;
    for (int k = 0; k < 60; k++) {
        const firn_local n = next_node(w, &r);
        const firn_vec3 x = firn_grid_node_position(&w->m->grid, n);
        const int axis = k % 3;
        const precise expected = -(energy_with_node_moved(w, x, axis, step) -
                                   energy_with_node_moved(w, x, axis, -step)) /
                                 (2 * step);
        worst = fmax(worst, fabs((double)w->m->node_force[n][axis] - (double)expected));
        size = fmax(size, fabs((double)expected));
    }
    check_figure(T15_force, worst / size);
    world_destroy(w);
}

static void operator_is_symmetric(void** state)
{
    (void)state;
    world* w = stressed_cloud(1601);
    any_source r = any_start(1602);
    firn_mpm_solve_args a = linear_start(w, 5e-4);
    firn_vec4 *u = linear_vector(w), *v = linear_vector(w), *Hu = linear_vector(w);
    firn_vec4 *Hv = linear_vector(w), *scratch = linear_vector(w);
    double worst = 0;
    for (int k = 0; k < 10; k++) {
        linear_random(w, &r, u);
        linear_random(w, &r, v);
        linear_apply_H(w, &a, u, Hu, scratch);
        linear_apply_H(w, &a, v, Hv, scratch);
        const double difference = linear_dot(w, u, Hv) - linear_dot(w, v, Hu);
        worst = fmax(worst, fabs(difference) / (linear_norm(w, u) * linear_norm(w, Hv)));
    }
    check_figure(T16_self_adjoint, worst);
    const double size = linear_norm(w, Hv) / linear_norm(w, v);  // what H makes of a unit vector
    for (firn_local n = 0; n < world_nodes(w); n++) u[n] = (firn_vec4){1, -2, (firn_real)0.5, 0};
    linear_apply_H(w, &a, u, Hu, scratch);
    check_figure(T16_uniform, linear_norm(w, Hu) / (size * linear_norm(w, u)));
    firn_vec4* all[] = {u, v, Hu, Hv, scratch};
    for (int k = 0; k < 5; k++) firn_free(all[k]);
    world_destroy(w);
}

// Unstressed snow, turned anyhow, does not resist a further rotation.
static void operator_ignores_spin(void** state)
{
    (void)state;
    world* w = stressed_cloud(1603);
    any_source r = any_start(1604);
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->p.def_grad_elastic[p] = any_rotation(&r);
    firn_mpm_solve_args a = linear_start(w, 5e-4);
    firn_vec4 *u = linear_vector(w), *Hu = linear_vector(w), *scratch = linear_vector(w);
    linear_random(w, &r, u);
    linear_apply_H(w, &a, u, Hu, scratch);
    const double size = linear_norm(w, Hu) / linear_norm(w, u);
    for (firn_local n = 0; n < world_nodes(w); n++) {
        const firn_vec3 v =
            firn_v3_cross(firn_v3(3, -1, 2), firn_grid_node_position(&w->m->grid, n));
        u[n] = (firn_vec4){v.x, v.y, v.z, 0};
    }
    linear_apply_H(w, &a, u, Hu, scratch);
    check_figure(T16_spin, linear_norm(w, Hu) / (size * linear_norm(w, u)));
    firn_free(u);
    firn_free(Hu);
    firn_free(scratch);
    world_destroy(w);
}

// Force on a node when all nodes move by step * u: f = -sum V P(F_hat) F_E^T grad w (eq. 6).
static void force_displaced(const world* w, const firn_vec4* u, precise step, firn_vec3 node,
                            precise out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        precise grad[3];
        if (!gradient_at(w, p, node, grad)) continue;
        precise3 G = precise_identity();
        for (firn_local n = 0; n < world_nodes(w); n++) {
            precise g[3];
            if (!gradient_at(w, p, firn_grid_node_position(&w->m->grid, n), g)) continue;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) G.m[i][j] += step * (precise)u[n][i] * g[j];
        }
        const precise3 F_E = precise_from(w->m->p.def_grad_elastic[p]);
        const precise3 P = precise_stress(precise_mul(G, F_E), law_of_particle(w, p));
        const precise3 T = precise_mul(P, precise_transpose(F_E));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) out[i] -= (precise)w->m->p.volume[p] * T.m[i][j] * grad[j];
    }
}

static void operator_is_force_gradient(void** state)
{
    (void)state;
    world* w = stressed_cloud(1605);
    any_source r = any_start(1606);
    firn_mpm_solve_args a = linear_start(w, 5e-4);
    firn_vec4 *u = linear_vector(w), *Hu = linear_vector(w), *scratch = linear_vector(w);
    linear_random(w, &r, u);
    linear_apply_H(w, &a, u, Hu, scratch);
    const precise step = 1e-6 * h;
    double worst = 0, size = 0;
    for (int k = 0; k < 6; k++) {
        const firn_local n = next_node(w, &r);
        const firn_vec3 x = firn_grid_node_position(&w->m->grid, n);
        precise more[3], less[3];
        force_displaced(w, u, step, x, more);
        force_displaced(w, u, -step, x, less);
        for (int i = 0; i < 3; i++) {
            const double expected = -(double)((more[i] - less[i]) / (2 * step));
            worst = fmax(worst, fabs((double)Hu[n][i] - expected));
            size = fmax(size, fabs(expected));
        }
    }
    check_figure(T16_force_difference, worst / size);
    firn_free(u);
    firn_free(Hu);
    firn_free(scratch);
    world_destroy(w);
}

int test_mpm_forces(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(net_force_and_torque), cmocka_unit_test(force_is_energy_gradient),
        cmocka_unit_test(operator_is_symmetric), cmocka_unit_test(operator_ignores_spin),
        cmocka_unit_test(operator_is_force_gradient)};
    return cmocka_run_group_tests_name("mpm_forces", tests, NULL, NULL);
}
