// SPDX-License-Identifier: MIT
// The triangle surface of a ball of snow: closed, of one piece, facing outward, around the volume
// that its mass has in packed snow; the same bits for any number of threads.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

#define RADIUS 0.2    // [m]
#define SPACING 0.02  // [m] of the particles of mpm; the default voxel

static const char mpm_ball[] =
    "firn: 1\nsolver: mpm\nmpm: {cell: 0.04}\nmaterials:\n  s: {density: 300}\nsnow:\n"
    "  - {shape: {sphere: {center: [1, 2, 3], radius: 0.2}}, material: s,\n"
    "     velocity: [1, -2, 3]}\n";
static const char grains_ball[] =
    "firn: 1\nsolver: grains\ngrains: {radius: 0.01}\nmaterials:\n  s: {density: 300}\nsnow:\n"
    "  - {shape: {sphere: {center: [0, 1, 0], radius: 0.2}}, material: s, temperature: -7}\n"
    "air: {drag: false, temperature: -7}\n";

static firn_sim* ball(const char* yaml, int threads)
{
    firn_scene* scene;
    firn_sim* sim;
    firn_error error;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, yaml, "ball", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static firn_surface_mesh surface_of(const firn_sim* sim, const firn_surface_def* def)
{
    firn_surface_mesh mesh;
    if (firn_sim_surface(sim, def, &mesh) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    return mesh;
}

static const firn_real* reals(const firn_sim* sim, const char* name, firn_local* out_count)
{
    firn_field_view view;
    assert_int_equal(firn_sim_field(sim, name, &view), FIRN_OK);
    *out_count = view.count;
    return view.data;
}

// [m^3] Of packed snow: mass over density; of grains, 1.2223 in a cube of their diameter.
static double packed_volume(const firn_sim* sim, bool grains)
{
    firn_local count;
    const firn_real* value = reals(sim, grains ? "radius" : "mass", &count);
    double sum = 0;
    for (firn_local p = 0; p < count; p++)
        sum += grains ? pow(2 * (double)value[p], 3) / 1.2223 : (double)value[p] / 300;
    return sum;
}

// ---- closed -------------------------------------------------------------------------------------

static int by_value(const void* a, const void* b)
{
    const int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
    return (x > y) - (x < y);
}

// Each directed edge occurs once, and so does its reverse: all edges have two triangles with the
// same winding.
static void check_closed(const firn_surface_mesh* m)
{
    const int64_t edges = 3 * m->triangle_count;
    int64_t* edge = malloc((size_t)edges * sizeof *edge);
    int64_t* reverse = malloc((size_t)edges * sizeof *reverse);
    for (int64_t k = 0; k < edges; k++) {
        const int64_t t = k / 3;
        const int64_t a = m->triangles[k], b = m->triangles[3 * t + (k - 3 * t + 1) % 3];
        assert_in_range(a, 0, m->vertex_count - 1);
        edge[k] = a * m->vertex_count + b;
        reverse[k] = b * m->vertex_count + a;
    }
    qsort(edge, (size_t)edges, sizeof *edge, by_value);
    qsort(reverse, (size_t)edges, sizeof *reverse, by_value);
    for (int64_t k = 1; k < edges; k++) assert_true(edge[k - 1] < edge[k]);
    assert_memory_equal(edge, reverse, (size_t)edges * sizeof *edge);
    free(edge);
    free(reverse);
}

// Vertices - edges + triangles: 2 for each piece with the topology of a ball.
static int64_t euler(const firn_surface_mesh* m)
{
    return m->vertex_count - 3 * m->triangle_count / 2 + m->triangle_count;
}

static void corner(const firn_surface_mesh* m, int64_t k, double out[3])
{
    const firn_vec3 x = m->vertices[m->triangles[k]];
    out[0] = (double)x.x, out[1] = (double)x.y, out[2] = (double)x.z;
}

static void measure(const firn_surface_mesh* m, double* out_volume, double* out_area)
{
    *out_volume = *out_area = 0;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        double a[3], b[3], c[3], u[3], v[3];
        corner(m, 3 * t, a);
        corner(m, 3 * t + 1, b);
        corner(m, 3 * t + 2, c);
        for (int d = 0; d < 3; d++) u[d] = b[d] - a[d], v[d] = c[d] - a[d];
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                             u[0] * v[1] - u[1] * v[0]};
        *out_volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
        *out_area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
}

static void check_normals(const firn_surface_mesh* m, const double center[3])
{
    double mean = 0;
    for (int64_t k = 0; k < m->vertex_count; k++) {
        const firn_vec3 x = m->vertices[k], n = m->normals[k];
        const double r[3] = {(double)x.x - center[0], (double)x.y - center[1],
                             (double)x.z - center[2]};
        const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        assert_near(sqrt((double)(n.x * n.x + n.y * n.y + n.z * n.z)), 1, 1e-6);
        const double along =
            (r[0] * (double)n.x + r[1] * (double)n.y + r[2] * (double)n.z) / length;
        assert_greater(along, 0);
        mean += along / (double)m->vertex_count;
    }
    // bumps of a tenth of a spacing over one: slopes of 0.1 rad on average, cosines of 0.995
    assert_greater(mean, 0.95);
}

// With voxels of 1.5 spacings the kernel makes a ball smaller by 3 sigma^2 / R^2 = (voxel / R)^2 =
// 2.3 %, and triangles cut up to 0.9 %: their middles lie up to voxel^2 / 8 R inside.
static void check_ball(const char* yaml, const double center[3], bool anisotropic)
{
    firn_sim* sim = ball(yaml, 1);
    firn_surface_def def = firn_default_surface_def();
    def.anisotropic = anisotropic;
    firn_surface_mesh m = surface_of(sim, &def);
    check_closed(&m);
    assert_int_equal(euler(&m), 2);
    double volume, area;
    measure(&m, &volume, &area);
    const double expected = packed_volume(sim, yaml == grains_ball);
    if (!(volume > 0.95 * expected && volume < 1.01 * expected))
        fail_msg("%g m^3 instead of %g", volume, expected);
    // no shape has less area than a ball; bumps of slope s add s^2 / 2
    const double least = cbrt(36 * 3.14159265358979 * volume * volume);
    if (!(area >= least && area < 1.08 * least)) fail_msg("%g m^2, ball %g", area, least);
    check_normals(&m, center);
    firn_surface_mesh_free(&m);
    assert_null(m.vertices);
    firn_sim_destroy(sim);
}

static void a_ball_of_mpm(void** state)
{
    (void)state;
    check_ball(mpm_ball, (const double[3]){1, 2, 3}, false);
}

static void a_ball_with_anisotropic_kernels(void** state)
{
    (void)state;
    check_ball(mpm_ball, (const double[3]){1, 2, 3}, true);
}

static void a_ball_of_grains(void** state)
{
    (void)state;
    check_ball(grains_ball, (const double[3]){0, 1, 0}, false);
}

// ---- values at the vertices ---------------------------------------------------------------------

static void vertices_carry_velocities(void** state)
{
    (void)state;
    firn_sim* sim = ball(mpm_ball, 1);
    firn_surface_def def = firn_default_surface_def();
    def.velocities = true;
    firn_surface_mesh m = surface_of(sim, &def);
    assert_null(m.temperatures);
    for (int64_t k = 0; k < m.vertex_count; k++) {
        assert_near(m.velocities[k].x, 1, 1e-6);
        assert_near(m.velocities[k].y, -2, 1e-6);
        assert_near(m.velocities[k].z, 3, 1e-6);
    }
    firn_surface_mesh_free(&m);
    def.temperatures = true;
    assert_int_equal(firn_sim_surface(sim, &def, &m), FIRN_REFUSED_NAME);
    assert_string_not_equal(firn_sim_error(sim), "");
    firn_sim_destroy(sim);
}

static void vertices_carry_temperatures(void** state)
{
    (void)state;
    firn_sim* sim = ball(grains_ball, 1);
    firn_surface_def def = firn_default_surface_def();
    def.temperatures = true;
    firn_surface_mesh m = surface_of(sim, &def);
    assert_null(m.velocities);
    assert_in_range(m.vertex_count, 500, 5000);
    for (int64_t k = 0; k < m.vertex_count; k++) assert_near(m.temperatures[k], -7, 1e-5);
    firn_surface_mesh_free(&m);
    firn_sim_destroy(sim);
}

// ---- parts, threads, refusals -------------------------------------------------------------------

// Half of the ball is closed too, and so is a surface at half of the default voxel.
static void half_a_ball(void** state)
{
    (void)state;
    firn_sim* sim = ball(mpm_ball, 2);
    firn_surface_def def = firn_default_surface_def();
    def.use_box = true;
    def.low[0] = def.low[1] = def.low[2] = -9;
    def.high[0] = 1, def.high[1] = def.high[2] = 9;
    firn_surface_mesh m = surface_of(sim, &def);
    check_closed(&m);
    double volume, area;
    measure(&m, &volume, &area);
    // half of a ball's 3.2 %; its rim of 2 pi R loses about sigma^2 of its section, 1.1 %
    assert_near(volume / packed_volume(sim, false), 0.5, 0.04);
    firn_surface_mesh_free(&m);
    def = firn_default_surface_def();
    def.voxel = SPACING / 2;
    m = surface_of(sim, &def);
    check_closed(&m);
    firn_surface_mesh_free(&m);
    def.use_box = true;  // nothing is in it
    m = surface_of(sim, &def);
    assert_int_equal(m.triangle_count, 0);
    firn_surface_mesh_free(&m);
    firn_sim_destroy(sim);
}

static void any_number_of_threads(void** state)
{
    (void)state;
    firn_surface_def def = firn_default_surface_def();
    def.velocities = true;
    firn_sim *one = ball(mpm_ball, 1), *four = ball(mpm_ball, 4);
    firn_surface_mesh a = surface_of(one, &def), b = surface_of(four, &def);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_int_equal(a.triangle_count, b.triangle_count);
    const size_t vertices = (size_t)a.vertex_count * sizeof(firn_vec3);
    assert_memory_equal(a.vertices, b.vertices, vertices);
    assert_memory_equal(a.normals, b.normals, vertices);
    assert_memory_equal(a.velocities, b.velocities, vertices);
    assert_memory_equal(a.triangles, b.triangles, (size_t)a.triangle_count * 3 * sizeof(int32_t));
    firn_surface_mesh_free(&a);
    firn_surface_mesh_free(&b);
    firn_sim_destroy(one);
    firn_sim_destroy(four);
}

static void refusals(void** state)
{
    (void)state;
    firn_sim* sim = ball(mpm_ball, 1);
    firn_surface_mesh m;
    firn_surface_def def = firn_default_surface_def();
    assert_int_equal(firn_sim_surface(NULL, &def, &m), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_surface(sim, NULL, &m), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_surface(sim, &def, NULL), FIRN_REFUSED_ARGUMENT);
    for (int k = 0; k < 5; k++) {
        def = firn_default_surface_def();
        if (k == 0) def.cookie = 0;
        if (k == 1) def.voxel = -1;
        if (k == 2) def.threshold = 0;
        if (k == 3) def.threshold = NAN;
        if (k == 4) def.anisotropic = def.velocities = true;
        assert_int_equal(firn_sim_surface(sim, &def, &m), FIRN_REFUSED_ARGUMENT);
        assert_string_not_equal(firn_sim_error(sim), "");
    }
    firn_surface_mesh_free(NULL);
    firn_sim_destroy(sim);
}

int test_query_surface(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_of_mpm),
        cmocka_unit_test(a_ball_with_anisotropic_kernels),
        cmocka_unit_test(a_ball_of_grains),
        cmocka_unit_test(vertices_carry_velocities),
        cmocka_unit_test(vertices_carry_temperatures),
        cmocka_unit_test(half_a_ball),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("query_surface", tests, NULL, NULL);
}
