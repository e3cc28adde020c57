// SPDX-License-Identifier: MIT
// Textures: trilinear between voxels, tiles, background; read from .vdb files where OpenVDB is.
#include "geometry/levelset/texture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"
#include "math/vec3.h"
#include "output/export/vdb.h"

// Tolerances: trilinear interpolation gives a linear ramp exactly; 1e-6 and 1e-5 are roundings
// of float.

#define PATH FIRN_TEST_TMP "/texture.vdb"

static firn_vec3 at(double x, double y, double z)
{
    return firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
}

// A value that is linear in the voxel's place is met everywhere between the voxels.
static double ramp(double i, double j, double k)
{
    return 0.5 + 0.01 * i - 0.02 * j + 0.03 * k;
}

// Two blocks beside each other in x from block (-1, 0, 0) on, then a tile of 0.25; background
// 0.125.
static void between_voxels(void** state)
{
    (void)state;
    static float value[2 * FIRN_TEXTURE_NODES];
    int32_t table[3] = {0, 1, -2};
    float constant[2] = {0.125f, 0.25f};
    for (int k = 0; k < 2 * FIRN_TEXTURE_NODES; k++) {
        const int i = (k >> 9) * 8 + (k >> 6 & 7) - 8;
        value[k] = (float)ramp(i, k >> 3 & 7, k & 7);
    }
    // the grid is turned: index x is -world y, index y is world x; voxels of 2 m, moved by 1 voxel
    const firn_texture t = {.to_index = {{0, -0.5, 0, 1}, {0.5, 0, 0, 0}, {0, 0, 0.5, 0}},
                            .first = {-1, 0, 0},
                            .size = {3, 1, 1},
                            .table = table,
                            .value = value,
                            .block_count = 2,
                            .constant = constant,
                            .constant_count = 2};
    const double points[][3] = {
        {-8, 0, 0}, {-0.5, 3.25, 1.75}, {0, 6, 0}, {6.75, 6.5, 7}, {7, 7, 7}};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        const double* p = points[k];
        const double found = firn_texture_sample(&t, at(2 * p[1], -2 * (p[0] - 1), 2 * p[2]));
        assert_near(found, ramp(p[0], p[1], p[2]), 1e-6);
    }
    // from the last voxel of the second block into the tile, and from there out
    const double mean = 0.5 * (ramp(7, 4, 4) + 0.25);
    assert_near(firn_texture_sample(&t, at(8, -13, 8)), mean, 1e-6);
    assert_equal(firn_texture_sample(&t, at(8, -2 * 11, 8)), 0.25);
    assert_equal(firn_texture_sample(&t, at(8, -2 * 14.5, 8)), 0.1875);
    assert_equal(firn_texture_sample(&t, at(8, -2 * 40, 8)), 0.125);
    assert_equal(firn_texture_sample(&t, at(-9, 0, 0)), 0.125);
    assert_equal(firn_texture_sample(&t, at(1e30, -1e30, 1e30)), 0.125);
    const firn_texture empty = {0};
    assert_equal(firn_texture_sample(&empty, at(1, 2, 3)), 0);
}

static void refuse(const char* path, const char* grid, firn_result code, const char* words)
{
    firn_texture t = {0};
    firn_error error = {0};
    const uint64_t before = firn_memory_read().bytes;
    assert_int_equal(firn_texture_read(path, grid, &t, &error), code);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' does not say '%s'", error.text, words);
    assert_contains(error.text, path);
    assert_null(t.table);
    assert_equal(firn_memory_read().bytes, before);
}

#ifdef FIRN_HAVE_VDB

// One block of density from voxel (8, 0, -8) on, voxels of 10 cm, with a velocity beside it.
static void write_file(void)
{
    static float density[512], velocity[512 * 3];
    static int32_t origin[1][3] = {{8, 0, -8}};
    for (int k = 0; k < 512; k++) density[k] = (float)ramp(8 + (k >> 6), k >> 3 & 7, (k & 7) - 8);
    const firn_density_volume volume = {
        .voxel = 0.1, .block_count = 1, .origin = origin, .density = density, .velocity = velocity};
    firn_error error;
    if (firn_vdb_write(PATH, &volume, 1, false, &error) != FIRN_OK) fail_msg("%s", error.text);
}

static void from_a_file(void** state)
{
    (void)state;
    write_file();
    const char* const names[] = {NULL, "density"};
    for (int n = 0; n < 2; n++) {
        firn_texture t;
        firn_error error;
        if (firn_texture_read(PATH, names[n], &t, &error) != FIRN_OK) fail_msg("%s", error.text);
        const double points[][3] = {{8, 0, -8}, {15, 7, -1}, {9.25, 3.5, -4.75}, {12, 0, -3.125}};
        for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
            const double* p = points[k];
            const double found = firn_texture_sample(&t, at(0.1 * p[0], 0.1 * p[1], 0.1 * p[2]));
            assert_near(found, ramp(p[0], p[1], p[2]), 1e-5);
        }
        // half a voxel outside: half of the background, which is 0
        const double edge = firn_texture_sample(&t, at(0.1 * 7.5, 0.3, -0.4));
        assert_near(edge, 0.5 * ramp(8, 3, -4), 1e-5);
        assert_equal(firn_texture_sample(&t, at(0, 0, 0)), 0);
        assert_equal(firn_texture_sample(&t, at(50, 50, 50)), 0);
        firn_texture_destroy(&t);
        assert_null(t.value);
    }
}

// A file cut anywhere is refused.
static void damaged_files(void** state)
{
    (void)state;
    write_file();
    static char bytes[1 << 16];
    FILE* file = fopen(PATH, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_greater(size, 500);
    assert_less(size, sizeof bytes);
    int refused = 0, cuts = 0;
    for (size_t length = 0; length < size; length += 1 + size / 60, cuts++) {
        file = fopen(PATH, "wb");
        fwrite(bytes, 1, length, file);
        fclose(file);
        firn_texture t = {0};
        firn_error error = {0};
        refused += firn_texture_read(PATH, NULL, &t, &error) == FIRN_REFUSED_DAMAGED;
        assert_contains(error.text, "cannot read");
    }
    assert_int_equal(refused, cuts);
    file = fopen(PATH, "wb");
    fputs("not a volume", file);
    fclose(file);
    refuse(PATH, NULL, FIRN_REFUSED_DAMAGED, "cannot read");
}

// A file with some bytes changed is read or refused, and takes no memory with it.
static void changed_files(void** state)
{
    (void)state;
    write_file();
    static char good[1 << 16], bad[1 << 16];
    FILE* file = fopen(PATH, "rb");
    const size_t size = fread(good, 1, sizeof good, file);
    fclose(file);
    const uint64_t before = firn_memory_read().bytes;
    int read = 0;
    for (uint64_t k = 0; k < 600; k++) {
        memcpy(bad, good, size);
        for (uint64_t n = 0; n <= k % 3; n++) {
            // half of the changes near the front, where lengths and offsets are
            const uint64_t place = firn_random_bits(7, 6 * k + 2 * n);
            bad[place % (k % 2 == 0 ? size : 600)] = (char)firn_random_bits(7, 6 * k + 2 * n + 1);
        }
        file = fopen(PATH, "wb");
        fwrite(bad, 1, size, file);
        fclose(file);
        firn_texture t = {0};
        firn_error error = {0};
        if (firn_texture_read(PATH, NULL, &t, &error) == FIRN_OK)
            read++;
        else
            assert_contains(error.text, PATH);
        firn_texture_destroy(&t);
        assert_equal(firn_memory_read().bytes, before);
    }
    print_message("%d of 600 changed files are read\n", read);
}

static void wrong_grids(void** state)
{
    (void)state;
    write_file();
    refuse(PATH, "noise", FIRN_REFUSED_SCENE, "no grid 'noise', but: density (float), v (vec3s)");
    refuse(PATH, "v", FIRN_REFUSED_SCENE, "grid 'v' holds vec3s; a texture needs floats");
    refuse(FIRN_TEST_TMP "/none.vdb", NULL, FIRN_REFUSED_IO, "cannot open");
}

static void memory_may_run_out(void** state)
{
    (void)state;
    write_file();
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++, failures++) {
        firn_texture t = {0};
        firn_error error;
        firn_memory_fail_at(k, false);
        const firn_result r = firn_texture_read(PATH, NULL, &t, &error);
        firn_memory_fail_at(0, false);
        firn_texture_destroy(&t);
        assert_equal(firn_memory_read().bytes, before);
        if (r == FIRN_OK) break;
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
    }
    assert_int_equal(failures, 4);
}

#else

static void without_openvdb(void** state)
{
    (void)state;
    FILE* file = fopen(PATH, "wb");
    fputs("anything", file);
    fclose(file);
    refuse(PATH, NULL, FIRN_REFUSED_BACKEND, "libopenvdb-dev");
    refuse(FIRN_TEST_TMP "/none.vdb", NULL, FIRN_REFUSED_IO, "cannot open");
}

#endif

int test_texture(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_voxels),
#ifdef FIRN_HAVE_VDB
        cmocka_unit_test(from_a_file),    cmocka_unit_test(damaged_files),
        cmocka_unit_test(wrong_grids),    cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(changed_files),
#else
        cmocka_unit_test(without_openvdb),
#endif
    };
    return cmocka_run_group_tests_name("texture", tests, NULL, NULL);
}
