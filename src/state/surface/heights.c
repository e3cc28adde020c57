// SPDX-License-Identifier: MIT
#include "state/surface/heights.h"

#include <math.h>

#include "state/surface/height_map.h"

#define SAMPLES_MIN 2
#define SAMPLES_MAX 16384
#define SIZE_MAX_M 1e9  // [m] the limit of shapes

firn_result firn_height_def_check(const firn_height_def* def, firn_error* error)
{
    if (def->columns < SAMPLES_MIN || def->columns > SAMPLES_MAX || def->rows < SAMPLES_MIN ||
        def->rows > SAMPLES_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "heights with %d x %d samples: use %d to %d per side", def->columns,
                         def->rows, SAMPLES_MIN, SAMPLES_MAX);
    if (!(fabs(def->x) <= SIZE_MAX_M && fabs(def->z) <= SIZE_MAX_M && def->width >= 0 &&
          def->width <= SIZE_MAX_M && def->depth >= 0 && def->depth <= SIZE_MAX_M &&
          (def->width > 0) == (def->depth > 0) && isfinite(def->empty)))
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "heights over %g x %g m at (%g, %g), %g where there is no snow: give two finite "
            "sizes, or 0 and 0 for the bounds of the snow",
            def->width, def->depth, def->x, def->z, def->empty);
    if (!(def->tolerance >= 0 && isfinite(def->tolerance)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "heights with a tolerance of %g m: use 0 or more", def->tolerance);
    return FIRN_OK;
}

static bool is_there(const firn_height_snow* snow, firn_local p)
{
    const firn_vec3 x = snow->position[p];
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

void firn_heights_find_box(const firn_height_snow* snow, firn_height_def* def, double* out_low,
                           double* out_high)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (firn_local p = 0; p < snow->count; p++) {
        if (!is_there(snow, p)) continue;
        const double r = firn_height_radius(snow, p);
        const double x[3] = {(double)snow->position[p].x, (double)snow->position[p].y,
                             (double)snow->position[p].z};
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], x[i] - r);
            high[i] = fmax(high[i], x[i] + r);
        }
    }
    const bool any = low[0] <= high[0];
    if (out_low != NULL) *out_low = any ? low[1] : 0;
    if (out_high != NULL) *out_high = any ? high[1] : 0;
    if (!any || def->width > 0 || def->depth > 0) return;
    def->x = low[0];
    def->z = low[2];
    // particles without a size may lie in one plane
    def->width = fmax(high[0] - low[0], 1e-6);
    def->depth = fmax(high[2] - low[2], 1e-6);
}

firn_result firn_heights_make(const firn_height_snow* snow, const firn_height_def* def,
                              float* out_heights, firn_error* error)
{
    FIRN_TRY(firn_height_def_check(def, error));
    firn_height_def box = *def;
    firn_heights_find_box(snow, &box, NULL, NULL);
    firn_height_map map;
    firn_result r = firn_height_map_open(&map, &box, out_heights);
    if (r == FIRN_OK) r = firn_height_map_fill(&map, snow, NULL);
    firn_height_map_close(&map);
    if (r == FIRN_OK) return FIRN_OK;
    return firn_fail(error, r, "out of memory for the heights of %d particles", (int)snow->count);
}
