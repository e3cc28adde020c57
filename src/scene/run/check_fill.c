// SPDX-License-Identifier: MIT
#include "scene/run/check_fill.h"

#include <math.h>
#include <stdio.h>

#include "scene/data/snow.h"

#define CELLS_MAX 2e5        // in the bounds of a shape: filling takes some hundredths of a second
#define PACKED_MAX 10        // cells in a shape: packing takes a second, and only few may not fit
#define SAMPLES 20000        // of a shape, for its volume
#define FINE_SAMPLES 260000  // the same within some tenths of a per cent
#define LATTICE_MIN 100      // particles of a body whose mass is compared
#define MASS_ERROR 0.1       // of a lattice: worth a warning; a layer too many in ten

// Points that are tried in the bounds of the shape.
static double count_cells(const firn_scene_data* scene, const firn_snow* snow, double cell,
                          bool lattice)
{
    const firn_box3 b = firn_shape_bounds(&scene->shapes, snow->shape);
    const double edges[3] = {(double)b.high.x - (double)b.low.x, (double)b.high.y - (double)b.low.y,
                             (double)b.high.z - (double)b.low.z};
    double cells = lattice ? 1 : fmax(snow->particles_per_cell, 1);
    for (int k = 0; k < 3; k++) cells *= fmax(edges[k], 0) / cell + 1;
    return cells;
}

static bool is_quick(const firn_scene_data* scene, const firn_snow* snow, double cell, bool lattice,
                     bool packed)
{
    if (snow->shape < 0 || !(count_cells(scene, snow, cell, lattice) < CELLS_MAX)) return false;
    return !packed || firn_shape_volume(&scene->shapes, snow->shape, SAMPLES) <
                          PACKED_MAX * cell * cell * cell;
}

// A lattice whose planes lie close to the faces of a box has a layer too many or too few. Small
// bodies consist of a few layers: nobody weighs them.
static void check_lattice(const firn_scene_data* scene, firn_local index, double cell,
                          const firn_seeds* seeds, firn_diagnostics* diagnostics)
{
    const firn_snow* snow = &scene->snow[index];
    const double volume = firn_shape_volume(&scene->shapes, snow->shape, FINE_SAMPLES);
    const double ratio = seeds->count * cell * cell * cell / volume;
    if (snow->loose != 1 || !(volume > LATTICE_MIN * cell * cell * cell)) return;
    if (fabs(ratio - 1) <= MASS_ERROR) return;
    char key[32];
    snprintf(key, sizeof key, "snow.%d", (int)index);
    firn_diagnose_key(diagnostics, false, scene, key,
                      "particles %.4g m apart make this snow %.3g %% too %s: let its faces lie on "
                      "multiples of the spacing, or choose a finer one",
                      cell, 100 * fabs(ratio - 1), ratio > 1 ? "heavy" : "light");
}

void firn_scene_check_fill(const firn_scene_data* scene, double cell, bool lattice,
                           firn_seed_pitch pitch, firn_diagnostics* diagnostics)
{
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const firn_snow* snow = &scene->snow[k];
        if (!is_quick(scene, snow, cell, lattice, lattice && pitch != NULL)) continue;
        firn_error error = {0};
        firn_seeds seeds = {0};
        const firn_result result =
            firn_scene_seed_one(scene, k, cell, lattice, pitch, &seeds, &error);
        if (result == FIRN_OK && lattice && pitch == NULL)
            check_lattice(scene, k, cell, &seeds, diagnostics);
        firn_seeds_destroy(&seeds);
        if (result != FIRN_REFUSED_SCENE) continue;
        char key[32];
        snprintf(key, sizeof key, "snow.%d", (int)k);
        firn_diagnose_key(diagnostics, true, scene, key, "%s", error.text);
    }
}
