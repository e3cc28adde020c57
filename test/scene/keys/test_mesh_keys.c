// SPDX-License-Identifier: MIT
// Shapes from files in scenes: meshes and .vdb level sets, sound and broken, written again, hashed
// by what they are; and a mesh filled with snow, which has the mass of its volume.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/file.h"
#include "firn/firn.h"
#include "geometry/levelset/level_set_mesh.h"
#include "geometry/levelset/level_set_vdb.h"
#include "geometry/mesh_solids.h"
#include "mesh/topology/mesh_inspect.h"
#include "scene/data/scene_shapes.h"
#include "scene/data/snow.h"
#include "scene/run/seed.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define FOLDER FIRN_TEST_TMP
#define SCENE(keys) "firn: 1\nsnow:\n- shape: {mesh: {" keys "}}\n"

static int use_own_cache(void** state)
{
    (void)state;
    return setenv("FIRN_CACHE", FIRN_TEST_TMP "/cache", 1);
}

static void write_obj(const char* path, const firn_mesh* mesh)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (firn_local i = 0; i < mesh->vertex_count; i++)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)mesh->vertices[i].x,
                (double)mesh->vertices[i].y, (double)mesh->vertices[i].z);
    for (firn_local t = 0; t < mesh->triangle_count; t++)
        fprintf(file, "f %d %d %d\n", mesh->triangles[t][0] + 1, mesh->triangles[t][1] + 1,
                mesh->triangles[t][2] + 1);
    assert_int_equal(fclose(file), 0);
}

static void write_files(void)
{
    firn_mesh box = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, .5, .25));
    write_obj(FOLDER "/box.obj", &box);
    box.triangle_count--;
    write_obj(FOLDER "/open.obj", &box);
    firn_mesh_destroy(&box);
}

static void assert_refused(firn_result code, const char* text, int line, int column,
                           const char* part)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), code);
    if (!has_message(&d, line, column, part)) {
        char* messages = firn_diagnostics_text(&d);
        print_error("%s\n%s", text, messages);
        firn_free(messages);
        fail();
    }
    firn_diagnostics_destroy(&d);
}

static void assert_mistake(const char* text, int line, int column, const char* part)
{
    assert_refused(FIRN_REFUSED_SCENE, text, line, column, part);
}

static void mistakes_in_the_keys(void** state)
{
    (void)state;
    assert_mistake(SCENE("voxel: 0.1"), 3, 11, "'mesh' needs the key 'file'");
    assert_mistake(SCENE("file: a.obj, voxel: -1"), 3, 38, "voxel");
    assert_mistake(SCENE("file: a.obj, up: x"), 3, 35, "'up'");
    assert_mistake(SCENE("file: a.obj, if_broken: ignore"), 3, 42, "'if_broken'");
    assert_mistake("firn: 1\nsnow:\n- shape: {level_set: {grd: x}}\n", 3, 23, "unknown key 'grd'");
}

// A variant that is not chosen is checked, but its files are not read.
static void a_dry_run_reads_no_file(void** state)
{
    (void)state;
    firn_scene_data s = parse_good("firn: 1\nsnow:\n- shape: {sphere: {radius: 1}}\n"
                                   "variants:\n  other:\n    snow:\n"
                                   "    - shape: {mesh: {file: not-there.obj}}\n"
                                   "    - shape: {level_set: {file: not-there.vdb}}\n",
                                   NULL);
    firn_scene_data_destroy(&s);
}

// [m] Bounds come from linear interpolation between nodes, exact on flat faces but for floats: a
// hundredth of the voxel of 1 cm.
#define BOUNDS_ERROR 1e-4
#define VOXEL_ROUNDING 1e-8  // [m] of a float of 0.02

static void a_mesh_is_a_shape(void** state)
{
    (void)state;
    write_files();
    firn_scene_data s = parse_good(SCENE("file: " FOLDER "/box.obj"), NULL);
    firn_box3 b = firn_shape_bounds(&s.shapes, s.snow[0].shape);
    assert_near(b.high.x, 1, BOUNDS_ERROR);
    assert_near(b.high.z, .25, BOUNDS_ERROR);
    assert_near(s.shapes.level_sets[0]->voxel, 0.01, VOXEL_ROUNDING);  // largest side / 100
    firn_scene_data_destroy(&s);
    // z is up in the file, in millimetres: its y becomes -z, its z becomes y
    s = parse_good(SCENE("file: " FOLDER "/box.obj, up: z, scale: 2, voxel: 2 cm"), NULL);
    b = firn_shape_bounds(&s.shapes, s.snow[0].shape);
    assert_near(b.high.x, 2, BOUNDS_ERROR);
    assert_near(b.high.y, .5, BOUNDS_ERROR);
    assert_near(b.low.z, -1, BOUNDS_ERROR);
    assert_near(b.high.z, 0, BOUNDS_ERROR);
    assert_near(s.shapes.level_sets[0]->voxel, 0.02, VOXEL_ROUNDING);
    firn_scene_data_destroy(&s);
}

static void broken_meshes(void** state)
{
    (void)state;
    write_files();
    assert_mistake(SCENE("file: " FOLDER "/open.obj, if_broken: refuse"), 3, 24,
                   "3 open edges; repair it, or use");
    assert_mistake(SCENE("file: " FOLDER "/none.obj"), 3, 24, "none.obj");
    assert_mistake(SCENE("file: " FOLDER "/box.obj, voxel: 0.2"), 3, 24, "0.25 m thick along z");
    // a file in millimetres
    assert_mistake(SCENE("file: " FOLDER "/box.obj, scale: 1000, voxel: 0.01"), 3, 24,
                   "use larger voxels, or 'scale' if its unit is not the metre");
    firn_scene_data s;
    firn_diagnostics d = {0};
    const char* text = SCENE("file: " FOLDER "/open.obj, if_broken: mend, voxel: 0.02");
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_OK);
    assert_int_equal(d.error_count, 0);
    assert_true(has_message(&d, 3, 11, "was repaired: 3 open edges"));
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

static void assert_repaired(const char* text, int line, int column)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_OK);
    assert_int_equal(d.error_count, 0);
    if (!has_message(&d, line, column, "was repaired")) fail_msg("%s", firn_diagnostics_text(&d));
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

// Without a word about it a broken mesh is repaired with a warning, for snow too where its winding
// number tells inside from outside: a box without a triangle, or without its lid. A box of which
// two sides are left is refused for snow, and a collider if one likes.
static void broken_meshes_by_default(void** state)
{
    (void)state;
    write_files();
    firn_mesh box = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, 1, 1));
    double share;
    assert_int_equal(firn_mesh_undecided(&box, &share, NULL), FIRN_OK);
    assert_equal(share, 0);
    box.triangle_count -= 2;
    write_obj(FOLDER "/lidless.obj", &box);
    box.triangle_count = 4;
    write_obj(FOLDER "/two_sides.obj", &box);
    assert_int_equal(firn_mesh_undecided(&box, &share, NULL), FIRN_OK);
    print_message("two sides of a box: undecided for %.2f of it\n", share);
    firn_mesh_destroy(&box);
    assert_repaired(SCENE("file: " FOLDER "/open.obj, voxel: 0.05"), 3, 11);
    assert_repaired(SCENE("file: " FOLDER "/lidless.obj, voxel: 0.05"), 3, 11);
    assert_mistake(SCENE("file: " FOLDER "/two_sides.obj, voxel: 0.05"), 3, 10,
                   "does not tell inside from outside");
    // in a union, too
    assert_mistake(
        "firn: 1\nsnow:\n- shape: {union: {of: [{sphere: {radius: 1}}, {mesh: {file: " FOLDER
        "/two_sides.obj, voxel: 0.05}}]}}\n",
        3, 10, "does not tell inside from outside");
    assert_repaired(SCENE("file: " FOLDER "/two_sides.obj, voxel: 0.05, if_broken: repair"), 3, 11);
    assert_repaired("firn: 1\ncolliders:\n- shape: {mesh: {file: " FOLDER
                    "/two_sides.obj, voxel: 0.05}}\n",
                    3, 11);
}

// Written from the data, as for a scene from code, it reads back as itself.
static void written_again_and_hashed(void** state)
{
    (void)state;
    write_files();
    firn_scene_data s =
        parse_good(SCENE("file: " FOLDER "/open.obj, if_broken: mend, up: z, scale: 0.5"), NULL);
    firn_scene_data_changed(&s);  // forgets the file's text
    char* text = firn_scene_to_yaml(&s);
    if (strstr(text, "mesh: {file: \"" FOLDER "/open.obj\"") == NULL) fail_msg("%s", text);
    assert_contains(text, "if_broken: repair");
    firn_scene_data again = parse_good(text, NULL);
    assert_equal(again.hash, s.hash);
    firn_free(text);
    firn_scene_data_destroy(&again);
    // the same mesh elsewhere is the same scene; another one is not
    assert_int_equal(rename(FOLDER "/open.obj", FOLDER "/moved.obj"), 0);
    again =
        parse_good(SCENE("file: " FOLDER "/moved.obj, if_broken: mend, up: z, scale: 0.5"), NULL);
    assert_equal(again.hash, s.hash);
    firn_scene_data_destroy(&again);
    again = parse_good(SCENE("file: " FOLDER "/box.obj, up: z, scale: 0.5"), NULL);
    assert_not_equal(again.hash, s.hash);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&s);
}

#ifdef FIRN_HAVE_VDB
static void level_sets_of_files(void** state)
{
    (void)state;
    write_files();
    firn_scene_data s = parse_good(SCENE("file: " FOLDER "/box.obj, voxel: 0.02"), NULL);
    const firn_vdb_write_args grid = {.name = "body", .stretch = 1, .steepness = 1};
    char message[300];
    assert_int_equal(firn_vdb_write_sets(FOLDER "/box.vdb", s.shapes.level_sets[0], &grid, 1,
                                         message, sizeof message),
                     FIRN_OK);
    firn_scene_data_destroy(&s);
    const char* text =
        "firn: 1\nsnow:\n- shape: {level_set: {file: " FOLDER "/box.vdb, grid: body}}\n";
    s = parse_good(text, NULL);
    const firn_box3 b = firn_shape_bounds(&s.shapes, s.snow[0].shape);
    // [m] a twentieth of the voxel of 2 cm: a shift by half a voxel would show
    assert_near(b.high.x, 1, 1e-3);
    assert_near(b.high.z, .25, 1e-3);
    firn_scene_data_changed(&s);
    char* written = firn_scene_to_yaml(&s);
    assert_contains(written, "level_set: {file: ");
    firn_scene_data again = parse_good(written, NULL);
    assert_equal(again.hash, s.hash);
    firn_free(written);
    firn_scene_data_destroy(&s);
    firn_scene_data_destroy(&again);
    assert_mistake("firn: 1\nsnow:\n- shape: {level_set: {file: " FOLDER "/box.vdb, grid: bdy}}\n",
                   3, 29, "the file has: 'body' (level set, float)");
}
#else
static void level_sets_of_files(void** state)
{
    (void)state;
    assert_refused(FIRN_REFUSED_BACKEND,
                   "firn: 1\nsnow:\n- shape: {level_set: {file: " FOLDER "/box.vdb}}\n", 3, 29,
                   "libopenvdb-dev");
}
#endif

// A bowl's box says nothing about its wall.
static void thin_walls_are_told(void** state)
{
    (void)state;
    firn_mesh shell = mesh_ball(mesh_point(0, 0, 0), 0.5, 48, 24);
    firn_mesh inner = mesh_ball(mesh_point(0, 0, 0), 0.45, 48, 24);
    mesh_turn_all(&inner);
    assert_true(firn_mesh_append(&shell, &inner));
    write_obj(FOLDER "/shell.obj", &shell);
    firn_mesh_destroy(&shell);
    firn_mesh_destroy(&inner);
    const char* text = "firn: 1\nmpm: {cell: %s}\nsnow:\n- shape: {sphere: {center: [0, 2, 0], "
                       "radius: 0.4}}\ncolliders:\n- shape: {transform: {scale: 2, shape: {mesh: "
                       "{file: " FOLDER "/shell.obj}}}}\n";
    const char* const cells[2] = {"0.06", "0.04"};
    for (int k = 0; k < 2; k++) {  // the wall is 0.1 m thick
        char filled[500];
        snprintf(filled, sizeof filled, text, cells[k]);
        firn_scene_data s = parse_good(filled, NULL);
        firn_diagnostics d = {0};
        firn_scene_data_check(&s, &d);
        assert_int_equal(d.count, k == 0 ? 1 : 0);
        if (k == 0) assert_contains(d.items[0].message, "less than 2 cells of 0.06 m");
        firn_diagnostics_destroy(&d);
        firn_scene_data_destroy(&s);
    }
}

// VALIDATION: filling a mesh gives the mass of its volume within 1 % at ten cells across.
static void snow_in_a_mesh_has_the_mass_of_its_volume(void** state)
{
    (void)state;
    firn_mesh meshes[3] = {mesh_ball(mesh_point(0.01, 0.02, 0.03), 0.5, 64, 32),
                           mesh_torus(0.35, 0.15, 64, 32),
                           mesh_cuboid(mesh_point(0.013, 0, 0), mesh_point(1.013, .71, .53))};
    const double across[3] = {1, 0.3, 0.53};  // [m] the thinnest part
    for (int m = 0; m < 3; m++) {
        write_obj(FOLDER "/body.obj", &meshes[m]);
        firn_scene_data s = parse_good(SCENE("file: " FOLDER "/body.obj"), NULL);
        firn_seeds seeds;
        firn_error error = {0};
        assert_int_equal(firn_scene_seed(&s, across[m] / 10, &seeds, &error), FIRN_OK);
        double mass = 0;
        for (firn_local p = 0; p < seeds.count; p++) mass += (double)seeds.mass[p];
        const double exact = 400 * firn_mesh_volume(&meshes[m]);
        print_message("body %d: %d particles, %.4g kg of %.4g\n", m, (int)seeds.count, mass, exact);
        assert_near(mass / exact, 1, 0.01);
        firn_seeds_destroy(&seeds);
        firn_scene_data_destroy(&s);
        firn_mesh_destroy(&meshes[m]);
    }
}

// Kept in the folder, and never trusted blindly.
static void meshes_are_kept(void** state)
{
    (void)state;
    write_files();
    assert_int_equal(system("rm -rf " FIRN_TEST_TMP "/cache"), 0);
    const char* text = SCENE("file: " FOLDER "/box.obj, voxel: 0.031");
    firn_scene_data s = parse_good(text, NULL);
    const uint64_t hash = s.hash;
    firn_scene_data_destroy(&s);
    assert_int_equal(system("test $(ls " FIRN_TEST_TMP "/cache | wc -l) = 1"), 0);
    // gone from the folder, it is made again, the same; there but foreign, too
    assert_int_equal(system("for f in " FIRN_TEST_TMP "/cache/*; do echo x > $f; done"), 0);
    s = parse_good(text, NULL);
    assert_equal(s.hash, hash);
    firn_scene_data_destroy(&s);
    assert_int_equal(system("test $(cat " FIRN_TEST_TMP "/cache/* | wc -c) -gt 10000"), 0);
}

static void from_arrays(void** state)
{
    (void)state;
    const firn_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    firn_mesh_def def = {.vertices = corners,
                         .vertex_count = 4,
                         .triangles = faces,
                         .triangle_count = 4,
                         .scale = 1};
    firn_scene_data s;
    firn_scene_data_init(&s);
    firn_local shape = -1;
    firn_mesh_report report;
    firn_error error = {0};
    assert_int_equal(firn_scene_add_mesh(&s, &def, &report, &shape, &error), FIRN_OK);
    // samples^(-2/3) = 5e-4, and slanted faces and edges in voxels of 1/100
    assert_near(firn_shape_volume(&s.shapes, shape, 100000) * 6, 1, 0.02);
    assert_contains(s.level_set_texts[0], "mesh-from-a-program-");
    faces[5] = 4;
    assert_int_equal(firn_scene_add_mesh(&s, &def, &report, &shape, &error), FIRN_REFUSED_ARGUMENT);
    assert_string_equal(error.text, "triangle 1 of the mesh refers to vertex 4 of 4");
    faces[5] = 3;
    def.scale = 0;
    assert_int_equal(firn_scene_add_mesh(&s, &def, &report, &shape, &error), FIRN_REFUSED_ARGUMENT);
    def.scale = 1;
    const firn_vec3 bad[4] = {{0, 0, 0}, {1, 0, 0}, {0, (firn_real)NAN, 0}, {0, 0, 1}};
    def.vertices = bad;
    assert_int_equal(firn_scene_add_mesh(&s, &def, &report, &shape, &error), FIRN_REFUSED_ARGUMENT);
    assert_string_equal(error.text, "vertex 2 of the mesh is NaN or infinite");
    def.vertices = NULL;
    assert_int_equal(firn_scene_add_mesh(&s, &def, &report, &shape, &error), FIRN_REFUSED_ARGUMENT);
    firn_scene_data_destroy(&s);
}

int test_mesh_keys(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_the_keys),
        cmocka_unit_test(a_dry_run_reads_no_file),
        cmocka_unit_test(a_mesh_is_a_shape),
        cmocka_unit_test(broken_meshes),
        cmocka_unit_test(broken_meshes_by_default),
        cmocka_unit_test(written_again_and_hashed),
        cmocka_unit_test(level_sets_of_files),
        cmocka_unit_test(snow_in_a_mesh_has_the_mass_of_its_volume),
        cmocka_unit_test(thin_walls_are_told),
        cmocka_unit_test(meshes_are_kept),
        cmocka_unit_test(from_arrays),
    };
    return cmocka_run_group_tests_name("mesh_keys", tests, use_own_cache, NULL);
}
