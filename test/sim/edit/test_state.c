// SPDX-License-Identifier: MIT
// The state in memory: what is restored goes on bit for bit, and a block that is damaged, or of
// something else, changes nothing.
#include "collider_at.h"
#include "core/hash.h"
#include "edit_fixture.h"

// Also after the caller has moved a collider: before it was saved, or only after.
static void goes_on(void** state)
{
    (void)state;
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim *a = play_start(edit_scenes[s].text), *b = play_start(edit_scenes[s].text);
        edit_steps(a, 7);
        firn_body_pose pose = play_pose(-0.3, 0, 0);
        pose.velocity.x = 1;
        EDIT_OK(a, firn_sim_body_move(a, collider_at(a, 1), &pose));
        edit_steps(a, 3);
        size_t size;
        void* block = edit_save(a, &size);
        const uint64_t then = firn_sim_hash(a);
        edit_steps(a, 9);
        EDIT_OK(a, firn_sim_body_release(a, collider_at(a, 1)));
        edit_steps(a, 2);
        const uint64_t later = firn_sim_hash(a);
        firn_sim* const both[] = {a, b};
        for (int k = 0; k < 2; k++) {
            EDIT_OK(both[k], firn_sim_restore(both[k], block, size));
            assert_equal(firn_sim_hash(both[k]), then);
            assert_int_equal(firn_sim_read(both[k]).step, 10);
            firn_body_info info;
            EDIT_OK(both[k], firn_sim_body(both[k], collider_at(both[k], 1), &info));
            assert_int_equal(info.driver, FIRN_BODY_CALLER);
            edit_steps(both[k], 9);
            EDIT_OK(both[k], firn_sim_body_release(both[k], collider_at(both[k], 1)));
            edit_steps(both[k], 2);
            if (firn_sim_hash(both[k]) != later) fail_msg("%s: %d", edit_scenes[s].name, k);
            assert_true(firn_sim_read(both[k]).time == firn_sim_read(a).time);
        }
        // a state without a moved collider lets go of it
        firn_sim* c = play_start(edit_scenes[s].text);
        free(block);
        block = edit_save(c, &size);
        EDIT_OK(b, firn_sim_body_move(b, collider_at(b, 1), &pose));
        EDIT_OK(b, firn_sim_restore(b, block, size));
        play_frames(b, 3);
        play_frames(c, 3);
        assert_equal(firn_sim_hash(b), firn_sim_hash(c));
        free(block);
        firn_sim_destroy(a);
        firn_sim_destroy(b);
        firn_sim_destroy(c);
    }
}

// The temperature that was set, or that of the scene.
static void temperature(void** state)
{
    (void)state;
    firn_sim* sim = play_start(edit_scenes[2].text);
    size_t cold_size, warm_size;
    void* cold = edit_save(sim, &cold_size);
    EDIT_OK(sim, firn_sim_set_temperature(sim, 3));
    edit_steps(sim, 2);
    void* warm = edit_save(sim, &warm_size);
    EDIT_OK(sim, firn_sim_restore(sim, cold, cold_size));
    assert_true(firn_sim_temperature(sim) == -5);
    EDIT_OK(sim, firn_sim_restore(sim, warm, warm_size));
    assert_true(firn_sim_temperature(sim) == 3);
    free(cold);
    free(warm);
    firn_sim_destroy(sim);
}

// Writes the checksum again, as someone who forges a save file would. Its place is that of the
// head in state.c.
static void forge(char* block, size_t size)
{
    const size_t head = 72;
    const uint64_t sum = firn_hash(block + head, size - head, 0);
    memcpy(block + 32, &sum, sizeof sum);
}

static uint32_t next(uint32_t* random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

// Every block is refused whole, or has only valid values.
static void try_block(firn_sim* sim, const char* block, size_t size)
{
    const uint64_t before = firn_sim_hash(sim);
    const double time = firn_sim_read(sim).time;
    const firn_result r = firn_sim_restore(sim, block, size);
    assert_true(r >= 0);
    if (r == FIRN_OK) return;
    assert_true(strlen(firn_sim_error(sim)) > 20);
    assert_equal(firn_sim_hash(sim), before);
    assert_true(firn_sim_read(sim).time == time);
}

static void damaged(void** state)
{
    (void)state;
    uint32_t random = 1;
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sim = play_start(edit_scenes[s].text);
        edit_steps(sim, 4);
        firn_body_pose pose = play_pose(-0.3, 0, 0);
        EDIT_OK(sim, firn_sim_body_move(sim, collider_at(sim, 1), &pose));
        size_t size;
        char* block = edit_save(sim, &size);
        char* copy = malloc(size);
        assert_non_null(copy);
        for (int k = 0; k < 60; k++) {  // without a new checksum nothing is accepted
            memcpy(copy, block, size);
            copy[next(&random) % size] ^= (char)(1 + next(&random) % 255);
            const uint64_t before = firn_sim_hash(sim);
            assert_true(firn_sim_restore(sim, copy, size) > 0);
            assert_equal(firn_sim_hash(sim), before);
        }
        for (int k = 0; k < 40; k++) try_block(sim, block, next(&random) % size);
        for (int k = 0; k < 150; k++) {
            memcpy(copy, block, size);
            const size_t at = next(&random) % (k % 2 == 0 ? size : size < 600 ? size : 600);
            const size_t bytes = 1 + next(&random) % 8;
            for (size_t n = at; n < at + bytes && n < size; n++)
                copy[n] = k % 3 == 0 ? (char)0xff : (char)next(&random);
            forge(copy, size);
            try_block(sim, copy, size);
            EDIT_OK(sim, firn_sim_restore(sim, block, size));
        }
        edit_steps(sim, 3);
        free(copy);
        free(block);
        firn_sim_destroy(sim);
    }
}

// The largest id has no successor: what is added next must not count from 0 again.
static void last_id(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    const firn_snow_def ball = edit_ball(prefabs.high_ball);
    firn_sim* sim = play_start(edit_scenes[1].text);
    edit_steps(sim, 1);
    size_t size;
    char* block = edit_save(sim, &size);
    const char name[40] = "id";  // of a field: its row, then its values (state_particles.c)
    size_t row = 0;
    while (row + 2 * sizeof name < size && memcmp(block + row, name, sizeof name) != 0) row += 8;
    const uint32_t last = UINT32_MAX;
    memcpy(block + row + sizeof name + 2 * sizeof last, &last, sizeof last);
    forge(block, size);
    EDIT_OK(sim, firn_sim_restore(sim, block, size));
    assert_int_equal(firn_sim_add_snow(sim, prefabs.scene, &ball, NULL, NULL),
                     FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(firn_sim_error(sim), "ids would exceed"));
    edit_steps(sim, 1);
    free(block);
    firn_sim_destroy(sim);
    firn_scene_destroy(prefabs.scene);
}

// Of another scene or solver, too small a block, null pointers.
static void foreign(void** state)
{
    (void)state;
    firn_sim* sims[EDIT_SCENES];
    for (int s = 0; s < EDIT_SCENES; s++) sims[s] = play_start(edit_scenes[s].text);
    for (int s = 0; s < EDIT_SCENES; s++) {
        size_t size, ignored;
        char* block = edit_save(sims[s], &size);
        for (int t = 0; t < EDIT_SCENES; t++)
            assert_int_equal(firn_sim_restore(sims[t], block, size),
                             s == t ? FIRN_OK : FIRN_REFUSED_SCENE);
        char* shifted = malloc(size + 1);
        assert_non_null(shifted);
        memcpy(shifted + 1, block, size);  // not aligned
        EDIT_OK(sims[s], firn_sim_restore(sims[s], shifted + 1, size));
        assert_int_equal(firn_sim_save(sims[s], block, size - 1, &ignored), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_save(sims[s], block, size, NULL), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_save(NULL, block, size, &ignored), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_restore(sims[s], NULL, size), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_restore(NULL, block, size), FIRN_REFUSED_ARGUMENT);
        free(shifted);
        free(block);
    }
    for (int s = 0; s < EDIT_SCENES; s++) firn_sim_destroy(sims[s]);
}

int test_state(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goes_on), cmocka_unit_test(temperature),
                                       cmocka_unit_test(damaged), cmocka_unit_test(last_id),
                                       cmocka_unit_test(foreign)};
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
