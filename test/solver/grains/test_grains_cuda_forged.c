// SPDX-License-Identifier: MIT
// A checkpoint of grains with forged bonds on a GPU: those beyond the end of a list, which the CPU
// refuses (test_run_resume_forged.c), are ignored.
#include "solver/grains/device_grains.h"
// after what defines bool
#include "forge.h"
#include "sim/sim.h"

enum { HALF = 3 };  // frames before the checkpoint

// Runs to a checkpoint in `dir`, in which every grain gets these bonds in addition to its own.
static void forge_bonds(const char* dir, uint32_t bonds, uint32_t more)
{
    firn_sim* sim = device_sim(&(device_way){.on_device = true, .dir = dir, .frame_end = HALF});
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    const firn_particles* particles = sim->solver->particles(sim->self);
    const size_t count = (size_t)particles->count;
    firn_manifest m;
    firn_error error = {0};
    if (firn_manifest_read(dir, &m, &error) != FIRN_OK) fail_msg("%s", error.text);
    char file[256], path[1024];
    snprintf(file, sizeof file, "%s", firn_manifest_find(&m, FIRN_ENTRY_CHECKPOINT, HALF)->file);
    snprintf(path, sizeof path, "%s/%s", dir, file);
    firn_manifest_destroy(&m);
    const hid_t opened = forge_open(path);
    uint32_t* words = firn_alloc(count, sizeof *words);
    forge_get(opened, "/particles/bonds", H5T_NATIVE_UINT32, words);
    for (size_t i = 0; i < count; i++) words[i] |= bonds;
    forge_put(opened, "/particles/bonds", H5T_NATIVE_UINT32, words);
    forge_get(opened, "/particles/bonds_more", H5T_NATIVE_UINT32, words);
    for (size_t i = 0; i < count; i++) words[i] |= more;
    forge_put(opened, "/particles/bonds_more", H5T_NATIVE_UINT32, words);
    firn_free(words);
    H5Fclose(opened);
    forge_seal(dir, file, HALF, particles, particles->count);
    firn_sim_destroy(sim);
}

static firn_result resume(const char* dir, uint64_t* out_hash)
{
    firn_sim* sim = device_sim(&(device_way){.on_device = true, .dir = dir, .resume = true});
    const firn_result r = firn_sim_run(sim);
    if (r != FIRN_OK) print_message("%s\n", firn_sim_error(sim));
    *out_hash = r == FIRN_OK ? firn_sim_hash(sim) : 0;
    firn_sim_destroy(sim);
    return r;
}

// No list of this scene has more than 56 neighbours, so that bits from the 57th on are beyond all.
static void beyond_lists_they_are_ignored(void** state)
{
    (void)state;
    const char* dir = FIRN_TEST_TMP "/beyond";
    const uint64_t whole = device_hash(&(device_way){.on_device = true});
    uint64_t hash;
    forge_bonds(dir, 0, 0xff000000u);
    if (device_number < 0) {  // the host stands in, and refuses
        assert_int_equal(resume(dir, &hash), FIRN_REFUSED_DAMAGED);
        return;
    }
    assert_int_equal(resume(dir, &hash), FIRN_OK);
    assert_equal(hash, whole);
}

// Bonds with all neighbours are another state, not a harmful one: it runs or diverges, and always
// in the same way.
static void bonds_with_all_are_a_state(void** state)
{
    (void)state;
    if (device_number < 0) return;
    const char* dirs[2] = {FIRN_TEST_TMP "/all", FIRN_TEST_TMP "/again"};
    firn_result r[2];
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        forge_bonds(dirs[k], UINT32_MAX, UINT32_MAX);
        r[k] = resume(dirs[k], &hash[k]);
        assert_true(r[k] == FIRN_OK || r[k] == FIRN_BROKEN_DIVERGED);
    }
    assert_int_equal(r[0], r[1]);
    assert_equal(hash[0], hash[1]);
}

int test_grains_cuda_forged(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(beyond_lists_they_are_ignored),
                                       cmocka_unit_test(bonds_with_all_are_a_state)};
    return cmocka_run_group_tests_name("grains_cuda_forged", tests, NULL, NULL);
}
