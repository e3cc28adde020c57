// SPDX-License-Identifier: MIT
// Particles as a list of fields: nothing may forget one.
#include "state/particles.h"

#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "particles_copy.h"
#include "team_use.h"

static firn_particles make(firn_local count)
{
    firn_particles p = {0};
    firn_particles_add_field(&p, "position", "m", FIRN_FIELD_VEC3);
    firn_particles_add_field(&p, "stretch", "1", FIRN_FIELD_MAT3);
    firn_particles_add_field(&p, "mass", "kg", FIRN_FIELD_REAL);
    firn_particles_add_field(&p, "material", "", FIRN_FIELD_U8);
    firn_particles_add_field(&p, "id", "", FIRN_FIELD_U32);
    assert_int_equal(firn_particles_reserve(&p, count), FIRN_OK);
    p.count = count;
    for (int f = 0; f < p.field_count; f++) {
        unsigned char* bytes = p.fields[f].data;
        for (size_t b = 0; b < (size_t)count * p.fields[f].size; b++)
            bytes[b] = (unsigned char)(b * 31 / 7 + (size_t)f);
    }
    return p;
}

static void fields(void** state)
{
    (void)state;
    firn_particles p = make(100);
    assert_int_equal(firn_particles_bytes_each(&p),
                     sizeof(firn_vec3) + sizeof(firn_mat3) + sizeof(firn_real) + 1 + 4);
    assert_null(firn_particles_find(&p, "velocity"));
    const firn_field* mass = firn_particles_find(&p, "mass");
    assert_non_null(mass);
    assert_string_equal(mass->unit, "kg");
    assert_int_equal(mass->size, sizeof(firn_real));
    for (int f = 0; f < p.field_count; f++)
        assert_int_equal((uintptr_t)p.fields[f].data % FIRN_ALIGNMENT, 0);
    firn_particles_destroy(&p);
    assert_int_equal(p.count, 0);
}

// Growing keeps what is there.
static void growing(void** state)
{
    (void)state;
    firn_particles p = make(1000);
    const uint64_t before = firn_particles_hash(&p);
    assert_int_equal(firn_particles_reserve(&p, 10), FIRN_OK);  // never shrinks
    assert_int_equal(p.capacity, 1000);
    assert_int_equal(firn_particles_reserve(&p, 5000), FIRN_OK);
    assert_at_least(p.capacity, 5000);
    assert_equal(firn_particles_hash(&p), before);
    firn_particles_destroy(&p);
}

// The k-th allocation fails: everything is as before, and nothing leaks.
static void out_of_memory(void** state)
{
    (void)state;
    const uint64_t start = firn_memory_read().bytes;
    firn_particles p = make(1000);
    const uint64_t used = firn_memory_read().bytes, hash = firn_particles_hash(&p);
    int failures = 0;
    for (uint64_t k = 1; k < 50; k++) {
        firn_memory_fail_at(k, false);
        const firn_result r = firn_particles_reserve(&p, 2000);
        firn_memory_fail_at(0, false);
        assert_equal(firn_particles_hash(&p), hash);
        if (r == FIRN_OK) break;
        failures++;
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, used);
        assert_int_equal(p.capacity, 1000);
    }
    assert_int_equal(failures, 5);  // five fields
    firn_particles_destroy(&p);
    assert_int_equal(firn_memory_read().bytes, start);
}

static void reordering(void** state)
{
    (void)state;
    enum { COUNT = 3001 };
    firn_local order[COUNT];  // one long cycle, pairs, and places that stay
    for (int k = 0; k < COUNT; k++) order[k] = k;
    for (int k = 0; k < 2000; k++) order[k] = (firn_local)((int64_t)k * 1009 % 2000);
    for (int k = 2000; k < 2600; k += 2) order[k] = k + 1, order[k + 1] = k;
    firn_particles first = make(COUNT), many = make(COUNT), old = make(COUNT);
    assert_int_equal(firn_particles_reorder(&first, order), FIRN_OK);
    assert_int_equal(firn_particles_reorder(&many, NULL), FIRN_OK);  // identity
    assert_equal(firn_particles_hash(&many), firn_particles_hash(&old));
    use_team(3);
    const uint64_t allocations = firn_memory_read().allocations;
    assert_int_equal(firn_particles_reorder(&many, order), FIRN_OK);
    assert_int_equal(firn_memory_read().allocations, allocations);
    use_team(0);
    assert_equal(firn_particles_hash(&first), firn_particles_hash(&many));
    assert_not_equal(firn_particles_hash(&first), firn_particles_hash(&old));
    for (int f = 0; f < first.field_count; f++) {
        const size_t size = first.fields[f].size;
        for (int k = 0; k < COUNT; k++)
            assert_memory_equal((char*)first.fields[f].data + (size_t)k * size,
                                (char*)old.fields[f].data + (size_t)order[k] * size, size);
    }
    firn_particles_destroy(&first);
    firn_particles_destroy(&many);
    firn_particles_destroy(&old);
}

// Stable compaction: what stays keeps its order and every field; none may stay.
static void keeping(void** state)
{
    (void)state;
    enum { COUNT = 3001 };
    firn_local keep[COUNT], kept = 0;
    for (int k = 0; k < COUNT; k++)
        if (k % 7 != 3 && k < 2900) keep[kept++] = k;
    firn_particles one = make(COUNT), many = make(COUNT), old = make(COUNT);
    firn_particles_keep(&one, keep, kept);
    use_team(3);
    const uint64_t allocations = firn_memory_read().allocations;
    firn_particles_keep(&many, keep, kept);
    assert_int_equal(firn_memory_read().allocations, allocations);
    use_team(0);
    assert_int_equal(one.count, kept);
    assert_int_equal(one.capacity, COUNT);
    assert_equal(firn_particles_hash(&one), firn_particles_hash(&many));
    for (int f = 0; f < one.field_count; f++) {
        const size_t size = one.fields[f].size;
        for (firn_local k = 0; k < kept; k++)
            assert_memory_equal((char*)one.fields[f].data + (size_t)k * size,
                                (char*)old.fields[f].data + (size_t)keep[k] * size, size);
    }
    firn_particles_keep(&many, keep, 0);
    assert_int_equal(many.count, 0);
    firn_particles_keep(&many, keep, 0);
    assert_int_equal(copy_particles(&many, &old), FIRN_OK);  // a rollback brings them back
    assert_equal(firn_particles_hash(&many), firn_particles_hash(&old));
    firn_particles_destroy(&one);
    firn_particles_destroy(&many);
    firn_particles_destroy(&old);
}

// Any one bit of any field, and the count, change the hash; bytes beyond the count do not.
static void hashing(void** state)
{
    (void)state;
    firn_particles p = make(17);
    const uint64_t hash = firn_particles_hash(&p);
    assert_equal(firn_particles_hash(&p), hash);
    for (int f = 0; f < p.field_count; f++) {
        unsigned char* bytes = p.fields[f].data;
        for (size_t b = 0; b < 17 * p.fields[f].size; b += 3) {
            bytes[b] ^= 1;
            assert_not_equal(firn_particles_hash(&p), hash);
            bytes[b] ^= 1;
        }
    }
    p.count = 16;
    assert_not_equal(firn_particles_hash(&p), hash);
    p.count = 17;
    firn_particles_reserve(&p, 40);
    ((uint32_t*)p.fields[4].data)[20] = 77;
    assert_equal(firn_particles_hash(&p), hash);
    p.count = 0;
    firn_particles_hash(&p);  // no particles at all are a state, too
    firn_particles_destroy(&p);
}

static void copying(void** state)
{
    (void)state;
    firn_particles from = make(500), to = {0};
    assert_int_equal(copy_particles(&to, &from), FIRN_OK);
    assert_equal(firn_particles_hash(&to), firn_particles_hash(&from));
    ((firn_real*)from.fields[2].data)[3] += 1;
    assert_not_equal(firn_particles_hash(&to), firn_particles_hash(&from));  // not the same memory
    firn_particles_reserve(&from, 900);
    from.count = 900;
    assert_int_equal(copy_particles(&to, &from), FIRN_OK);
    assert_equal(firn_particles_hash(&to), firn_particles_hash(&from));
    from.count = 3;  // back to fewer, without a new allocation
    const uint64_t allocations = firn_memory_read().allocations;
    assert_int_equal(copy_particles(&to, &from), FIRN_OK);
    assert_equal(firn_particles_hash(&to), firn_particles_hash(&from));
    assert_int_equal(firn_memory_read().allocations, allocations);
    firn_particles_destroy(&from);
    firn_particles_destroy(&to);
}

int test_particles(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),     cmocka_unit_test(growing), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(reordering), cmocka_unit_test(keeping), cmocka_unit_test(hashing),
        cmocka_unit_test(copying)};
    return cmocka_run_group_tests_name("particles", tests, NULL, NULL);
}
