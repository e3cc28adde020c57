// SPDX-License-Identifier: MIT
// Fields that a caller writes: the solver takes them over, and values that are not valid change
// nothing.
#include "edit_fixture.h"

static firn_vec3* open_vectors(firn_sim* sim, const char* name)
{
    firn_field_edit edit;
    EDIT_OK(sim, firn_sim_field_edit(sim, name, &edit));
    assert_string_equal(edit.name, name);
    assert_int_equal(edit.count, edit_count(sim));
    assert_int_equal(edit.type, FIRN_FIELD_VEC3);
    return edit.data;
}

// Moved by 1 m as a whole, without a floor nearby, and thrown: the state of a simulation there.
static void moves(void** state)
{
    (void)state;
    for (int s = 0; s < EDIT_SCENES; s++) {
        uint64_t hash[2];
        for (int threads = 1; threads <= 4; threads += 3) {
            firn_sim* sim = edit_start(edit_scenes[s].text, threads, 0);
            edit_steps(sim, 5);
            double was[4], is[4];
            edit_sum(sim, was);
            firn_vec3* x = open_vectors(sim, "position");
            firn_vec3* v = open_vectors(sim, "velocity");
            const firn_local count = (firn_local)edit_count(sim);
            const firn_real low = x[0].y;
            for (firn_local p = 0; p < count; p++) {
                x[p].y += 1;
                v[p] = (firn_vec3){2, 1, 0};
            }
            const uint64_t before = firn_sim_hash(sim);  // they are copies until the commit
            EDIT_OK(sim, firn_sim_edit_commit(sim));
            assert_true(firn_sim_hash(sim) != before);
            edit_sum(sim, is);
            assert_float_equal(is[1], 2 * was[0], 1e-5 * was[0]);
            play_frames(sim, 5);
            assert_int_equal(firn_sim_read(sim).rollbacks, 0);
            // it falls freely: 9.81 m/s^2 for what is left of five frames, below 0.05 s
            edit_sum(sim, is);
            assert_float_equal(is[1], 2 * was[0], 1e-3 * was[0]);
            assert_float_equal(is[2] / was[0], 1 - 9.81 * 0.045, 0.06);
            firn_field_view y;
            EDIT_OK(sim, firn_sim_field(sim, "position", &y));
            assert_true(((const firn_vec3*)y.data)[0].y > low + (firn_real)0.5);
            hash[threads > 1] = firn_sim_hash(sim);
            firn_sim_destroy(sim);
        }
        assert_equal(hash[0], hash[1]);
    }
}

static void refused(void** state)
{
    (void)state;
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sim = edit_start(edit_scenes[s].text, 2, 0);
        edit_steps(sim, 2);
        const uint64_t hash = firn_sim_hash(sim);
        firn_field_edit edit;
        assert_int_equal(firn_sim_field_edit(sim, "id", &edit), FIRN_REFUSED_NAME);
        assert_non_null(strstr(firn_sim_error(sim), "position velocity"));
        assert_int_equal(firn_sim_field_edit(sim, NULL, &edit), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_field_edit(sim, "velocity", NULL), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_field_edit(NULL, "velocity", &edit), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_edit_commit(NULL), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_edit_commit(sim), FIRN_REFUSED_ARGUMENT);  // nothing is open
        // a bad value in one field: the other is not taken either
        open_vectors(sim, "position")[0].x += 1;
        open_vectors(sim, "velocity")[4].y = NAN;
        assert_int_equal(firn_sim_edit_commit(sim), FIRN_REFUSED_ARGUMENT);
        assert_non_null(strstr(firn_sim_error(sim), "'velocity' of particle 4 is"));
        assert_equal(firn_sim_hash(sim), hash);
        assert_int_equal(firn_sim_edit_commit(sim), FIRN_REFUSED_ARGUMENT);
        if (s > 0) {
            open_vectors(sim, "position")[2].z = (firn_real)1e30;
            assert_int_equal(firn_sim_edit_commit(sim), FIRN_REFUSED_ARGUMENT);
            assert_non_null(strstr(firn_sim_error(sim), "reaches"));
        }
        // after a step the order may be another
        (void)open_vectors(sim, "velocity");
        edit_steps(sim, 1);
        assert_int_equal(firn_sim_edit_commit(sim), FIRN_REFUSED_ARGUMENT);
        firn_sim_destroy(sim);
    }
}

// Temperatures: those that did not change keep their water; warm snow is wet.
static void temperatures(void** state)
{
    (void)state;
    for (int s = 2; s < EDIT_SCENES; s++) {
        firn_sim* sim = edit_start(edit_scenes[s].text, 1, 0);
        edit_steps(sim, 2);
        const uint64_t hash = firn_sim_hash(sim);
        firn_field_edit edit;
        EDIT_OK(sim, firn_sim_field_edit(sim, "temperature", &edit));
        EDIT_OK(sim, firn_sim_edit_commit(sim));
        assert_equal(firn_sim_hash(sim), hash);
        EDIT_OK(sim, firn_sim_field_edit(sim, "temperature", &edit));
        firn_real* T = edit.data;
        T[0] = -30;
        T[1] = 10;
        EDIT_OK(sim, firn_sim_edit_commit(sim));
        firn_field_view now, water;
        EDIT_OK(sim, firn_sim_field(sim, "temperature", &now));
        EDIT_OK(sim, firn_sim_field(sim, "water", &water));
        assert_true(((const firn_real*)now.data)[0] == -30);
        assert_true(((const firn_real*)now.data)[1] == 0);
        assert_true(((const firn_real*)water.data)[1] > 0 || s == 3);
        edit_steps(sim, 2);
        EDIT_OK(sim, firn_sim_field_edit(sim, "temperature", &edit));
        ((firn_real*)edit.data)[7] = -300;
        assert_int_equal(firn_sim_edit_commit(sim), FIRN_REFUSED_ARGUMENT);
        firn_sim_destroy(sim);
    }
}

int test_field_edit(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moves), cmocka_unit_test(refused),
                                       cmocka_unit_test(temperatures)};
    return cmocka_run_group_tests_name("field_edit", tests, NULL, NULL);
}
