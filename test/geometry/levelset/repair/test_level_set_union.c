// SPDX-License-Identifier: MIT
// Level sets of meshes that cut themselves: distances at all nodes against the plain loop over the
// surface's rectangles, against the conversion by OpenVDB where this build has it; threads, memory.
#include "geometry/levelset/repair/level_set_union.h"

#include "core/memory.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/levelset/level_set_vdb.h"
#include "geometry/levelset/repair/level_set_repair.h"
#include "geometry/mesh_solids.h"
#include "mesh/spatial/nearest_triangle.h"
#include "team_use.h"

// [m] Distances of at most 1 m between floats of at most 1 m: node, corner and result are rounded.
#define ROUNDING 4e-7

static const firn_level_set* convert(const firn_mesh* mesh, double voxel, double sign)
{
    const firn_level_set* set = NULL;
    firn_error error = {0};
    if (firn_level_set_from_union(mesh, voxel, sign, &set, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return set;
}

static firn_vec3 node_at(const firn_level_set* set, int32_t i, int32_t j, int32_t k)
{
    return firn_v3_madd(set->origin, set->voxel, firn_v3((firn_real)i, (firn_real)j, (firn_real)k));
}

// ---- a knob on a cube ---------------------------------------------------------------------------

#define SIDE 0.503  // of the cube from its middle, to both sides; of the knob 0.2, up to x = 0.9
#define KNOB 0.203
#define END 0.9

static void add_rectangle(firn_mesh* mesh, firn_vec3 a, firn_vec3 b, firn_vec3 c)
{
    const int32_t v = mesh->vertex_count;
    const firn_vec3 corner[4] = {a, b, c, firn_v3_add(a, firn_v3_sub(c, b))};
    for (int i = 0; i < 4; i++) assert_true(firn_mesh_add_vertex(mesh, corner[i]));
    assert_true(firn_mesh_add_triangle(mesh, v, v + 1, v + 2));
    assert_true(firn_mesh_add_triangle(mesh, v, v + 2, v + 3));
}

// The rectangles at x from (y0, z0) to (y1, z1).
static void add_wall(firn_mesh* mesh, double x, double y0, double z0, double y1, double z1)
{
    add_rectangle(mesh, mesh_point(x, y0, z0), mesh_point(x, y1, z0), mesh_point(x, y1, z1));
}

// The four sides along x of a bar.
static void add_sides(firn_mesh* mesh, double from, double to, double s)
{
    const double at[4][2] = {{-s, -s}, {s, -s}, {s, s}, {-s, s}};
    for (int k = 0; k < 4; k++)
        add_rectangle(mesh, mesh_point(from, at[k][0], at[k][1]),
                      mesh_point(to, at[k][0], at[k][1]),
                      mesh_point(to, at[(k + 1) % 4][0], at[(k + 1) % 4][1]));
}

// What is outside of a cube and a knob that stands in it.
static firn_mesh outer_rectangles(void)
{
    const double s = SIDE, n = KNOB;
    firn_mesh mesh = {0};
    add_sides(&mesh, -s, s, s);
    add_wall(&mesh, -s, -s, -s, s, s);
    add_wall(&mesh, s, -s, -s, s, -n);  // around the knob
    add_wall(&mesh, s, -s, n, s, s);
    add_wall(&mesh, s, -s, -n, -n, n);
    add_wall(&mesh, s, n, -n, s, n);
    add_sides(&mesh, s, END, n);
    add_wall(&mesh, END, -n, -n, n, n);
    return mesh;
}

static double plain_distance(const firn_mesh* mesh, firn_vec3 x)
{
    double least = INFINITY;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const int32_t* c = mesh->triangles[t];
        const firn_vec3* v = mesh->vertices;
        const firn_nearest at = firn_nearest_on_triangle(x, v[c[0]], v[c[1]], v[c[2]]);
        least = fmin(least, sqrt(at.distance2));
    }
    return least;
}

static bool is_inside(firn_vec3 at)
{
    const double x = (double)at.x, y = fabs((double)at.y), z = fabs((double)at.z);
    return (fabs(x) < SIDE && y < SIDE && z < SIDE) || (x > 0 && x < END && y < KNOB && z < KNOB);
}

// Outside, the nearest point is never on the rim where the two meet, for that is a hollow edge.
// Inside it often is: the rim of the fragments is up to two of their edges, half a voxel, off.
static void check_nodes(const firn_level_set* set, const firn_mesh* surface)
{
    const double h = (double)set->voxel, band = (double)set->band;
    double worst = 0;
    int inside = 0, exact = 0;
    assert_near(band, FIRN_VDB_BAND * h, 1e-6 * h);
    for (int32_t k = 0; k < 8 * set->size[2]; k++)
        for (int32_t j = 0; j < 8 * set->size[1]; j++)
            for (int32_t i = 0; i < 8 * set->size[0]; i++) {
                const firn_vec3 x = node_at(set, i, j, k);
                const double phi = (double)firn_level_set_node(set, i, j, k);
                const double d = plain_distance(surface, x);
                if (is_inside(x)) {
                    assert_true(phi < 0);
                    worst = fmax(worst, fabs(-phi - d));
                    exact += fabs(-phi - d) <= ROUNDING;
                    inside++;
                } else {
                    assert_near(phi, fmin(d, band), ROUNDING);
                }
            }
    print_message("%d nodes inside, %d of them exact, at most %g voxels off\n", inside, exact,
                  worst / h);
    assert_greater(inside, 5000);
    assert_greater(exact, inside / 2);
    assert_at_most(worst, 0.5 * h);
}

static void a_knob_on_a_cube(void** state)
{
    (void)state;
    firn_mesh surface = outer_rectangles();
    for (int turned = 0; turned < 2; turned++) {
        firn_mesh mesh = mesh_cuboid(mesh_point(-SIDE, -SIDE, -SIDE), mesh_point(SIDE, SIDE, SIDE));
        firn_mesh knob = mesh_cuboid(mesh_point(0, -KNOB, -KNOB), mesh_point(END, KNOB, KNOB));
        assert_true(firn_mesh_append(&mesh, &knob));
        if (turned) mesh_turn_all(&mesh);
        const firn_level_set* set = convert(&mesh, 0.05, turned ? -1 : 1);
        check_nodes(set, &surface);
        firn_level_set_release(set);
        firn_mesh_destroy(&mesh);
        firn_mesh_destroy(&knob);
    }
    firn_mesh_destroy(&surface);
}

// ---- against OpenVDB ----------------------------------------------------------------------------

static firn_mesh three_balls(void)
{
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 0.4, 32, 16);
    firn_mesh b = mesh_ball(mesh_point(0.35, 0.1, -0.1), 0.3, 24, 12);
    firn_mesh c = mesh_ball(mesh_point(-0.1, 0.4, 0.05), 0.25, 24, 12);
    assert_true(firn_mesh_append(&mesh, &b));
    assert_true(firn_mesh_append(&mesh, &c));
    firn_mesh_destroy(&b);
    firn_mesh_destroy(&c);
    return mesh;
}

#ifdef FIRN_HAVE_VDB

static const firn_level_set* by_openvdb(const firn_mesh* mesh, double voxel)
{
    firn_winding* winding = NULL;
    firn_level_set surface, parts;
    const firn_level_set* set = NULL;
    char message[300] = "";
    assert_int_equal(firn_winding_create(mesh, &winding, NULL), FIRN_OK);
    assert_int_equal(
        firn_level_set_repair(winding, firn_mesh_bounds(mesh), voxel, 1, &surface, NULL), FIRN_OK);
    assert_int_equal(firn_vdb_rebuild(&surface, &parts, message, sizeof message), FIRN_OK);
    assert_int_equal(firn_level_set_adopt(&parts, &set, NULL), FIRN_OK);
    firn_winding_destroy(winding);
    firn_free((void*)surface.table);
    firn_free((void*)surface.value);
    return set;
}

// OpenVDB measures distances from a contour, whose vertices are within their cells: sqrt(3) voxels
// off at most, along the rims and where the balls are thin; elsewhere by the height of a chord of
// two voxels over a ball, h^2 / 2 R. Far inside, it takes up to 0.9 voxels more.
static void as_openvdb(void** state)
{
    (void)state;
    const double h = 0.02;
    firn_mesh mesh = three_balls();
    const firn_level_set *ours = convert(&mesh, h, 1), *theirs = by_openvdb(&mesh, h);
    double worst = 0, sum = 0;
    int count = 0;
    for (int32_t k = 0; k < 8 * ours->size[2]; k++)
        for (int32_t j = 0; j < 8 * ours->size[1]; j++)
            for (int32_t i = 0; i < 8 * ours->size[0]; i++) {
                const double phi = (double)firn_level_set_node(ours, i, j, k);
                if (!(fabs(phi) < 3 * h)) continue;
                const double off =
                    fabs((double)firn_level_set_distance(theirs, node_at(ours, i, j, k)) - phi);
                worst = fmax(worst, off);
                sum += off;
                count++;
            }
    print_message("%d nodes near the surface: %g voxels apart on average, %g at most\n", count,
                  sum / count / h, worst / h);
    assert_greater(count, 10000);
    assert_at_most(worst, sqrt(3) * h);
    assert_at_most(sum / count, h * h / (2 * 0.25));
    assert_near(firn_level_set_volume(ours) / firn_level_set_volume(theirs), 1, 0.01);
    firn_level_set_release(ours);
    firn_level_set_release(theirs);
    firn_mesh_destroy(&mesh);
}

#endif

// ---- threads, refusals and memory ---------------------------------------------------------------

static void threads_change_nothing(void** state)
{
    (void)state;
    firn_mesh mesh = three_balls();
    uint64_t first = 0;
    for (int threads = 1; threads <= 3; threads++) {
        use_team(threads);
        const firn_level_set* set = convert(&mesh, 0.04, 1);
        const uint64_t hash = firn_level_set_hash(set);
        if (threads == 1) first = hash;
        assert_equal(hash, first);
        firn_level_set_release(set);
    }
    use_team(0);
    firn_mesh_destroy(&mesh);
}

static void what_is_refused(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_cuboid(mesh_point(-SIDE, -SIDE, -SIDE), mesh_point(SIDE, SIDE, SIDE));
    const firn_level_set* set = NULL;
    firn_error error = {0};
    assert_int_equal(firn_level_set_from_union(&mesh, 0.05, -1, &set, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "encloses no volume");
    firn_mesh_destroy(&mesh);
}

static void memory_runs_out(void** state)
{
    (void)state;
    firn_mesh mesh = three_balls();
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k += 1 + k / 8, failures++) {
        const firn_level_set* set = NULL;
        firn_memory_fail_at(k, false);
        const firn_result result = firn_level_set_from_union(&mesh, 0.1, 1, &set, NULL);
        firn_memory_fail_at(0, false);
        firn_level_set_release(set);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
    }
    assert_at_least(failures, 10);
    firn_mesh_destroy(&mesh);
}

int test_level_set_union(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_knob_on_a_cube),
#ifdef FIRN_HAVE_VDB
        cmocka_unit_test(as_openvdb),
#endif
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("level_set_union", tests, NULL, NULL);
}
