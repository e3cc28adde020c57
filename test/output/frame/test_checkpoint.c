// SPDX-License-Identifier: MIT
// Checkpoints: the state comes back bit for bit, or not at all.
#include "output/frame/frame.h"
#include "output/frame/frame_info.h"
#include "output/hdf5/h5_write.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/"

// Same fields as `p`, no particles.
static firn_particles empty_like(const firn_particles* p)
{
    firn_particles e = {0};
    for (int f = 0; f < p->field_count; f++)
        firn_particles_add_field(&e, p->fields[f].name, p->fields[f].unit, p->fields[f].type);
    return e;
}

static void put_specials(firn_particles* p)
{
    // bits that a conversion would lose: negative zero, NaN with a payload, infinity, denormal
    firn_real* mass = p->fields[3].data;
    mass[0] = (firn_real)-0.0;
    mass[1] = (firn_real)INFINITY;
    mass[2] = FIRN_REAL_TINY / 4;
    memset(&mass[3], 0xff, sizeof mass[3]);
    mass[4] = (firn_real)0.1;
}

static void state_comes_back_bit_for_bit(void** state)
{
    (void)state;
    const firn_local counts[] = {0, 5, 1000, 70000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        firn_particles p = sample_particles(counts[k], 21);
        if (counts[k] >= 5) put_specials(&p);
        unsigned char extra[777], back[777];
        for (size_t i = 0; i < sizeof extra; i++) extra[i] = (unsigned char)(i * 37);
        const firn_frame_info info = sample_info();
        firn_error error;
        const size_t size = counts[k] == 5 ? 0 : sizeof extra;
        if (firn_checkpoint_write(DIR "s.h5", &info, &p, NULL, extra, size, &error) != FIRN_OK)
            fail_msg("%s", error.text);
        disk_no_temporary(DIR "s.h5");
        firn_frame_info got;
        firn_local count = -1;
        size_t extra_size = 1;
        assert_int_equal(firn_checkpoint_read_info(DIR "s.h5", &got, &count, &extra_size, &error),
                         FIRN_OK);
        assert_int_equal(count, counts[k]);
        assert_int_equal(extra_size, size);
        assert_int_equal(got.step, info.step);
        assert_memory_equal(&got.time, &info.time, sizeof info.time);
        assert_equal(got.state_hash, firn_particles_hash(&p));  // the true one, not the caller's
        firn_particles q = empty_like(&p);
        if (firn_checkpoint_read(DIR "s.h5", &sample_limits, &q, back, size, &error) != FIRN_OK)
            fail_msg("%s", error.text);
        assert_int_equal(q.count, p.count);
        for (int f = 0; f < p.field_count && p.count > 0; f++)
            assert_memory_equal(q.fields[f].data, p.fields[f].data,
                                (size_t)p.count * p.fields[f].size);
        assert_memory_equal(back, extra, size);
        firn_particles_destroy(&p);
        firn_particles_destroy(&q);
    }
}

static void refuse(const char* path, firn_particles* q, size_t extra_size, firn_result code,
                   const char* says)
{
    unsigned char extra[64];
    firn_error error = {0};
    const firn_local count = q->count;
    assert_int_equal(firn_checkpoint_read(path, &sample_limits, q, extra, extra_size, &error),
                     code);
    if (strstr(error.text, says) == NULL) fail_msg("'%s' is not in: %s", says, error.text);
    assert_int_equal(q->count, count);  // refused before anything was changed
}

static void what_does_not_fit_is_refused(void** state)
{
    (void)state;
    firn_particles p = sample_particles(50, 21);
    const firn_frame_info info = sample_info();
    const unsigned char extra[8] = {1, 2, 3};
    firn_error error;
    assert_int_equal(firn_checkpoint_write(DIR "a.h5", &info, &p, NULL, extra, 8, &error), FIRN_OK);
    firn_particles same = sample_particles(3, 4);
    refuse(DIR "a.h5", &same, 9, FIRN_REFUSED_ARGUMENT, "another solver or version");
    refuse(DIR "none.h5", &same, 8, FIRN_REFUSED_IO, "No such file");
    firn_particles fewer = {0}, renamed = {0}, retyped = {0};
    for (int f = 0; f < p.field_count; f++) {
        const firn_field* x = &p.fields[f];
        if (f > 0) firn_particles_add_field(&fewer, x->name, x->unit, x->type);
        firn_particles_add_field(&renamed, f == 2 ? "other" : x->name, x->unit, x->type);
        firn_particles_add_field(&retyped, x->name, x->unit, f == 3 ? FIRN_FIELD_VEC3 : x->type);
    }
    char has[32];
    snprintf(has, sizeof has, "has %d fields", p.field_count);
    refuse(DIR "a.h5", &fewer, 8, FIRN_REFUSED_ARGUMENT, has);
    refuse(DIR "a.h5", &renamed, 8, FIRN_REFUSED_DAMAGED, "other");
    refuse(DIR "a.h5", &retyped, 8, FIRN_REFUSED_DAMAGED, "mass");
    sample_write_frame(DIR "f.hdf", &p, 1);
    refuse(DIR "f.hdf", &same, 8, FIRN_REFUSED_DAMAGED, "is a firn frame, not a checkpoint");
    firn_particles_destroy(&p);
    firn_particles_destroy(&same);
    firn_particles_destroy(&fewer);
    firn_particles_destroy(&renamed);
    firn_particles_destroy(&retyped);
}

// A file whose parts are sound but whose state is not the one that was hashed; and one of the other
// precision.
static void state_hash_and_precision_are_checked(void** state)
{
    (void)state;
    const float value = 1;
    const int64_t one = 1, zero = 0;
    for (int wrong_precision = 0; wrong_precision < 2; wrong_precision++) {
        firn_h5 h5;
        firn_error error;
        firn_frame_info info = sample_info();
        assert_int_equal(firn_h5_create(&h5, DIR "h.h5", FIRN_SEAL_CHECKPOINT, &error), FIRN_OK);
        assert_int_equal(firn_frame_info_put(&h5, &info), FIRN_OK);
        if (wrong_precision) {
            const int64_t bytes = sizeof(firn_real) == 4 ? 8 : 4;
            assert_at_least(H5Adelete_by_name(h5.file, "/firn", "real_bytes", H5P_DEFAULT), 0);
            assert_int_equal(firn_h5_put_number(&h5, "/firn", "real_bytes", FIRN_H5_I64, &bytes, 0),
                             FIRN_OK);
        }
        assert_int_equal(firn_h5_put_group(&h5, "/particles"), FIRN_OK);
        assert_int_equal(firn_h5_put_number(&h5, "/particles", "count", FIRN_H5_I64, &one, 0),
                         FIRN_OK);
        assert_int_equal(firn_h5_put_number(&h5, "/particles", "field_count", FIRN_H5_I64, &one, 0),
                         FIRN_OK);
        assert_int_equal(firn_h5_put_number(&h5, "/particles", "extra_size", FIRN_H5_I64, &zero, 0),
                         FIRN_OK);
        const firn_h5_array mass = {.path = "/particles/mass",
                                    .given = FIRN_H5_F32,
                                    .stored = FIRN_H5_REAL,
                                    .rows = 1,
                                    .columns = 1,
                                    .data = &value};
        const firn_h5_array none = {
            .path = "/extra", .given = FIRN_H5_U8, .stored = FIRN_H5_U8, .rows = 0, .columns = 1};
        assert_int_equal(firn_h5_put_array(&h5, &mass), FIRN_OK);
        assert_int_equal(firn_h5_put_array(&h5, &none), FIRN_OK);
        assert_int_equal(firn_h5_commit(&h5, FIRN_OK), FIRN_OK);
        firn_particles q = {0};
        firn_particles_add_field(&q, "mass", "kg", FIRN_FIELD_REAL);
        refuse(DIR "h.h5", &q, 0, wrong_precision ? FIRN_REFUSED_ARGUMENT : FIRN_REFUSED_DAMAGED,
               wrong_precision ? "the build that wrote it" : "state hash");
        firn_particles_destroy(&q);
    }
}

int test_checkpoint(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_comes_back_bit_for_bit),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(state_hash_and_precision_are_checked),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
