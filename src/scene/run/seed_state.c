// SPDX-License-Identifier: MIT
// The state of snow from a point file: packing, stiffness, elastic deformation.
#include "core/memory.h"
#include "geometry/sampling/ply_points.h"
#include "math/mat3.h"
#include "scene/run/seed.h"

static bool make_room(firn_seeds* seeds, const firn_ply_points* file)
{
    if (file->plastic_det != NULL && seeds->plastic_det == NULL)
        seeds->plastic_det = firn_alloc((size_t)seeds->capacity, sizeof *seeds->plastic_det);
    if (file->def_grad != NULL && seeds->def_grad == NULL)
        seeds->def_grad = firn_alloc((size_t)seeds->capacity, sizeof *seeds->def_grad);
    return (file->plastic_det == NULL || seeds->plastic_det != NULL) &&
           (file->def_grad == NULL || seeds->def_grad != NULL);
}

firn_result firn_seeds_take_state(firn_seeds* seeds, firn_local first, const firn_ply_points* file,
                                  firn_error* error)
{
    if (!make_room(seeds, file))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the state of %d particles",
                         (int)seeds->count);
    for (firn_local p = first; p < seeds->count; p++) {
        const firn_local k = p - first;
        if (file->stiffness != NULL) seeds->stiffness[p] *= file->stiffness[k];
        if (seeds->plastic_det != NULL)
            seeds->plastic_det[p] = file->plastic_det != NULL ? file->plastic_det[k] : 0;
        if (seeds->def_grad == NULL) continue;
        const firn_mat3 none = {{{0}}};
        seeds->def_grad[p] = file->def_grad != NULL ? file->def_grad[k] : none;
    }
    return FIRN_OK;
}
