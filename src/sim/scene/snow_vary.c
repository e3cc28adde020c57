// SPDX-License-Identifier: MIT
// Variation of snow that is added from code.
#include <math.h>

#include "core/memory.h"
#include "scene/data/vary.h"
#include "sim/scene/scene_api.h"

// The ranges are those of the scene file (vary_keys.c).
#define FACTOR_LOW 0.01
#define FACTOR_HIGH 100
#define LENGTH_LOW 1e-6
#define LENGTH_HIGH 1e6

static bool is_within(double value, double low, double high)
{
    // 0.01 as a float is below 0.01
    return value >= low * (1 - 1e-6) && value <= high * (1 + 1e-6);
}

static bool take_factors(const firn_real* from, double* to)
{
    bool ok = true;
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        to[q] = (double)from[q];
        ok = ok && is_within(to[q], FACTOR_LOW, FACTOR_HIGH);
    }
    return ok;
}

static bool take_text(const char* from, char** to)
{
    if (from == NULL) return true;
    *to = firn_strdup(from);
    return *to != NULL;
}

static firn_result take_field(const firn_factor_def* def, const char* name, firn_vary_field* to,
                              firn_error* error)
{
    const double scale = (double)def->noise_scale, amount = (double)def->noise_amount;
    if (scale != 0 &&
        (!is_within(scale, LENGTH_LOW, LENGTH_HIGH) || !(amount >= 0 && amount <= 10) ||
         def->noise_octaves < 1 || def->noise_octaves > 12 || def->noise_seed < 0))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "vary %s: noise needs a scale of 0 (none) or %g to %g m, an amount of 0 "
                         "to 10, 1 to 12 octaves and a seed of at least 0",
                         name, LENGTH_LOW, LENGTH_HIGH);
    const double low = (double)def->texture_low, high = (double)def->texture_high;
    if (def->texture_file != NULL &&
        (!is_within(low, FACTOR_LOW, FACTOR_HIGH) || !is_within(high, FACTOR_LOW, FACTOR_HIGH)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "vary %s: factors %g and %g of the texture must be %g to %d", name, low,
                         high, FACTOR_LOW, FACTOR_HIGH);
    to->noise = (firn_vary_noise){scale, amount, def->noise_octaves, def->noise_seed};
    to->texture.low = low;
    to->texture.high = high;
    if (!take_text(def->texture_file, &to->texture.file) ||
        !take_text(def->texture_grid, &to->texture.grid))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    return FIRN_OK;
}

static firn_result take_layers(const firn_snow_def* def, firn_vary_layers* to, firn_error* error)
{
    if (def->layer_count < 0 || (def->layer_count > 0 && def->layers == NULL))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "%d layers, but no array of them",
                         (int)def->layer_count);
    if (!firn_reserve((void**)&to->items, &to->capacity, def->layer_count, sizeof *to->items))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (int32_t i = 0; i < def->layer_count; i++) {
        firn_vary_layer* layer = &to->items[to->count++];
        layer->from = (double)def->layers[i].from;
        layer->to = (double)def->layers[i].to;
        if (!take_factors(def->layers[i].factor, layer->factor) ||
            !(layer->from >= 0 && layer->to > layer->from && layer->to <= LENGTH_HIGH))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "layer %d: needs 0 <= from < to and factors of %g to %d", (int)i,
                             FACTOR_LOW, FACTOR_HIGH);
    }
    return FIRN_OK;
}

static firn_result fill(const firn_snow_def* def, firn_vary* vary, firn_error* error)
{
    for (int q = 0; q < FIRN_VARY_COUNT; q++)
        FIRN_TRY(take_field(&def->vary[q], firn_vary_names[q], &vary->field[q], error));
    vary->shell.thickness = (double)def->shell.thickness;
    vary->shell.falloff = def->shell.linear ? FIRN_FALLOFF_LINEAR : FIRN_FALLOFF_SHARP;
    if (!take_factors(def->shell.factor, vary->shell.factor) ||
        !(def->shell.thickness == 0 || is_within(vary->shell.thickness, LENGTH_LOW, LENGTH_HIGH)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "shell: needs a thickness of 0 (none) or %g to %g m and factors of %g to "
                         "%d",
                         LENGTH_LOW, LENGTH_HIGH, FACTOR_LOW, FACTOR_HIGH);
    return take_layers(def, &vary->layers, error);
}

firn_result firn_snow_vary_build(const firn_snow_def* def, firn_vary* out_vary, firn_error* error)
{
    firn_vary vary = {0};
    const firn_result result = fill(def, &vary, error);
    if (result == FIRN_OK)
        *out_vary = vary;
    else
        firn_vary_release(&vary);
    return result;
}
