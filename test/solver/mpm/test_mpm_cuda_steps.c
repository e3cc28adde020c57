// SPDX-License-Identifier: MIT
// Single steps on a device against the plain steps of the host, on the same input: explicit and
// semi-implicit with both guesses and preconditioners, FLIP and APIC, cubic and quadratic, two
// materials, varied snow, snow that yields by little and by much, every kind of body; the first
// step, steps that follow on the device, and one that moves particles in store.
#include "geometry/collider/bodies_world.h"
#include "solver/mpm/twin_particles.h"

static const char* name_of(const tangle* k, int32_t guess)
{
    static char text[64];
    snprintf(text, sizeof text, "%s %s%s%s%s%s",
             k->integrator == FIRN_MPM_EXPLICIT ? "explicit" : "implicit",
             k->transfer == FIRN_MPM_APIC ? "apic" : "flip",
             k->spline == FIRN_SPLINE_QUADRATIC ? " quadr" : "", k->varied ? " varied" : "",
             k->preconditioner == FIRN_MPM_PRECONDITIONER_DIAGONAL ? " diag" : "",
             guess == FIRN_MPM_GUESS_INERTIAL ? " inert" : "");
    return text;
}

// The number of iterations is given, so that what guess and preconditioner do to each of them shows
// in the result; a converged solution would be the same without.
static world* begin(const tangle* kind, double dt, int32_t guess, bool on_device)
{
    world* w = tangle_unstarted(kind);
    w->def.dt = dt;
    w->def.guess = guess;
    w->def.beta = kind->varied ? 0.5 : 1;
    w->def.tolerance = 0;
    w->def.max_iterations = 8;
    if (on_device)
        device_start(w, 0);
    else
        world_start_on(w, 1, "plain");
    tangle_started(w);
    return w;
}

static twins begin_both(const tangle* kind, double dt, int32_t guess)
{
    // planes have exact normals: a few operations turn a velocity
    return (twins){.plain = begin(kind, dt, guess, false),
                   .other = begin(kind, dt, guess, true),
                   .dt = dt,
                   .body_limit = 64,
                   .what = name_of(kind, guess)};
}

// Strains of 40 %: stresses push hard, and the clamp works far from the yield surface. Step 16
// moves particles in store.
static void explicit_steps(void** state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const tangle kind = {FIRN_MPM_EXPLICIT, k & 1 ? FIRN_MPM_APIC : FIRN_MPM_FLIP, (k & 2) != 0,
                             FIRN_MPM_PRECONDITIONER_NONE,
                             k & 4 ? FIRN_SPLINE_QUADRATIC : FIRN_SPLINE_CUBIC};
        world* tangled = tangle_make(&kind, 0.6, 1.4);
        twins t = begin_both(&kind, 1e-5, FIRN_MPM_GUESS_FORCED);
        twins_take(&t, tangled, 15);
        twins_step(&t, 0.1);
        for (int step = 16; step < 19; step++) twins_step(&t, 0);
        twins_destroy(&t);
        world_destroy(tangled);
    }
}

// Strains of a few per cent, where snow begins to yield.
static void implicit_steps(void** state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        const tangle kind = {
            FIRN_MPM_SEMI_IMPLICIT, k & 1 ? FIRN_MPM_APIC : FIRN_MPM_FLIP, (k & 2) != 0,
            k & 4 ? FIRN_MPM_PRECONDITIONER_DIAGONAL : FIRN_MPM_PRECONDITIONER_NONE,
            k & 8 ? FIRN_SPLINE_QUADRATIC : FIRN_SPLINE_CUBIC};
        world* tangled = tangle_make(&kind, 0.96, 1.02);
        for (int32_t guess = 0; guess < 2; guess++) {
            twins t = begin_both(&kind, 5e-5, guess);
            twins_take(&t, tangled, 15);
            for (int step = 15; step < 17; step++) twins_step(&t, step == 15 ? 0.05 : 0);
            twins_destroy(&t);
        }
        world_destroy(tangled);
    }
}

// Volumes come from the first step's masses, and forces of the same step from them.
static void first_steps(void** state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const tangle kind = {k & 1 ? FIRN_MPM_SEMI_IMPLICIT : FIRN_MPM_EXPLICIT,
                             k & 2 ? FIRN_MPM_APIC : FIRN_MPM_FLIP, false,
                             FIRN_MPM_PRECONDITIONER_DIAGONAL,
                             k & 4 ? FIRN_SPLINE_QUADRATIC : FIRN_SPLINE_CUBIC};
        twins t = begin_both(&kind, 1e-4, FIRN_MPM_GUESS_FORCED);
        for (int step = 0; step < 3; step++) twins_step(&t, 0);
        twins_destroy(&t);
    }
}

#define CELL 0.1
#define START 0.37  // [s] between key frames
#define AT_SURFACE 64

// A lump of snow about a point of the body's surface, with particles in free flight around it.
static void seed_about(world* w, any_source* r, firn_vec3 middle)
{
    const double from[3] = {(double)middle.x / CELL - 3, (double)middle.y / CELL - 3,
                            (double)middle.z / CELL - 3};
    world_scatter(w, r, from, (const double[3]){6, 6, 6}, 6, 0);
    for (int k = 0; k < 40; k++) world_add(w, firn_v3_add(middle, any_vec3(r, 1)), 0.05);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = any_vec3(r, 6);
}

static firn_vec3 surface_point(any_source* r, const bodies_world* bodies, firn_local c)
{
    const firn_collider* body = &bodies->bodies[c];
    for (int tries = 0; tries < 100000; tries++) {
        const firn_vec3 x = bodies_point(r, body);
        if (fabs((double)firn_collider_distance(body, &bodies->shapes, x)) < CELL) return x;
    }
    fail_msg("body %d has no surface", (int)c);
    return firn_v3(0, 0, 0);
}

// `first` .. `first + count` of the bodies; the same random numbers on both sides.
static world* meet(const bodies_world* bodies, firn_local first, firn_local count, int k,
                   bool on_device)
{
    any_source r = {990 + (uint64_t)first, 0};
    world* w = world_create(CELL);
    w->def.dt = 2e-4;
    w->def.integrator = k & 1 ? FIRN_MPM_SEMI_IMPLICIT : FIRN_MPM_EXPLICIT;
    w->def.transfer = k & 2 ? FIRN_MPM_APIC : FIRN_MPM_FLIP;
    w->def.spline = k & 4 ? FIRN_SPLINE_QUADRATIC : FIRN_SPLINE_CUBIC;
    w->def.contact = k & AT_SURFACE ? FIRN_MPM_CONTACT_SURFACE : FIRN_MPM_CONTACT_NODES;
    w->def.tolerance = 0;
    w->def.max_iterations = 4;
    w->scene.gravity[1] = -9.81;
    w->scene.shapes = bodies->shapes;  // a loan, given back before world_destroy
    w->scene.colliders = (firn_collider*)(uintptr_t)&bodies->bodies[first];
    w->scene.collider_count = count;
    for (firn_local c = first; c < first + count; c++)
        seed_about(w, &r, surface_point(&r, bodies, c));
    w->time = START;
    if (on_device)
        device_start(w, 0);
    else
        world_start_on(w, 1, "plain");
    return w;
}

static void part(twins* t)
{
    t->plain->scene.shapes = t->other->scene.shapes = (firn_shapes){0};
    twins_destroy(t);
}

static void pose(bodies_world* bodies)
{
    firn_error error = {0};
    for (firn_local c = 0; c < bodies->count; c++)
        if (firn_collider_move(&bodies->bodies[c], &bodies->shapes, START, &error) != FIRN_OK)
            fail_msg("%s", error.text);
}

// `way`: with the nodes inside, or at the surface, in explicit steps.
static void meet_one_by_one(int way)
{
    any_source r = {8814, 0};
    bodies_world bodies;
    bodies_open(&bodies, &r);
    pose(&bodies);
    for (firn_local c = 0; c < bodies.count; c++) {
        bodies.bodies[c].sticky = c % 3 == 2;
        char what[64];
        snprintf(what, sizeof what, "body %d", (int)c);
        const int k = way == AT_SURFACE ? (int)(c & ~1) | AT_SURFACE : (int)c;
        twins t = {.plain = meet(&bodies, c, 1, k, false),
                   .other = meet(&bodies, c, 1, k, true),
                   .dt = 2e-4,
                   // a column shares out what up to 31 nodes have
                   .body_limit = way == AT_SURFACE ? 20000 : 4000,
                   .what = what};
        for (int step = 0; step < 2; step++) twins_step(&t, 0);
        part(&t);
    }
    bodies_close(&bodies);
}

// Each body alone: every closed form, trees, a height field, level sets, one that deforms; at rest,
// moving, spinning, growing, with key frames; every third is sticky. Normals come from differences
// of distances (rounded at up to 4 m) over voxels and radii of centimetres, and through a rotation
// each way.
static void bodies_one_by_one(void** state)
{
    (void)state;
    meet_one_by_one(0);
}

static void bodies_at_their_surface(void** state)
{
    (void)state;
    meet_one_by_one(AT_SURFACE);
}

// Several at once: a velocity goes through all that overlap, in their order.
static void bodies_together(void** state)
{
    (void)state;
    any_source r = {8815, 0};
    bodies_world bodies;
    bodies_open(&bodies, &r);
    pose(&bodies);
    for (int k = 0; k < 3; k++) {
        const int way = k < 2 ? 2 * k : AT_SURFACE;
        twins t = {.plain = meet(&bodies, 0, bodies.count, way, false),
                   .other = meet(&bodies, 0, bodies.count, way, true),
                   .dt = 2e-4,
                   .body_limit = 20000,  // each of up to twenty turns what the last one left
                   .what = "all bodies"};
        for (int step = 0; step < 2; step++) twins_step(&t, 0);
        part(&t);
    }
    bodies_close(&bodies);
}

int test_mpm_cuda_steps(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(explicit_steps),
                                       cmocka_unit_test(implicit_steps),
                                       cmocka_unit_test(first_steps),
                                       cmocka_unit_test(bodies_one_by_one),
                                       cmocka_unit_test(bodies_at_their_surface),
                                       cmocka_unit_test(bodies_together)};
    return cmocka_run_group_tests_name("mpm_cuda_steps", tests, NULL, NULL);
}
