// SPDX-License-Identifier: MIT
// Random packings of spheres: as dense as promised, hardly overlapping, inside the shape.
#include "geometry/sampling/packing.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/gallery.h"
#include "math/random.h"

static firn_local box(firn_shapes* shapes, double half)
{
    const firn_real h = (firn_real)half;
    return gallery_add(
        shapes,
        (firn_shape_node){.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, h, h, h, 0}, .q = {1, 0, 0, 0}});
}

static double apart(firn_vec3 a, firn_vec3 b)
{
    return sqrt(pow((double)(a.x - b.x), 2) + pow((double)(a.y - b.y), 2) +
                pow((double)(a.z - b.z), 2));
}

// In a box of 12 diameters: spheres of diameter 0.1 whose centres fill it but for 0.95 radii. Most
// touch six others or more, as jammed ones do (isostatic: six).
static void a_jammed_heap(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_points p = {0};
    firn_error error = {0};
    const firn_local shape = box(&shapes, 0.6);
    assert_int_equal(firn_pack_shape(&shapes, shape, (firn_real)0.1, &p, &error), FIRN_OK);
    const double inner = 0.6 - 0.0475, most = 1e-6;
    double nearest = 1, contacts = 0;
    int inside = 0;
    for (firn_local i = 0; i < p.count; i++) {
        const double far = fmax(fabs((double)p.position[i].x),
                                fmax(fabs((double)p.position[i].y), fabs((double)p.position[i].z)));
        assert_at_most(far, inner + most);
        inside += far < 0.45;
        for (firn_local j = 0; j < p.count; j++) {
            const double d = i != j ? apart(p.position[i], p.position[j]) : 1;
            nearest = fmin(nearest, d);
            contacts += far < 0.45 && d < 0.102;
        }
    }
    const double density = p.count / pow(2 * inner, 3) * 1e-3;  // of a cube of the diameter
    print_message("%d spheres, %.3f a cube, nearest %.4f, %.1f within 2 %%\n", (int)p.count,
                  density, nearest, contacts / inside);
    assert_near(density / FIRN_PACKING_DENSITY, 1, 0.05);  // the surface cuts at random
    assert_greater(nearest, 0.096);                        // pushes of a few weights
    assert_greater(contacts / inside, 6);
    firn_points_destroy(&p);
    firn_shapes_destroy(&shapes);
}

// The same every time; appended to what is there; scaled with the diameter.
static void the_same_again(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_points p = {0};
    const firn_local small = box(&shapes, 0.5), large = box(&shapes, 1);
    assert_int_equal(firn_pack_shape(&shapes, small, (firn_real)0.125, &p, NULL), FIRN_OK);
    const firn_local n = p.count;
    assert_int_equal(firn_pack_shape(&shapes, small, (firn_real)0.125, &p, NULL), FIRN_OK);
    assert_int_equal(p.count, 2 * n);
    assert_memory_equal(p.position, p.position + n, (size_t)n * sizeof *p.position);
    assert_int_equal(firn_pack_shape(&shapes, large, (firn_real)0.25, &p, NULL), FIRN_OK);
    assert_int_equal(p.count, 3 * n);
    for (firn_local k = 0; k < n; k++)
        assert_equal(p.position[2 * n + k].x, 2 * p.position[k].x);  // exact: powers of two
    firn_points_destroy(&p);
    firn_shapes_destroy(&shapes);
}

static void refusals(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_points p = {0};
    firn_error error = {0};
    const firn_local shape = box(&shapes, 0.5);
    const firn_local plane =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    assert_int_equal(firn_pack_shape(&shapes, shape, 0, &p, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "above 0");
    assert_int_equal(firn_pack_shape(&shapes, shape, 5, &p, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "no grain of 5 m");
    assert_int_equal(firn_pack_shape(&shapes, plane, 1, &p, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "no end");
    assert_int_equal(firn_pack_shape(&shapes, shape, (firn_real)1e-5, &p, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "times as large");
    assert_int_equal(p.count, 0);
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_pack_shape(&shapes, shape, (firn_real)0.25, &p, &error),
                     FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_int_equal(p.count, 0);
    firn_points_destroy(&p);
    firn_shapes_destroy(&shapes);
}

// How the tile was made: 1000 spheres at random in a periodic cube, pushed apart until they hardly
// overlap. It takes a second, hence the table.
#define TILE 1000  // spheres per tile
#define TILE_SEED 0x7061636bu
#define ROUNDS 3000         // iterations at most
#define LIST_ROUNDS 10      // lifetime of a neighbour list while spheres still move much
#define LIST_EARLY 200      // iterations; later lists live ten times as long
#define LIST_REACH 1.35     // [diameters]
#define LISTED (TILE * 16)  // capacity of the neighbour list [pairs]
#define TOUCH 1e-3          // [diameters] overlap at convergence
// Sphere centres in units of the diameter, in a periodic cube.
typedef struct tile {
    double x[TILE][3];
    double size;  // [diameters]
} tile;

typedef struct pair_table {
    int32_t count;
    int16_t a[LISTED], b[LISTED];
} pair_table;

// The vector from a to the nearest periodic image of b.
static double apart_in(const tile* t, int a, int b, double out_way[3])
{
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        double way = t->x[b][d] - t->x[a][d];
        way -= t->size * floor(way / t->size + 0.5);
        out_way[d] = way;
        sum += way * way;
    }
    return sum;
}

static void list_pairs(const tile* t, pair_table* list)
{
    double way[3];
    list->count = 0;
    for (int a = 0; a < TILE; a++)
        for (int b = a + 1; b < TILE; b++)
            if (apart_in(t, a, b, way) < LIST_REACH * LIST_REACH && list->count < LISTED) {
                list->a[list->count] = (int16_t)a;
                list->b[list->count++] = (int16_t)b;
            }
}

// Separates overlapping pairs one after the other (Gauss-Seidel). Returns the largest overlap.
static double relax(tile* t, const pair_table* list)
{
    double most = 0, way[3];
    for (int32_t k = 0; k < list->count; k++) {
        const int a = list->a[k], b = list->b[k];
        const double d2 = apart_in(t, a, b, way);
        if (d2 >= 1) continue;
        const double distance = sqrt(d2), overlap = 1 - distance;
        const double share = 0.5 * overlap / (distance > 1e-9 ? distance : 1e-9);
        most = overlap > most ? overlap : most;
        for (int d = 0; d < 3; d++) {
            t->x[a][d] -= share * way[d];
            t->x[b][d] += share * way[d];
        }
    }
    return most;
}

static void relax_tile(tile* t)
{
    static pair_table pairs;
    pair_table* list = &pairs;
    t->size = cbrt(TILE / FIRN_PACKING_DENSITY);
    for (int k = 0; k < TILE; k++)
        for (int d = 0; d < 3; d++)
            t->x[k][d] = t->size * firn_random_unit(TILE_SEED, (uint64_t)(3 * k + d));
    for (int round = 0; round < ROUNDS; round++) {
        const int holds = round < LIST_EARLY ? LIST_ROUNDS : 10 * LIST_ROUNDS;
        if (round % holds == 0) list_pairs(t, list);
        if (relax(t, list) < TOUCH) break;
    }
    for (int k = 0; k < TILE; k++)
        for (int d = 0; d < 3; d++) t->x[k][d] -= t->size * floor(t->x[k][d] / t->size);
}

// The table of the program is that tile, bit for bit.
static const double table[TILE][3] = {
#include "geometry/sampling/packing_tile.inc"
};

static void the_table_is_the_tile(void** state)
{
    (void)state;
    if (FIRN_TEST_SANITIZED) skip();  // the same numbers in ten seconds
    static tile t;
    relax_tile(&t);
    assert_memory_equal(t.x, table, sizeof table);
}

int test_packing(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jammed_heap), cmocka_unit_test(the_same_again),
        cmocka_unit_test(the_table_is_the_tile), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}
