// SPDX-License-Identifier: MIT
// Surfaces of level sets: closed, where phi is 0, of the right volume, and with edges and corners
// that are sharp although no vertex of the grid lies on them.
#include "geometry/sdf/contour.h"

#include "firn_test.h"
#include "geometry/closed_mesh.h"
#include "geometry/gallery.h"
#include "geometry/sdf/evaluate.h"

typedef struct subject {
    firn_shapes shapes;
    firn_local shape;
    int64_t samples;
} subject;

static firn_phi sample(const void* user, firn_vec3 x)
{
    subject* s = (subject*)user;
    s->samples++;
    const firn_shape_tables tables = firn_shapes_tables(&s->shapes);
    return firn_phi_shape(&tables, s->shape, x);
}

static firn_contour_def def_of(subject* s, firn_real cell)
{
    return (firn_contour_def){.phi = sample,
                              .user = s,
                              .caution = 1,
                              .box = firn_shape_bounds(&s->shapes, s->shape),
                              .cell = cell};
}

static void contour(subject* s, firn_real cell, firn_mesh* out_mesh)
{
    const firn_contour_def def = def_of(s, cell);
    firn_error error = {0};
    s->samples = 0;
    if (firn_contour(&def, out_mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
}

// The farthest that a vertex, or the middle of a triangle, is off the surface.
static void measure_miss(subject* s, const firn_mesh* mesh, double* out_vertex, double* out_middle)
{
    *out_vertex = *out_middle = 0;
    for (firn_local v = 0; v < mesh->vertex_count; v++)
        *out_vertex = fmax(*out_vertex, fabs((double)sample(s, mesh->vertices[v]).distance));
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        firn_vec3 x = firn_v3(0, 0, 0);
        for (int k = 0; k < 3; k++)
            x = firn_v3_madd(x, (firn_real)(1.0 / 3), mesh->vertices[mesh->triangles[t][k]]);
        *out_middle = fmax(*out_middle, fabs((double)sample(s, x).distance));
    }
}

static void closed_forms(void** state)
{
    (void)state;
    const specimen* g = gallery();
    for (int k = 0; k < GALLERY_COUNT; k++) {
        subject s = {0};
        s.shape = gallery_add(&s.shapes, g[k].node);
        const firn_real cell = (firn_real)0.05;
        firn_mesh mesh;
        contour(&s, cell, &mesh);
        const double volume = firn_mesh_volume(&mesh);
        if (closed_mesh_open_sides(&mesh) != 0) fail_msg("%s is open", g[k].name);
        // a ball of 16 cells a radius, as polygons: 0.2 %
        if (!(fabs(volume / g[k].volume - 1) < 0.01))
            fail_msg("%s: %g m^3 instead of %g", g[k].name, volume, g[k].volume);
        double vertex, middle;
        measure_miss(&s, &mesh, &vertex, &middle);
        // vertices on smooth places are on it; on tips and edges they are where planes meet, which
        // bend a little within a cell
        if (!(vertex < 0.1 * (double)cell && middle < 0.15 * (double)cell))
            fail_msg("%s: vertices are %g m off, middles %g m", g[k].name, vertex, middle);
        firn_mesh_destroy(&mesh);
        firn_shapes_destroy(&s.shapes);
    }
}

// Every corner of a turned box is a vertex, and its volume is exact: nothing is cut off.
static void corners_are_sharp(void** state)
{
    (void)state;
    subject s = {0};
    const specimen* box = &gallery()[1];
    s.shape = gallery_add(&s.shapes, box->node);
    firn_mesh mesh;
    contour(&s, (firn_real)0.07, &mesh);
    for (int c = 0; c < 8; c++) {
        const firn_real* p = box->node.p;
        const firn_vec3 corner = firn_v3_add(
            firn_v3(p[0], p[1], p[2]),
            firn_q_rotate(box->node.q, firn_v3(c & 1 ? p[3] : -p[3], c & 2 ? p[4] : -p[4],
                                               c & 4 ? p[5] : -p[5])));
        double nearest = INFINITY;
        for (firn_local v = 0; v < mesh.vertex_count; v++)
            nearest = fmin(nearest, (double)firn_v3_length(firn_v3_sub(mesh.vertices[v], corner)));
        if (!(nearest < 1e-4)) fail_msg("corner %d is missed by %g m", c, nearest);
    }
    assert_near(firn_mesh_volume(&mesh) / box->volume, 1, 1e-4);  // vertices are floats
    firn_mesh_destroy(&mesh);
    firn_shapes_destroy(&s.shapes);
}

// A ball out of which a corner of a box is cut, a body in two pieces, one with a cavity.
static void trees(void** state)
{
    (void)state;
    subject s = {0};
    const firn_local ball = gallery_add(
        &s.shapes,
        (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .a = -1, .b = -1, .p = {0, 0, 0, 1}});
    const firn_local cube = gallery_add(
        &s.shapes,
        (firn_shape_node){
            .kind = FIRN_SHAPE_BOX, .a = -1, .b = -1, .p = {1, 1, 1, 1, 1, 1}, .q = {1, 0, 0, 0}});
    const firn_local small = gallery_add(
        &s.shapes,
        (firn_shape_node){
            .kind = FIRN_SHAPE_SPHERE, .a = -1, .b = -1, .p = {0, 0, 0, (firn_real)0.5}});
    const firn_local apart = gallery_add(
        &s.shapes,
        (firn_shape_node){
            .kind = FIRN_SHAPE_SPHERE, .a = -1, .b = -1, .p = {3, 0, 0, (firn_real)0.5}});
    const double whole = 4 * PI / 3;
    const struct {
        int32_t kind;
        firn_local b;
        double volume;
    } cases[] = {{FIRN_SHAPE_DIFFERENCE, cube, whole * 7 / 8},
                 {FIRN_SHAPE_INTERSECTION, cube, whole / 8},
                 {FIRN_SHAPE_DIFFERENCE, small, whole * 7 / 8},
                 {FIRN_SHAPE_UNION, apart, whole * 9 / 8}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        s.shape = gallery_add(&s.shapes,
                              (firn_shape_node){.kind = cases[k].kind, .a = ball, .b = cases[k].b});
        firn_mesh mesh;
        contour(&s, firn_contour_cell(firn_shape_bounds(&s.shapes, s.shape)), &mesh);
        assert_int_equal(closed_mesh_open_sides(&mesh), 0);
        const double volume = firn_mesh_volume(&mesh);
        if (!(fabs(volume / cases[k].volume - 1) < 0.003))
            fail_msg("case %zu: %g m^3 instead of %g", k, volume, cases[k].volume);
        firn_mesh_destroy(&mesh);
    }
    firn_shapes_destroy(&s.shapes);
}

// Most of the grid is far from the surface: leaving it out changes nothing but the time.
static void far_blocks_are_left_out(void** state)
{
    (void)state;
    subject s = {0};
    s.shape = gallery_add(&s.shapes, gallery()[2].node);
    firn_contour_def def = def_of(&s, firn_contour_cell(firn_shape_bounds(&s.shapes, s.shape)));
    firn_mesh mesh[2];
    int64_t samples[2];
    for (int k = 0; k < 2; k++) {
        def.caution = (firn_real)k;
        s.samples = 0;
        assert_int_equal(firn_contour(&def, &mesh[k], NULL), FIRN_OK);
        samples[k] = s.samples;
    }
    assert_less(samples[1], 0.7 * (double)samples[0]);
    assert_equal(firn_mesh_hash(&mesh[0]), firn_mesh_hash(&mesh[1]));
    firn_mesh_destroy(&mesh[0]);
    firn_mesh_destroy(&mesh[1]);
    firn_shapes_destroy(&s.shapes);
}

static void cells_are_chosen(void** state)
{
    (void)state;
    const firn_vec3 o = firn_v3(0, 0, 0);
    const firn_real cube = firn_contour_cell((firn_box3){o, firn_v3(1, 1, 1)});
    const firn_real plate = firn_contour_cell((firn_box3){o, firn_v3(1, (firn_real)0.05, 1)});
    const firn_real pole = firn_contour_cell((firn_box3){o, firn_v3((firn_real)1e-3, 1, 0)});
    // of 1: a few roundings of float
    assert_near(cube, 0.01, 1e-6);
    assert_less(plate, cube);
    assert_greater(plate, (firn_real)(1.0 / 384));
    assert_near(pole, 1.0 / 384, 1e-6);
}

static void refusals(void** state)
{
    (void)state;
    subject s = {0};
    s.shape = gallery_add(&s.shapes, gallery()[0].node);
    firn_mesh mesh;
    firn_error error = {0};
    const firn_real cells[] = {0, -1, (firn_real)NAN, (firn_real)1e-9};
    for (int k = 0; k < 4; k++) {
        const firn_contour_def def = def_of(&s, cells[k]);
        assert_int_equal(firn_contour(&def, &mesh, &error), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(mesh.vertex_count, 0);
    }
    // nothing inside
    const firn_contour_def def = {.phi = sample,
                                  .user = &s,
                                  .caution = 1,
                                  .box = {firn_v3(5, 5, 5), firn_v3(6, 6, 6)},
                                  .cell = (firn_real)0.1};
    assert_int_equal(firn_contour(&def, &mesh, &error), FIRN_OK);
    assert_int_equal(mesh.triangle_count, 0);
    // a box that does not contain it: the mesh is closed all the same
    const firn_contour_def cut = {.phi = sample,
                                  .user = &s,
                                  .caution = 1,
                                  .box = {firn_v3(0, -2, -2), firn_v3(2, 2, 2)},
                                  .cell = (firn_real)0.1};
    assert_int_equal(firn_contour(&cut, &mesh, &error), FIRN_OK);
    assert_greater(mesh.triangle_count, 0);
    assert_int_equal(closed_mesh_open_sides(&mesh), 0);
    firn_mesh_destroy(&mesh);
    const uint64_t in_use = firn_memory_read().bytes;
    for (uint64_t k = 1; k <= 6; k++) {
        firn_memory_fail_at(k, true);
        const firn_contour_def good = def_of(&s, (firn_real)0.2);
        assert_int_equal(firn_contour(&good, &mesh, &error), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, in_use);
    }
    firn_shapes_destroy(&s.shapes);
}

int test_contour(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(corners_are_sharp),
        cmocka_unit_test(trees),
        cmocka_unit_test(far_blocks_are_left_out),
        cmocka_unit_test(cells_are_chosen),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
