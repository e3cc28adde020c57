// SPDX-License-Identifier: MIT
// The surface of a frame as a mesh, and its files, read again by firn's own readers.
#include "output/export/snow_mesh.h"

#include <math.h>

#include "mesh/mesh.h"
#include "mesh/topology/mesh_inspect.h"
#include "output/sample.h"

#define SIDE 12  // particles
#define SPACING 0.05
#define DENSITY 300

// A box of particles near a lattice: the lower half is of material 1 and has 5 degrees less. One
// particle inside is missing, so that there is a gap.
typedef struct box {
    firn_frame frame;
    firn_vec3 x[SIDE * SIDE * SIDE], v[SIDE * SIDE * SIDE];
    firn_real mass[SIDE * SIDE * SIDE], temperature[SIDE * SIDE * SIDE];
    uint8_t material[SIDE * SIDE * SIDE];
} box;

static const firn_real densities[] = {DENSITY, DENSITY};
static const firn_rest_state rest = {densities, 2, 8, SPACING, false};

static void make_box(box* b)
{
    any_source r = {7, 0};
    firn_local n = 0;
    for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
        const int at[3] = {k / SIDE / SIDE, k / SIDE % SIDE, k % SIDE};
        if (at[0] == 6 && at[1] == 6 && at[2] == 6) continue;
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = SPACING * (at[d] + any_between(&r, -0.05, 0.05));
        b->x[n] = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
        b->v[n] = firn_v3(1, -2, 3);
        b->mass[n] = (firn_real)(DENSITY * SPACING * SPACING * SPACING);
        b->material[n] = at[1] < SIDE / 2 ? 1 : 0;
        b->temperature[n++] = at[1] < SIDE / 2 ? -7 : -2;
    }
    b->frame = (firn_frame){.info = sample_info(), .count = n};
    b->frame.position = b->x;
    b->frame.velocity = b->v;
    b->frame.mass = b->mass;
    b->frame.material = b->material;
    b->frame.temperature = b->temperature;
}

static firn_snow_mesh mesh_of(const firn_frame* frame)
{
    firn_snow_mesh m;
    firn_error error;
    if (firn_snow_mesh_make(frame, &rest, 0, &m, &error) != FIRN_OK) fail_msg("%s", error.text);
    return m;
}

// Closed, with this volume.
static void check_closed(const firn_snow_mesh* m, double volume, double tolerance)
{
    const firn_mesh mesh = {.vertices = m->surface.vertices,
                            .vertex_count = m->surface.vertex_count,
                            .triangles = m->surface.triangles,
                            .triangle_count = m->surface.triangle_count};
    firn_mesh_report report;
    assert_int_equal(firn_mesh_inspect(&mesh, &report, NULL), FIRN_OK);
    assert_int_equal(report.open_edges, 0);
    assert_int_equal(report.crowded_edges, 0);
    assert_int_equal(report.flipped_edges, 0);
    assert_near(report.volume, volume, tolerance);
}

// A closed box with its volume, without the gap inside; vertices have what is next to them.
static void has_the_snows_values(void** state)
{
    (void)state;
    static box b;
    make_box(&b);
    firn_snow_mesh m = mesh_of(&b.frame);
    const firn_isosurface* s = &m.surface;
    const double edge = SIDE * SPACING;
    // faces within a tenth of a spacing (smooth_surface.h): 5 %; edges rounded over one: 1.8 %
    check_closed(&m, edge * edge * edge, 0.07 * edge * edge * edge);
    const double middle = SPACING * (SIDE - 1) / 2;
    for (firn_local i = 0; i < s->vertex_count; i++) {
        const firn_vec3 x = s->vertices[i];
        const double off = fmax(fmax(fabs((double)x.x - middle), fabs((double)x.y - middle)),
                                fabs((double)x.z - middle));
        assert_true(off > 0.3 * edge);  // nothing around the gap
        assert_near((double)s->carried[0][i].y, -2, 1e-3);
        if (fabs((double)x.y - middle) < SPACING) continue;
        assert_int_equal(m.material[i], (double)x.y < middle ? 1 : 0);
        assert_true(m.temperature[i] == ((double)x.y < middle ? -7 : -2));
    }
    firn_snow_mesh_destroy(&m);
}

typedef firn_result writer(const char* path, const firn_snow_mesh* mesh,
                           const firn_frame_info* info, bool z_up, firn_error* error);

static void check_file(const char* path, writer* write, bool z_up, bool turned)
{
    static box b;
    make_box(&b);
    firn_snow_mesh m = mesh_of(&b.frame);
    firn_error error;
    if (write(path, &m, &b.frame.info, z_up, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_mesh again;
    if (firn_mesh_read(path, &again, &error) != FIRN_OK) fail_msg("%s: %s", path, error.text);
    assert_int_equal(again.vertex_count, m.surface.vertex_count);
    assert_int_equal(again.triangle_count, m.surface.triangle_count);
    for (firn_local i = 0; i < again.vertex_count; i++) {
        const firn_vec3 x = m.surface.vertices[i], y = again.vertices[i];
        assert_true((float)y.x == (float)x.x);
        assert_true((float)y.y == (turned ? -(float)x.z : (float)x.y));
        assert_true((float)y.z == (turned ? (float)x.y : (float)x.z));
    }
    for (firn_local t = 0; t < again.triangle_count; t++)
        assert_memory_equal(again.triangles[t], m.surface.triangles[t], sizeof again.triangles[t]);
    firn_mesh_destroy(&again);
    firn_snow_mesh_destroy(&m);
}

static void files_are_read_again(void** state)
{
    (void)state;
    check_file(FIRN_TEST_TMP "/a.ply", firn_mesh_ply_write, false, false);
    check_file(FIRN_TEST_TMP "/b.ply", firn_mesh_ply_write, true, true);
    check_file(FIRN_TEST_TMP "/a.obj", firn_mesh_obj_write, false, false);
    check_file(FIRN_TEST_TMP "/b.obj", firn_mesh_obj_write, true, true);
    check_file(FIRN_TEST_TMP "/a.glb", firn_mesh_glb_write, false, false);
    check_file(FIRN_TEST_TMP "/b.glb", firn_mesh_glb_write, true, false);  // glTF: Y up always
}

// Grains fill the space that their radius says, whatever their mass.
static void grains_have_a_surface(void** state)
{
    (void)state;
    static box b;
    static firn_real radius[SIDE * SIDE * SIDE];
    make_box(&b);
    for (firn_local p = 0; p < b.frame.count; p++) radius[p] = (firn_real)(SPACING / 2);
    b.frame.radius = radius;
    b.frame.mass = NULL;
    b.frame.velocity = NULL;
    b.frame.temperature = NULL;
    b.frame.material = NULL;
    firn_snow_mesh m = mesh_of(&b.frame);
    assert_true(m.surface.vertex_count > 1000);
    assert_null(m.surface.carried[0]);
    assert_null(m.temperature);
    assert_null(m.material);
    firn_snow_mesh_destroy(&m);
}

static void no_snow_is_an_empty_mesh(void** state)
{
    (void)state;
    const firn_frame frame = {.info = sample_info()};
    firn_snow_mesh m = mesh_of(&frame);
    firn_error error;
    assert_int_equal(m.surface.triangle_count, 0);
    assert_int_equal(firn_mesh_ply_write(FIRN_TEST_TMP "/e.ply", &m, &frame.info, false, &error),
                     FIRN_OK);
    assert_int_equal(firn_mesh_obj_write(FIRN_TEST_TMP "/e.obj", &m, &frame.info, false, &error),
                     FIRN_OK);
    assert_int_equal(firn_mesh_glb_write(FIRN_TEST_TMP "/e.glb", &m, &frame.info, false, &error),
                     FIRN_OK);
    firn_snow_mesh_destroy(&m);
}

int test_snow_mesh(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_snows_values), cmocka_unit_test(files_are_read_again),
        cmocka_unit_test(grains_have_a_surface), cmocka_unit_test(no_snow_is_an_empty_mesh)};
    return cmocka_run_group_tests_name("snow_mesh", tests, NULL, NULL);
}
