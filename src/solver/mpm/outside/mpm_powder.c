// SPDX-License-Identifier: MIT
#include "solver/mpm/outside/mpm_powder.h"

#include "scene/data/scene.h"
#include "solver/mpm/support/mpm_solver.h"

#define ROW(field, type, kind, unit, step, changes, values) \
    FIRN_FIELD_ROW(firn_mpm_particles, field, kind, unit, changes, values),
static const firn_field_row powder_fields[] = {FIRN_MPM_POWDER_FIELDS(ROW)};

void firn_mpm_powder_add_fields(firn_solver_base* base)
{
    firn_base_add_fields(base, powder_fields, sizeof powder_fields / sizeof *powder_fields);
}

firn_result firn_mpm_powder_create(firn_mpm* m, firn_error* error)
{
    if (!m->base.scene->powder.active) return FIRN_OK;
    m->powder = firn_powder_create();
    if (m->powder == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for powder");
    m->powder->clock.time = firn_scene_begin(m->base.scene);
    return FIRN_OK;
}

void firn_mpm_powder_dress(firn_mpm* m, firn_local p)
{
    if (m->p.broken_det == NULL) return;
    m->p.broken_share[p] = 0;
    m->p.broken_det[p] = m->p.plastic_det[p];
}

// Volume of snow around x per volume, at rest density: masses of nodes, as they were at the start
// of the step, gathered with the weights of a particle, without that of p.
static firn_real filled(const firn_mpm* m, firn_local p)
{
    const firn_weights w =
        firn_weights_of(FIRN_SPLINE_CUBIC, m->p.position[p], m->grid.inverse_cell);
    firn_real sum = 0, own = m->p.mass[p];
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 4; c++) {
                const int32_t i[3] = {w.base[0] + a, w.base[1] + b, w.base[2] + c};
                const firn_local block = firn_grid_find(&m->grid, i[0] >> 2, i[1] >> 2, i[2] >> 2);
                if (block < 0) continue;
                const firn_local n =
                    block * FIRN_BLOCK_NODES + ((i[0] & 3) * 4 + (i[1] & 3)) * 4 + (i[2] & 3);
                sum += w.w[0][a] * w.w[1][b] * w.w[2][c] * m->node_velocity[n][3];
            }
    for (int d = 0; d < 3; d++) {
        firn_real squares = 0;
        for (int k = 0; k < 4; k++) squares += w.w[d][k] * w.w[d][k];
        own *= squares;
    }
    const firn_real h = m->grid.cell;
    return (sum - own) / (h * h * h * m->materials[m->p.material[p]].density);
}

static firn_real open_share(const void* self, firn_local p)
{
    return firn_drag_exposure_filled(filled(self, p) / (firn_real)FIRN_DRAG_OTHERS_FULL);
}

firn_result firn_mpm_powder_step(firn_mpm* m, firn_error* error)
{
    if (m->powder == NULL) return FIRN_OK;
    const firn_powder_snow snow = {.position = m->p.position,
                                   .velocity = m->p.velocity,
                                   .mass = m->p.mass,
                                   .plastic_det = m->p.plastic_det,
                                   .material = m->p.material,
                                   .id = m->p.id,
                                   .broken_share = m->p.broken_share,
                                   .broken_det = m->p.broken_det,
                                   .count = m->p.count,
                                   .open = open_share,
                                   .self = m,
                                   .spacing = (firn_real)firn_mpm_flake(m->base.scene)};
    return firn_powder_step(m->powder, &m->base, &snow, error);
}
