// SPDX-License-Identifier: MIT
// Files written during a run are those that `firn export` makes later, byte for byte, for every
// solver; and the list of fields says the truth about solvers, types and units.
#include "run/run_frame.h"

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "forge.h"
#include "sim/play_fixture.h"
#include "state/field_table.h"

#define DIR FIRN_TEST_TMP "/"

static const struct {
    const char *solver, *keys;
    const char* snow;  // further keys of the snow
} cases[] = {
    {"mpm", "mpm: {cell: 0.04}\nmaterials:\n  weak: {preset: weak_layer}\n",
     ", material: weak, vary: {hardening: {noise: {scale: 0.1, amount: 0.5}}}"},
    {"sph", "sph: {spacing: 0.03}\nair: {drag: false, temperature: 5}\n",
     ", vary: {hardening: {noise: {scale: 0.1, amount: 0.5}}}"},
    {"grains", "grains: {radius: 0.02}\nair: {drag: false, temperature: 5}\n", ""},
    {"ballistic", "ballistic: {spacing: 0.04}\n", ""},
};
enum { CASES = sizeof cases / sizeof *cases };

// A block above the ground, with every field, or with positions alone.
static firn_sim* start(int k, bool all, const char* dir)
{
    firn_text t = {0};
    firn_text_add(&t,
                  "firn: 1\nsolver: %s\ntime: {frames: 1, fps: 500}\n%s"
                  "snow:\n  - {shape: {box: {center: [0, 0.11, 0], size: [0.2, 0.2, 0.2]}}, "
                  "velocity: [1, -2, 3], temperature: -3%s}\n"
                  "colliders:\n  - {shape: {plane: {}}}\n"
                  "output: {preview: false, film: false, points: [vtkhdf, ply, vtp], fields: [",
                  cases[k].solver, cases[k].keys, cases[k].snow);
    for (int f = 0; all && firn_output_field_keys[f] != NULL; f++)
        firn_text_add(&t, "%s%s", f > 0 ? ", " : "", firn_output_field_keys[f]);
    firn_text_add(&t, "]}\n");
    firn_sim_def def = firn_default_sim_def();
    def.output_dir = dir;
    def.overwrite = true;
    firn_sim* sim = play_start_def(t.data, def);
    firn_text_destroy(&t);
    return sim;
}

static void compare_files(const char* solver, const char* name)
{
    char path[2][300];
    char* data[2] = {NULL, NULL};
    size_t bytes[2];
    snprintf(path[0], sizeof path[0], DIR "%s/%s", solver, name);
    snprintf(path[1], sizeof path[1], DIR "%s-later/%s", solver, name);
    for (int k = 0; k < 2; k++) {
        firn_error error;
        if (firn_file_read(path[k], (size_t)1 << 30, &data[k], &bytes[k], &error) != FIRN_OK)
            fail_msg("%s", error.text);
    }
    if (bytes[0] != bytes[1] || memcmp(data[0], data[1], bytes[0]) != 0)
        fail_msg("'%s' has %zu bytes and '%s' %zu, or other values\n%.700s\n%.700s", path[0],
                 bytes[0], path[1], bytes[1], data[0], data[1]);
    firn_free(data[0]);
    firn_free(data[1]);
}

// Exports the run of case k to a folder beside it.
static void export_run(int k)
{
    char dir[200], later[200];
    snprintf(dir, sizeof dir, DIR "%s", cases[k].solver);
    snprintf(later, sizeof later, DIR "%s-later", cases[k].solver);
    firn_export_def def = firn_default_export_def();
    def.input_dir = dir;
    def.output_dir = later;
    def.ply = def.vtp = true;
    firn_error error;
    if (firn_export(&def, &error) != FIRN_OK) fail_msg("%s", error.text);
}

static void compare_run(int k, bool all)
{
    char dir[200];
    snprintf(dir, sizeof dir, DIR "%s", cases[k].solver);
    firn_sim* sim = start(k, all, dir);
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    firn_sim_destroy(sim);
    export_run(k);
    for (int frame = 0; frame <= 1; frame++) {
        char name[100];
        snprintf(name, sizeof name, "ply/test.%04d.ply", frame);
        compare_files(cases[k].solver, name);
        snprintf(name, sizeof name, "vtp/test.%04d.vtp", frame);
        compare_files(cases[k].solver, name);
    }
    compare_files(cases[k].solver, "test.pvd");
}

static void run_writes_what_export_writes(void** state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) compare_run(k, true);
}

// Frames of firn 0.1 have J_P under the name of the solvers' field.
static void old_names_are_read(void** state)
{
    (void)state;
    const char* frame = "frames/test.0001.hdf";
    compare_run(0, true);
    const hid_t file = forge_open(DIR "mpm/frames/test.0001.hdf");
    assert_true(H5Lmove(file, "/VTKHDF/PointData/plastic_volume", H5L_SAME_LOC,
                        "/VTKHDF/PointData/plastic_det", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    forge_seal(DIR "mpm", frame, 1, NULL, 0);
    export_run(0);
    compare_files("mpm", "ply/test.0001.ply");
}

static void fields_that_are_not_wanted_are_left_out(void** state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) compare_run(k, false);
    firn_frame frame;
    assert_int_equal(firn_frame_read(DIR "mpm/frames/test.0001.hdf", &frame, NULL), FIRN_OK);
    for (int f = FIRN_FRAME_POSITION + 1; f < FIRN_FRAME_FIELD_COUNT; f++)
        assert_null(frame.fields[f]);
    firn_frame_destroy(&frame);
}

static void table_tells_the_truth(void** state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        firn_sim* sim = start(k, true, NULL);
        for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
            const firn_field_info* info = &firn_field_table[f];
            const bool has =
                strcmp(info->solvers, "all") == 0 || strstr(info->solvers, cases[k].solver) != NULL;
            firn_field_view view;
            if (firn_sim_field(sim, info->name, &view) != FIRN_OK) {
                // density may be computed on demand, powder is not among the particles
                if (has && f != FIRN_FRAME_DENSITY && f != FIRN_FRAME_POWDER)
                    fail_msg("%s has no '%s'", cases[k].solver, info->name);
                continue;
            }
            if (!has) fail_msg("%s has '%s' against the table", cases[k].solver, info->name);
            assert_int_equal(view.type, info->type);
            assert_string_equal(view.unit, info->unit);
            assert_ptr_equal(firn_field_find(info->name), info);
        }
        firn_sim_destroy(sim);
    }
    // the names of scenes; that of firn 0.1 is still found
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        assert_string_equal(firn_field_table[f].name, firn_field_table[f].key);
    assert_ptr_equal(firn_field_find("plastic_det"), firn_field_find("plastic_volume"));
    assert_null(firn_field_find("plastic"));
}

int test_run_frame(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_writes_what_export_writes),
        cmocka_unit_test(old_names_are_read),
        cmocka_unit_test(fields_that_are_not_wanted_are_left_out),
        cmocka_unit_test(table_tells_the_truth),
    };
    return cmocka_run_group_tests_name("run_frame", tests, NULL, NULL);
}
