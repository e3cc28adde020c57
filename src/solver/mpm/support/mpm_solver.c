// SPDX-License-Identifier: MIT
// The material point method as a firn_solver: create, step, destroy.
// Longer than 400 lines because it is a table, with a function for each of its entries.
#include "solver/mpm/support/mpm_solver.h"

#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "core/threads/team.h"
#include "math/mat3.h"
#include "physics/snow_hardening.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/flakes.h"
#include "solver/mpm/cuda/mpm_gpu.h"
#include "solver/mpm/outside/mpm_emit.h"
#include "solver/mpm/outside/mpm_powder.h"
#include "solver/mpm/ranks/rank_crew.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/ranks/rank_share.h"
#include "solver/mpm/support/mpm_cpu.h"
#include "solver/mpm/support/mpm_density.h"
#include "solver/mpm/support/mpm_roofline.h"

const firn_mpm_ops* firn_mpm_ops_find(const char* simd)
{
    firn_simd_choice choice;
    if (firn_simd_choose(simd, &choice, NULL) != FIRN_OK) return NULL;
    const bool plain = choice.plain;
#if defined(__x86_64__)
    if (choice.level == 4) return plain ? &firn_mpm_ops_level4_plain : &firn_mpm_ops_level4;
    if (choice.level == 3) return plain ? &firn_mpm_ops_level3_plain : &firn_mpm_ops_level3;
#endif
    return plain ? &firn_mpm_ops_level1_plain : &firn_mpm_ops_level1;
}

static void destroy(void* self)
{
    firn_mpm* m = self;
    if (m == NULL) return;
    firn_mpm_crew_destroy(m->crew);
    firn_mpm_part_destroy(m->part);
    firn_grid_destroy(&m->grid);
    firn_block_sort_destroy(&m->sort);
    void* arrays[] = {m->materials,  m->node_velocity, m->node_force,    m->node_solved,
                      m->node_fixed, m->cr_r,          m->cr_p,          m->cr_Az,
                      m->cr_Ap,      m->cr_scale,      m->cr_z,          m->cell_offset,
                      m->cr_b,       m->cr_partial,    m->linear,        m->sums,
                      m->faults,     m->emitted,       m->emitted_before};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) firn_free(arrays[k]);
    firn_seeds_destroy(&m->fresh);
    firn_powder_destroy(m->powder);
    if (m->contacts != NULL) firn_mpm_contacts_destroy(m->contacts);
    firn_free(m->contacts);
    firn_base_destroy(m);
}

static bool copy_scene(firn_mpm* m, const firn_scene_data* scene)
{
    m->material_count = scene->material_count;
    m->materials = firn_alloc((size_t)scene->material_count + 1, sizeof *m->materials);
    m->emitted = firn_alloc((size_t)scene->emitter_count + 1, sizeof *m->emitted);
    m->emitted_before = firn_alloc((size_t)scene->emitter_count + 1, sizeof *m->emitted_before);
    if (m->materials == NULL || m->emitted == NULL || m->emitted_before == NULL) return false;
    for (firn_local k = 0; k < scene->material_count; k++)
        m->keyed |= scene->materials[k].key_count > 0;
    firn_mpm_take_materials(m, firn_scene_begin(scene));
    firn_flakes_begin(scene, m->emitted);
    return true;
}

// B_p = C D of a body that spins: C is the gradient of omega × x, D = h^2 / firn_spline_affine.
// With zeros, transfers would move a part of the angular momentum from the velocities to B_p first.
static firn_mat3 affine_of_spin(const firn_mpm* m, firn_vec3 w)
{
    const firn_mat3 gradient = {{{0, -w.z, w.y}, {w.z, 0, -w.x}, {-w.y, w.x, 0}}};
    const firn_real cell = m->grid.cell;
    return firn_m3_scale(gradient, cell * cell / firn_spline_affine((firn_spline)m->def.spline));
}

void firn_mpm_dress_seeds(firn_mpm* m, const firn_seeds* seeds)
{
    firn_mpm_refresh_pointers(m);
    const bool exact = m->def.volumes == FIRN_MPM_VOLUMES_EXACT || m->base.step > 0;
    const firn_local first = m->p.count - seeds->count;
    for (firn_local s = 0; s < seeds->count; s++) {
        const firn_local p = first + s;
        firn_real shrunk = 1;  // V over V_p^0, of snow with a state from a file
        m->p.def_grad_elastic[p] = firn_m3_identity();
        m->p.plastic_det[p] = 1;
        if (seeds->plastic_det != NULL && seeds->plastic_det[s] > 0)
            shrunk *= m->p.plastic_det[p] = seeds->plastic_det[s];
        if (seeds->def_grad != NULL && firn_m3_det(seeds->def_grad[s]) > 0)
            shrunk *= firn_m3_det(m->p.def_grad_elastic[p] = seeds->def_grad[s]);
        firn_mpm_powder_dress(m, p);
        if (m->clays) m->p.consolidation[p] = m->materials[m->p.material[p]].clay.alpha_0;
        if (m->ages) {
            m->p.creep_stiffness[p] = m->p.stiffness[p];
            m->p.healed_det[p] = 1;
        }
        if (m->def.transfer == FIRN_MPM_APIC && seeds->spin != NULL)
            m->p.affine[p] = affine_of_spin(m, seeds->spin[s]);
        if (exact)
            m->p.volume[p] = seeds->volume != NULL
                                 ? seeds->volume[s]
                                 : m->p.mass[p] / m->materials[m->p.material[p]].density;
        if (exact && shrunk != 1) m->p.volume[p] /= shrunk;
    }
}

static firn_result take_seeds(firn_mpm* m, const firn_seeds* seeds, firn_local particles_max)
{
    FIRN_TRY(firn_particles_reserve(&m->base.store, particles_max));
    FIRN_TRY(firn_base_append(&m->base, seeds, &m->next_id));
    firn_mpm_dress_seeds(m, seeds);
    if (m->part == NULL) return FIRN_OK;
    for (firn_local p = 0; p < seeds->count; p++)  // `origin` is 0 for all
        m->p.id[p] = m->p.place[p] = seeds->number[p];
    return FIRN_OK;
}

// Nodes with less mass than this hold only rounding errors of floats.
static firn_real empty_mass(const firn_scene_data* scene, double cell)
{
    double lightest = 917;  // ice [kg/m^3]
    for (firn_local k = 0; k < scene->material_count; k++)
        if (scene->materials[k].snow.density < lightest)
            lightest = scene->materials[k].snow.density;
    return (firn_real)(1e-18 * lightest * cell * cell * cell);
}

static firn_result fill(firn_mpm* m, const firn_seeds* seeds, const firn_solver_args* args,
                        firn_error* error)
{
    const firn_scene_data* scene = m->base.scene;
    const bool elsewhere = m->part == NULL && firn_comm_count(args->comm) > 1;  // in the share
    m->def = *(const firn_mpm_def*)scene->solver_def;
    m->ops = firn_mpm_ops_find(args->simd);
    firn_mpm_take_gravity(m);
    m->grid.cell = (firn_real)m->def.cell;
    m->grid.inverse_cell = (firn_real)(1 / m->def.cell);
    m->mass_min = empty_mass(scene, m->def.cell);
    m->dt_factor = 1;
    m->choice.frame_begins = 1;
    m->lightest = seeds != NULL && seeds->lightest > 0 ? seeds->lightest : 1;
    firn_mpm_add_fields(m);
    FIRN_TRY(firn_mpm_powder_create(m, error));
    m->contacts = firn_alloc(1, sizeof *m->contacts);
    if (m->contacts == NULL || !copy_scene(m, scene) ||
        (seeds != NULL && !elsewhere && take_seeds(m, seeds, args->particles_max) != FIRN_OK))
        return firn_base_no_memory(seeds, error);
    return firn_device_run_create(m, &firn_mpm_device, args, error);
}

firn_result firn_mpm_share_create(const firn_scene_data* scene, const firn_seeds* seeds,
                                  const firn_solver_args* args, firn_mpm** out_mine,
                                  firn_error* error)
{
    firn_solver_args own = *args;
    own.particles_max = 0;
    void* m;
    FIRN_TRY(firn_base_create(sizeof(firn_mpm), scene, &own, &m, error));
    firn_result r = firn_mpm_part_create(m, args->comm);
    r = r == FIRN_OK ? fill(m, seeds, &own, error) : firn_base_no_memory(seeds, error);
    if (r != FIRN_OK)
        destroy(m);
    else
        *out_mine = m;
    return r;
}

void firn_mpm_share_destroy(firn_mpm* mine)
{
    destroy(mine);
}

static firn_result collider_added(void* self, firn_error* error)
{
    firn_mpm* m = self;
    if (m->crew != NULL) return firn_mpm_colliders_changed(m, error);
    FIRN_TRY(firn_mpm_add_grip(m, error));  // for the first that snow can rest on
    return firn_base_collider_added(m, error);
}

static firn_result create(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error)
{
    firn_simd_choice simd;
    FIRN_TRY(firn_simd_choose(args->simd, &simd, error));
    void* m;
    FIRN_TRY(firn_base_create(sizeof(firn_mpm), scene, args, &m, error));
    firn_result r = fill(m, seeds, args, error);
    if (r == FIRN_OK) r = firn_mpm_crew_create(m, seeds, args, error);
    if (r != FIRN_OK)
        destroy(m);
    else
        *out_self = m;
    return r;
}

static firn_result step(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error)
{
    firn_mpm* m = self;
    if (m->crew != NULL) return firn_mpm_crew_step(m, time, dt_limit, dt_scale, out_report, error);
    return firn_device_run_remote(m)
               ? firn_device_run_step(m, time, dt_limit, dt_scale, out_report, error)
               : firn_mpm_step(m, time, dt_limit, dt_scale, out_report, error);
}

// State beside the particles, for checkpoints. Then emitters (mpm_emit.h) and dynamic colliders
// (bodies/bodies.h).
typedef struct extra {
    int64_t step;
    double dt_factor;
    firn_mpm_choice choice;
} extra;

static size_t extra_size(const void* self)
{
    const firn_mpm* m = self;
    return sizeof(extra) + firn_mpm_emission_size(m) + firn_bodies_extra_size(m->base.bodies);
}

static void extra_save(const void* self, void* block)
{
    const firn_mpm* m = self;
    const extra e = {m->base.step, m->dt_factor, m->choice};
    memcpy(block, &e, sizeof e);
    firn_mpm_emission_save(m, (char*)block + sizeof e);
    firn_bodies_extra_save(m->base.bodies, (char*)block + sizeof e + firn_mpm_emission_size(m));
}

// Null: the values are valid.
static const char* find_invalid(const extra* e)
{
    const firn_mpm_choice* c = &e->choice;
    if (!(e->dt_factor >= FIRN_MPM_DT_FACTOR_MIN && e->dt_factor <= 1)) return "dt_factor";
    if (c->implicit > 1 || c->chosen > 1 || c->frame_begins > 1) return "choice of the integrator";
    if (!(c->crossings >= 0 && isfinite(c->crossings))) return "crossings";
    if (!(c->per_crossing >= 0 && isfinite(c->per_crossing))) return "per_crossing";
    return NULL;
}

static firn_result extra_restore(void* self, const void* block, size_t size, firn_error* error)
{
    firn_mpm* m = self;
    extra e;
    if (size < sizeof e) return firn_base_refuse_size(size, extra_size(self), error);
    memcpy(&e, block, sizeof e);
    FIRN_TRY(firn_base_check_steps("step", e.step, error));
    FIRN_TRY(firn_base_check_steps("semi-implicit steps", e.choice.steps, error));
    FIRN_TRY(firn_base_check_steps("iterations", e.choice.iterations, error));
    const char* wrong = find_invalid(&e);
    if (wrong != NULL)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "its '%s' is out of range", wrong);
    size_t emitters;
    const char* rest = (const char*)block + sizeof e;
    FIRN_TRY(firn_mpm_emission_check(m, rest, size - sizeof e, &emitters, error));
    const char* bodies = rest + firn_mpm_emission_restore(m, rest, emitters);
    firn_bodies_extra_restore(m->base.bodies, bodies, (size_t)((const char*)block + size - bodies),
                              m->base.colliders);
    m->base.step = e.step;
    m->dt_factor = e.dt_factor;
    m->choice = e.choice;
    firn_device_run_host_changed(m);
    firn_mpm_crew_host_changed(m);
    return FIRN_OK;
}

static firn_powder* powder(void* self)
{
    return ((firn_mpm*)self)->powder;
}

static double reach(const void* self)
{
    // a stencil more on either side
    return 4.0 * (FIRN_BLOCK_LIMIT - 2) * ((const firn_mpm*)self)->def.cell;
}

static firn_result add(void* self, const firn_seeds* seeds, uint32_t* next_id, firn_error* error)
{
    firn_mpm* m = self;
    if (seeds->lightest < m->lightest)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "its density varies down to %.3g of its material's, but time steps are "
                         "chosen for %.3g or more: the scene of the simulation needs snow that "
                         "varies as much",
                         seeds->lightest, m->lightest);
    if (m->next_id > *next_id) *next_id = m->next_id;
    FIRN_TRY(firn_base_add(&m->base, seeds, next_id, error));
    m->next_id = *next_id;
    firn_mpm_dress_seeds(m, seeds);
    return FIRN_OK;
}

static firn_roofline roofline(const firn_scene_data* scene, double iterations, double nodes)
{
    const firn_mpm_def* def = scene->solver_def;
    return firn_mpm_roofline((firn_spline)def->spline, iterations, nodes);
}

const firn_solver firn_solver_mpm = {
    .name = "mpm",
    .help = "material point method: packed, breaking, sticking snow (Stomakhin et al. 2013)",
    .backends = "cpu cuda",
    .deterministic = "cpu cuda",
    .keys = &firn_mpm_keys,
    .emits = true,
    .drags = true,
    .cam_clay = true,
    .free_bodies = true,
    .stage_names = firn_mpm_stage_names,
    .stage_count = FIRN_MPM_STAGE_COUNT,
    .check = firn_mpm_check,
    .estimate = firn_mpm_estimate,
    .ages = true,
    .keyed = true,
    .sheds = true,
    .roofline = roofline,
    .create = create,
    .destroy = destroy,
    .step = step,
    .particles = firn_base_particles,
    .density = firn_mpm_density,
    .colliders = firn_base_colliders,
    .loads = firn_base_loads,
    .collider_added = collider_added,
    .emitter_added = firn_mpm_emitter_added,
    .bodies = firn_base_bodies,
    .powder = powder,
    .push = firn_base_push,
    .extra_size = extra_size,
    .extra_save = extra_save,
    .extra_restore = extra_restore,
    .editable = "position velocity def_grad_elastic plastic_det affine",
    .reach = reach,
    .add = add,
    .keep = firn_base_keep,
    .write = firn_base_write,
    FIRN_MPM_REMOTE_FUNCTIONS,
};
