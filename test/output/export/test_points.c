// SPDX-License-Identifier: MIT
// PLY, VTP and PVD: headers, sizes, and numbers where the format says they are.
#include "output/export/points.h"

#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/"
#define COUNT 37

// Where the data begin behind a line; fails when it is not there.
static const char* after(const char* text, const char* line)
{
    const char* at = strstr(text, line);
    if (at == NULL) fail_msg("no '%s'", line);
    return at + strlen(line);
}

static float float_at(const char* data, size_t index)
{
    float value;
    memcpy(&value, data + 4 * index, 4);
    return value;
}

static void assert_vector(const char* data, size_t index, firn_vec3 v, bool z_up)
{
    assert_true(float_at(data, index) == (float)v.x);
    assert_true(float_at(data, index + 1) == (float)(z_up ? -v.z : v.y));
    assert_true(float_at(data, index + 2) == (float)(z_up ? v.y : v.z));
}

static void ply_has_all_fields(void** state)
{
    (void)state;
    firn_particles p = sample_particles(COUNT, 6);
    const firn_frame f = sample_frame(&p);
    for (int z_up = 0; z_up < 2; z_up++) {
        firn_error error;
        if (firn_ply_write(DIR "p.ply", &f, z_up, &error) != FIRN_OK) fail_msg("%s", error.text);
        sample_no_temporary(DIR "p.ply");
        size_t size;
        char* text = sample_bytes(DIR "p.ply", &size);
        assert_ptr_equal(strstr(text, "ply\nformat binary_little_endian 1.0\n"), text);
        after(text, "element vertex 37\nproperty float x\nproperty float y\nproperty float z\n"
                    "property float vx\nproperty float vy\nproperty float vz\n"
                    "property float density\nproperty float mass\nproperty uint id\nend_header\n");
        after(text, z_up ? "z is up\n" : "y is up\n");
        const char* data = after(text, "end_header\n");
        assert_int_equal(size - (size_t)(data - text), COUNT * 36);
        for (firn_local k = 0; k < COUNT; k++, data += 36) {
            assert_vector(data, 0, f.position[k], z_up);
            assert_vector(data, 3, f.velocity[k], z_up);
            assert_true(float_at(data, 6) == (float)f.density[k]);
            assert_true(float_at(data, 7) == (float)f.mass[k]);
            assert_memory_equal(data + 32, &f.id[k], 4);
        }
        firn_free(text);
    }
    firn_particles_destroy(&p);
}

// Written as a frame, read back, and written as PLY: what grains have follows the others.
static void ply_has_fields_of_grains(void** state)
{
    (void)state;
    enum { ROW = 16 + 3 * 4 + 2 };
    firn_particles p = sample_particles(COUNT, 6);
    const firn_frame borrowed = sample_frame(&p);
    firn_real* const reals[3] = {borrowed.density, borrowed.mass, borrowed.density};
    const uint8_t* const bytes = firn_particles_find(&p, "material")->data;
    static const char* const names[5] = {"radius", "temperature", "water", "phase", "broken"};
    firn_field_view views[6] = {{.name = "position",
                                 .unit = "m",
                                 .type = FIRN_FIELD_VEC3,
                                 .count = COUNT,
                                 .data = borrowed.position}};
    for (int k = 0; k < 5; k++)
        views[k + 1] = (firn_field_view){
            .name = names[k],
            .unit = "1",
            .type = k < 3 ? FIRN_FIELD_REAL : FIRN_FIELD_U8,
            .count = COUNT,
            .data = k < 3 ? (const void*)reals[k] : (const void*)bytes,
        };
    const firn_frame_info info = sample_info();
    firn_frame f = {0};
    assert_int_equal(firn_frame_write(DIR "g.hdf", &info, views, 6, 1, NULL), FIRN_OK);
    assert_int_equal(firn_frame_read(DIR "g.hdf", &f, NULL), FIRN_OK);
    f.id = firn_alloc(COUNT, sizeof *f.id);
    assert_int_equal(firn_ply_write(DIR "g.ply", &f, false, NULL), FIRN_OK);
    size_t size;
    char* text = sample_bytes(DIR "g.ply", &size);
    const char* data =
        after(text, "property uint id\nproperty float radius\nproperty float temperature\n"
                    "property float water\nproperty uchar phase\nproperty uchar broken\n"
                    "end_header\n");
    assert_int_equal(size - (size_t)(data - text), COUNT * ROW);
    for (firn_local k = 0; k < COUNT; k++, data += ROW) {
        for (size_t r = 0; r < 3; r++) assert_true(float_at(data, 4 + r) == (float)reals[r][k]);
        assert_true((uint8_t)data[28] == bytes[k] && (uint8_t)data[29] == bytes[k]);
    }
    firn_free(text);
    firn_frame_destroy(&f);
    firn_particles_destroy(&p);
}

static void ply_leaves_out_what_is_missing(void** state)
{
    (void)state;
    firn_particles p = sample_particles(COUNT, 6);
    firn_frame f = sample_frame(&p);
    f.velocity = NULL;
    f.mass = NULL;
    f.id = NULL;
    snprintf(f.info.scene, sizeof f.info.scene, "two\nlines");  // must not end the comment
    assert_int_equal(firn_ply_write(DIR "q.ply", &f, false, NULL), FIRN_OK);
    size_t size;
    char* text = sample_bytes(DIR "q.ply", &size);
    after(text, "two lines");
    const char* data = after(text, "property float z\nproperty float density\nend_header\n");
    assert_int_equal(size - (size_t)(data - text), COUNT * 16);
    firn_free(text);
    f.count = 0;
    assert_int_equal(firn_ply_write(DIR "q.ply", &f, false, NULL), FIRN_OK);
    text = sample_bytes(DIR "q.ply", &size);
    after(text, "element vertex 0\n");
    firn_free(text);
    firn_particles_destroy(&p);
}

// The array `name`: its raw bytes, after checking the length that leads them.
static const char* appended(const char* text, const char* base, const char* name, uint64_t bytes)
{
    char key[64];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char* at = after(after(text, key), "offset=\"");
    const unsigned long offset = strtoul(at, NULL, 10);
    uint64_t length;
    memcpy(&length, base + offset, 8);
    assert_int_equal(length, bytes);
    return base + offset + 8;
}

static void vtp_has_all_arrays(void** state)
{
    (void)state;
    firn_particles p = sample_particles(COUNT, 6);
    const firn_frame f = sample_frame(&p);
    for (int z_up = 0; z_up < 2; z_up++) {
        firn_error error;
        if (firn_vtp_write(DIR "p.vtp", &f, z_up, &error) != FIRN_OK) fail_msg("%s", error.text);
        size_t size;
        char* text = sample_bytes(DIR "p.vtp", &size);
        after(text, "byte_order=\"LittleEndian\" header_type=\"UInt64\"");
        after(text, "NumberOfPoints=\"37\" NumberOfVerts=\"1\"");
        const char* base = after(text, "<AppendedData encoding=\"raw\">\n_");
        const char* x = appended(text, base, "position", COUNT * 12);
        const char* v = appended(text, base, "velocity", COUNT * 12);
        const char* density = appended(text, base, "density", COUNT * 4);
        const char* mass = appended(text, base, "mass", COUNT * 4);
        const char* id = appended(text, base, "id", COUNT * 4);
        const char* connectivity = appended(text, base, "connectivity", COUNT * 4);
        const char* offsets = appended(text, base, "offsets", 4);
        for (size_t k = 0; k < COUNT; k++) {
            assert_vector(x, 3 * k, f.position[k], z_up);
            assert_vector(v, 3 * k, f.velocity[k], z_up);
            assert_true(float_at(density, k) == (float)f.density[k]);
            assert_true(float_at(mass, k) == (float)f.mass[k]);
            int32_t number;
            memcpy(&number, connectivity + 4 * k, 4);
            assert_int_equal(number, k);
        }
        assert_memory_equal(id, f.id, COUNT * 4);
        int32_t last;
        memcpy(&last, offsets, 4);
        assert_int_equal(last, COUNT);
        // the arrays fill the file to its end
        assert_string_equal(offsets + 4, "\n</AppendedData>\n</VTKFile>\n");
        assert_int_equal(offsets + 4 + strlen(offsets + 4) - text, size);
        firn_free(text);
    }
    firn_particles_destroy(&p);
}

static void vtp_of_nothing(void** state)
{
    (void)state;
    const firn_frame f = {.info = sample_info()};
    assert_int_equal(firn_vtp_write(DIR "0.vtp", &f, false, NULL), FIRN_OK);
    size_t size;
    char* text = sample_bytes(DIR "0.vtp", &size);
    after(text, "NumberOfPoints=\"0\" NumberOfVerts=\"0\"");
    assert_null(strstr(text, "velocity"));
    firn_free(text);
}

static void pvd_escapes_names(void** state)
{
    (void)state;
    const char* const files[] = {"vtp/a.0000.vtp", "vtp/<&\">.vtp"};
    const double times[] = {0, 1.0 / 24};
    assert_int_equal(firn_pvd_write(DIR "s.pvd", files, times, 2, NULL), FIRN_OK);
    size_t size;
    char* text = sample_bytes(DIR "s.pvd", &size);
    after(text, "<DataSet timestep=\"0\" file=\"vtp/a.0000.vtp\"/>");
    after(text, "file=\"vtp/&lt;&amp;&quot;&gt;.vtp\"/>");
    assert_true(strtod(after(text, "\n<DataSet timestep=\"0\" file=\"vtp/a.0000.vtp\"/>\n<DataSet "
                                   "timestep=\""),
                       NULL) == times[1]);
    firn_free(text);
}

int test_points(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ply_has_all_fields),
        cmocka_unit_test(ply_has_fields_of_grains),
        cmocka_unit_test(ply_leaves_out_what_is_missing),
        cmocka_unit_test(vtp_has_all_arrays),
        cmocka_unit_test(vtp_of_nothing),
        cmocka_unit_test(pvd_escapes_names),
    };
    return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
