// SPDX-License-Identifier: MIT
// VDB files read back: names, sums, positions, axes. Without OpenVDB: the refusal.
#include "output/export/vdb.h"

#include <signal.h>
#include <sys/resource.h>

#include "output/export/vdb_shim.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/"

#ifdef FIRN_HAVE_VDB

static firn_density_volume sample_volume(void)
{
    firn_particles p = sample_particles(2000, 17);
    firn_density_volume v;
    firn_error error;
    if (firn_density_volume_build(p.fields[0].data, p.fields[1].data, p.fields[3].data, p.count,
                                  0.2, &v, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    firn_particles_destroy(&p);
    return v;
}

static firn_vdb_summary summary(const char* path, const char* grid)
{
    firn_vdb_summary s;
    char message[200] = "";
    if (firn_vdb_shim_summary(path, grid, &s, message, sizeof message) != FIRN_OK)
        fail_msg("%s", message);
    return s;
}

// What the file must hold, straight from the volume.
static void expect(const firn_density_volume* v, bool z_up, firn_vdb_summary* out_density,
                   firn_vdb_summary* out_velocity)
{
    *out_density = *out_velocity = (firn_vdb_summary){.voxel = v->voxel};
    for (firn_local b = 0; b < v->block_count; b++) {
        for (int k = 0; k < 512; k++) {
            const float density = v->density[b * 512 + k];
            const float* u = v->velocity + 3 * (b * 512 + k);
            if (density == 0) continue;
            const double at[3] = {v->voxel * (v->origin[b][0] + (k >> 6)),
                                  v->voxel * (v->origin[b][1] + (k >> 3 & 7)),
                                  v->voxel * (v->origin[b][2] + (k & 7))};
            const double x[3] = {at[0], z_up ? -at[2] : at[1], z_up ? at[1] : at[2]};
            const double w[3] = {u[0], z_up ? -u[2] : u[1], z_up ? u[1] : u[2]};
            out_density->active_voxels++;
            out_density->sum[0] += density;
            for (int d = 0; d < 3; d++) out_density->weighted[d] += density * x[d];
            for (int d = 0; d < 3; d++) out_velocity->sum[d] += w[d];
        }
    }
}

static void grids_come_back(void** state)
{
    (void)state;
    assert_true(firn_vdb_available());
    firn_density_volume v = sample_volume();
    for (int z_up = 0; z_up < 2; z_up++) {
        firn_error error;
        if (firn_vdb_write(DIR "a.vdb", &v, 12, z_up, &error) != FIRN_OK)
            fail_msg("%s", error.text);
        disk_no_temporary(DIR "a.vdb");
        firn_vdb_summary density, velocity;
        expect(&v, z_up, &density, &velocity);
        const firn_vdb_summary d = summary(DIR "a.vdb", "density"), u = summary(DIR "a.vdb", "v");
        assert_int_equal(d.active_voxels, density.active_voxels);
        assert_int_equal(u.active_voxels, density.active_voxels);
        assert_string_equal(d.grid_class, "fog volume");
        assert_equal(d.voxel, 0.2);
        assert_equal(u.voxel, 0.2);
        // only the order of the terms differs: sums in double, relative 1e-16 for each voxel
        assert_near(d.sum[0], density.sum[0], 1e-9 * density.sum[0]);
        for (int k = 0; k < 3; k++) {
            assert_near(d.weighted[k], density.weighted[k], 1e-9 * density.sum[0]);
            assert_near(u.sum[k], velocity.sum[k], 1e-9 * (double)density.active_voxels);
        }
    }
    firn_density_volume_destroy(&v);
}

static void a_volume_without_velocity_or_anything(void** state)
{
    (void)state;
    firn_vdb_summary s;
    char message[200] = "";
    const firn_density_volume empty = {.voxel = 0.5};
    assert_int_equal(firn_vdb_write(DIR "e.vdb", &empty, 0, false, NULL), FIRN_OK);
    assert_int_equal(summary(DIR "e.vdb", "density").active_voxels, 0);
    assert_int_not_equal(firn_vdb_shim_summary(DIR "e.vdb", "v", &s, message, sizeof message),
                         FIRN_OK);
    assert_not_equal(message[0], '\0');  // no such grid: an exception that stayed inside
}

static void a_full_disk_leaves_the_old_file(void** state)
{
    (void)state;
    firn_density_volume v = sample_volume();
    size_t size, now_size;
    assert_int_equal(firn_vdb_write(DIR "f.vdb", &v, 0, false, NULL), FIRN_OK);
    char* old = sample_bytes(DIR "f.vdb", &size);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t at = 0; at < size - 100; at += size / 20) {
        struct rlimit limit;
        firn_error error = {0};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = at;
        setrlimit(RLIMIT_FSIZE, &limit);
        const firn_result result = firn_vdb_write(DIR "f.vdb", &v, 0, false, &error);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
        assert_int_equal(result, FIRN_REFUSED_IO);
        assert_contains(error.text, DIR "f.vdb");
        disk_no_temporary(DIR "f.vdb");
        char* now = sample_bytes(DIR "f.vdb", &now_size);
        assert_int_equal(now_size, size);
        assert_memory_equal(now, old, size);
        firn_free(now);
    }
    signal(SIGXFSZ, SIG_DFL);
    firn_free(old);
    firn_density_volume_destroy(&v);
}

static void a_folder_that_is_not_there(void** state)
{
    (void)state;
    const firn_density_volume empty = {.voxel = 0.5};
    firn_error error;
    assert_int_equal(firn_vdb_write(DIR "no/a.vdb", &empty, 0, false, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "No such file");
}

int test_vdb(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_come_back),
        cmocka_unit_test(a_volume_without_velocity_or_anything),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(a_folder_that_is_not_there),
    };
    return cmocka_run_group_tests_name("vdb", tests, NULL, NULL);
}

#else

static void the_refusal_names_the_package(void** state)
{
    (void)state;
    const firn_density_volume empty = {.voxel = 0.5};
    firn_error error;
    assert_false(firn_vdb_available());
    assert_int_equal(firn_vdb_write(DIR "a.vdb", &empty, 0, false, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "libopenvdb-dev");
    assert_false(sample_exists(DIR "a.vdb"));
}

int test_vdb(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_refusal_names_the_package)};
    return cmocka_run_group_tests_name("vdb", tests, NULL, NULL);
}

#endif
