// SPDX-License-Identifier: MIT
// Never explode: a damaged value or a step far too long is reported with particle, place, material
// and step, and the state before it can be taken up again, by hand and by the simulation. Also:
// running out of memory at any allocation.
#include "particles_copy.h"
#include "sim/sim.h"
#include "solver/sph/world.h"

#define H 0.01

static world* falling_block(int threads)
{
    world* w = world_create(H);
    w->scene.gravity[1] = -9.81;
    world_lattice(w, firn_v3(0, (firn_real)(0.5 * H), 0), 7, 7, 7, H);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p].y = -2;
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 1);
    world_start_on(w, threads, NULL);
    return w;
}

typedef enum damage {
    NAN_VELOCITY,
    INFINITE_VELOCITY,
    NAN_POSITION,
    FAR_POSITION,
    NAN_STRAIN,
    DAMAGES
} damage;

static void do_damage(world* w, damage kind, firn_local p)
{
    firn_sph_particles* all = &w->m->p;
    switch (kind) {
    case NAN_VELOCITY: all->velocity[p].y = (firn_real)NAN; break;
    case INFINITE_VELOCITY: all->velocity[p].x = (firn_real)INFINITY; break;
    case NAN_POSITION: all->position[p].z = (firn_real)NAN; break;
    case FAR_POSITION: all->position[p].x = (firn_real)1e30; break;
    default: all->def_grad_elastic[p].m[1][1] = (firn_real)NAN; break;
    }
}

// After any damage the step fails, and the copy made before it goes on as if nothing had been.
static void damage_is_reported(void** state)
{
    (void)state;
    world* same = falling_block(1);
    for (int k = 0; k < 4; k++) world_step(same, 2e-4);
    for (int kind = 0; kind < DAMAGES; kind++) {
        world* w = falling_block(2);
        for (int k = 0; k < 3; k++) world_step(w, 2e-4);
        firn_particles copy = {0};
        assert_int_equal(copy_particles(&copy, &w->m->base.store), FIRN_OK);
        const firn_local victim = 17;
        char name[32];
        snprintf(name, sizeof name, "particle %u ", (unsigned)w->m->p.id[victim]);
        do_damage(w, kind, victim);
        assert_int_equal(world_try_step(w, 2e-4), FIRN_BROKEN_DIVERGED);
        assert_int_equal(w->error.code, FIRN_BROKEN_DIVERGED);
        assert_contains(w->error.text, "step 3");
        if (kind <= FAR_POSITION) {  // the others spread before anyone looks
            assert_contains(w->error.text, name);
            assert_contains(w->error.text, "test snow");
        }
        assert_int_equal(copy_particles(&w->m->base.store, &copy), FIRN_OK);
        world_step(w, 2e-4);
        assert_equal(firn_particles_hash(&same->m->base.store),
                     firn_particles_hash(&w->m->base.store));
        firn_particles_destroy(&copy);
        world_destroy(w);
    }
    world_destroy(same);
}

// A pressure is where the next solve starts, no more: one that is no number, or absurd, is
// forgotten.
static void damaged_pressure_heals(void** state)
{
    (void)state;
    const firn_real damages[] = {(firn_real)NAN, (firn_real)INFINITY, (firn_real)-1e20};
    for (int k = 0; k < 3; k++) {
        world *w = falling_block(1), *same = falling_block(1);
        for (int n = 0; n < 3; n++) {
            world_step(w, 2e-4);
            world_step(same, 2e-4);
        }
        w->m->p.pressure[17] = damages[k];
        world_step(w, 2e-4);
        world_step(same, 2e-4);
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_vec3 d = firn_v3_sub(w->m->p.velocity[p], same->m->p.velocity[p]);
            assert_less(firn_v3_length(d), 0.1);  // of 2 m/s: solves stop at 0.1 %
        }
        world_destroy(w);
        world_destroy(same);
    }
}

// A step a hundred times too long: refused, not exploded; shorter ones after the rollback go on.
static void step_too_long(void** state)
{
    (void)state;
    world* w = falling_block(1);
    for (int k = 0; k < 3; k++) world_step(w, 2e-4);
    firn_particles copy = {0};
    assert_int_equal(copy_particles(&copy, &w->m->base.store), FIRN_OK);
    w->m->def.dt = 0.05;  // 2 m/s along the floor: ten spacings in one step
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->p.velocity[p].x = 2;
    assert_int_equal(world_try_step(w, 0.05), FIRN_BROKEN_DIVERGED);
    print_message("%s\n", w->error.text);
    assert_contains(w->error.text, "dt 0.05 s");
    w->m->def.dt = 0;
    assert_int_equal(copy_particles(&w->m->base.store, &copy), FIRN_OK);
    for (int k = 0; k < 50; k++) world_step(w, 5e-4);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        assert_true(firn_v3_is_finite(w->m->p.position[p]));
        assert_greater(w->m->p.position[p].y, 0);
    }
    firn_particles_destroy(&copy);
    world_destroy(w);
}

// dt_scale halves what the solver would choose, as a rollback asks for.
static void shorter_on_request(void** state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        world* w = falling_block(1);
        w->m->def.dt = fixed ? 1e-4 : 0;
        firn_step_report whole, half;
        assert_int_equal(firn_solver_sph.step(w->m, 0, 1, 1, &whole, &w->error), FIRN_OK);
        assert_int_equal(firn_solver_sph.step(w->m, 0, 1, 0.5, &half, &w->error), FIRN_OK);
        assert_less(half.dt, 0.51 * whole.dt);
        assert_greater(half.dt, 0.4 * whole.dt);
        world_destroy(w);
    }
}

// More particles in one place than lists hold: said, not overrun.
static void too_crowded(void** state)
{
    (void)state;
    world* w = world_create(H);
    for (int k = 0; k < FIRN_PAIRS_MOST + 10; k++)
        world_add(w, firn_v3((firn_real)(1e-6 * k), 0, 0), world_mass(w));
    world_start(w);
    assert_int_equal(world_try_step(w, 1e-4), FIRN_BROKEN_DIVERGED);
    assert_contains(w->error.text, "than lists can hold");
    assert_contains(w->error.text, "test snow");
    world_destroy(w);
}

// Nothing at all: no particles is a step, too.
static void no_snow(void** state)
{
    (void)state;
    world* w = world_create(H);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 1);
    world_start(w);
    for (int k = 0; k < 3; k++) world_step(w, 1e-3);
    assert_int_equal(w->report.particle_count, 0);
    assert_greater(w->report.dt, 0);
    assert_equal(w->report.plastic_min, 1);
    assert_equal(w->report.neighbours, 0);
    world_destroy(w);
}

// A few particles on a pebble, which has few boundary particles, and snowfall.
static world* small_scene(void)
{
    world* w = world_create(H);
    world_lattice(w, firn_v3(0, (firn_real)(0.5 * H), 0), 4, 4, 4, H);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 1)->shape =
        world_ball(w, firn_v3(0, (firn_real)(-1.5 * H), 0), 1.5 * H);
    w->emitters[w->scene.emitter_count++] =
        (firn_emitter){.shape = world_ball(w, firn_v3(0, (firn_real)0.1, 0), 0.02),
                       .rate = 20000,
                       .stop = INFINITY,
                       .limit = FIRN_EMITTER_NO_LIMIT};
    return w;
}

// The k-th allocation fails, during creation or in the first steps: a code, and nothing leaks.
static void out_of_memory(void** state)
{
    (void)state;
    const uint64_t start = firn_memory_read().bytes;
    int failures = 0;
    bool done = false;
    for (uint64_t k = 1; k < 400 && !done; k++) {
        world* w = small_scene();
        const firn_solver_args args = {.simd = getenv("FIRN_TEST_SIMD"), .device = FIRN_DEVICE_CPU};
        void* self = NULL;
        firn_memory_fail_at(k, k % 2 == 0);  // once, and for ever
        firn_result r = firn_solver_sph.create(&w->scene, &w->seeds, &args, &self, &w->error);
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
    print_message("%d places\n", failures);
    assert_true(done);
    assert_greater(failures, 30);
}

// ---- in a simulation ----------------------------------------------------------------------------

static const char scene_text[] = "firn: 1\n"
                                 "solver: sph\n"
                                 "time: {frames: 3, fps: 60}\n"
                                 "sph: {spacing: 0.02, dt: 0.05}\n"
                                 "snow:\n"
                                 "  - shape: {sphere: {center: [0, 0.1, 0], radius: 0.09}}\n"
                                 "    velocity: [0, -4, 0]\n"
                                 "colliders:\n"
                                 "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n";

static firn_sim* start_sim(void)
{
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
    return sim;
}

// Steps of whole frames would carry snow three spacings: halved until they do not, snow on a floor
// in the end.
static void long_steps_are_shortened(void** state)
{
    (void)state;
    firn_sim* sim = start_sim();
    for (int f = 0; f < 3; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    const firn_sim_info info = firn_sim_read(sim);
    print_message("%d rollbacks, dt %.3g s\n", (int)info.rollbacks, info.dt);
    assert_greater(info.rollbacks, 0);
    const firn_particles* p = sim->solver->particles(sim->self);
    const firn_vec3* x = firn_particles_find(p, "position")->data;
    for (firn_local k = 0; k < p->count; k++) {
        assert_true(firn_v3_is_finite(x[k]));
        assert_greater(x[k].y, (firn_real)-0.001);
        assert_less(x[k].y, 1);
    }
    firn_sim_destroy(sim);
}

int test_sph_faults(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_reported), cmocka_unit_test(damaged_pressure_heals),
        cmocka_unit_test(step_too_long),      cmocka_unit_test(shorter_on_request),
        cmocka_unit_test(too_crowded),        cmocka_unit_test(no_snow),
        cmocka_unit_test(out_of_memory),      cmocka_unit_test(long_steps_are_shortened),
    };
    return cmocka_run_group_tests_name("sph_faults", tests, NULL, NULL);
}
