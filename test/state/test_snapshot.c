// SPDX-License-Identifier: MIT
// Snapshots give back every bit, whatever happened to the particles in between.
#include "state/snapshot.h"

#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "team_use.h"

enum { COUNT = 2003 };  // a prime, so that strides below it are permutations

typedef enum id_order { IN_ORDER, SHUFFLED } id_order;

// Fields of every kind; constants that differ from particle to particle.
static firn_particles make(id_order o)
{
    static const struct {
        const char* name;
        firn_field_type type;
        firn_field_changes changes;
    } fields[] = {{"position", FIRN_FIELD_VEC3, FIRN_CHANGES_ALWAYS},
                  {"mass", FIRN_FIELD_REAL, FIRN_CHANGES_NEVER},
                  {"stretch", FIRN_FIELD_MAT3, FIRN_CHANGES_ALWAYS},
                  {"volume", FIRN_FIELD_REAL, FIRN_CHANGES_FIRST_STEP},
                  {"material", FIRN_FIELD_U8, FIRN_CHANGES_NEVER},
                  {"id", FIRN_FIELD_U32, FIRN_CHANGES_NEVER}};
    firn_particles p = {0};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        const int k = firn_particles_add_field(&p, fields[f].name, "", fields[f].type);
        p.fields[k].changes = fields[f].changes;
    }
    assert_int_equal(firn_particles_reserve(&p, COUNT), FIRN_OK);
    p.count = COUNT;
    for (int f = 0; f < p.field_count; f++)
        for (size_t b = 0; b < COUNT * p.fields[f].size; b++)
            ((unsigned char*)p.fields[f].data)[b] = (unsigned char)(b * 31 / 7 + (size_t)f);
    for (int k = 0; k < COUNT; k++)
        ((uint32_t*)p.fields[5].data)[k] = (uint32_t)(o == SHUFFLED ? k * 1009 % COUNT : k);
    return p;
}

// What steps do: another order, and other values of what changes.
static void disturb(firn_particles* p, int stride)
{
    firn_local order[COUNT];
    for (int k = 0; k < COUNT; k++) order[k] = (firn_local)((int64_t)(k + 5) * stride % COUNT);
    assert_int_equal(firn_particles_reorder(p, order), FIRN_OK);
    for (int f = 0; f < p->field_count; f++)
        if (p->fields[f].changes == FIRN_CHANGES_ALWAYS)
            memset(p->fields[f].data, 0xff, COUNT * p->fields[f].size);  // not a number
}

static void every_bit_comes_back(void** state)
{
    (void)state;
    for (int o = IN_ORDER; o <= SHUFFLED; o++) {
        for (int whole = 0; whole < 2; whole++) {
            firn_particles p = make((id_order)o);
            firn_snapshot s = {0};
            const uint64_t hash = firn_particles_hash(&p);
            assert_int_equal(firn_snapshot_take(&s, &p, whole), FIRN_OK);
            for (int threads = 1; threads <= 3; threads += 2) {
                use_team(threads);
                disturb(&p, 577 + threads);
                assert_not_equal(firn_particles_hash(&p), hash);
                assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_OK);
                assert_equal(firn_particles_hash(&p), hash);
                use_team(0);
            }
            firn_snapshot_destroy(&s);
            firn_particles_destroy(&p);
        }
    }
}

// Taken again later: the newer state counts, and nothing is allocated.
static void taken_again(void** state)
{
    (void)state;
    firn_particles p = make(IN_ORDER);
    firn_snapshot s = {0};
    assert_int_equal(firn_snapshot_take(&s, &p, false), FIRN_OK);
    disturb(&p, 13);
    const uint64_t hash = firn_particles_hash(&p), allocations = firn_memory_read().allocations;
    assert_int_equal(firn_snapshot_take(&s, &p, false), FIRN_OK);
    assert_int_equal(firn_memory_read().allocations, allocations);
    disturb(&p, 14);
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_OK);
    assert_equal(firn_particles_hash(&p), hash);
    firn_snapshot_destroy(&s);
    firn_particles_destroy(&p);
}

// What the first step computes is zero again before it, and stays after it.
static void first_step(void** state)
{
    (void)state;
    firn_particles p = make(SHUFFLED);
    firn_snapshot s = {0};
    memset(p.fields[3].data, 0, COUNT * p.fields[3].size);
    const uint64_t hash = firn_particles_hash(&p);
    assert_int_equal(firn_snapshot_take(&s, &p, false), FIRN_OK);
    memset(p.fields[3].data, 0x7f, COUNT * p.fields[3].size);
    disturb(&p, 100);
    assert_int_equal(firn_snapshot_restore(&s, &p, true), FIRN_OK);
    assert_equal(firn_particles_hash(&p), hash);
    firn_snapshot_destroy(&s);
    firn_particles_destroy(&p);
}

// Without the constants it holds the changing fields and the id, and no more.
static void bytes(void** state)
{
    (void)state;
    firn_particles p = make(IN_ORDER);
    for (int whole = 0; whole < 2; whole++) {
        firn_snapshot s = {0};
        const uint64_t before = firn_memory_read().bytes;
        assert_int_equal(firn_snapshot_take(&s, &p, whole), FIRN_OK);
        const size_t each =
            whole ? firn_particles_bytes_each(&p) : sizeof(firn_vec3) + sizeof(firn_mat3) + 4;
        const uint64_t used = firn_memory_read().bytes - before;
        assert_at_least(used, COUNT * each);
        assert_less(used, COUNT * each + 6 * 256);  // alignment and one spare element per field
        firn_snapshot_destroy(&s);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    firn_particles_destroy(&p);
}

// Particles that vanished come back from a whole snapshot.
static void vanished(void** state)
{
    (void)state;
    firn_particles p = make(SHUFFLED);
    firn_snapshot s = {0};
    const uint64_t hash = firn_particles_hash(&p);
    assert_int_equal(firn_snapshot_take(&s, &p, true), FIRN_OK);
    firn_local keep[COUNT];
    for (int k = 0; k < COUNT / 2; k++) keep[k] = 2 * k;
    firn_particles_keep(&p, keep, COUNT / 2);
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_OK);
    assert_equal(firn_particles_hash(&p), hash);
    firn_particles_keep(&p, keep, 0);
    assert_int_equal(firn_snapshot_take(&s, &p, true), FIRN_OK);  // of none at all
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_OK);
    assert_int_equal(p.count, 0);
    firn_snapshot_destroy(&s);
    firn_particles_destroy(&p);
}

// Other particles than those of the snapshot are refused, and left alone.
static void other_particles(void** state)
{
    (void)state;
    firn_particles p = make(IN_ORDER);
    firn_snapshot s = {0};
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_BROKEN_INTERNAL);  // not taken
    assert_int_equal(firn_snapshot_take(&s, &p, false), FIRN_OK);
    uint32_t* id = p.fields[5].data;
    static const uint32_t wrong[] = {7, COUNT, UINT32_MAX};  // twice, and out of range
    for (int k = 0; k < 3; k++) {
        id[3] = wrong[k];
        const uint64_t hash = firn_particles_hash(&p);
        assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_BROKEN_INTERNAL);
        assert_equal(firn_particles_hash(&p), hash);
    }
    id[3] = 3;
    p.count--;
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_BROKEN_INTERNAL);
    p.count++;
    ((uint32_t*)s.data[5])[3] = 7;
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_BROKEN_INTERNAL);
    firn_snapshot_destroy(&s);
    firn_particles_destroy(&p);
}

// Room that was made before: taking a snapshot of as many allocates nothing.
static void reserved(void** state)
{
    (void)state;
    firn_particles p = make(IN_ORDER);
    firn_snapshot s = {0};
    assert_int_equal(firn_snapshot_reserve(&s, &p, COUNT + 10, true), FIRN_OK);
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_BROKEN_INTERNAL);  // not taken
    const uint64_t before = firn_memory_read().allocations, hash = firn_particles_hash(&p);
    assert_int_equal(firn_snapshot_take(&s, &p, true), FIRN_OK);
    assert_equal(firn_memory_read().allocations, before);
    disturb(&p, 2);
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_OK);
    assert_equal(firn_particles_hash(&p), hash);
    firn_snapshot_destroy(&s);
    firn_memory_fail_at(2, false);
    assert_int_equal(firn_snapshot_reserve(&s, &p, COUNT, true), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_false(s.made);
    firn_particles_destroy(&p);
}

// The k-th allocation fails: an error, the particles as before, nothing leaks.
static void out_of_memory(void** state)
{
    (void)state;
    firn_particles p = make(IN_ORDER);
    const uint64_t before = firn_memory_read().bytes, hash = firn_particles_hash(&p);
    firn_snapshot s = {0};
    for (uint64_t k = 1; k <= 3; k++) {  // position, stretch, id
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_snapshot_take(&s, &p, false), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_false(s.taken);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(firn_snapshot_take(&s, &p, false), FIRN_OK);
    disturb(&p, 2);
    const uint64_t disturbed = firn_particles_hash(&p);
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_equal(firn_particles_hash(&p), disturbed);
    assert_int_equal(firn_snapshot_restore(&s, &p, false), FIRN_OK);
    assert_equal(firn_particles_hash(&p), hash);
    firn_snapshot_destroy(&s);
    firn_particles_destroy(&p);
}

int test_snapshot(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_bit_comes_back),
                                       cmocka_unit_test(taken_again),
                                       cmocka_unit_test(first_step),
                                       cmocka_unit_test(bytes),
                                       cmocka_unit_test(vanished),
                                       cmocka_unit_test(other_particles),
                                       cmocka_unit_test(reserved),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
