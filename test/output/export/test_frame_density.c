// SPDX-License-Identifier: MIT
// Density volumes of frames that a simulation computed: their highest voxel is within 20 % of the
// highest density that particles have, at all sizes of voxels up to the cell.
#include "output/export/frame_density.h"

#include <math.h>

#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"
#include "run/export/rest_state.h"
#include "run/frame_picture.h"
#include "sim/sim.h"

static firn_sim* open_sim(const char* solver)
{
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_error error = {0};
    firn_sim_def def = firn_default_sim_def();
    firn_load_def load = firn_default_load_def();
    load.variant = "draft";
    load.solver = solver;
    load.overrides = (const char* const[]){"sph.spacing=0.014"};  // a second of work
    load.override_count = 1;
    def.threads = 1;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load(scene, FIRN_SOURCE_DIR "/scenes/demo/snowball-drop/scene.yaml", &load) !=
        FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

// Highest voxel; the mass of all is that of the particles.
static double highest(const firn_frame* f, const firn_rest_state* rest, double voxel)
{
    firn_density_volume v;
    firn_error error;
    if (firn_frame_density_make(f, rest, voxel, &v, &error) != FIRN_OK) fail_msg("%s", error.text);
    double most = 0, mass = 0, expected = 0;
    for (size_t k = 0; k < (size_t)v.block_count * 512; k++) {
        most = fmax(most, (double)v.density[k]);
        mass += (double)v.density[k] * v.voxel * v.voxel * v.voxel;
    }
    for (firn_local p = 0; p < f->count; p++) expected += (double)f->mass[p];
    assert_near(mass, expected, 1e-6 * expected);
    firn_density_volume_destroy(&v);
    return most;
}

// After the impact, when the snow is compressed and broken: the goal of 20 % was set before any
// measurement. `coarsest`: of cell / 4, cell / 3, ... to be tested.
static void check(const char* solver, int coarsest)
{
    firn_sim* sim = open_sim(solver);
    for (int k = 0; k < 8; k++) assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    firn_real* density = firn_alloc((size_t)firn_sim_count(sim), sizeof *density);
    firn_frame frame = firn_frame_borrow(sim, density);
    sim->solver->density(sim->self, density);
    const firn_rest_state rest = firn_rest_state_spacing(&sim->scene);
    double own = 0;
    for (firn_local p = 0; p < frame.count; p++) own = fmax(own, (double)density[p]);
    for (int k = 4; k >= coarsest; k--) {
        const double most = highest(&frame, &rest, frame.info.cell / k);
        print_message("%s: highest voxel of cell / %d: %.0f, highest particle: %.0f kg/m^3\n",
                      solver, k, most, own);
        assert_near(most, own, 0.2 * own);
    }
    firn_free(density);
    firn_sim_destroy(sim);
}

static void mpm_has_no_lumps(void** state)
{
    (void)state;
    check("mpm", 1);
}

// Its cell is two spacings: a voxel that large averages the densest snow with what is around it.
static void sph_has_no_lumps(void** state)
{
    (void)state;
    check("sph", 2);
}

int test_frame_density(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mpm_has_no_lumps),
                                       cmocka_unit_test(sph_has_no_lumps)};
    return cmocka_run_group_tests_name("frame_density", tests, NULL, NULL);
}
