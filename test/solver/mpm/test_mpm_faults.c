// SPDX-License-Identifier: MIT
// Never explode: a damaged value, an inverted particle or a step far too long is reported with
// particle, place, material and step, and the state before it can be taken up again. Also: running
// out of memory at any allocation.
#include "particles_copy.h"
#include "solver/mpm/world.h"

static world* falling_block(firn_mpm_integrator integrator)
{
    world* w = world_create(0.01);
    w->def.integrator = integrator;
    w->scene.gravity[1] = -9.81;
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){5, 5, 5}, 2, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p].y = -2;
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
    world_start_on(w, 2, NULL);
    return w;
}

// The sentence names what a person needs to find the trouble.
static void assert_names(const world* w, firn_local particle)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "particle %u", (unsigned)particle);
    assert_contains(w->error.text, wanted);
    assert_contains(w->error.text, "test snow");
    assert_contains(w->error.text, "step 3");
}

typedef enum damage {
    NAN_VELOCITY,
    INFINITE_VELOCITY,
    NAN_POSITION,
    FAR_POSITION,
    NAN_STRAIN,
    INVERTED_STRAIN,
    DAMAGES
} damage;

static void do_damage(world* w, damage kind, firn_local p)
{
    firn_mpm_particles* all = &w->m->p;
    switch (kind) {
    case NAN_VELOCITY: all->velocity[p].y = (firn_real)NAN; break;
    case INFINITE_VELOCITY: all->velocity[p].x = (firn_real)INFINITY; break;
    case NAN_POSITION: all->position[p].z = (firn_real)NAN; break;
    case FAR_POSITION: all->position[p].x = (firn_real)1e30; break;
    case NAN_STRAIN: all->def_grad_elastic[p].m[1][1] = (firn_real)NAN; break;
    default: all->def_grad_elastic[p] = firn_m3_diagonal(1, 1, -1); break;
    }
}

// After any damage the step fails, and the copy made before it goes on as if nothing had been.
static void damage_is_reported(void** state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++) {
        for (int kind = 0; kind < DAMAGES; kind++) {
            world* w = falling_block(integrator);
            for (int k = 0; k < 3; k++) world_step(w, 2e-4);
            firn_particles copy = {0};
            assert_int_equal(copy_particles(&copy, &w->m->base.store), FIRN_OK);
            const firn_local victim = 17, id = (firn_local)w->m->p.id[victim];
            do_damage(w, kind, victim);
            assert_int_equal(world_try_step(w, 2e-4), FIRN_BROKEN_DIVERGED);
            assert_int_equal(w->error.code, FIRN_BROKEN_DIVERGED);
            assert_greater(strlen(w->error.text), 40);
            // a NaN strain spreads over the grid: there another particle may be the first to fail
            if (kind != NAN_STRAIN) assert_names(w, id);
            assert_int_equal(copy_particles(&w->m->base.store, &copy), FIRN_OK);
            world_step(w, 2e-4);
            world* same = falling_block(integrator);
            for (int k = 0; k < 4; k++) world_step(same, 2e-4);
            assert_equal(firn_particles_hash(&same->m->base.store),
                         firn_particles_hash(&w->m->base.store));
            firn_particles_destroy(&copy);
            world_destroy(same);
            world_destroy(w);
        }
    }
}

// A step a hundred times too long: refused, not exploded; shorter ones after the rollback go on.
static void step_too_long(void** state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++) {
        world* w = falling_block(integrator);
        for (int k = 0; k < 3; k++) world_step(w, 2e-4);
        firn_particles copy = {0};
        assert_int_equal(copy_particles(&copy, &w->m->base.store), FIRN_OK);
        w->m->def.dt = 0.02;  // -2 m/s: four cells in one step
        assert_int_equal(world_try_step(w, 0.02), FIRN_BROKEN_DIVERGED);
        assert_contains(w->error.text, "dt");
        w->m->def.dt = 0;
        assert_int_equal(copy_particles(&w->m->base.store, &copy), FIRN_OK);
        for (int k = 0; k < 20; k++) world_step(w, 2e-4);
        for (firn_local p = 0; p < w->m->p.count; p++) {
            assert_true(firn_v3_is_finite(w->m->p.position[p]));
            assert_greater(w->m->p.position[p].y, -1);
        }
        firn_particles_destroy(&copy);
        world_destroy(w);
    }
}

// dt_scale halves what the solver would choose, as a rollback asks for.
static void shorter_on_request(void** state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        world* w = falling_block(FIRN_MPM_EXPLICIT);
        w->m->def.dt = fixed ? 1e-4 : 0;
        firn_step_report whole, half;
        assert_int_equal(firn_solver_mpm.step(w->m, 0, 1, 1, &whole, &w->error), FIRN_OK);
        assert_int_equal(firn_solver_mpm.step(w->m, 0, 1, 0.5, &half, &w->error), FIRN_OK);
        assert_less(half.dt, 0.51 * whole.dt);
        assert_greater(half.dt, 0.4 * whole.dt);
        world_destroy(w);
    }
}

// A solve that cannot converge stops with a reason instead of a wild velocity.
static void solve_without_hope(void** state)
{
    (void)state;
    world* w = falling_block(FIRN_MPM_SEMI_IMPLICIT);
    any_source r = any_start(3101);
    w->m->def.max_iterations = 1;
    w->m->def.dt = 2e-3;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        w->m->p.def_grad_elastic[p] = any_stretched(&r, 0.976, 1.007);
        w->m->p.plastic_det[p] = (firn_real)0.5;  // 150 times as stiff
    }
    assert_int_equal(world_try_step(w, 2e-3), FIRN_BROKEN_DIVERGED);
    assert_contains(w->error.text, "linear solve");
    assert_contains(w->error.text, "max_iterations");
    world_destroy(w);
}

// The k-th allocation fails, during creation or in the first steps: a code, and nothing leaks.
static void out_of_memory(void** state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++) {
        const uint64_t start = firn_memory_read().bytes;
        int failures = 0;
        bool done = false;
        for (uint64_t k = 1; k < 200 && !done; k++) {
            world* w = world_create(0.01);
            w->def.integrator = integrator;
            world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){3, 3, 3}, 2, 0);
            world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
            const firn_solver_args args = {.device = FIRN_DEVICE_CPU};
            void* self = NULL;
            firn_memory_fail_at(k, k % 2 == 0);  // once, and for ever
            firn_result r = firn_solver_mpm.create(&w->scene, &w->seeds, &args, &self, &w->error);
            assert_equal(self == NULL, r != FIRN_OK);
            if (r == FIRN_OK) {
                w->m = self;
                r = world_try_step(w, 1e-4);
            }
            firn_memory_fail_at(0, false);
            if (r != FIRN_OK) {
                failures++;
                assert_int_equal(r, FIRN_BROKEN_MEMORY);
                assert_contains(w->error.text, "memory");
            } else {
                done = true;
            }
            world_destroy(w);
            assert_int_equal(firn_memory_read().bytes, start);
        }
        assert_true(done);
        assert_greater(failures, 15);
    }
}

int test_mpm_faults(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_reported), cmocka_unit_test(step_too_long),
        cmocka_unit_test(shorter_on_request), cmocka_unit_test(solve_without_hope),
        cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("mpm_faults", tests, NULL, NULL);
}
