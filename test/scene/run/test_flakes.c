// SPDX-License-Identifier: MIT
// Flakes: as many as are due, the same ones for any step length, inside their shape, advanced to
// the end of the step.
#include "scene/run/flake_due.h"
#include "scene/run/flakes.h"

#include <math.h>

#include "scene/data/emitter.h"
#include "scene/scene_fixture.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\ncolliders: [{shape: {plane: {}}}]\n"
#define BALL "shape: {sphere: {center: [1, 2, 3], radius: 0.5}}"

enum { MOST = 4096 };

// All flakes of a run to `end`, by emitter and number, as they were when they were due.
typedef struct flakes {
    int64_t emitted[4];
    firn_local count;
    firn_vec3 x[MOST], v[MOST];
    firn_real mass[MOST];
} flakes;

static void take(flakes* all, const firn_seeds* seeds)
{
    for (firn_local p = 0; p < seeds->count; p++) {
        assert_less(all->count, MOST);
        all->x[all->count] = seeds->position[p];
        all->v[all->count] = seeds->velocity[p];
        all->mass[all->count++] = seeds->mass[p];
    }
}

static void emit(const firn_scene_data* s, double time, double dt, flakes* all, firn_seeds* seeds)
{
    firn_error error = {0};
    if (firn_flakes_emit(s, time, dt, 0.02, all->emitted, seeds, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    take(all, seeds);
}

// In `steps` steps of about the same length.
static flakes* run(const firn_scene_data* s, double end, int steps)
{
    flakes* all = firn_alloc(1, sizeof *all);
    firn_seeds seeds = {0};
    for (int k = 0; k < steps; k++) {
        const double from = end * k / steps, to = end * (k + 1) / steps;
        emit(s, from, to - from, all, &seeds);
    }
    firn_seeds_destroy(&seeds);
    return all;
}

static void counts_are_exact(void** state)
{
    (void)state;
    firn_emitter e = {.rate = 10, .stop = INFINITY, .limit = FIRN_EMITTER_NO_LIMIT};
    assert_int_equal(firn_emitter_due(&e, -5), 0);
    assert_int_equal(firn_emitter_due(&e, 0), 0);
    assert_int_equal(firn_emitter_due(&e, 0.0999), 0);
    assert_int_equal(firn_emitter_due(&e, 0.1), 1);
    // 0.7 * 10 is below 7 in floating point, (6 + 1)/10 is 0.7
    for (int k = 1; k < 2000; k++) {
        const double due = (double)k / 10;
        assert_int_equal(firn_emitter_due(&e, due), k);
        assert_int_equal(firn_emitter_due(&e, nextafter(due, 0)), k - 1);
    }
    e.start = 1;
    e.stop = 2;
    assert_int_equal(firn_emitter_due(&e, 1), 0);
    assert_int_equal(firn_emitter_due(&e, 1.5), 5);
    assert_int_equal(firn_emitter_due(&e, 2), 10);
    assert_int_equal(firn_emitter_due(&e, 1e9), 10);
    e.limit = 3;
    assert_int_equal(firn_emitter_due(&e, 1.25), 2);
    assert_int_equal(firn_emitter_due(&e, 1e9), 3);
    e = (firn_emitter){.rate = 1e9, .stop = INFINITY, .limit = FIRN_EMITTER_NO_LIMIT};
    assert_greater(firn_emitter_due(&e, 1e300), 1e15);  // no overflow
}

// The same flakes in 1, 7 and 1000 steps, and across a resume. In one big step they have moved on
// for longer: seen from where they would be at the end they agree.
static void steps_do_not_matter(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        HEAD "emitters:\n- {" BALL ", rate: 333, velocity: [0, -2, 0], spread: 0.3, seed: 9}\n"
             "- {shape: {box: {size: [1, 1, 1]}}, rate: 70, start: 0.4, stop: 0.9, size: 5 mm}\n",
        NULL);
    static const int steps[] = {1, 7, 1000};
    flakes* once = run(&s, 2, 7);
    assert_int_equal(once->emitted[0], 666);
    assert_int_equal(once->emitted[1], 35);
    assert_int_equal(once->count, 666 + 35);
    for (int k = 0; k < 3; k++) {
        flakes* again = run(&s, 2, steps[k]);
        assert_int_equal(again->count, once->count);
        double v = 0, mass = 0;
        for (firn_local p = 0; p < once->count; p++) {  // in another order: compare sums
            v += (double)(again->v[p].x - once->v[p].x);
            mass += (double)(again->mass[p] - once->mass[p]);
        }
        // 701 differences of floats: velocities of 1 m/s to 1e-7, masses of 3 g to 2e-10
        assert_near(v, 0, 1e-3);
        assert_near(mass, 0, 1e-6);
        firn_free(again);
    }
    firn_free(once);
    firn_scene_data_destroy(&s);
}

// Bit for bit: flake k is a function of (seed, k) alone. Without velocity it does not move on.
static void flakes_are_pure(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD "emitters: [{" BALL ", rate: 500, seed: 4}]\n", NULL);
    flakes* all = run(&s, 1, 1);
    flakes* fine = run(&s, 1, 333);
    assert_int_equal(all->count, 500);
    assert_memory_equal(all->x, fine->x, 500 * sizeof *all->x);
    flakes* resumed = firn_alloc(1, sizeof *resumed);
    firn_seeds seeds = {0};
    resumed->emitted[0] = 123;  // as a checkpoint says
    emit(&s, 0.3, 0.7, resumed, &seeds);
    assert_int_equal(resumed->count, 500 - 123);
    assert_memory_equal(resumed->x, all->x + 123, (500 - 123) * sizeof *all->x);
    emit(&s, 1, 0, resumed, &seeds);
    assert_int_equal(seeds.count, 0);
    firn_seeds_destroy(&seeds);
    s.emitters[0].seed = 5;
    flakes* other = run(&s, 1, 1);
    assert_memory_not_equal(all->x, other->x, sizeof *all->x);
    firn_free(all);
    firn_free(fine);
    firn_free(resumed);
    firn_free(other);
    firn_scene_data_destroy(&s);
}

// Uniform in the shape: inside, centred on average, mean distance 3/4 of the ball's radius.
static void places_fill_the_shape(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD "emitters: [{" BALL ", rate: 4000}]\n", NULL);
    flakes* all = run(&s, 1, 50);
    double mean[3] = {0}, radius = 0;
    for (firn_local p = 0; p < all->count; p++) {
        assert_at_most(firn_shape_distance(&s.shapes, s.emitters[0].shape, all->x[p]), 0);
        const double d[3] = {(double)all->x[p].x - 1, (double)all->x[p].y - 2,
                             (double)all->x[p].z - 3};
        for (int k = 0; k < 3; k++) mean[k] += d[k] / all->count;
        radius += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / all->count;
    }
    // standard errors of 4000: 0.5/sqrt(5 * 4000) = 0.0035 and 0.0015; four of them
    for (int k = 0; k < 3; k++) assert_near(mean[k], 0, 0.014);
    assert_near(radius, 0.375, 0.006);
    firn_free(all);
    firn_scene_data_destroy(&s);
}

// `depth`: in a layer below the surface; `speed`: away from it. The ball's normal is the radius, up
// to the differences by which it is found.
static void from_a_surface(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        HEAD "emitters: [{" BALL ", rate: 1000, depth: 0.05, speed: 2, velocity: [0, 1, 0]}]\n",
        NULL);
    flakes* all = firn_alloc(1, sizeof *all);
    firn_seeds seeds = {0};
    for (int k = 0; k < 1000; k++) {
        emit(&s, 0, (k + 1) / 1000.0, all, &seeds);  // each when it is due: it has not moved
        assert_int_equal(seeds.count, 1);
        const firn_vec3 d = firn_v3_sub(seeds.position[0], firn_v3(1, 2, 3));
        const firn_real r = firn_v3_length(d);
        assert_true(r > (firn_real)0.45 - (firn_real)1e-5 && r < (firn_real)0.5 + (firn_real)1e-5);
        const firn_vec3 v = firn_v3_madd(firn_v3(0, 1, 0), 2 / r, d);
        assert_less(firn_v3_length(firn_v3_sub(seeds.velocity[0], v)), 2e-3);
    }
    firn_seeds_destroy(&seeds);
    firn_free(all);
    firn_scene_data_destroy(&s);
}

// `flow` and `mass`: as many flakes as weigh that much; what is written is as it was given.
static void by_weight(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD "materials: {a: {density: 100}}\nemitters:\n"
                                        "- {" BALL ", flow: 0.4, mass: 0.08}\n- {" BALL
                                        ", rate: 7, size: 1 cm, limit: 3}\n",
                                   NULL);
    firn_emitters_settle(&s, 0.02);  // 0.8 g each
    assert_near(s.emitters[0].rate, 500, 1e-3);
    assert_int_equal(s.emitters[0].limit, 100);
    assert_equal(s.emitters[1].rate, 7);
    assert_int_equal(s.emitters[1].limit, 3);
    const firn_emitter finer = firn_emitter_settled(&s, &s.emitters[0], 0.01);
    assert_near(finer.rate, 4000, 1e-2);
    assert_int_equal(finer.limit, 800);
    flakes* all = run(&s, 1, 3);
    assert_int_equal(all->emitted[0], 100);
    assert_int_equal(all->emitted[1], 3);
    firn_free(all);
    firn_scene_data_destroy(&s);
}

static void velocities_spread(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        HEAD "emitters: [{" BALL ", rate: 4000, velocity: [1, -2, 0], spread: 0.5}]\n", NULL);
    flakes* all = run(&s, 1, 50);
    double mean[3] = {0}, square[3] = {0};
    for (firn_local p = 0; p < all->count; p++) {
        const double v[3] = {(double)all->v[p].x, (double)all->v[p].y, (double)all->v[p].z};
        for (int k = 0; k < 3; k++) {
            mean[k] += v[k] / all->count;
            square[k] += v[k] * v[k] / all->count;
        }
    }
    static const double wanted[3] = {1, -2, 0};
    for (int k = 0; k < 3; k++) {  // standard errors 0.008 and 0.0056; four of them
        assert_near(mean[k], wanted[k], 0.032);
        assert_near(sqrt(square[k] - mean[k] * mean[k]), 0.5, 0.023);
    }
    firn_free(all);
    firn_scene_data_destroy(&s);
}

static void flakes_have_moved_on(void** state)
{
    (void)state;
    firn_scene_data s =
        parse_good(HEAD "emitters: [{" BALL ", rate: 10, velocity: [0, -2, 0], limit: 1}]\n", NULL);
    flakes at = {0}, later = {0};
    firn_seeds seeds = {0};
    emit(&s, 0, 0.1, &at, &seeds);
    emit(&s, 0, 0.6, &later, &seeds);
    assert_int_equal(at.count, 1);
    assert_int_equal(later.count, 1);
    assert_near(at.x[0].y - later.x[0].y, 1, 1e-5);  // [m] floats of 2 m: roundings of 2e-7
    assert_equal(at.x[0].x, later.x[0].x);
    firn_seeds_destroy(&seeds);
    firn_scene_data_destroy(&s);
}

static void masses_and_temperatures(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD "materials: {a: {density: 100}}\nair: {temperature: -1}\n"
                                        "emitters:\n- {" BALL ", rate: 1, temperature: -12}\n"
                                        "- {" BALL ", rate: 1, size: 1 cm, material: wet}\n",
                                   NULL);
    flakes all = {0};
    firn_seeds seeds = {0};
    emit(&s, 0, 1, &all, &seeds);
    assert_int_equal(seeds.count, 2);
    // products of a few numbers, rounded to float once
    assert_near((double)seeds.mass[0] / (100 * 8e-6), 1, 1e-6);  // spacing 0.02
    assert_near((double)seeds.mass[1] / (500 * 1e-6), 1, 1e-6);
    assert_int_equal(seeds.material[1], 1);
    assert_equal(seeds.temperature[0], -12);
    assert_equal(seeds.temperature[1], -5);
    assert_equal(seeds.stiffness[0], 1);
    assert_null(seeds.hardening);
    assert_equal(seeds.lightest, 1);
    firn_seeds_destroy(&seeds);
    s.air.temperature = NAN;
    flakes none = {0};
    emit(&s, 0, 1, &none, &seeds);
    assert_null(seeds.temperature);
    firn_seeds_destroy(&seeds);
    firn_scene_data_destroy(&s);
}

// Allocates to grow only, fails cleanly, and says where there is no place.
static void memory_and_refusals(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD "emitters: [{" BALL ", rate: 1000}]\n", NULL);
    firn_seeds seeds = {0};
    firn_error error = {0};
    int64_t emitted = 0;
    firn_memory_fail_at(2, false);
    assert_int_equal(firn_flakes_emit(&s, 0, 0.1, 0.01, &emitted, &seeds, &error),
                     FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_int_equal(emitted, 0);
    assert_int_equal(seeds.count, 0);
    assert_int_equal(firn_flakes_emit(&s, 0, 0.1, 0.01, &emitted, &seeds, &error), FIRN_OK);
    assert_int_equal(seeds.count, 100);
    firn_memory_fail_at(1, false);  // not reached: there is room
    assert_int_equal(firn_flakes_emit(&s, 0.1, 0.1, 0.01, &emitted, &seeds, &error), FIRN_OK);
    firn_memory_fail_at(0, false);
    assert_int_equal(emitted, 200);
    s.emitters[0].rate = 1e9;
    assert_int_equal(firn_flakes_emit(&s, 0, 100, 0.01, &emitted, &seeds, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "emitters.0: more than 2147483647 flakes");
    firn_scene_data_destroy(&s);
    s = parse_good(HEAD "emitters: [{shape: {intersection: [{sphere: {radius: 1}}, {sphere: "
                        "{center: [1.9999, 0, 0], radius: 1}}, {sphere: {center: [1, 1, 0], "
                        "radius: 0.5}}]}, rate: 10}]\n",
                   NULL);
    emitted = 0;
    assert_int_equal(firn_flakes_emit(&s, 0, 1, 0.01, &emitted, &seeds, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "emitters.0: no place for a flake");
    assert_int_equal(emitted, 0);
    firn_seeds_destroy(&seeds);
    firn_scene_data_destroy(&s);
}

// Flakes of an emitter that moves with a collider appear where it is when they are due, and have
// its velocity there; those of the same emitter at rest say where in the shape.
static void with_a_collider(void** state)
{
    (void)state;
#define MOVED                                                                              \
    "colliders: [{shape: {sphere: {radius: 0.1}}, velocity: [2, 0, -1], spin: [0, 3, 0], " \
    "pivot: [1, 0, 3]}]\n"
#define HOSE "emitters: [{" BALL ", rate: 500, velocity: [0, -1, 1], spread: 0.2"
    const char* text = "firn: 1\nmpm: {cell: 0.01}\n" MOVED HOSE ", follow: 1}]\n";
    firn_scene_data moving =
        parse_good("firn: 1\nmpm: {cell: 0.01}\n" MOVED HOSE ", follow: 0}]\n", NULL);
    firn_scene_data still = parse_good("firn: 1\nmpm: {cell: 0.01}\n" MOVED HOSE "}]\n", NULL);
    flakes *a = run(&moving, 1, 500), *b = run(&still, 1, 500);
    assert_int_equal(a->count, 500);
    for (int k = 0; k < 500; k++) {
        // due at the end of its step, where both are taken
        const double t = (k + 1) / 500.0, angle = 3 * t, c = cos(angle), s = sin(angle);
        const double x = (double)b->x[k].x - 1, z = (double)b->x[k].z - 3;
        const double turned[2] = {c * x + s * z, -s * x + c * z};
        assert_near((double)a->x[k].x, 1 + turned[0] + 2 * t, 1e-4);
        assert_near((double)a->x[k].y, (double)b->x[k].y, 1e-4);
        assert_near((double)a->x[k].z, 3 + turned[1] - t, 1e-4);
        const double u = (double)b->v[k].x, w = (double)b->v[k].z;
        assert_near((double)a->v[k].x, c * u + s * w + 2 + 3 * turned[1], 1e-4);
        assert_near((double)a->v[k].y, (double)b->v[k].y, 1e-5);
        assert_near((double)a->v[k].z, -s * u + c * w - 1 - 3 * turned[0], 1e-4);
    }
    firn_free(a);
    firn_free(b);
    firn_scene_data_destroy(&moving);
    firn_scene_data_destroy(&still);
    // which collider?
    firn_diagnostics diagnostics = {0};
    firn_scene_data none;
    assert_int_equal(parse_length(text, strlen(text), NULL, &none, &diagnostics),
                     FIRN_REFUSED_SCENE);
    assert_contains(diagnostics.items[0].message, "there is no collider 1");
    firn_diagnostics_destroy(&diagnostics);
    // a variant that is not selected is checked without colliders
    firn_scene_data with_variant = parse_good("firn: 1\nmpm: {cell: 0.01}\nsnow: [{shape: {sphere: "
                                              "{radius: 1}}}]\nvariants:\n  moving:\n"
                                              "    colliders: [{shape: {plane: {}}}]\n    "
                                              "emitters: [{shape: {sphere: {radius: 1}}, rate: 9, "
                                              "follow: 0}]\n",
                                              NULL);
    firn_scene_data_destroy(&with_variant);
}

int test_flakes(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_exact),        cmocka_unit_test(steps_do_not_matter),
        cmocka_unit_test(flakes_are_pure),         cmocka_unit_test(places_fill_the_shape),
        cmocka_unit_test(from_a_surface),          cmocka_unit_test(by_weight),
        cmocka_unit_test(velocities_spread),       cmocka_unit_test(flakes_have_moved_on),
        cmocka_unit_test(masses_and_temperatures), cmocka_unit_test(memory_and_refusals),
        cmocka_unit_test(with_a_collider)};
    return cmocka_run_group_tests_name("flakes", tests, NULL, NULL);
}
