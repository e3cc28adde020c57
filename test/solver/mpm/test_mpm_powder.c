// SPDX-License-Identifier: MIT
// Powder of the material point method: how many points broken snow sheds, that the snow does not
// notice, any number of threads, checkpoints, limits, colliders.
#include "scene/keys/blocks.h"
#include "solver/mpm/world.h"
#include "solver/shared/powder/powder.h"

#define H 0.02

// A ball that hits a wall at 8 m/s, and bursts.
static world* create(double per_cell, bool sheds, int threads)
{
    world* w = world_create(H);
    w->def.integrator = FIRN_MPM_EXPLICIT;
    w->scene.gravity[1] = -9.81;
    firn_powder_keys.set_defaults(&w->scene.powder);
    firn_air_keys.set_defaults(&w->scene.air);
    w->scene.powder.active = sheds;
    w->scene.powder.tick = 2e-3;
    world_plane(w, firn_v3((firn_real)0.1, 0, 0), firn_v3(-1, 0, 0), 0.4);
    world_lattice(w, (const double[]){-6, 20, 0}, (const double[]){10, 10, 10}, per_cell, 5);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = firn_v3(8, 0, 0);
    world_start_on(w, threads, NULL);
    return w;
}

static void run(world* w, double seconds)
{
    const double end = w->time + seconds;
    while (w->time < end - 1e-9) world_step(w, end - w->time);
}

// Every particle has shed as many points as its broken share says, and their masses are the share
// of the snow's that `amount` allows: both exact, whatever the resolution. The snow has all of its
// own mass, and moves as without powder, bit for bit.
static void number_and_mass(void** state)
{
    (void)state;
    for (int per = 1; per <= 2; per++) {
        world *w = create(per, true, 1), *bare = create(per, false, 1);
        w->scene.powder.life = 1e3;  // none fades
        run(w, 0.05);
        run(bare, 0.05);
        const firn_powder* powder = w->m->powder;
        const firn_powder_law law = firn_powder_law_of(&w->scene.powder);
        int64_t expected = 0;
        double broken = 0, mass = 0;
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const double share = (double)w->m->p.broken_share[p];
            expected += firn_powder_number(&law, w->m->p.id[p], share);
            broken += share * (double)w->m->p.mass[p];
        }
        for (firn_local k = 0; k < powder->store.count; k++) mass += (double)powder->mass[k];
        print_message("%d particles, %lld points, expected %lld; %.5g kg broken, drawn with %.5g\n",
                      (int)w->m->p.count, (long long)powder->clock.shed, (long long)expected,
                      broken, mass);
        assert_greater(expected, 100);
        assert_equal(powder->clock.shed, expected);
        assert_equal(powder->store.count, expected);
        const double one = 400 * pow(H / per, 3) * w->scene.powder.amount / w->scene.powder.points;
        assert_near(mass / ((double)expected * one), 1, 1e-5);  // sums of floats
        assert_memory_equal(w->m->p.velocity, bare->m->p.velocity,
                            (size_t)w->m->p.count * sizeof(firn_vec3));
        assert_memory_equal(w->m->p.mass, bare->m->p.mass,
                            (size_t)w->m->p.count * sizeof(firn_real));
        // no point is behind the wall, and each is known by its own number
        for (firn_local k = 0; k < powder->store.count; k++) {
            assert_less((double)powder->position[k].x, 0.1 + H);
            assert_equal(powder->id[k], FIRN_POWDER_ID + (uint32_t)k);
        }
        world_destroy(w);
        world_destroy(bare);
    }
}

// Slow breaking and slow snow shed nothing.
static void thresholds(void** state)
{
    (void)state;
    world* w = create(1, true, 1);
    w->scene.powder.rate = 1e5;
    run(w, 0.05);
    assert_equal(w->m->powder->clock.shed, 0);
    world_destroy(w);
    w = create(1, true, 1);
    w->scene.powder.speed = 100;
    run(w, 0.05);
    assert_equal(w->m->powder->clock.shed, 0);
    world_destroy(w);
}

static void any_number_of_threads(void** state)
{
    (void)state;
    uint64_t expected = 0;
    const int threads[] = {1, 2, 7};
    for (int t = 0; t < 3; t++) {
        world* w = create(2, true, threads[t]);
        w->scene.powder.life = 0.02;  // many fade
        run(w, 0.06);
        const uint64_t hash = firn_powder_hash(w->m->powder);
        assert_greater(w->m->powder->clock.shed, w->m->powder->store.count);
        if (t == 0) expected = hash;
        if (hash != expected) fail_msg("the powder differs with %d threads", threads[t]);
        world_destroy(w);
    }
}

// A saved and restored state goes on as the first; a damaged one is refused, and changes nothing.
static void checkpoints(void** state)
{
    (void)state;
    world* w = create(1, true, 1);
    run(w, 0.04);
    firn_powder *a = w->m->powder, *b = firn_powder_create();
    const size_t size = firn_powder_size(a);
    char* block = firn_alloc(size, 1);
    firn_error error;
    firn_powder_save(a, block);
    assert_int_equal(firn_powder_restore(b, &w->scene.powder, 1, block, size, &error), FIRN_OK);
    assert_equal(firn_powder_hash(b), firn_powder_hash(a));
    const uint64_t before = firn_powder_hash(b);
    assert_int_equal(firn_powder_restore(b, &w->scene.powder, 1, block, size - 4, &error),
                     FIRN_REFUSED_DAMAGED);
    const float bad = NAN;
    memcpy(block + sizeof(firn_powder_clock) + 8, &bad, sizeof bad);
    assert_int_equal(firn_powder_restore(b, &w->scene.powder, 1, block, size, &error),
                     FIRN_REFUSED_DAMAGED);
    firn_powder_save(a, block);
    const int32_t many = 1 << 30;
    memcpy(block + offsetof(firn_powder_clock, count), &many, sizeof many);
    assert_int_equal(firn_powder_restore(b, &w->scene.powder, 1, block, size, &error),
                     FIRN_REFUSED_DAMAGED);
    assert_equal(firn_powder_hash(b), before);
    // snapshots
    assert_int_equal(firn_powder_snapshot_take(b), FIRN_OK);
    b->store.count /= 2;
    b->clock.time = 9;
    assert_int_equal(firn_powder_snapshot_restore(b), FIRN_OK);
    assert_equal(firn_powder_hash(b), before);
    firn_powder_destroy(b);
    firn_free(block);
    world_destroy(w);
}

// Never more points than `max`; those that find no room are counted.
static void limits(void** state)
{
    (void)state;
    world *free_one = create(1, true, 1), *w = create(1, true, 1);
    run(free_one, 0.05);
    const int64_t all = free_one->m->powder->clock.shed;
    w->scene.powder.max = all / 3;
    run(w, 0.05);
    assert_equal(w->m->powder->store.count, all / 3);
    assert_equal(w->m->powder->clock.dropped, all - all / 3);
    world_destroy(free_one);
    world_destroy(w);
}

// The work: points move once a tick, not once a step of the snow. With ten points per particle,
// moves over steps of particles are ten times the length of a step over a tick.
static void work_is_small(void** state)
{
    (void)state;
    world* w = create(1, true, 1);
    w->scene.powder.tick = 5e-3;
    run(w, 0.03);
    firn_powder* powder = w->m->powder;
    const int64_t moved = powder->clock.moved, steps = w->m->base.step;
    run(w, 0.05);
    const double ticks = (double)(powder->clock.moved - moved) / (double)powder->store.count;
    print_message("%g ticks in %lld steps\n", ticks, (long long)(w->m->base.step - steps));
    assert_near(ticks, 10, 1);  // 0.05 s in ticks of 5 ms, which end with steps
    assert_greater((double)(w->m->base.step - steps), 5 * ticks);
    world_destroy(w);
}

int test_mpm_powder(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_and_mass),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(checkpoints),
        cmocka_unit_test(limits),
        cmocka_unit_test(work_is_small),
    };
    return cmocka_run_group_tests_name("mpm_powder", tests, NULL, NULL);
}
