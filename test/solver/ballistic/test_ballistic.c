// SPDX-License-Identifier: MIT
// The smallest solver: particles fall as stones do, stop at the floor, and come back from a
// checkpoint.
#include "solver/ballistic/ballistic.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "device/device.h"
#include "figure.h"
#include "geometry/collider/collider.h"
#include "particles_copy.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "seed.h"

#define COUNT 50

typedef struct rain {
    firn_scene_data scene;
    firn_ballistic_def def;
    firn_material material;
    firn_collider floor;
    firn_vec3 position[COUNT], velocity[COUNT];
    firn_real mass[COUNT], stiffness[COUNT];
    uint8_t kind[COUNT];
    firn_seeds seeds;
    void* self;
    firn_error error;
} rain;

static void start(rain* r, bool with_floor)
{
    *r =
        (rain){.def = {0.01, 0.001}, .material = {.name = (char*)"snow", .snow = {.density = 300}}};
    r->scene = (firn_scene_data){.name = (char*)"rain",
                                 .solver_def = &r->def,
                                 .gravity = {1, -9.81, 0},
                                 .materials = &r->material,
                                 .material_count = 1};
    any_source any = any_start(3201);
    for (int p = 0; p < COUNT; p++) {
        r->position[p] = any_vec3(&any, 1);
        r->position[p].y += 3;
        r->velocity[p] = any_vec3(&any, 2);
        r->mass[p] = 2;
    }
    if (with_floor) {
        const firn_shape_node plane = {
            .kind = FIRN_SHAPE_PLANE, .a = -1, .b = -1, .p = {0, 0, 0, 0, 1, 0}, .q = {1, 0, 0, 0}};
        firn_local shape;
        assert_int_equal(firn_shapes_add(&r->scene.shapes, &plane, &shape, &r->error), FIRN_OK);
        r->floor = (firn_collider){
            .shape = shape, .motion = firn_motion_at_rest(), .friction = (firn_real)0.5};
        r->scene.colliders = &r->floor;
        r->scene.collider_count = 1;
    }
    r->seeds = (firn_seeds){.count = COUNT,
                            .capacity = COUNT,
                            .position = r->position,
                            .velocity = r->velocity,
                            .mass = r->mass,
                            .stiffness = r->stiffness,
                            .material = r->kind};
    const firn_solver_args args = {.device = FIRN_DEVICE_CPU};
    assert_int_equal(firn_solver_ballistic.create(&r->scene, &r->seeds, &args, &r->self, &r->error),
                     FIRN_OK);
}

static void stop(rain* r)
{
    firn_solver_ballistic.destroy(r->self);
    firn_shapes_destroy(&r->scene.shapes);
}

static firn_step_report step(rain* r, double time)
{
    firn_step_report report;
    assert_int_equal(firn_solver_ballistic.step(r->self, time, 0.001, 1, &report, &r->error),
                     FIRN_OK);
    return report;
}

static void free_fall(void** state)
{
    (void)state;
    rain r;
    start(&r, false);
    const int steps = 200;
    const double dt = 0.001, g[3] = {1, -9.81, 0};
    firn_step_report report = {0};
    for (int k = 0; k < steps; k++) report = step(&r, k * dt);
    assert_int_equal(report.step, steps - 1);
    assert_int_equal(report.particle_count, COUNT);
    const firn_particles* all = firn_solver_ballistic.particles(r.self);
    const firn_vec3* x = firn_particles_find(all, "position")->data;
    const firn_vec3* v = firn_particles_find(all, "velocity")->data;
    double velocity = 0, place = 0, momentum[3] = {0};
    for (int p = 0; p < COUNT; p++)
        for (int a = 0; a < 3; a++) {
            const double v0 = (double)(&r.velocity[p].x)[a], x0 = (double)(&r.position[p].x)[a];
            const double expected = x0 + steps * dt * v0 + dt * dt * g[a] * steps * (steps + 1) / 2;
            velocity = fmax(velocity, fabs((double)(&v[p].x)[a] - v0 - steps * dt * g[a]));
            place = fmax(place, fabs((double)(&x[p].x)[a] - expected));
            momentum[a] += 2 * (v0 + (steps - 1) * dt * g[a]);  // at the start of the last step
        }
    check_figure(T06_velocity, velocity / 4);
    check_figure(T06_height, place / 4);
    for (int a = 0; a < 3; a++)
        check_figure(T06_velocity, (report.momentum[a] - momentum[a]) / 1e3);
    stop(&r);
}

static void floor_stops_them(void** state)
{
    (void)state;
    rain r;
    start(&r, true);
    for (int k = 0; k < 3000; k++) step(&r, k * 0.001);
    const firn_particles* all = firn_solver_ballistic.particles(r.self);
    const firn_vec3* x = firn_particles_find(all, "position")->data;
    for (int p = 0; p < COUNT; p++) {
        assert_greater(x[p].y, (firn_real)-0.02);
        assert_at_most(x[p].y, (firn_real)0.02);  // within a step's fall
        assert_true(firn_v3_is_finite(x[p]));
    }
    stop(&r);
}

static void checkpoint_and_damage(void** state)
{
    (void)state;
    rain a, b;
    start(&a, true);
    start(&b, true);
    for (int k = 0; k < 10; k++) step(&a, k * 0.001);
    const size_t size = firn_solver_ballistic.extra_size(a.self);
    unsigned char extra[64];
    assert_at_most(size, sizeof extra);
    firn_solver_ballistic.extra_save(a.self, extra);
    firn_particles* from = firn_solver_ballistic.particles(a.self);
    firn_particles* to = firn_solver_ballistic.particles(b.self);
    assert_int_equal(copy_particles(to, from), FIRN_OK);
    assert_int_equal(firn_solver_ballistic.extra_restore(b.self, extra, size, NULL), FIRN_OK);
    assert_int_not_equal(firn_solver_ballistic.extra_restore(b.self, extra, size + 1, NULL),
                         FIRN_OK);
    for (int k = 10; k < 20; k++) {
        assert_int_equal(step(&a, k * 0.001).step, k);
        assert_int_equal(step(&b, k * 0.001).step, k);
    }
    assert_equal(firn_particles_hash(from), firn_particles_hash(to));
    firn_real density[COUNT];
    firn_solver_ballistic.density(a.self, density);
    for (int p = 0; p < COUNT; p++) assert_equal(density[p], 300);
    ((firn_vec3*)firn_particles_find(from, "velocity")->data)[3].x = (firn_real)NAN;
    firn_step_report report;
    assert_int_equal(firn_solver_ballistic.step(a.self, 0, 0.001, 1, &report, &a.error),
                     FIRN_BROKEN_DIVERGED);
    stop(&a);
    stop(&b);
}

static void out_of_memory(void** state)
{
    (void)state;
    rain r;
    start(&r, true);
    stop(&r);
    start(&r, false);  // the scene again, without shapes
    firn_solver_ballistic.destroy(r.self);
    const uint64_t before = firn_memory_read().bytes;
    const firn_solver_args args = {.device = FIRN_DEVICE_CPU};
    for (uint64_t k = 1; k < 50; k++) {
        void* self = NULL;
        firn_memory_fail_at(k, false);
        const firn_result result =
            firn_solver_ballistic.create(&r.scene, &r.seeds, &args, &self, &r.error);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) {
            firn_solver_ballistic.destroy(self);
            assert_greater(k, 6);
            return;
        }
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_null(self);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    fail_msg("never succeeded");
}

int test_ballistic(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall), cmocka_unit_test(floor_stops_them),
        cmocka_unit_test(checkpoint_and_damage), cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("ballistic", tests, NULL, NULL);
}
