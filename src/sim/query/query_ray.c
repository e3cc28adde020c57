// SPDX-License-Identifier: MIT
// Rays against snow (state/surface/columns.h) and colliders: planes are intersected, the surfaces
// of others found by sphere tracing their signed distance (Hart 1996).
#include <math.h>

#include "core/threads/team.h"
#include "sim/entry.h"
#include "sim/query/query.h"
#include "sim/sim_ids.h"

#define STEPS_MAX 512  // grazing rays need the most
#define CAUTION 0.75   // step scale of deforming colliders: between keys |grad phi| may exceed 1
#define NEAR 1e-6      // [sizes and coordinates] where a surface counts as met

static bool meet_plane(const firn_query_collider* c, const double o[3], const double d[3],
                       double* t, firn_vec3* out_normal)
{
    const double n[3] = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z};
    const double p[3] = {(double)c->point.x, (double)c->point.y, (double)c->point.z};
    double along = 0, above = 0;
    for (int k = 0; k < 3; k++) {
        along += n[k] * d[k];
        above += n[k] * (o[k] - p[k]);
    }
    if (above <= 0) {  // inside
        *t = 0;
        *out_normal = firn_v3((firn_real)-d[0], (firn_real)-d[1], (firn_real)-d[2]);
        return true;
    }
    if (!(along < 0) || !(-above / along < *t)) return false;
    *t = -above / along;
    *out_normal = c->normal;
    return true;
}

// Clips [t0, t1] to the bounds of the collider and gives their size [m].
static bool clip_to_bounds(const firn_box3* box, const double o[3], const double d[3], double* t0,
                           double* t1, double* out_size)
{
    const double low[3] = {(double)box->low.x, (double)box->low.y, (double)box->low.z};
    const double high[3] = {(double)box->high.x, (double)box->high.y, (double)box->high.z};
    *out_size = 0;
    for (int k = 0; k < 3; k++) {
        if (!(low[k] <= high[k])) return false;  // no surface
        const double room = 10 * NEAR * (fabs(low[k]) + fabs(high[k]));
        if (isfinite(room)) *out_size = fmax(*out_size, high[k] - low[k]);
        if (d[k] == 0) {
            if (o[k] < low[k] - room || o[k] > high[k] + room) return false;
            continue;
        }
        const double a = (low[k] - room - o[k]) / d[k], b = (high[k] + room - o[k]) / d[k];
        *t0 = fmax(*t0, fmin(a, b));
        *t1 = fmin(*t1, fmax(a, b));
    }
    return *t0 <= *t1;
}

static firn_vec3 point_at(const double o[3], const double d[3], double t)
{
    return firn_v3((firn_real)(o[0] + t * d[0]), (firn_real)(o[1] + t * d[1]),
                   (firn_real)(o[2] + t * d[2]));
}

bool firn_query_trace(const firn_query_collider* c, const firn_shapes* shapes,
                      const double origin[3], const double direction[3], double* t,
                      firn_vec3* out_normal)
{
    if (c->now.removed) return false;
    if (c->now.removed) return false;
    if (c->is_plane) return meet_plane(c, origin, direction, t, out_normal);
    double at = 0, end = *t, size;
    if (!clip_to_bounds(&c->now.reach, origin, direction, &at, &end, &size)) return false;
    const double caution = c->now.deforming != NULL ? CAUTION : 1;
    for (int step = 0; step < STEPS_MAX && at <= end; step++) {
        const firn_vec3 x = point_at(origin, direction, at);
        const double phi = (double)firn_collider_distance(&c->now, shapes, x);
        const double far = fmax(fabs((double)x.x), fmax(fabs((double)x.y), fabs((double)x.z)));
        if (phi <= NEAR * fmax(size, far)) {
            if (!(at < *t) && at > 0) return false;
            *t = at;
            if (at > 0)
                (void)firn_collider_sample(&c->now, shapes, x, out_normal);
            else
                *out_normal = point_at((const double[3]){0}, direction, -1);
            return true;
        }
        at += caution * phi;
    }
    return false;
}

// ---- the calls ----------------------------------------------------------------------------------

typedef struct rays_pass {
    const firn_sim* sim;
    const firn_columns* columns;
    const firn_query* colliders;
    const uint32_t* id;  // [count of particles]
    const firn_ray* rays;
    firn_ray_hit* hits;
} rays_pass;

static bool is_valid(const firn_ray* ray)
{
    const firn_vec3 o = ray->origin, d = ray->direction;
    return isfinite(o.x) && isfinite(o.y) && isfinite(o.z) && isfinite(d.x) && isfinite(d.y) &&
           isfinite(d.z) && (d.x != 0 || d.y != 0 || d.z != 0) && ray->max_distance >= 0;
}

static void unit_of(firn_vec3 v, double out[3])
{
    const double d[3] = {(double)v.x, (double)v.y, (double)v.z};
    const double largest = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2])));
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (d[k] / largest) * (d[k] / largest);
    for (int k = 0; k < 3; k++) out[k] = d[k] / largest / sqrt(sum);
}

static firn_ray_hit trace(const rays_pass* pass, const firn_ray* ray)
{
    const double o[3] = {(double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z};
    double d[3];
    unit_of(ray->direction, d);
    firn_ray_hit hit = {.distance = ray->max_distance, .particle = -1};
    if (!ray->skip_snow) {
        const firn_column_hit snow = firn_columns_ray(pass->columns, o, d, ray->max_distance);
        if (snow.particle >= 0) {
            hit.kind = FIRN_HIT_SNOW;
            hit.distance = snow.t;
            hit.normal = snow.normal;
            hit.particle = snow.particle;
            hit.particle_id = pass->id[snow.particle];
        }
    }
    for (firn_local k = 0; k < pass->colliders->collider_count && !ray->skip_colliders; k++) {
        if (!firn_query_trace(&pass->colliders->colliders[k], &pass->sim->scene.shapes, o, d,
                              &hit.distance, &hit.normal))
            continue;
        hit.kind = FIRN_HIT_COLLIDER;
        hit.collider = (firn_collider_id){(uint32_t)k + 1, pass->sim->owner};
        hit.particle = -1;
        hit.particle_id = 0;
    }
    hit.point = hit.kind == FIRN_HIT_NONE ? firn_v3(0, 0, 0) : point_at(o, d, hit.distance);
    return hit;
}

static void trace_rays(const void* self, firn_local begin, firn_local end)
{
    const rays_pass* pass = self;
    for (firn_local k = begin; k < end; k++) pass->hits[k] = trace(pass, &pass->rays[k]);
}

static firn_result run(const firn_sim* sim, const firn_ray* rays, firn_local count,
                       firn_ray_hit* out_hits)
{
    firn_field_view id;
    FIRN_TRY(firn_sim_find_field(sim, "id", &id));
    rays_pass pass = {.sim = sim, .id = id.data, .rays = rays, .hits = out_hits};
    FIRN_TRY(firn_query_columns(sim, &pass.columns));
    FIRN_TRY(firn_query_colliders(sim, &pass.colliders));
    firn_share(count, 8, trace_rays, &pass);
    return FIRN_OK;
}

firn_result firn_sim_rays(const firn_sim* sim, const firn_ray* rays, int64_t count,
                          firn_ray_hit* out_hits)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    firn_error* error = &firn_query_open(sim)->error;
    if (count < 0 || count > INT32_MAX || (count > 0 && (rays == NULL || out_hits == NULL)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%lld rays: give from 0 to 2147483647, and arrays of as many rays and "
                         "hits",
                         (long long)count);
    for (int64_t k = 0; k < count; k++)
        if (!is_valid(&rays[k]))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "ray %lld from (%g, %g, %g) along (%g, %g, %g) up to %g m: use finite "
                             "values, a direction that is not 0, and a distance of at least 0",
                             (long long)k, (double)rays[k].origin.x, (double)rays[k].origin.y,
                             (double)rays[k].origin.z, (double)rays[k].direction.x,
                             (double)rays[k].direction.y, (double)rays[k].direction.z,
                             rays[k].max_distance);
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = run(sim, rays, (firn_local)count, out_hits);
    firn_leave(entry);
    return r;
}

firn_result firn_sim_ray(const firn_sim* sim, firn_vec3 origin, firn_vec3 direction,
                         double max_distance, firn_ray_hit* out_hit)
{
    const firn_ray ray = {.origin = origin, .direction = direction, .max_distance = max_distance};
    return firn_sim_rays(sim, &ray, 1, out_hit);
}
