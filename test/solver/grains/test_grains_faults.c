// SPDX-License-Identifier: MIT
// Never explode: a damaged value or a step far too long is reported with grain, place, material and
// step, and the state before it can be taken up again, by hand and by the simulation. Also: running
// out of memory at any allocation.
#include "particles_copy.h"
#include "sim/sim.h"
#include "solver/grains/world.h"

static world* falling_block(int threads)
{
    world* w = world_create();
    w->scene.gravity[1] = -9.81;
    world_floor(w, 0);
    world_lattice(w, FIRN_SNOW, (const double[]){0, 0.05, 0}, (const int[]){6, 6, 6}, 0.1);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p].y = -2;
    world_start_on(w, threads);
    return w;
}

// What a rollback keeps.
typedef struct kept {
    firn_particles particles;
    void* extra;
    size_t size;
    double time;
} kept;

static kept keep(const world* w)
{
    kept k = {.size = firn_solver_grains.extra_size(w->m), .time = w->time};
    k.extra = firn_alloc(k.size, 1);
    firn_solver_grains.extra_save(w->m, k.extra);
    assert_int_equal(copy_particles(&k.particles, &w->m->base.store), FIRN_OK);
    return k;
}

static void go_back(world* w, kept* k)
{
    assert_int_equal(copy_particles(&w->m->base.store, &k->particles), FIRN_OK);
    assert_int_equal(firn_solver_grains.extra_restore(w->m, k->extra, k->size, NULL), FIRN_OK);
    w->time = k->time;
}

static void drop(kept* k)
{
    firn_particles_destroy(&k->particles);
    firn_free(k->extra);
}

typedef enum damage { NAN_VELOCITY, INFINITE_VELOCITY, NAN_POSITION, FAR_POSITION, DAMAGES } damage;

static void do_damage(world* w, int kind, firn_local p)
{
    firn_grains_particles* all = &w->m->p;
    switch (kind) {
    case NAN_VELOCITY: all->velocity[p].y = (firn_real)NAN; break;
    case INFINITE_VELOCITY: all->velocity[p].x = (firn_real)INFINITY; break;
    case NAN_POSITION: all->position[p].z = (firn_real)NAN; break;
    default: all->position[p].x = (firn_real)1e30; break;
    }
}

// After any damage the step fails, and the copy made before it goes on as if nothing had been.
static void damage_is_reported(void** state)
{
    (void)state;
    world* same = falling_block(1);
    for (int k = 0; k < 6; k++) world_step(same, 1e-3);
    for (int kind = 0; kind < DAMAGES; kind++) {
        world* w = falling_block(2);
        for (int k = 0; k < 3; k++) world_step(w, 1e-3);
        kept before = keep(w);
        char name[32];
        snprintf(name, sizeof name, "grain %u ", (unsigned)w->m->p.id[17]);
        do_damage(w, kind, 17);
        assert_int_equal(world_try_step(w, 1e-3), FIRN_BROKEN_DIVERGED);
        assert_int_equal(w->error.code, FIRN_BROKEN_DIVERGED);
        assert_contains(w->error.text, "step 3");
        assert_contains(w->error.text, name);
        assert_contains(w->error.text, "test snow");
        go_back(w, &before);
        for (int k = 0; k < 3; k++) world_step(w, 1e-3);
        assert_equal(firn_particles_hash(&same->m->base.store),
                     firn_particles_hash(&w->m->base.store));
        drop(&before);
        world_destroy(w);
    }
    world_destroy(same);
}

// Steps far too long for the springs: reported within a few of them, with the grain, and the state
// before them goes on with shorter ones.
static void step_too_long(void** state)
{
    (void)state;
    world* w = falling_block(1);
    for (int k = 0; k < 3; k++) world_step(w, 1e-3);
    kept before = keep(w);
    w->m->def.dt = w->m->dt_usual = 0.02;
    firn_result r = FIRN_OK;
    for (int k = 0; k < 100 && r == FIRN_OK; k++) r = world_try_step(w, 0.02);
    assert_int_equal(r, FIRN_BROKEN_DIVERGED);
    print_message("%s\n", w->error.text);
    assert_contains(w->error.text, "dt 0.02 s");
    assert_contains(w->error.text, "grain ");
    assert_contains(w->error.text, "grains.dt");
    w->m->def.dt = w->m->dt_usual = 1e-3;
    go_back(w, &before);
    for (int k = 0; k < 100; k++) world_step(w, 1e-3);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        assert_true(firn_v3_is_finite(w->m->p.position[p]));
        assert_greater(w->m->p.position[p].y, 0);
    }
    drop(&before);
    world_destroy(w);
}

// dt_scale halves what the solver would choose, as a rollback asks for.
static void shorter_on_request(void** state)
{
    (void)state;
    world* w = falling_block(1);
    firn_step_report whole, half;
    assert_int_equal(firn_solver_grains.step(w->m, 0, 1, 1, &whole, &w->error), FIRN_OK);
    assert_int_equal(firn_solver_grains.step(w->m, 0, 1, 0.5, &half, &w->error), FIRN_OK);
    assert_less(half.dt, 0.51 * whole.dt);
    assert_greater(half.dt, 0.4 * whole.dt);
    world_destroy(w);
}

// More grains in one place than lists hold: said, not overrun.
static void too_crowded(void** state)
{
    (void)state;
    world* w = world_create();
    for (int k = 0; k < 200; k++) world_add(w, FIRN_SNOW, 1e-4 * k, 0, 0);
    world_start(w);
    assert_int_equal(world_try_step(w, 1e-4), FIRN_BROKEN_DIVERGED);
    assert_contains(w->error.text, "than lists can hold");
    assert_contains(w->error.text, "grain ");
    world_destroy(w);
}

// A pool of water or ice as dense as spheres can be, and pressed by its own depth, fits the lists.
static void a_dense_pool(void** state)
{
    (void)state;
    for (int wet = 0; wet < 2; wet++) {
        world* w = world_create();
        world_closed(w);
        const double r = wet ? cbrt(GRAIN_MASS / 1000) : R_SNOW / 2, a = 0.95 * 2 * r * sqrt(2);
        for (int k = 0; k < 4 * 1000; k++) {  // face-centred cubes
            const int c = k / 4, f = k % 4;
            world_add(w, FIRN_ICE, a * (c % 10 + (f == 1 || f == 2) * 0.5),
                      a * (c / 10 % 10 + (f == 1 || f == 3) * 0.5),
                      a * (c / 100 + (f == 2 || f == 3) * 0.5));
        }
        world_start(w);
        for (firn_local p = 0; p < w->m->p.count && wet; p++) {
            world_set_heat(w, p, 335000);
            w->m->p.phase[p] = FIRN_WATER;
            w->m->p.radius[p] = (firn_real)r;
        }
        world_step(w, 1e-4);
        int64_t listed = 0;
        for (firn_local p = 0; p < w->m->p.count; p++) listed += w->m->list.count[p];
        print_message("%.1f neighbours, %.1f listed\n", w->report.neighbours,
                      (double)listed / (double)w->m->p.count);
        assert_greater(w->report.neighbours, 10);
        world_destroy(w);
    }
}

// Nothing at all: no grains is a step, too.
static void no_snow(void** state)
{
    (void)state;
    world* w = world_create();
    world_floor(w, 0);
    world_start(w);
    for (int k = 0; k < 3; k++) world_step(w, 1e-3);
    assert_int_equal(w->report.particle_count, 0);
    assert_greater(w->report.dt, 0);
    assert_equal(w->report.plastic_min, 1);
    assert_equal(w->report.neighbours, 0);
    world_destroy(w);
}

// The k-th allocation fails, during creation or in the first steps: a code, and nothing leaks.
static void out_of_memory(void** state)
{
    (void)state;
    const uint64_t start = firn_memory_read().bytes;
    int failures = 0;
    bool done = false;
    for (uint64_t k = 1; k < 400 && !done; k++) {
        world* w = world_create();
        world_floor(w, 0);
        world_set_free(w, world_ball(w, 0, 0.5, 0, 0.1), 2);
        world_lattice(w, FIRN_SNOW, (const double[]){0, 0.05, 0}, (const int[]){3, 3, 3}, 0.1);
        const firn_solver_args args = {.device = FIRN_DEVICE_CPU};
        void* self = NULL;
        firn_memory_fail_at(k, k % 2 == 0);  // once, and for ever
        firn_result r = firn_solver_grains.create(&w->scene, &w->seeds, &args, &self, &w->error);
        assert_equal(self == NULL, r != FIRN_OK);
        if (r == FIRN_OK) w->m = self;
        for (int n = 0; n < 3 && r == FIRN_OK; n++) r = world_try_step(w, 1e-3);
        firn_memory_fail_at(0, false);
        if (r != FIRN_OK) {
            failures++;
            assert_int_equal(r, FIRN_BROKEN_MEMORY);
            assert_int_equal(w->error.code, FIRN_BROKEN_MEMORY);
            assert_contains(w->error.text, "memory");
        } else {
            done = true;
        }
        world_destroy(w);
        assert_int_equal(firn_memory_read().bytes, start);
    }
    print_message("%d allocations failed\n", failures);
    assert_true(done);
    assert_greater(failures, 10);
}

static const char scene_text[] = "firn: 1\n"
                                 "solver: grains\n"
                                 "time: {frames: 3, fps: 60}\n"
                                 "grains: {radius: 0.05, dt: 0.016}\n"
                                 "snow:\n"
                                 "  - shape: {sphere: {center: [0, 0.5, 0], radius: 0.4}}\n"
                                 "    velocity: [0, -3, 0]\n"
                                 "colliders:\n"
                                 "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n";

// Steps of whole frames throw snow apart: halved until they do not, snow on a floor in the end.
static void long_steps_are_shortened(void** state)
{
    (void)state;
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, scene_text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    firn_sim* sim;
    firn_error error;
    def.threads = 1;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    for (int f = 0; f < 3; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    const firn_sim_info info = firn_sim_read(sim);
    print_message("%d rollbacks, dt %.3g s\n", (int)info.rollbacks, info.dt);
    assert_greater(info.rollbacks, 0);
    const firn_particles* p = sim->solver->particles(sim->self);
    const firn_vec3* x = firn_particles_find(p, "position")->data;
    for (firn_local k = 0; k < p->count; k++) {
        assert_true(firn_v3_is_finite(x[k]));
        assert_greater(x[k].y, (firn_real)-0.02);
        assert_less(x[k].y, 2);
    }
    firn_sim_destroy(sim);
}

int test_grains_faults(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_reported), cmocka_unit_test(step_too_long),
        cmocka_unit_test(shorter_on_request), cmocka_unit_test(too_crowded),
        cmocka_unit_test(a_dense_pool),       cmocka_unit_test(no_snow),
        cmocka_unit_test(out_of_memory),      cmocka_unit_test(long_steps_are_shortened)};
    return cmocka_run_group_tests_name("grains_faults", tests, NULL, NULL);
}
