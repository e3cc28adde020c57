// SPDX-License-Identifier: MIT
// How wide the kernels are. Particles that start on a lattice stay evenly packed: a kernel a little
// wider than the particle, m / rho, blends it with its neighbours. Particles of a solver with a
// grid are placed at random in its cells, and the grid cannot see how they lie within a cell; below
// about a cell, or two spacings, their density is noise, whatever the size of the voxels. Measured
// on the ball of snowball-drop, draft, after its impact, highest voxel over highest particle with
// voxels of a quarter of the cell:
//
//     mpm, at random:   1.48 with 1.5 spacings, 1.17 with 2
//     sph, a lattice:   1.00 with 1 spacing, 0.87 with 1.25
#include "output/export/frame_density.h"

#include <math.h>

#include "core/memory.h"
#include "math/elementary.h"
#include "state/volume/density_sized.h"

#define LATTICE 1.25  // [spacings] of lattice particles, at their own density
#define RANDOM 2.0    // [spacings] of the others, packed; never less than the cell
#define WIDEST 2.0    // [cells] of a lattice particle: torn snow fades, but stays local
// A cubic B-spline's spectrum is zero at one over its width: samples half a width apart keep all of
// it.
#define VOXEL 0.5  // [cells]

static void find_widths(const firn_frame* f, const firn_rest_state* rest, firn_real* out_width)
{
    const double packed = fmax(f->info.cell, RANDOM * rest->spacing);
    for (firn_local p = 0; p < f->count; p++) {
        const bool has_own = rest->lattice && f->density != NULL && f->density[p] > 0;
        const double own =
            has_own ? LATTICE * firn_cbrt_double((double)f->mass[p] / (double)f->density[p])
                    : packed;
        out_width[p] = (firn_real)fmin(own, fmax(WIDEST * f->info.cell, packed));
    }
}

firn_result firn_frame_density_make(const firn_frame* frame, const firn_rest_state* rest,
                                    double voxel, firn_density_volume* out_volume,
                                    firn_error* error)
{
    firn_real* width = firn_alloc((size_t)frame->count + 1, sizeof *width);
    if (width == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the volume of %d particles",
                         (int)frame->count);
    find_widths(frame, rest, width);
    const firn_result r =
        firn_density_sized_build(frame->position, frame->velocity, frame->mass, width, frame->count,
                                 voxel > 0 ? voxel : VOXEL * frame->info.cell, out_volume, error);
    firn_free(width);
    return r;
}
