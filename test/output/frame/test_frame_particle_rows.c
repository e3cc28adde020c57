// SPDX-License-Identifier: MIT
// Frames and checkpoints of particles that are read in runs of rows have the bytes of those in
// arrays, and checkpoints are read so with the same checks.
#include "state/particle_rows.h"

#include "output/frame/frame.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP
#define PARTICLES 70000  // more than are read together

static firn_particles particles;

// Rows of `particles`; fails at row *self, if that is not negative.
static firn_result read_rows(void* self, int field, firn_local first, firn_local rows, void* out,
                             firn_error* error)
{
    const firn_local fails = *(const firn_local*)self;
    const firn_field* f =
        &particles.fields[field == FIRN_ROWS_DENSITY ? FIRN_FRAME_DENSITY : field];
    if (fails >= first && fails < first + rows)
        return firn_fail(error, FIRN_BROKEN_DEVICE, "row %d is lost", (int)fails);
    assert_true(first >= 0 && rows > 0 && first + rows <= particles.count);
    memcpy(out, (const char*)f->data + (size_t)first * f->size, (size_t)rows * f->size);
    return FIRN_OK;
}

static firn_local never = -1;

static firn_frame frame_of_rows(const firn_particle_rows* rows)
{
    firn_frame frame = {.info = sample_info(), .count = rows->count, .rows = rows};
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        frame.row_field[f] = f == FIRN_FRAME_DENSITY ? FIRN_ROWS_DENSITY : f;
    return frame;
}

static void assert_same_files(const char* a, const char* b)
{
    size_t a_bytes, b_bytes;
    char *a_data = sample_bytes(a, &a_bytes), *b_data = sample_bytes(b, &b_bytes);
    assert_int_equal(a_bytes, b_bytes);
    assert_memory_equal(a_data, b_data, a_bytes);
    firn_free(a_data);
    firn_free(b_data);
}

static void a_frame_of_rows_has_the_bytes_of_one_of_arrays(void** state)
{
    (void)state;
    const firn_particle_rows rows = {&never, particles.count, read_rows};
    for (int compression = 0; compression < 2; compression++) {
        firn_frame frame = frame_of_rows(&rows);
        sample_write_frame(DIR "/arrays.hdf", &particles, compression);
        assert_int_equal(firn_frame_write(DIR "/rows.hdf", &frame, compression, NULL), FIRN_OK);
        assert_same_files(DIR "/arrays.hdf", DIR "/rows.hdf");
    }
}

static void an_array_comes_before_rows(void** state)
{
    (void)state;
    const firn_particle_rows rows = {&never, particles.count, read_rows};
    firn_frame frame = frame_of_rows(&rows);
    frame.position = particles.fields[FIRN_FRAME_POSITION].data;
    frame.row_field[FIRN_FRAME_POSITION] = FIRN_ROWS_NONE;
    assert_int_equal(firn_frame_write(DIR "/mixed.hdf", &frame, 1, NULL), FIRN_OK);
    assert_same_files(DIR "/arrays.hdf", DIR "/mixed.hdf");
}

static void a_checkpoint_of_rows_has_the_same_bytes(void** state)
{
    (void)state;
    const firn_frame_info info = sample_info();
    const firn_particle_rows rows = {&never, particles.count, read_rows};
    firn_particles list = particles;  // fields only
    list.count = 0;
    assert_int_equal(
        firn_checkpoint_write(DIR "/arrays.h5", &info, &particles, NULL, "abc", 3, NULL), FIRN_OK);
    assert_int_equal(firn_checkpoint_write(DIR "/rows.h5", &info, &list, &rows, "abc", 3, NULL),
                     FIRN_OK);
    assert_same_files(DIR "/arrays.h5", DIR "/rows.h5");
}

static void rows_that_cannot_be_read_leave_no_file(void** state)
{
    (void)state;
    firn_local lost = 66000;
    firn_error error = {0};
    const firn_frame_info info = sample_info();
    const firn_particle_rows rows = {&lost, particles.count, read_rows};
    firn_frame frame = frame_of_rows(&rows);
    for (int compression = 0; compression < 2; compression++) {
        assert_int_equal(firn_frame_write(DIR "/lost.hdf", &frame, compression, &error),
                         FIRN_BROKEN_DEVICE);
        assert_string_equal(error.text, "row 66000 is lost");
    }
    assert_int_equal(firn_checkpoint_write(DIR "/lost.h5", &info, &particles, &rows, "", 0, &error),
                     FIRN_BROKEN_DEVICE);
    assert_string_equal(error.text, "row 66000 is lost");
    assert_int_not_equal(access(DIR "/lost.hdf", F_OK), 0);
    assert_int_not_equal(access(DIR "/lost.h5", F_OK), 0);
}

// ---- reading ------------------------------------------------------------------------------------

static firn_result begin(void* self, firn_local count, firn_error* error)
{
    (void)error;
    firn_particles* to = self;
    assert_int_equal(firn_particles_reserve(to, count), FIRN_OK);
    to->count = count;
    return FIRN_OK;
}

static firn_result put(void* self, int field, firn_local first, firn_local rows, const void* data,
                       firn_error* error)
{
    (void)error;
    const firn_field* f = &((firn_particles*)self)->fields[field];
    memcpy((char*)f->data + (size_t)first * f->size, data, (size_t)rows * f->size);
    return FIRN_OK;
}

static firn_result read_back(const char* path, firn_particles* to, char extra[3], firn_error* error)
{
    const firn_particle_sink sink = {to, begin, put};
    return firn_checkpoint_read_rows(path, &sample_limits, &particles, &sink, extra, 3, error);
}

static void a_checkpoint_is_read_in_rows(void** state)
{
    (void)state;
    firn_particles to = sample_particles(1, 5);
    char extra[4] = "";
    assert_int_equal(read_back(DIR "/arrays.h5", &to, extra, NULL), FIRN_OK);
    assert_string_equal(extra, "abc");
    assert_true(firn_particles_hash(&to) == firn_particles_hash(&particles));
    firn_particles_destroy(&to);
}

// What firn_checkpoint_read says of a damaged state is said here, too.
static void assert_refused_alike(const char* path)
{
    firn_particles to = sample_particles(1, 5), whole = sample_particles(1, 5);
    firn_error error = {0}, expected = {0};
    char extra[3];
    whole.fields[FIRN_FRAME_MASS].values = FIRN_VALUES_POSITIVE;
    particles.fields[FIRN_FRAME_MASS].values = FIRN_VALUES_POSITIVE;
    assert_int_equal(firn_checkpoint_read(path, &sample_limits, &whole, extra, 3, &expected),
                     FIRN_REFUSED_DAMAGED);
    assert_int_equal(read_back(path, &to, extra, &error), FIRN_REFUSED_DAMAGED);
    assert_string_equal(error.text, expected.text);
    particles.fields[FIRN_FRAME_MASS].values = FIRN_VALUES_ANY;
    firn_particles_destroy(&to);
    firn_particles_destroy(&whole);
}

static void damaged_states_are_refused_alike(void** state)
{
    (void)state;
    const firn_frame_info info = sample_info();
    firn_real* mass = particles.fields[FIRN_FRAME_MASS].data;
    uint32_t* id = particles.fields[FIRN_FRAME_ID].data;
    const firn_real mass_before = mass[66000];
    mass[66000] = (firn_real)NAN;
    firn_checkpoint_write(DIR "/nan.h5", &info, &particles, NULL, "abc", 3, NULL);
    assert_refused_alike(DIR "/nan.h5");
    mass[66000] = mass_before;
    const uint32_t id_before = id[69000];
    id[69000] = id[3];
    firn_checkpoint_write(DIR "/twice.h5", &info, &particles, NULL, "abc", 3, NULL);
    assert_refused_alike(DIR "/twice.h5");
    id[69000] = id_before;
}

static int prepare(void** state)
{
    (void)state;
    particles = sample_particles(PARTICLES, 3);
    return 0;
}

static int clean_up(void** state)
{
    (void)state;
    firn_particles_destroy(&particles);
    return 0;
}

int test_frame_particle_rows(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_of_rows_has_the_bytes_of_one_of_arrays),
        cmocka_unit_test(an_array_comes_before_rows),
        cmocka_unit_test(a_checkpoint_of_rows_has_the_same_bytes),
        cmocka_unit_test(rows_that_cannot_be_read_leave_no_file),
        cmocka_unit_test(a_checkpoint_is_read_in_rows),
        cmocka_unit_test(damaged_states_are_refused_alike),
    };
    return cmocka_run_group_tests_name("frame_particle_rows", tests, prepare, clean_up);
}
