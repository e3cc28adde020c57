// SPDX-License-Identifier: MIT
// The smooth surface of particles: a ball and a pool, where the true surface is known.
#include "state/surface/smooth_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "figure.h"
#include "math/vec3.h"
#include "seed.h"
#include "team_use.h"

#define SPACING 0.02  // [m]
#define RADIUS 10     // [spacings] of the ball
#define WIDE 10       // [spacings] half width of the pool
#define DEEP 8        // [spacings] of the pool, from y = 0 down

typedef struct cloud {
    firn_local count;
    firn_vec3 *x, *v;
    firn_real* volume;
} cloud;

static void destroy_cloud(cloud* c)
{
    firn_free(c->x);
    firn_free(c->v);
    firn_free(c->volume);
}

static bool in_ball(const double at[3])
{
    return at[0] * at[0] + at[1] * at[1] + at[2] * at[2] < RADIUS * RADIUS;
}

static bool in_pool(const double at[3])
{
    return fabs(at[0]) < WIDE && fabs(at[2]) < WIDE && at[1] < 0 && at[1] > -DEEP;
}

// One particle in each cube of the spacing, off its middle by up to `jitter` spacings along each
// axis.
static cloud fill(bool (*inside)(const double at[3]), double jitter)
{
    const int side = 24;
    const size_t most = (size_t)side * (size_t)side * (size_t)side;
    cloud c = {0, firn_alloc(most, sizeof *c.x), firn_alloc(most, sizeof *c.v),
               firn_alloc(most, sizeof *c.volume)};
    any_source r = any_start(7);
    for (size_t k = 0; k < most; k++) {
        const int cube[3] = {(int)k % side, (int)k / side % side, (int)k / side / side};
        double at[3];
        for (int d = 0; d < 3; d++) at[d] = cube[d] - side / 2 + 0.5;
        if (!inside(at)) continue;
        for (int d = 0; d < 3; d++) at[d] += any_between(&r, -jitter, jitter);
        c.x[c.count] = firn_v3((firn_real)(SPACING * at[0]), (firn_real)(SPACING * at[1]),
                               (firn_real)(SPACING * at[2]));
        c.v[c.count] = firn_v3(1, -2, 3);
        c.volume[c.count++] = (firn_real)(SPACING * SPACING * SPACING);
    }
    return c;
}

static firn_isosurface surface_of(const cloud* c, int threads)
{
    firn_isosurface s = {0};
    firn_error error;
    use_team(threads);
    const firn_smooth_surface_def def = {.x = c->x,
                                         .v = c->v,
                                         .volume = c->volume,
                                         .count = c->count,
                                         .spacing = SPACING,
                                         .passes = -1};
    if (firn_smooth_surface_make(&def, &s, &error) != FIRN_OK) fail_msg("%s", error.text);
    use_team(0);
    assert_true(s.triangle_count > 0);
    return s;
}

static int compare_edges(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return x < y ? -1 : x > y;
}

// Each directed edge appears once, and its opposite once: closed, with one side.
static void check_closed(const firn_isosurface* s)
{
    const size_t count = 3 * (size_t)s->triangle_count;
    uint64_t* edges = firn_alloc(2 * count, sizeof *edges);
    for (firn_local t = 0; t < s->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            const uint64_t a = (uint64_t)s->triangles[t][c],
                           b = (uint64_t)s->triangles[t][(c + 1) % 3];
            edges[3 * (size_t)t + (size_t)c] = a << 32 | b;
            edges[count + 3 * (size_t)t + (size_t)c] = b << 32 | a;
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    qsort(edges + count, count, sizeof *edges, compare_edges);
    for (size_t k = 1; k < count; k++) assert_true(edges[k] != edges[k - 1]);
    assert_memory_equal(edges, edges + count, count * sizeof *edges);
    firn_free(edges);
}

// Errors of the vertices where the true surface is smooth, in spacings; and of normals.
typedef struct errors {
    double mean, largest, rms;  // [spacings]; mean is signed, positive outside
    double tilt;                // [rad] root of the mean square
    firn_local count;
} errors;

static void add_error(errors* e, double off, double cosine)
{
    e->mean += off;
    e->rms += off * off;
    e->largest = fmax(e->largest, fabs(off));
    e->tilt += 2 * (1 - cosine);
    e->count++;
}

static void finish_errors(errors* e)
{
    assert_true(e->count > 100);
    e->mean /= e->count;
    e->rms = sqrt(e->rms / e->count);
    e->tilt = sqrt(e->tilt / e->count);
    print_message("  mean %.4f rms %.4f largest %.4f spacings, tilt %.4f rad\n", e->mean, e->rms,
                  e->largest, e->tilt);
}

static errors errors_of_ball(const firn_isosurface* s)
{
    errors e = {0};
    for (firn_local k = 0; k < s->vertex_count; k++) {
        const firn_vec3 x = s->vertices[k];
        const double r = (double)firn_v3_length(x);
        const double cosine = (double)firn_v3_dot(x, s->normals[k]) / r;
        assert_at_least(cosine, 0);
        add_error(&e, r / SPACING - RADIUS, cosine);
    }
    finish_errors(&e);
    return e;
}

// The free surface, three spacings from its edges.
static errors errors_of_pool(const firn_isosurface* s)
{
    errors e = {0};
    const double within = (WIDE - 3) * SPACING;
    for (firn_local k = 0; k < s->vertex_count; k++) {
        const firn_vec3 x = s->vertices[k], n = s->normals[k];
        if (fabs((double)x.x) > within || fabs((double)x.z) > within) continue;
        if ((double)x.y < -0.5 * DEEP * SPACING) continue;
        add_error(&e, (double)x.y / SPACING, (double)n.y);
    }
    finish_errors(&e);
    return e;
}

static void a_ball_is_round(void** state)
{
    (void)state;
    const double jitters[] = {0, 0.2};
    for (int k = 0; k < 2; k++) {
        cloud c = fill(in_ball, jitters[k]);
        firn_isosurface s = surface_of(&c, 2);
        check_closed(&s);
        const errors e = errors_of_ball(&s);
        check_figure(fluid_surface_mean, e.mean);
        check_figure(fluid_surface_ball, e.largest);
        firn_isosurface_destroy(&s);
        destroy_cloud(&c);
    }
}

static void a_pool_is_flat(void** state)
{
    (void)state;
    const double jitters[] = {0, 0.2};
    for (int k = 0; k < 2; k++) {
        cloud c = fill(in_pool, jitters[k]);
        firn_isosurface s = surface_of(&c, 2);
        check_closed(&s);
        const errors e = errors_of_pool(&s);
        check_figure(fluid_surface_mean, e.mean);
        check_figure(fluid_surface_pool, e.largest);
        check_figure(fluid_surface_tilt, e.tilt);
        firn_isosurface_destroy(&s);
        destroy_cloud(&c);
    }
}

static void vertices_have_velocities(void** state)
{
    (void)state;
    cloud c = fill(in_ball, 0.2);
    firn_isosurface s = surface_of(&c, 1);
    assert_non_null(s.carried[0]);
    for (firn_local k = 0; k < s.vertex_count; k++) {
        assert_near(s.carried[0][k].x, 1, 1e-5);
        assert_near(s.carried[0][k].y, -2, 1e-5);
        assert_near(s.carried[0][k].z, 3, 1e-5);
    }
    firn_isosurface_destroy(&s);
    destroy_cloud(&c);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    cloud c = fill(in_ball, 0.2);
    const int threads[] = {1, 2, 7};
    uint64_t first = 0;
    for (int k = 0; k < 3; k++) {
        firn_isosurface s = surface_of(&c, threads[k]);
        const size_t vertices = (size_t)s.vertex_count;
        const uint64_t hash =
            firn_hash(s.vertices, vertices * sizeof *s.vertices, 0) ^
            firn_hash(s.normals, vertices * sizeof *s.normals, 1) ^
            firn_hash(s.triangles, (size_t)s.triangle_count * sizeof *s.triangles, 2);
        if (k == 0) first = hash;
        assert_true(hash == first);
        firn_isosurface_destroy(&s);
    }
    destroy_cloud(&c);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    cloud c = fill(in_ball, 0);
    c.count = 200;
    const firn_smooth_surface_def def = {
        .x = c.x, .volume = c.volume, .count = c.count, .spacing = SPACING, .passes = 1};
    const uint64_t before = firn_memory_read().bytes;
    firn_result r = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; r != FIRN_OK; k++) {
        firn_isosurface s = {0};
        firn_error error = {0};
        firn_memory_fail_at(k, true);
        r = firn_smooth_surface_make(&def, &s, &error);
        firn_memory_fail_at(0, false);
        assert_either(r, FIRN_OK, FIRN_BROKEN_MEMORY);
        if (r != FIRN_OK) assert_contains(error.text, "out of memory");
        firn_isosurface_destroy(&s);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_in_range(k, 1, 100);
    }
    destroy_cloud(&c);
}

static void nothing_has_no_surface(void** state)
{
    (void)state;
    firn_isosurface s = {0};
    const firn_smooth_surface_def def = {.spacing = 1, .passes = -1};
    assert_int_equal(firn_smooth_surface_make(&def, &s, NULL), FIRN_OK);
    assert_int_equal(s.triangle_count, 0);
    firn_isosurface_destroy(&s);
}

int test_smooth_surface(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_round),          cmocka_unit_test(a_pool_is_flat),
        cmocka_unit_test(vertices_have_velocities), cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(memory_may_run_out),       cmocka_unit_test(nothing_has_no_surface),
    };
    return cmocka_run_group_tests_name("smooth_surface", tests, NULL, NULL);
}
