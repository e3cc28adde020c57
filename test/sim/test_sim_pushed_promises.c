// SPDX-License-Identifier: MIT
// Dynamic colliders and snow: bitwise the same for any number of threads, after a rollback, and
// from a state that was saved.
#include "collider_at.h"
#include "core/hash.h"
#include "edit/edit_fixture.h"
#include "pushed_fixture.h"

static const pushed_mode modes[] = {
    {"mpm", "mpm: {cell: 0.04}\n", NULL},
    {"mpm", "mpm: {cell: 0.04, integrator: explicit}\n", NULL},
    {"sph", "sph: {spacing: 0.03}\n", NULL},
    {"grains", "grains: {radius: 0.012}\n", NULL},
};
enum { MODES = sizeof modes / sizeof *modes };

// Two boxes in the snow that meet, one on the floor.
static const char scene[] =
    "gravity: [0, -9.81, 0]\n"
    "snow:\n  - {shape: {box: {center: [0.1, 0.13, 0.02], size: [0.2, 0.24, 0.2]}},\n"
    "     velocity: [1.5, 0, 0]}\n"
    "colliders:\n"
    "  - {shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}, friction: 0.4}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.1, 0.16, 0.2]}}, position: [0.27, 0.081, 0],\n"
    "     friction: 0.4, mass: 2}\n"
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.06}}, position: [0.12, 0.33, 0],\n"
    "     velocity: [0, -1, 0], spin: [0, 0, 3], friction: 0.3, mass: 0.4}\n";

// Of the snow and the colliders.
static uint64_t hash_of(firn_sim* sim)
{
    const firn_bodies* bodies = ((const firn_solver_base*)sim->self)->bodies;
    uint64_t hash = firn_sim_hash(sim);
    for (firn_local k = 0; k < firn_bodies_count(bodies); k++) {
        const firn_rigid* r = firn_bodies_rigid(bodies, k);
        const firn_real state[] = {r->position.x, r->position.y, r->position.z, r->velocity.x,
                                   r->velocity.y, r->velocity.z, r->spin.x,     r->spin.y,
                                   r->spin.z,     r->rotation.w, r->rotation.x};
        hash = firn_hash(state, sizeof state, hash);
    }
    return hash;
}

static void same_for_any_threads(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        uint64_t one = 0;
        for (int threads = 1; threads < 8; threads += 3) {
            firn_sim* sim = pushed_start(&modes[k], scene, threads);
            play_frames(sim, 3);
            if (threads == 1) one = hash_of(sim);
            if (hash_of(sim) != one) fail_msg("%s: %d threads", modes[k].keys, threads);
            firn_sim_destroy(sim);
        }
    }
}

// A state that was saved continues bit for bit, in the same simulation and in another one.
static void resumes(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        firn_sim* a = pushed_start(&modes[k], scene, 2);
        play_frames(a, 2);
        size_t size;
        void* block = edit_save(a, &size);
        play_frames(a, 2);
        const uint64_t later = hash_of(a);
        firn_sim* b = pushed_start(&modes[k], scene, 1);
        firn_sim* const both[] = {a, b};
        for (int n = 0; n < 2; n++) {
            EDIT_OK(both[n], firn_sim_restore(both[n], block, size));
            play_frames(both[n], 2);
            if (hash_of(both[n]) != later) fail_msg("%s: %d", modes[k].keys, n);
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
        firn_sim *a = pushed_start(&modes[k], scene, 1), *b = pushed_start(&modes[k], scene, 1);
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
        if (hash_of(a) != hash_of(b)) fail_msg("%s", modes[k].keys);
        firn_sim_destroy(a);
        firn_sim_destroy(b);
    }
}

// A simulation of any solver moves what is pushed between steps.
static void can_be_pushed(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        firn_sim* sim = pushed_start(&modes[k], scene, 1);
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
