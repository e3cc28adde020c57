// SPDX-License-Identifier: MIT
// Snow so scattered that the device's grid must grow, at once and in the middle of a batch; and
// values that were damaged: what the device says of them.
#include "particles_copy.h"
#include "solver/mpm/device_world.h"

#define FPS 100

// As the simulation above a solver does it: a copy at each frame, then the device may begin. A look
// after every `look`-th step; 0: none.
static void run_frames(world* w, int frames, int look)
{
    const bool remote = firn_solver_mpm.remote(w->m);
    if (remote && firn_solver_mpm.snapshot_take(w->m, &w->error) != FIRN_OK)
        fail_msg("%s", w->error.text);
    for (int f = 1; f <= frames; f++) {
        const double goal = (double)f / FPS;
        for (bool done = false; !done;) {
            const double left = goal - w->time;
            world_step(w, left);
            done = w->report.dt >= left;
            if (done) w->time = goal;
            if (look > 0 && w->m->base.step % look == 0) device_fetch(w);
        }
        if (!remote) continue;
        if (firn_solver_mpm.snapshot_take(w->m, &w->error) != FIRN_OK)
            fail_msg("%s", w->error.text);
        if (f < frames) firn_solver_mpm.expect(w->m, w->time, (double)(f + 1) / FPS - goal, 1);
    }
    device_fetch(w);
}

#define SPRAY 9000

// Nearly every particle in a block of its own. The device begins with room for some 1060 blocks
// that own particles and doubles it: three times here.
static world* scattered(bool on_device, int run_ahead)
{
    any_source r = {515, 0};
    world* w = world_create(0.02);
    w->scene.time.fps = FPS;
    w->scene.gravity[1] = -9.81;
    for (int k = 0; k < SPRAY; k++) world_add(w, any_vec3(&r, 2), 4e-4);
    for (int k = 0; k < SPRAY; k++) w->seeds.velocity[k] = any_vec3(&r, 3);
    if (on_device)
        device_start(w, run_ahead);
    else
        world_start_on(w, 1, "plain");
    return w;
}

// The length of steps is chosen by speeds, which growing must not forget.
static void grows_at_once(void** state)
{
    (void)state;
    world *plain = scattered(false, 0), *other = scattered(true, 0);
    for (int k = 0; k < 5; k++) {
        world_step(plain, 1e-2 - plain->time);
        world_step(other, 1e-2 - other->time);
        const firn_step_report *a = &plain->report, *b = &other->report;
        print_message("step %d: dt %.9g and %.9g, fastest %.9g and %.9g, blocks %d and %d\n", k,
                      a->dt, b->dt, a->max_speed, b->max_speed, (int)a->active_blocks,
                      (int)b->active_blocks);
        // five steps of float, summed in another order
        assert_near(a->dt, b->dt, 1e-5 * a->dt);
        assert_near(a->max_speed, b->max_speed, 1e-5 * a->max_speed);
        assert_int_equal(a->active_blocks, b->active_blocks);
        assert_greater(a->active_blocks, 40000);
    }
    device_fetch(other);
    firn_local* there = device_by_id(other, SPRAY);
    double worst = 0;
    for (firn_local p = 0; p < SPRAY; p++) {
        const firn_local q = there[plain->m->p.id[p]];
        assert_at_least(q, 0);
        const firn_vec3 d = firn_v3_sub(plain->m->p.position[p], other->m->p.position[q]);
        worst = fmax(worst, (double)firn_v3_length(d));
    }
    print_message("positions are %.3g m apart at most\n", worst);
    assert_at_most(worst,
                   1e-5 * 0.02 + 32 * (double)FIRN_REAL_EPSILON * 3.5);  // [m] of up to 3.5 m
    firn_free(there);
    world_destroy(plain);
    world_destroy(other);
}

// A ball that flies apart, so that room runs out after some steps.
static world* bursting(int run_ahead)
{
    any_source r = {516, 0};
    world* w = world_create(0.02);
    w->scene.time.fps = FPS;
    const double mass = 400 * pow(0.02, 3) / 8;
    for (int k = 0; k < SPRAY; k++) world_add(w, any_vec3(&r, 0.1), mass);
    for (int k = 0; k < SPRAY; k++)
        w->seeds.velocity[k] =
            firn_v3_add(firn_v3_scale(w->seeds.position[k], 300), any_vec3(&r, 9));
    device_start(w, run_ahead);
    return w;
}

static uint64_t burst(int run_ahead, int look, firn_local* out_blocks)
{
    world* w = bursting(run_ahead);
    run_frames(w, 4, look);
    *out_blocks = w->report.active_blocks;
    assert_int_equal(w->m->p.count, SPRAY);
    const uint64_t hash = firn_particles_hash(&w->m->base.store);
    world_destroy(w);
    return hash;
}

// Whether room runs out in the first step of a batch or behind what the caller has seen, and
// whether the caller then looks: the same bits.
static void grows_on_the_way(void** state)
{
    (void)state;
    firn_local blocks, first_blocks;
    const uint64_t hash = burst(1, 0, &first_blocks);
    print_message("%d blocks in the end\n", (int)first_blocks);
    assert_greater(first_blocks, 12000);  // from room for 1059 occupied and 4166 blocks
    for (int a = 0; a < 3; a++) {
        const int ahead = (const int[]){0, 7, 64}[a];
        if (burst(ahead, 0, &blocks) != hash) fail_msg("other bits with run_ahead %d", ahead);
        assert_int_equal(blocks, first_blocks);
    }
    for (int look = 1; look <= 13; look += 3)
        if (burst(0, look, &blocks) != hash)
            fail_msg("other bits when looked at after every %d steps", look);
}

typedef enum damage {
    NAN_VELOCITY,
    INFINITE_VELOCITY,
    NAN_POSITION,
    FAR_POSITION,
    INVERTED_STRAIN,
    NAN_STRAIN,
    DAMAGES
} damage;

static world* falling(int integrator)
{
    world* w = world_create(0.01);
    w->def.integrator = integrator;
    w->def.dt = 2e-4;
    w->scene.gravity[1] = -9.81;
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){5, 5, 5}, 2, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p].y = -2;
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
    return w;
}

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

// What the caller writes is the state once extra_restore follows.
static void tell(world* w)
{
    uint8_t block[512];
    const size_t size = firn_solver_mpm.extra_size(w->m);
    assert_at_most(size, sizeof block);
    firn_solver_mpm.extra_save(w->m, block);
    assert_int_equal(firn_solver_mpm.extra_restore(w->m, block, size, NULL), FIRN_OK);
}

// What follows the numbers, which rounding may change.
static const char* cause(const char* sentence)
{
    const char* of_particle = strstr(sentence, "J_P ");
    const char* at = strstr(of_particle != NULL ? of_particle : sentence, ": ");
    if (of_particle == NULL) at = strstr(sentence, "not finite, or beyond");
    assert_non_null(at);
    return at;
}

// The device's sentence is the CPU's; and what was there before the damage goes on, bit for bit.
static void damage_is_reported(void** state)
{
    (void)state;
    for (int k = 0; k < 2 * DAMAGES; k++) {
        const int kind = k / 2, integrator = k % 2;
        world* both[2] = {falling(integrator), falling(integrator)};
        world_start_on(both[0], 1, "plain");
        device_start(both[1], 0);
        for (int side = 0; side < 2; side++) {
            world* w = both[side];
            for (int step = 0; step < 3; step++) world_step(w, 2e-4);
            device_fetch(w);
            firn_particles copy = {0};
            assert_int_equal(copy_particles(&copy, &w->m->base.store), FIRN_OK);
            firn_local victim = 0;
            while (w->m->p.id[victim] != 333) victim++;
            do_damage(w, kind, victim);
            tell(w);
            assert_int_equal(world_try_step(w, 2e-4), FIRN_BROKEN_DIVERGED);
            print_message("%s\n", w->error.text);
            assert_contains(w->error.text, "step 3");
            // a NaN strain spreads over the grid: another particle may be the first to fail
            if (kind != NAN_STRAIN) assert_contains(w->error.text, "particle 333");
            if (kind != NAN_STRAIN) assert_contains(w->error.text, "'test snow'");
            assert_int_equal(copy_particles(&w->m->base.store, &copy), FIRN_OK);
            tell(w);
            const double before = w->time;
            world_step(w, 2e-4);
            device_fetch(w);
            assert_greater(w->time, before);
            firn_particles_destroy(&copy);
        }
        if (kind != NAN_STRAIN)
            assert_string_equal(cause(both[0]->error.text), cause(both[1]->error.text));
        world* same = falling(integrator);
        device_start(same, 0);
        for (int step = 0; step < 4; step++) world_step(same, 2e-4);
        device_fetch(same);
        assert_equal(firn_particles_hash(&same->m->base.store),
                     firn_particles_hash(&both[1]->m->base.store));
        world_destroy(same);
        world_destroy(both[0]);
        world_destroy(both[1]);
    }
}

int test_mpm_cuda_spray(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(grows_at_once),
                                       cmocka_unit_test(grows_on_the_way),
                                       cmocka_unit_test(damage_is_reported)};
    return cmocka_run_group_tests_name("mpm_cuda_spray", tests, NULL, NULL);
}
