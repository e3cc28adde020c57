// SPDX-License-Identifier: MIT
// The argument struct of each stage, filled from the simulation.
#include "solver/mpm/support/mpm_args.h"

#include <math.h>
#include <string.h>

#include "core/threads/team.h"
#include "math/exact_sum.h"
#include "scene/data/scene.h"
#include "solver/mpm/ranks/rank_part.h"

const firn_real* firn_mpm_hardening_det(const firn_mpm* m)
{
    return m->ages ? m->p.healed_det : m->p.plastic_det;
}

const firn_real* firn_mpm_step_stiffness(const firn_mpm* m)
{
    return m->ages ? m->p.creep_stiffness : m->p.stiffness;
}

firn_mpm_rasterize_args firn_mpm_args_rasterize(const firn_mpm* m)
{
    return (firn_mpm_rasterize_args){.grid = &m->grid,
                                     .spline = (firn_spline)m->def.spline,
                                     .position = m->p.position,
                                     .velocity = m->p.velocity,
                                     .mass = m->p.mass,
                                     .affine = m->p.affine,
                                     .gravity = m->gravity,
                                     .mass_min = m->mass_min,
                                     .node_velocity = m->node_velocity,
                                     .sums = m->sums};
}

firn_mpm_volumes_args firn_mpm_args_volumes(const firn_mpm* m)
{
    return (firn_mpm_volumes_args){.grid = &m->grid,
                                   .spline = (firn_spline)m->def.spline,
                                   .position = m->p.position,
                                   .mass = m->p.mass,
                                   .node_velocity = m->node_velocity,
                                   .volume = m->p.volume};
}

firn_mpm_forces_args firn_mpm_args_forces(const firn_mpm* m)
{
    return (firn_mpm_forces_args){.grid = &m->grid,
                                  .spline = (firn_spline)m->def.spline,
                                  .position = m->p.position,
                                  .def_grad_elastic = m->p.def_grad_elastic,
                                  .plastic_det = firn_mpm_hardening_det(m),
                                  .volume = m->p.volume,
                                  .stiffness = firn_mpm_step_stiffness(m),
                                  .hardening = m->p.hardening,
                                  .material = m->p.material,
                                  .materials = m->materials,
                                  .node_force = m->node_force,
                                  .sums = m->sums};
}

firn_mpm_grid_velocity_args firn_mpm_args_grid_velocity(const firn_mpm* m)
{
    return (firn_mpm_grid_velocity_args){.node_count = firn_grid_node_count(&m->grid),
                                         .node_velocity = m->node_velocity,
                                         .node_force = m->node_force,
                                         .gravity = m->gravity,
                                         .dt = (firn_real)m->base.dt,
                                         .node_new = m->node_new};
}

firn_mpm_grid_collide_args firn_mpm_args_grid_collide(const firn_mpm* m)
{
    const firn_mpm_part* part = m->part;
    return (firn_mpm_grid_collide_args){.grid = &m->grid,
                                        .colliders = m->base.colliders,
                                        .collider_count = m->base.collider_count,
                                        .at_surface = m->def.contact == FIRN_MPM_CONTACT_SURFACE,
                                        .shapes = firn_shapes_tables(&m->base.scene->shapes),
                                        .loads = &m->base.loads,
                                        .foreign = part ? firn_halo_foreign(&part->halo) : NULL,
                                        .foreign_loads = part ? &part->foreign_loads : NULL,
                                        .node_velocity = m->node_velocity,
                                        .node_new = m->node_new,
                                        .node_fixed = m->node_fixed};
}

firn_mpm_contact_args firn_mpm_args_contact(const firn_mpm* m)
{
    return (firn_mpm_contact_args){.at = firn_mpm_args_grid_collide(m),
                                   .by = (firn_real)(m->def.beta * m->base.dt * m->base.dt),
                                   .node_Hu = m->node_force};
}

#define SLICES 16         // of a long list of partial sums, one sum each
#define SLICE_LEAST 2048  // partial sums worth a slice

typedef struct slice_pass {
    const double* partial;
    const uint8_t* foreign;  // 1: another rank adds it; null: none does
    firn_local count;
    int slices;
    firn_exact_sum* sums;  // [slices]
} slice_pass;

static void add_slices(const void* self, firn_local begin, firn_local end)
{
    const slice_pass* pass = self;
    for (firn_local s = begin; s < end; s++) {
        const firn_local last = (firn_local)((int64_t)pass->count * (s + 1) / pass->slices);
        for (firn_local k = (firn_local)((int64_t)pass->count * s / pass->slices); k < last; k++)
            if (pass->foreign == NULL || pass->foreign[k] == 0)
                firn_exact_sum_add(&pass->sums[s], pass->partial[k]);
    }
}

double firn_mpm_add_up(void* solve_args, const double* partial, firn_local count)
{
    const firn_mpm_part* part = ((const firn_mpm_solve_args*)solve_args)->part;
    const uint8_t* foreign = part != NULL ? firn_halo_foreign(&part->halo) : NULL;
    firn_exact_sum sums[SLICES];
    const firn_local slices = count / SLICE_LEAST < SLICES ? count / SLICE_LEAST + 1 : SLICES;
    memset(sums, 0, (size_t)slices * sizeof *sums);
    firn_share(slices, 1, add_slices, &(slice_pass){partial, foreign, count, slices, sums});
    for (firn_local s = 1; s < slices; s++) firn_exact_sum_join(&sums[0], &sums[s]);
    return firn_comm_sum(part != NULL ? part->comm : NULL, &sums[0]);
}

static double total_mass(const firn_mpm* m)
{
    firn_exact_sum mass = {0};
    for (firn_local b = 0; b < m->grid.occupied_count; b++)
        firn_exact_sum_add(&mass, m->sums[b].mass);
    return firn_comm_sum(m->part != NULL ? m->part->comm : NULL, &mass);
}

firn_mpm_solve_args firn_mpm_args_solve(firn_mpm* m)
{
    const bool diagonal = m->def.preconditioner == FIRN_MPM_PRECONDITIONER_DIAGONAL;
    return (firn_mpm_solve_args){
        .grid = &m->grid,
        .from = &m->grid,
        .part = m->part,
        .spline = (firn_spline)m->def.spline,
        .position = m->p.position,
        .def_grad_elastic = m->p.def_grad_elastic,
        .plastic_det = firn_mpm_hardening_det(m),
        .volume = m->p.volume,
        .stiffness = firn_mpm_step_stiffness(m),
        .hardening = m->p.hardening,
        .material = m->p.material,
        .materials = m->materials,
        .node_velocity = m->node_velocity,
        .node_fixed = m->node_fixed,
        .colliders = m->base.colliders,
        .shapes = firn_shapes_tables(&m->base.scene->shapes),
        .loads = &m->base.loads,
        .linear = m->linear,
        .compact = {m->cell_offset, (firn_real*)m->linear, m->linear_stride},
        .node_Hu = m->node_force,
        .r = m->cr_r,
        .p = m->cr_p,
        .Az = m->cr_Az,
        .Ap = m->cr_Ap,
        .b = m->cr_b,
        .scale = diagonal ? m->cr_scale : NULL,
        .z = m->cr_z,
        .partial = m->cr_partial,
        .gravity = m->gravity,
        .dt = (firn_real)m->base.dt,
        .beta = (firn_real)m->def.beta,
        .guess = (firn_mpm_guess)m->def.guess,
        .tolerance = m->def.tolerance,
        .size_floor = m->def.speed_floor * sqrt(total_mass(m)),
        .max_iterations = (int)m->def.max_iterations,
        .node_new = m->node_new,
        .contacts = m->contacts->lumps.count > 0 ? m->contacts : NULL,
        .contact = firn_mpm_args_contact(m)};
}

static firn_mpm_ageing ageing_of(const firn_mpm* m)
{
    return (firn_mpm_ageing){m->base.dt * m->base.scene->ageing.time_scale,
                             m->implicit ? (firn_real)m->def.beta : 0};
}

firn_mpm_deformation_args firn_mpm_args_deformation(const firn_mpm* m)
{
    return (firn_mpm_deformation_args){.grid = &m->grid,
                                       .spline = (firn_spline)m->def.spline,
                                       .position = m->p.position,
                                       .material = m->p.material,
                                       .materials = m->materials,
                                       .compression = m->p.compression,
                                       .stretch = m->p.stretch,
                                       .node_new = m->node_new,
                                       .dt = (firn_real)m->base.dt,
                                       .def_grad_elastic = m->p.def_grad_elastic,
                                       .plastic_det = m->p.plastic_det,
                                       .consolidation = m->p.consolidation,
                                       .creep_stiffness = m->p.creep_stiffness,
                                       .healed_det = m->p.healed_det,
                                       .mass = m->p.mass,
                                       .volume = m->p.volume,
                                       .stiffness = m->p.stiffness,
                                       .hardening = m->p.hardening,
                                       .ageing = ageing_of(m),
                                       .faults = m->faults};
}

static firn_mpm_hold hold_of(const firn_mpm* m)
{
    return (firn_mpm_hold){m->p.grip, (firn_real)m->def.grip, m->slow};
}

firn_mpm_particle_velocity_args firn_mpm_args_particle_velocity(const firn_mpm* m)
{
    return (firn_mpm_particle_velocity_args){.grid = &m->grid,
                                             .spline = (firn_spline)m->def.spline,
                                             .position = m->p.position,
                                             .node_velocity = m->node_velocity,
                                             .node_new = m->node_new,
                                             .alpha = (firn_real)m->def.flip,
                                             .velocity = m->p.velocity,
                                             .affine = m->p.affine,
                                             .hold = hold_of(m),
                                             .dt = (firn_real)m->base.dt};
}

firn_mpm_particle_collide_args firn_mpm_args_particle_collide(const firn_mpm* m)
{
    return (firn_mpm_particle_collide_args){.particle_count = m->p.count,
                                            .position = m->p.position,
                                            .colliders = m->base.colliders,
                                            .collider_count = m->base.collider_count,
                                            .shapes = firn_shapes_tables(&m->base.scene->shapes),
                                            .loads = &m->base.loads,
                                            .mass = m->p.mass,
                                            .velocity = m->p.velocity,
                                            .hold = hold_of(m),
                                            .cell = m->grid.cell,
                                            .lumps = m->contacts->lumps.all,
                                            .lump_of = m->contacts->lumps.of};
}

firn_mpm_advect_args firn_mpm_args_advect(const firn_mpm* m)
{
    return (firn_mpm_advect_args){.grid = &m->grid,
                                  .velocity = m->p.velocity,
                                  .dt = (firn_real)m->base.dt,
                                  .position = m->p.position,
                                  .faults = m->faults};
}

firn_mpm_fused_01_03_args firn_mpm_args_fused_01_03(const firn_mpm* m)
{
    return (firn_mpm_fused_01_03_args){firn_mpm_args_rasterize(m), firn_mpm_args_forces(m)};
}

firn_mpm_fused_07_10_args firn_mpm_args_fused_07_10(const firn_mpm* m)
{
    return (firn_mpm_fused_07_10_args){firn_mpm_args_deformation(m),
                                       firn_mpm_args_particle_velocity(m),
                                       firn_mpm_args_particle_collide(m), firn_mpm_args_advect(m)};
}
