// SPDX-License-Identifier: MIT
// What ARCHITECTURE.md promises of every solver: the same bits for any number of threads and after
// a restart, no allocation in a step, momentum, cost that follows the grains.
#include "bodies/bodies.h"
#include "core/hash.h"
#include "particles_copy.h"
#include "solver/grains/support/grains_cpu.h"
#include "solver/grains/world.h"

#define STEPS 90
#define SIDE 8

// A lump that hits a moving floor and a ball that it pushes along, in warm air: some of it is about
// to melt, some of its water about to freeze. `cull`: and some of it falls out of the world.
static world* storm_at(int threads, bool cull, const char* simd)
{
    world* w = world_create();
    any_source r = {78, 0};
    w->scene.gravity[1] = -9.81;
    w->scene.air.active = true;
    w->scene.air.temperature = 5;
    w->def.heat_speed = 1e5;
    firn_collider* floor = world_floor(w, -0.06);
    floor->motion.velocity = firn_v3((firn_real)0.5, (firn_real)0.1, 0);
    floor->temperature = -20;
    world_set_free(w, world_ball(w, 0.4, 0.1, -0.25, 0.2), 20);
    if (cull)
        w->scene.cull = (firn_cull_block){.active = true, .below = 0, .inside = -1, .outside = -1};
    for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
        const firn_vec3 off = any_vec3(&r, 0.004);
        world_add(w, k % 7 == 0 ? FIRN_ICE : FIRN_SNOW, 0.095 * (k % SIDE) + (double)off.x,
                  0.095 * (k / SIDE % SIDE) + (double)off.y,
                  0.095 * (k / SIDE / SIDE) + (double)off.z);
        w->seeds.velocity[k] = firn_v3(1, -5, (firn_real)any_between(&r, -1, 1));
        w->seeds.temperature[k] = (firn_real)any_between(&r, -10, 0);
    }
    world_start_at(w, threads, simd);
    for (int k = 0; k < SIDE * SIDE * SIDE; k += 5)
        world_set_heat(w, k, k % 2 == 0 ? 333900 : 334010);
    return w;
}

static world* storm(int threads, bool cull)
{
    return storm_at(threads, cull, NULL);
}

static uint64_t hash_of(const world* w)
{
    uint64_t hash = firn_particles_hash(&w->m->base.store) ^
                    firn_hash(w->report.momentum, sizeof w->report.momentum, 1) ^
                    firn_hash(&w->report.kinetic, sizeof(double), 2) ^
                    firn_hash(&w->report.dt, sizeof(double), 3) ^
                    firn_hash(&w->m->heat_gained, sizeof(double), 4) ^
                    firn_hash(&w->report.neighbours, sizeof(double), 5);
    for (firn_local k = 0; k < firn_bodies_count(w->m->base.bodies); k++) {
        const firn_rigid* b = firn_bodies_rigid(w->m->base.bodies, k);
        hash ^= firn_hash(&b->position, sizeof b->position, 6);
        hash ^= firn_hash(&b->velocity, sizeof b->velocity, 7);
    }
    return hash;
}

// Something must have happened, or the tests mean nothing.
static void check_stormy(const world* w)
{
    int phases[3] = {0, 0, 0}, broken = 0, slips = 0, bonds = 0, packed = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        phases[w->m->p.phase[p]]++;
        broken += w->m->p.broken[p];
        bonds += w->m->p.bonds[p] != 0;
        slips += w->m->p.slip[p].x != 0;
        packed += w->m->p.phase[p] == FIRN_SNOW && w->m->p.radius[p] < (firn_real)R_SNOW;
    }
    print_message("%d snow, %d ice, %d water; %d broken, %d bonded, %d compressed, %d stick\n",
                  phases[0], phases[1], phases[2], broken, bonds, packed, slips);
    assert_greater(phases[0], 100);
    assert_greater(phases[1], 50);
    assert_greater(phases[2], 10);
    assert_greater(broken, 10);
    assert_greater(bonds, 100);
    assert_greater(packed, 50);
    assert_equal(firn_bodies_count(w->m->base.bodies), 1);
    assert_not_equal(firn_bodies_rigid(w->m->base.bodies, 0)->velocity.x, 0);
}

static void any_number_of_threads(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 7};
    uint64_t expected[STEPS];
    for (int t = 0; t < 3; t++) {
        world* w = storm(threads[t], false);
        for (int k = 0; k < STEPS; k++) {
            world_step(w, 1);
            const uint64_t hash = hash_of(w);
            if (t == 0) expected[k] = hash;
            if (hash != expected[k]) fail_msg("step %d differs with %d threads", k, threads[t]);
        }
        if (t == 0) check_stormy(w);
        world_destroy(w);
    }
}

// Loops in registers have the bits of the plain ones: wet snow, and dry snow, whose forces run in
// registers as well.
static void any_level(void** state)
{
    (void)state;
    const char* const levels[] = {"plain", "baseline", "x86-64-v3", "x86-64-v4"};
    for (int dry = 0; dry < 2; dry++) {
        uint64_t expected[STEPS] = {0};
        for (int l = 0; l < 4; l++) {
            if (firn_grains_ops_find(levels[l]) == NULL) continue;
            world* w = storm_at(1, false, levels[l]);
            for (firn_local p = 0; p < w->m->p.count && dry; p++) world_set_heat(w, p, -20000);
            for (int k = 0; k < STEPS; k++) {
                world_step(w, 1);
                const uint64_t hash = hash_of(w);
                if (l == 0) expected[k] = hash;
                if (hash != expected[k]) fail_msg("step %d differs with %s", k, levels[l]);
            }
            assert_equal(w->m->all_solid, dry != 0);
            assert_equal(w->m->list.laid, l > 0);
            world_destroy(w);
        }
    }
}

// A dense lump among grains that are far from each other: what one thread finds room for others do.
static void crowds_and_threads(void** state)
{
    (void)state;
    for (int threads = 1; threads < 8; threads++) {
        world* w = world_create();
        w->def.dt = 1e-6;
        world_lattice(w, FIRN_SNOW, (const double[]){0, 0, 0}, (const int[]){8, 8, 8}, 0.06);
        for (int k = 0; k < 400; k++) world_add(w, FIRN_SNOW, 10 + k, 0, 0);
        world_start_on(w, threads);
        world_step(w, 1e-6);
        int64_t listed = 0;
        for (firn_local p = 0; p < w->m->p.count; p++) listed += w->m->list.count[p];
        if (threads == 1) print_message("%.1f listed in the lump\n", (double)listed / 512);
        assert_greater(listed, 33 * 512);
        assert_less(listed, 32 * 912);
        world_destroy(w);
    }
}

// A second world takes over from the first, through the checkpoint interface.
static world* take_over(world* first, bool cull)
{
    world* second = storm(1, cull);
    const size_t size = firn_solver_grains.extra_size(first->m);
    void* extra = firn_alloc(size, 1);
    firn_solver_grains.extra_save(first->m, extra);
    assert_int_equal(copy_particles(&second->m->base.store, &first->m->base.store), FIRN_OK);
    assert_int_equal(firn_solver_grains.extra_restore(second->m, extra, size, NULL), FIRN_OK);
    assert_int_equal(firn_solver_grains.extra_restore(second->m, extra, size - 1, NULL),
                     FIRN_REFUSED_DAMAGED);
    second->time = first->time;
    firn_free(extra);
    return second;
}

// N + N steps are 2 N steps, whenever in the life of a list the second half begins, and with grains
// that are culled in the very next step.
static void after_a_restart(void** state)
{
    (void)state;
    for (int cull = 0; cull < 2; cull++) {
        world* whole = storm(2, cull);
        int relisted = 0, in_between = 0, removed = 0;
        for (int part = 0; part < 12; part++) {
            for (int k = 0; k < 7; k++) world_step(whole, 1);
            const firn_vec3 d = firn_v3_sub(whole->m->p.position[0], whole->m->p.listed[0]);
            in_between += firn_v3_dot(d, d) > 0;
            world* second = take_over(whole, cull);
            const firn_vec3 listed = whole->m->p.listed[0];
            for (int k = 0; k < 5; k++) {
                world_step(whole, 1);
                world_step(second, 1);
                removed += whole->report.culled;
                if (hash_of(whole) != hash_of(second))
                    fail_msg("cull %d, part %d: step %d after the restart differs", cull, part, k);
            }
            relisted += listed.x != whole->m->p.listed[0].x;
            world_destroy(second);
        }
        print_message("%d restarts in the life of a list, %d rebuilt, %d culled\n", in_between,
                      relisted, removed);
        assert_greater(in_between, 4);
        assert_greater(relisted, 1);
        assert_equal(removed > 10, cull != 0);
        world_destroy(whole);
    }
}

// Without a grain to begin with, as a run that is resumed creates it.
static void restart_from_nothing(void** state)
{
    (void)state;
    world *whole = storm(1, false), *second = storm(1, false);
    for (int k = 0; k < 20; k++) world_step(whole, 1);
    firn_solver_grains.destroy(second->m);
    const firn_solver_args args = {.simd = getenv("FIRN_TEST_SIMD"), .device = FIRN_DEVICE_CPU};
    void* self = NULL;
    assert_int_equal(firn_solver_grains.create(&second->scene, NULL, &args, &self, &second->error),
                     FIRN_OK);
    second->m = self;
    const size_t size = firn_solver_grains.extra_size(whole->m);
    void* extra = firn_alloc(size, 1);
    firn_solver_grains.extra_save(whole->m, extra);
    assert_int_equal(copy_particles(&second->m->base.store, &whole->m->base.store), FIRN_OK);
    assert_int_equal(firn_solver_grains.extra_restore(second->m, extra, size, NULL), FIRN_OK);
    second->time = whole->time;
    for (int k = 0; k < 20; k++) {
        world_step(whole, 1);
        world_step(second, 1);
        assert_equal(hash_of(whole), hash_of(second));
    }
    firn_free(extra);
    world_destroy(whole);
    world_destroy(second);
}

// A block of checkpoint that cannot be one is refused, and nothing is taken from it.
static void damaged_extra(void** state)
{
    (void)state;
    world *w = storm(1, false), *same = storm(1, false);
    for (int k = 0; k < 3; k++) {
        world_step(w, 1);
        world_step(same, 1);
    }
    const size_t size = firn_solver_grains.extra_size(w->m);
    unsigned char *whole = firn_alloc(size, 1), *block = firn_alloc(size, 1);
    firn_solver_grains.extra_save(w->m, whole);
    int refused = 0;
    for (size_t at = 0; at + sizeof(firn_real) <= size; at += sizeof(firn_real)) {
        const bool wide = at < 24;  // step, next_id and heat
        const size_t from = wide ? at / 8 * 8 : at, bytes = wide ? 8 : sizeof(firn_real);
        memcpy(block, whole, size);
        memset(block + from, 0xff, bytes);  // -1, NaN, or a number beyond all
        const firn_result r = firn_solver_grains.extra_restore(w->m, block, size, NULL);
        assert_either(r, FIRN_REFUSED_DAMAGED, FIRN_OK);  // what is the shape's is not read
        assert_true(at >= 24 || r == FIRN_REFUSED_DAMAGED);
        refused += r == FIRN_REFUSED_DAMAGED;
        if (r == FIRN_OK)  // another number, but a valid one
            assert_int_equal(firn_solver_grains.extra_restore(w->m, whole, size, NULL), FIRN_OK);
        firn_solver_grains.extra_save(w->m, block);
        assert_memory_equal(block, whole, size);
    }
    assert_at_least(refused,
                    3 + 3 + 3 + 4 + 3 + 3 + 1);  // and of the body: x, rest, q, v, spin, time
    firn_free(whole);
    world_step(w, 1);
    world_step(same, 1);
    assert_equal(hash_of(w), hash_of(same));
    firn_free(block);
    world_destroy(w);
    world_destroy(same);
}

// All memory is there from the start, however the snow spreads.
static void no_allocation_in_a_step(void** state)
{
    (void)state;
    for (int threads = 1; threads < 3; threads++) {
        world* w = storm(threads, false);
        const firn_memory_stats before = firn_memory_read();
        for (int k = 0; k < STEPS; k++) world_step(w, 1);
        for (firn_local p = 0; p < w->m->p.count; p++)  // every grain in a cell of its own
            w->m->p.position[p] = firn_v3((firn_real)p, 100, 0);
        world_step(w, 1e-4);
        assert_int_equal(w->m->cells.cell_count, w->m->p.count);
        assert_int_equal(firn_memory_read().allocations, before.allocations);
        assert_int_equal(firn_memory_read().bytes, before.bytes);
        world_destroy(w);
    }
}

// A lump that flies to pieces: bonds, friction, collisions, without bodies.
static void momentum_is_kept(void** state)
{
    (void)state;
    world* w = world_create();
    any_source r = any_start(79);
    for (int k = 0; k < 343; k++) {
        world_add(w, k % 3 == 0 ? FIRN_ICE : FIRN_SNOW, 0.09 * (k % 7), 0.09 * (k / 7 % 7),
                  0.09 * (k / 49));
        w->seeds.velocity[k] = any_vec3(&r, 2);
    }
    world_start(w);
    world_step(w, 1);
    double before[3], size = 0, after[3] = {0, 0, 0};
    for (int d = 0; d < 3; d++) before[d] = w->report.momentum[d];
    for (int k = 0; k < 300; k++) world_step(w, 1);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 v = w->m->p.velocity[p];
        const double m = (double)w->m->constants.mass;
        size += m * (double)firn_v3_length(v);
        after[0] += m * (double)v.x;
        after[1] += m * (double)v.y;
        after[2] += m * (double)v.z;
    }
    double worst = 0;
    for (int d = 0; d < 3; d++) worst = fmax(worst, fabs(after[d] - before[d]) / size);
    check_figure(T42_net_force, worst);
    world_destroy(w);
}

// Chosen steps meet the end of a frame exactly; fast grains shorten them.
static void steps_meet_frames(void** state)
{
    (void)state;
    world* w = storm(1, false);
    const double frame = 1.0 / 60;
    int steps = 0;  // bounds on steps are floats: 1e-6; times are doubles: 1e-15
    while (w->time < frame - 1e-12) {
        world_step(w, frame - w->time);
        assert_greater(w->report.dt, 0);
        assert_at_most(w->report.dt, 1.000001e-3);
        assert_at_most(w->report.max_speed * w->report.dt, 0.25 * R_SNOW * 1.000001);
        steps++;
    }
    assert_at_least(steps, 17);
    assert_near(w->time, frame, 1e-15);
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->p.velocity[p] = firn_v3(100, 0, 0);
    world_step(w, 1);
    assert_at_most(w->report.dt, 0.25 * R_SNOW / 100 * 1.000001);
    world_destroy(w);
}

int test_grains_promises(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads),   cmocka_unit_test(any_level),
        cmocka_unit_test(crowds_and_threads),      cmocka_unit_test(after_a_restart),
        cmocka_unit_test(restart_from_nothing),    cmocka_unit_test(damaged_extra),
        cmocka_unit_test(no_allocation_in_a_step), cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(steps_meet_frames)};
    return cmocka_run_group_tests_name("grains_promises", tests, NULL, NULL);
}
