// SPDX-License-Identifier: MIT
// Our own conversion of triangles: distances at all nodes against formulas, hollows, thin plates,
// meshes inside out, threads; and against OpenVDB where this build has it.
#include "geometry/levelset/level_set_triangles.h"

#include "core/memory.h"
#include "geometry/levelset/level_set_mesh.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/levelset/level_set_vdb.h"
#include "geometry/mesh_solids.h"
#include "team_use.h"

// [m] Distances of at most 1 m between floats of at most 1 m: node, corner and result are rounded.
#define ROUNDING 4e-7

static const firn_level_set* convert(const firn_mesh* mesh, double voxel, double sign)
{
    const firn_level_set* set = NULL;
    firn_error error = {0};
    if (firn_level_set_from_triangles(mesh, voxel, sign, &set, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return set;
}

// The smallest distance of a facet's plane from the centre: a ball of this radius fits inside.
static double inner_radius(const firn_mesh* mesh, firn_local first, firn_local end)
{
    double least = INFINITY;
    for (firn_local t = first; t < end; t++) {
        const firn_vec3 a = mesh->vertices[mesh->triangles[t][0]],
                        b = mesh->vertices[mesh->triangles[t][1]],
                        c = mesh->vertices[mesh->triangles[t][2]];
        const firn_vec3 n = firn_v3_cross(firn_v3_sub(b, a), firn_v3_sub(c, a));
        least = fmin(least, fabs((double)firn_v3_dot(a, n)) / (double)firn_v3_length(n));
    }
    return least;
}

// Bounds of the exact distance at a point.
typedef struct range {
    double low, high;
} range;
typedef range (*formula)(const void* body, const double x[3]);

// All nodes of the box, with a block or without.
static void check_nodes(const firn_level_set* set, formula exact, const void* body)
{
    const double h = (double)set->voxel, band = (double)set->band;
    assert_near(band, FIRN_VDB_BAND * h, 1e-6 * h);
    int64_t inside = 0;
    for (int32_t k = 0; k < 8 * set->size[2]; k++)
        for (int32_t j = 0; j < 8 * set->size[1]; j++)
            for (int32_t i = 0; i < 8 * set->size[0]; i++) {
                const double x[3] = {(double)set->origin.x + i * h, (double)set->origin.y + j * h,
                                     (double)set->origin.z + k * h};
                const range r = exact(body, x);
                const double phi = (double)firn_level_set_node(set, i, j, k);
                if (!(phi >= fmin(r.low, band) - ROUNDING && phi <= fmin(r.high, band) + ROUNDING))
                    fail_msg("%g at (%g, %g, %g), not between %g and %g", phi, x[0], x[1], x[2],
                             r.low, r.high);
                inside += phi < 0;
            }
    assert_greater(inside, 100);
}

// ---- balls --------------------------------------------------------------------------------------

typedef struct shell {
    double outer[2], inner[2];  // radii of the balls around and inside each mesh; inner 0: none
} shell;

// A solid inside another has the larger phi everywhere: the facets lie between two balls.
static range ball_distance(const void* body, const double x[3])
{
    const shell* s = body;
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    range d = {r - s->outer[0], r - s->outer[1]};
    if (s->inner[0] > 0) {
        d.low = fmax(d.low, s->inner[1] - r);
        d.high = fmax(d.high, s->inner[0] - r);
    }
    return d;
}

static void a_ball(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_icosphere(0.5, 3);
    const shell s = {.outer = {0.5, inner_radius(&mesh, 0, mesh.triangle_count)}};
    // edges of at most e = 0.083 m: the sagitta is e^2 / 6 R
    assert_less(s.outer[0] - s.outer[1], 0.0023);
    const firn_level_set* set = convert(&mesh, 0.03, 1);
    check_nodes(set, ball_distance, &s);
    // inside out it is the same body
    mesh_turn_all(&mesh);
    const firn_level_set* turned = convert(&mesh, 0.03, -1);
    check_nodes(turned, ball_distance, &s);
    assert_int_equal(turned->block_count, set->block_count);
    for (size_t n = 0; n < (size_t)set->block_count * FIRN_LEVEL_SET_NODES; n++)
        assert_near(set->value[n], turned->value[n], ROUNDING);
    firn_level_set_release(set);
    firn_level_set_release(turned);
    firn_mesh_destroy(&mesh);
}

// Wound the other way, an inner ball is a hollow; wound the same way it is more of the solid.
static void a_ball_in_a_ball(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_icosphere(0.5, 3), inner = mesh_icosphere(0.3, 3);
    const firn_local outer_count = mesh.triangle_count;
    mesh_turn_all(&inner);
    assert_true(firn_mesh_append(&mesh, &inner));
    const shell s = {.outer = {0.5, inner_radius(&mesh, 0, outer_count)},
                     .inner = {0.3, inner_radius(&mesh, outer_count, mesh.triangle_count)}};
    const firn_level_set* set = convert(&mesh, 0.03, 1);
    check_nodes(set, ball_distance, &s);
    assert_near(firn_level_set_volume(set) / firn_mesh_volume(&mesh), 1, 0.01);
    firn_level_set_release(set);
    for (firn_local t = outer_count; t < mesh.triangle_count; t++) mesh_turn(&mesh, t);
    set = convert(&mesh, 0.03, 1);
    assert_less(firn_level_set_distance(set, firn_v3(0, 0, 0)), (firn_real)-0.25);
    assert_less(firn_level_set_distance(set, mesh_point(0.33, 0, 0)), (firn_real)-0.02);
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&inner);
}

// ---- boxes --------------------------------------------------------------------------------------

typedef struct cuboid {
    double low[3], high[3];
} cuboid;

static range cuboid_distance(const void* body, const double x[3])
{
    const cuboid* c = body;
    double out = 0, in = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const double d = fmax(c->low[i] - x[i], x[i] - c->high[i]);
        in = fmax(in, d);
        out += d > 0 ? d * d : 0;
    }
    const double d = in > 0 ? sqrt(out) : in;
    return (range){d, d};
}

// A cube, one with all its faces on nodes, a plate of two voxels and a half, a needle.
static void boxes(void** state)
{
    (void)state;
    static const cuboid cases[] = {{{-.253, -.253, -.253}, {.261, .261, .261}},
                                   {{0, 0, 0}, {.25, .5, .25}},
                                   {{-.5, .013, -.5}, {.5, .063, .5}},
                                   {{-.025, -.025, -.5}, {.025, .025, .5}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const cuboid* c = &cases[k];
        const double voxel = k == 1 ? 0.03125 : 0.02;
        firn_mesh mesh = mesh_cuboid(mesh_point(c->low[0], c->low[1], c->low[2]),
                                     mesh_point(c->high[0], c->high[1], c->high[2]));
        const firn_level_set* set = convert(&mesh, voxel, 1);
        check_nodes(set, cuboid_distance, c);
        for (int64_t t = 0; t < (int64_t)set->size[0] * set->size[1] * set->size[2]; t++)
            assert_not_equal(set->table[t], FIRN_LEVEL_SET_INSIDE);  // filled
        firn_level_set_release(set);
        firn_mesh_destroy(&mesh);
    }
}

// ---- others -------------------------------------------------------------------------------------

static void threads_change_nothing(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_torus(0.35, 0.15, 40, 20);
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        use_team(threads);
        const firn_level_set* set = convert(&mesh, 0.03, 1);
        if (threads == 1) first = firn_level_set_hash(set);
        assert_equal(firn_level_set_hash(set), first);
        firn_level_set_release(set);
    }
    use_team(0);
    firn_mesh_destroy(&mesh);
}

static void what_is_refused(void** state)
{
    (void)state;
    const firn_level_set* set = NULL;
    firn_error error = {0};
    firn_mesh mesh = mesh_icosphere(0.5, 0);
    // inside out, and nobody says so: nothing is inside
    assert_int_equal(firn_level_set_from_triangles(&mesh, 0.05, -1, &set, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "nothing is inside");
    assert_int_equal(firn_level_set_from_triangles(&mesh, 1e-4, 1, &set, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "use larger voxels");
    mesh.triangle_count = 0;
    assert_int_equal(firn_level_set_from_triangles(&mesh, 0.05, 1, &set, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_null(set);
    firn_mesh_destroy(&mesh);
}

static void memory_runs_out(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_icosphere(0.5, 1);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result == FIRN_BROKEN_MEMORY; k++) {
        const firn_level_set* set = NULL;
        firn_memory_fail_at(k, false);
        result = firn_level_set_from_triangles(&mesh, 0.1, 1, &set, NULL);
        firn_memory_fail_at(0, false);
        firn_level_set_release(set);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(result, FIRN_OK);
    firn_mesh_destroy(&mesh);
}

#ifdef FIRN_HAVE_VDB
// Within a voxel of the surface OpenVDB looks at all triangles. Farther away it takes the nearest
// of the triangles of neighbouring nodes, which may miss a nearer one: never less than the
// distance, and less than a voxel more. Its sign may be wrong at nodes that are almost on the
// surface.
static void as_openvdb(void** state)
{
    (void)state;
    firn_mesh meshes[3] = {mesh_icosphere(0.5, 3), mesh_torus(0.35, 0.15, 64, 32),
                           mesh_cuboid(mesh_point(-.3, -.2, -.1), mesh_point(.3, .21, .32))};
    firn_mesh inner = mesh_icosphere(0.25, 2);
    mesh_turn_all(&inner);
    assert_true(firn_mesh_append(&meshes[0], &inner));
    for (int m = 0; m < 3; m++) {
        const firn_level_set *ours = convert(&meshes[m], 0.02, 1), *theirs = NULL;
        const firn_mesh_level_set_args args = {(firn_real)0.02, FIRN_BROKEN_MESH_REFUSE, false};
        assert_int_equal(firn_level_set_from_mesh(&meshes[m], &args, &theirs, NULL, NULL), FIRN_OK);
        double close = 0, more = 0, less = 0;
        for (int32_t k = 0; k < 8 * ours->size[2]; k++)
            for (int32_t j = 0; j < 8 * ours->size[1]; j++)
                for (int32_t i = 0; i < 8 * ours->size[0]; i++) {
                    const double h = (double)ours->voxel;
                    int32_t at[3] = {i, j, k};
                    const double from[3] = {(double)(ours->origin.x - theirs->origin.x),
                                            (double)(ours->origin.y - theirs->origin.y),
                                            (double)(ours->origin.z - theirs->origin.z)};
                    for (int a = 0; a < 3; a++) at[a] += (int32_t)lround(from[a] / h);
                    const double x = (double)firn_level_set_node(ours, i, j, k);
                    const double y = (double)firn_level_set_node(theirs, at[0], at[1], at[2]);
                    if (fabs(x) < h) close = fmax(close, fabs(fabs(x) - fabs(y)));
                    if (fabs(x) > 0.1 * h) assert_equal(x < 0, y < 0);
                    more = fmax(more, fabs(y) - fabs(x));
                    less = fmax(less, fabs(x) - fabs(y));
                }
        print_message("mesh %d: close %g, more %g, less %g\n", m, close, more, less);
        assert_less(close, ROUNDING);
        assert_less(less, ROUNDING);
        assert_less(more, (double)ours->voxel);
        firn_level_set_release(ours);
        firn_level_set_release(theirs);
        firn_mesh_destroy(&meshes[m]);
    }
    firn_mesh_destroy(&inner);
}
#endif

int test_level_set_triangles(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball),          cmocka_unit_test(a_ball_in_a_ball),
        cmocka_unit_test(boxes),           cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(what_is_refused), cmocka_unit_test(memory_runs_out),
#ifdef FIRN_HAVE_VDB
        cmocka_unit_test(as_openvdb),
#endif
    };
    return cmocka_run_group_tests_name("level_set_triangles", tests, NULL, NULL);
}
