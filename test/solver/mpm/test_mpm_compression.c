// SPDX-License-Identifier: MIT
// T23 (slow): a slow piston presses snow between slip walls: elastic, then yielding and hardening.
// The walls take velocities across away at every node and the column is one cell wide: exactly
// one-dimensional (bar.h says why). Floor and piston are bodies.
#include "precise_snow.h"
#include "solver/mpm/world.h"

static const double h = 0.02;
static const double cells_high = 32;

// Over the lower half of the column, away from the ripples that a piston makes as it passes nodes:
// stretch of a straight line through the particles, and their mean Cauchy stress down the column
// [Pa].
static void measure(const world* w, double* out_stretch, double* out_stress)
{
    const double low = 4, high = 14;
    double stress = 0, volume = 0, sum_y = 0, sum_yy = 0, sum_x = 0, sum_xy = 0, count = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const double y0 = (double)w->seeds.position[w->m->p.id[p]].y / h;
        if (y0 < low || y0 > high) continue;
        const precise3 F = precise_from(w->m->p.def_grad_elastic[p]);
        const precise_law law =
            precise_law_of(firn_mpm_lame_particle(&w->m->materials[0], w->m->materials[0].xi,
                                                  w->m->p.stiffness[p], w->m->p.plastic_det[p]));
        const precise3 T = precise_mul(precise_stress(F, law), precise_transpose(F));
        const double y = (double)w->m->p.position[p].y / h;
        stress -= (double)T.m[1][1];
        volume += (double)precise_det(F) * (double)w->m->p.plastic_det[p];
        sum_y += y0;
        sum_yy += y0 * y0;
        sum_x += y;
        sum_xy += y * y0;
        count++;
    }
    // slope of the straight line through (y0, y)
    *out_stretch = (count * sum_xy - sum_y * sum_x) / (count * sum_yy - sum_y * sum_y);
    *out_stress = stress / volume;
}

// One step. Gives the force of the floor on the snow [N]: what step 5 took from the nodes below.
static double floor_force(world* w, double dt)
{
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_04_GRID_VELOCITY, dt);
    double before = 0, after = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (firn_local n = 0; n < world_nodes(w); n++) {
            if (firn_grid_node_position(&w->m->grid, n).y > 0) continue;
            const double momentum =
                (double)w->m->node_velocity[n][3] * (double)w->m->node_new[n][1];
            if (pass == 0)
                before += momentum;
            else
                after += momentum;
        }
        if (pass == 0) world_stages(w, FIRN_MPM_05_GRID_COLLIDE, FIRN_MPM_05_GRID_COLLIDE, dt);
    }
    for (firn_local n = 0; n < world_nodes(w); n++) w->m->node_new[n][0] = w->m->node_new[n][2] = 0;
    world_stages(w, FIRN_MPM_06_SOLVE, FIRN_MPM_10_ADVECT, dt);
    world_step_done(w);
    return (after - before) / w->m->base.dt;
}

#define KEYS 160

// Down with a speed that grows smoothly to 0.03 m/s.
static void move_piston(firn_collider* piston, firn_keyframe* keys)
{
    const double speed = 0.03, rise = 0.15;
    for (int k = 0; k < KEYS; k++) {
        const double t = 0.05 * k, down = speed * (t - rise * (1 - exp(-t / rise)));
        keys[k] = (firn_keyframe){t, firn_v3(0, (firn_real)-down, 0), firn_q_identity(), 1};
    }
    piston->motion.keys = keys;
    piston->motion.key_count = KEYS;
    piston->motion.interpolation = FIRN_INTERPOLATE_SMOOTH;
}

static void confined(void** state)
{
    (void)state;
    static const double at[] = {0.99, 0.975, 0.95, 0.90, 0.80, 0.70};
    static const int name[] = {FIGURE_T23_stress_990, FIGURE_T23_stress_975, FIGURE_T23_stress_950,
                               FIGURE_T23_stress_900, FIGURE_T23_stress_800, FIGURE_T23_stress_700};
    firn_keyframe keys[KEYS];
    world* w = world_create(h);
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){1, cells_high, 1}, 2, 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0);
    firn_collider* piston =
        world_plane(w, firn_v3(0, (firn_real)(cells_high * h), 0), firn_v3(0, -1, 0), 0);
    move_piston(piston, keys);
    world_start(w);
    double stretch = 1, stress = 0, old_stretch = 1, old_stress = 0, force = 0, inside = 0;
    int next = 0;
    while (next < 6 && w->time < 0.05 * (KEYS - 1)) {
        const double floor = floor_force(w, 1);
        measure(w, &stretch, &stress);
        force += 0.02 * (floor - force);  // means over about 50 steps, of both alike
        inside += 0.02 * (stress - inside);
        for (; next < 6 && stretch <= at[next]; next++) {
            const double part = (old_stretch - at[next]) / (old_stretch - stretch);
            check_figure_at(name[next], old_stress + part * (stress - old_stress), __FILE__,
                            __LINE__);
            check_figure(T23_floor, force / (h * h) / inside);
        }
        old_stretch = stretch;
        old_stress = stress;
    }
    assert_int_equal(next, 6);
    world_destroy(w);
}

int test_mpm_compression(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(confined)};
    return cmocka_run_group_tests_name("mpm_compression", tests, NULL, NULL);
}
