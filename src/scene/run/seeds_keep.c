// SPDX-License-Identifier: MIT
// Arrays of seeds: leaving some out, freeing all.
#include "core/memory.h"
#include "scene/run/seed.h"

static void keep_reals(firn_real* array, const firn_local* keep, firn_local count)
{
    for (firn_local k = 0; k < count && array != NULL; k++) array[k] = array[keep[k]];
}

static void keep_vectors(firn_vec3* array, const firn_local* keep, firn_local count)
{
    for (firn_local k = 0; k < count && array != NULL; k++) array[k] = array[keep[k]];
}

void firn_seeds_keep(firn_seeds* seeds, const firn_local* keep, firn_local count)
{
    firn_vec3* const vectors[] = {seeds->position, seeds->velocity, seeds->spin};
    firn_real* const reals[] = {seeds->mass,      seeds->stiffness,   seeds->volume,
                                seeds->hardening, seeds->stretch,     seeds->temperature,
                                seeds->size,      seeds->compression, seeds->plastic_det};
    for (size_t a = 0; a < sizeof vectors / sizeof *vectors; a++)
        keep_vectors(vectors[a], keep, count);
    for (size_t a = 0; a < sizeof reals / sizeof *reals; a++) keep_reals(reals[a], keep, count);
    for (firn_local k = 0; k < count && seeds->def_grad != NULL; k++)
        seeds->def_grad[k] = seeds->def_grad[keep[k]];
    for (firn_local k = 0; k < count; k++) seeds->material[k] = seeds->material[keep[k]];
    for (firn_local k = 0; k < count && seeds->number != NULL; k++)
        seeds->number[k] = seeds->number[keep[k]];
    seeds->count = count;
}

void firn_seeds_destroy(firn_seeds* seeds)
{
    firn_free(seeds->position);
    firn_free(seeds->velocity);
    firn_free(seeds->mass);
    firn_free(seeds->stiffness);
    firn_free(seeds->material);
    firn_free(seeds->volume);
    firn_free(seeds->hardening);
    firn_free(seeds->compression);
    firn_free(seeds->stretch);
    firn_free(seeds->temperature);
    firn_free(seeds->size);
    firn_free(seeds->spin);
    firn_free(seeds->plastic_det);
    firn_free(seeds->def_grad);
    firn_free(seeds->number);
    *seeds = (firn_seeds){0};
}
