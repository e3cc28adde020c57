// SPDX-License-Identifier: MIT
// Dynamic colliders and snow: bitwise the same for any number of threads, after a rollback, and
// from a state that was saved.
#include "edit/edit_fixture.h"
#include "pushed_fixture.h"

static const pushed_mode modes[] = {
    {"mpm", "mpm: {cell: 0.04}\n", NULL, NULL},
    {"mpm", "mpm: {cell: 0.04, integrator: explicit}\n", NULL, NULL},
    {"sph", "sph: {spacing: 0.03}\n", NULL, NULL},
    {"sph",
     "sph: {spacing: 0.03}\n"
     "materials: {batter: {phase: viscous, viscosity: 3, becomes: {material: ice, after: 0.015}},\n"
     "            ice: {density: 600}}\n",
     NULL, NULL},
    {"grains", "grains: {radius: 0.012}\n", NULL, NULL},
};
enum { MODES = sizeof modes / sizeof *modes };

static void same_for_any_threads(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        uint64_t one = 0;
        for (int threads = 1; threads < 8; threads += 3) {
            firn_sim* sim = pushed_start(&modes[k], pushed_boxes, threads);
            play_frames(sim, 3);
            if (threads == 1) one = pushed_hash(sim);
            if (pushed_hash(sim) != one) fail_msg("%s: %d threads", modes[k].keys, threads);
            firn_sim_destroy(sim);
        }
    }
}

// A state that was saved continues bit for bit, in the same simulation and in another one.
static void resumes(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        firn_sim* a = pushed_start(&modes[k], pushed_boxes, 2);
        play_frames(a, 2);
        size_t size;
        void* block = edit_save(a, &size);
        play_frames(a, 2);
        const uint64_t later = pushed_hash(a);
        firn_sim* b = pushed_start(&modes[k], pushed_boxes, 1);
        firn_sim* const both[] = {a, b};
        for (int n = 0; n < 2; n++) {
            EDIT_OK(both[n], firn_sim_restore(both[n], block, size));
            play_frames(both[n], 2);
            if (pushed_hash(both[n]) != later) fail_msg("%s: %d", modes[k].keys, n);
        }
        free(block);
        firn_sim_destroy(a);
        firn_sim_destroy(b);
    }
}

// A frame that diverges is computed again from its start, colliders too: as if it had begun with
// shorter steps.
static void rolls_back(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        firn_sim *a = pushed_start(&modes[k], pushed_boxes, 1),
                 *b = pushed_start(&modes[k], pushed_boxes, 1);
        play_frames(a, 1);
        play_frames(b, 1);
        a->dt_scale = b->dt_scale = 0.5;
        pushed_step(a);  // takes the snapshot, and a step
        const firn_particles* p = a->solver->particles(a->self);
        ((firn_vec3*)firn_particles_find(p, "velocity")->data)[p->count / 2].x = NAN;
        a->dt_scale = 1;  // the rollback halves it
        play_frames(a, 1);
        play_frames(b, 1);
        assert_int_equal(a->rollbacks, 1);
        if (pushed_hash(a) != pushed_hash(b)) fail_msg("%s", modes[k].keys);
        firn_sim_destroy(a);
        firn_sim_destroy(b);
    }
}

// A simulation of any solver moves what is pushed between steps.
static void can_be_pushed(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        firn_sim* sim = pushed_start(&modes[k], pushed_boxes, 1);
        pushed_step(sim);
        const double before = (double)pushed_body(sim, 1)->velocity.x;
        const firn_vec3 J = {(firn_real)0.4, 0, 0};
        EDIT_OK(sim, firn_sim_body_impulse(sim, collider_at(sim, 2), J, NULL));
        assert_near((double)pushed_body(sim, 1)->velocity.x, before + 1, 1e-5);
        firn_sim_destroy(sim);
    }
}

int test_sim_pushed_promises(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(resumes),
        cmocka_unit_test(rolls_back),
        cmocka_unit_test(can_be_pushed),
    };
    return cmocka_run_group_tests_name("sim_pushed_promises", tests, NULL, NULL);
}
