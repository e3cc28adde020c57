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
    assert_equal(float_at(data, index), (float)v.x);
    assert_equal(float_at(data, index + 1), (float)(z_up ? -v.z : v.y));
    assert_equal(float_at(data, index + 2), (float)(z_up ? v.y : v.z));
}

// What is stored of one field: the bytes of a value, z_up or not, checked against the frame.
static const char* check_value(const firn_frame* f, int field, firn_local p, bool z_up,
                               const char* data)
{
    const void* from = f->fields[field];
    switch (firn_field_table[field].type) {
    case FIRN_FIELD_REAL:
        assert_equal(float_at(data, 0), (float)((const firn_real*)from)[p]);
        return data + 4;
    case FIRN_FIELD_VEC3:
        assert_vector(data, 0, ((const firn_vec3*)from)[p], z_up);
        return data + 12;
    case FIRN_FIELD_MAT3:
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                // R F R^T with the rotation R of the axes
                static const int axis[3] = {0, 2, 1};
                const firn_mat3* F = (const firn_mat3*)from + p;
                const firn_real turned = F->m[axis[i]][axis[j]] * ((i == 1) != (j == 1) ? -1 : 1);
                assert_equal(float_at(data, (size_t)(3 * i + j)),
                             (float)(z_up ? turned : F->m[i][j]));
            }
        return data + 36;
    case FIRN_FIELD_U8:
        assert_int_equal((uint8_t)*data, ((const uint8_t*)from)[p]);
        return data + 1;
    case FIRN_FIELD_U32: assert_memory_equal(data, (const uint32_t*)from + p, 4); return data + 4;
    }
    return data;
}

static void ply_has_all_fields(void** state)
{
    (void)state;
    firn_particles p = sample_particles(COUNT, 6);
    const firn_frame f = sample_frame(&p);
    for (int z_up = 0; z_up < 2; z_up++) {
        firn_error error;
        if (firn_ply_write(DIR "p.ply", &f, z_up, &error) != FIRN_OK) fail_msg("%s", error.text);
        disk_no_temporary(DIR "p.ply");
        size_t size;
        char* text = sample_bytes(DIR "p.ply", &size);
        assert_ptr_equal(strstr(text, "ply\nformat binary_little_endian 1.0\n"), text);
        const char* header =
            after(text, "element vertex 37\nproperty float x\nproperty float y\nproperty float z\n"
                        "property float vx\nproperty float vy\nproperty float vz\n"
                        "property float density\nproperty float mass\nproperty uint id\n"
                        "property float radius\nproperty float temperature\nproperty float water\n"
                        "property uchar phase\nproperty uchar broken\nproperty uchar material\n");
        after(header, "property float plastic_volume\n");
        after(header, "property float def_grad_elastic_xx\nproperty float def_grad_elastic_xy\n");
        after(text, z_up ? "z is up\n" : "y is up\n");
        const char* data = after(text, "end_header\n");
        for (firn_local k = 0; k < COUNT; k++)
            for (int field = 0; field < FIRN_FRAME_FIELD_COUNT; field++)
                data = check_value(&f, field, k, z_up, data);
        assert_int_equal(data - text, size);
        firn_free(text);
    }
    firn_particles_destroy(&p);
}

static void ply_leaves_out_what_is_missing(void** state)
{
    (void)state;
    firn_particles p = sample_particles(COUNT, 6);
    firn_frame f = sample_frame(&p);
    for (int k = 0; k < FIRN_FRAME_FIELD_COUNT; k++)
        if (k != FIRN_FRAME_POSITION && k != FIRN_FRAME_DENSITY) f.fields[k] = NULL;
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
        for (int field = 0; field < FIRN_FRAME_FIELD_COUNT; field++) {
            const size_t each = firn_point_type_of(field)->bytes;
            const char* data = appended(text, base, firn_field_table[field].name, COUNT * each);
            for (firn_local k = 0; k < COUNT; k++) data = check_value(&f, field, k, z_up, data);
        }
        const char* connectivity = appended(text, base, "connectivity", COUNT * 4);
        const char* offsets = appended(text, base, "offsets", 4);
        for (int32_t k = 0; k < COUNT; k++) assert_memory_equal(connectivity + 4 * k, &k, 4);
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
    assert_lacks(text, "velocity");
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
    assert_equal(strtod(after(text, "\n<DataSet timestep=\"0\" file=\"vtp/a.0000.vtp\"/>\n<DataSet "
                                    "timestep=\""),
                        NULL),
                 times[1]);
    firn_free(text);
}

int test_points(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ply_has_all_fields), cmocka_unit_test(ply_leaves_out_what_is_missing),
        cmocka_unit_test(vtp_has_all_arrays), cmocka_unit_test(vtp_of_nothing),
        cmocka_unit_test(pvd_escapes_names),
    };
    return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
