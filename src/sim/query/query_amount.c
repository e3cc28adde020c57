// SPDX-License-Identifier: MIT
// How much snow is in a region, and its height at a point.
#include <math.h>

#include "sim/entry.h"
#include "sim/query/query.h"

typedef struct region {
    double low[3], high[3];  // [m]
    bool is_ball;
    double center[3], radius2;
    double volume;  // [m^3]
} region;

static bool holds(const region* r, firn_vec3 v)
{
    const double x[3] = {(double)v.x, (double)v.y, (double)v.z};
    double d2 = 0;
    for (int d = 0; d < 3; d++) {
        if (x[d] < r->low[d] || x[d] > r->high[d]) return false;
        if (r->is_ball) d2 += (x[d] - r->center[d]) * (x[d] - r->center[d]);
    }
    return !r->is_ball || d2 <= r->radius2;
}

// Fields of the particles that are summed.
typedef struct sums {
    const firn_real *mass, *temperature;  // temperature: null: none
    const firn_vec3* velocity;
    double heat;  // [kg degC]
    firn_snow_amount* out;
} sums;

static void add(sums* s, firn_local p)
{
    const double m = (double)s->mass[p];
    s->out->count++;
    s->out->mass += m;
    s->out->velocity[0] += m * (double)s->velocity[p].x;
    s->out->velocity[1] += m * (double)s->velocity[p].y;
    s->out->velocity[2] += m * (double)s->velocity[p].z;
    if (s->temperature != NULL) s->heat += m * (double)s->temperature[p];
}

static void add_region(const firn_columns* c, const region* r, sums* s)
{
    firn_local i0, i1, k0, k1;
    if (!firn_columns_range(c, 0, r->low[0], r->high[0], &i0, &i1) ||
        !firn_columns_range(c, 2, r->low[2], r->high[2], &k0, &k1))
        return;
    for (firn_local k = k0; k <= k1; k++)
        for (firn_local i = i0; i <= i1; i++) {
            const firn_local column = k * c->nx + i;
            for (firn_local n = firn_columns_above(c, column, r->low[1]);
                 n < c->begin[column + 1] && (double)c->item[n].x.y <= r->high[1]; n++)
                if (holds(r, c->item[n].x)) add(s, c->item[n].particle);
        }
}

static firn_result measure(const firn_sim* sim, const region* r, firn_snow_amount* out_amount)
{
    firn_field_view mass, velocity, temperature;
    FIRN_TRY(firn_sim_find_field(sim, "mass", &mass));
    FIRN_TRY(firn_sim_find_field(sim, "velocity", &velocity));
    const bool warm = firn_sim_find_field(sim, "temperature", &temperature) == FIRN_OK;
    const firn_columns* columns;
    FIRN_TRY(firn_query_columns(sim, &columns));
    firn_snow_amount amount = {0};
    sums s = {.mass = mass.data,
              .temperature = warm ? temperature.data : NULL,
              .velocity = velocity.data,
              .out = &amount};
    add_region(columns, r, &s);
    amount.temperature = warm && amount.mass > 0 ? s.heat / amount.mass : NAN;
    for (int d = 0; d < 3 && amount.mass > 0; d++) amount.velocity[d] /= amount.mass;
    amount.density = r->volume > 0 ? amount.mass / r->volume : 0;
    *out_amount = amount;
    return FIRN_OK;
}

static firn_result enter_and_measure(const firn_sim* sim, const region* r,
                                     firn_snow_amount* out_amount)
{
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result result = measure(sim, r, out_amount);
    firn_leave(entry);
    return result;
}

firn_result firn_sim_snow_in_box(const firn_sim* sim, const double low[3], const double high[3],
                                 firn_snow_amount* out_amount)
{
    if (!firn_sim_begin(sim) || low == NULL || high == NULL || out_amount == NULL)
        return firn_call_null(__func__);
    region r = {.volume = 1};
    for (int d = 0; d < 3; d++) {
        if (!(isfinite(low[d]) && isfinite(high[d]) && low[d] <= high[d]))
            return firn_fail(&firn_query_open(sim)->error, FIRN_REFUSED_ARGUMENT,
                             "a box from %g to %g m along %c: use two finite values, the lower "
                             "first",
                             low[d], high[d], "xyz"[d]);
        r.low[d] = low[d];
        r.high[d] = high[d];
        r.volume *= high[d] - low[d];
    }
    return enter_and_measure(sim, &r, out_amount);
}

firn_result firn_sim_snow_in_ball(const firn_sim* sim, const double center[3], double radius,
                                  firn_snow_amount* out_amount)
{
    if (!firn_sim_begin(sim) || center == NULL || out_amount == NULL)
        return firn_call_null(__func__);
    if (!(isfinite(center[0]) && isfinite(center[1]) && isfinite(center[2]) && radius > 0 &&
          isfinite(radius)))
        return firn_fail(&firn_query_open(sim)->error, FIRN_REFUSED_ARGUMENT,
                         "a ball of radius %g m at (%g, %g, %g): use finite values, and a radius "
                         "above 0",
                         radius, center[0], center[1], center[2]);
    region r = {.is_ball = true,
                .radius2 = radius * radius,
                .volume = 4.0 / 3 * 3.14159265358979324 * radius * radius * radius};
    for (int d = 0; d < 3; d++) {
        r.center[d] = center[d];
        r.low[d] = center[d] - radius;
        r.high[d] = center[d] + radius;
    }
    return enter_and_measure(sim, &r, out_amount);
}

firn_result firn_sim_height_at(const firn_sim* sim, double x, double z, double empty,
                               float* out_height)
{
    if (!firn_sim_begin(sim) || out_height == NULL) return firn_call_null(__func__);
    if (!(isfinite(x) && isfinite(z)))
        return firn_fail(&firn_query_open(sim)->error, FIRN_REFUSED_ARGUMENT,
                         "the height at x = %g, z = %g m: use finite values", x, z);
    const firn_entry entry = firn_sim_enter(sim);
    const firn_columns* columns;
    const firn_result r = firn_query_columns(sim, &columns);
    firn_leave(entry);
    if (r != FIRN_OK) return r;
    float height;
    *out_height = firn_columns_height(columns, x, z, &height) ? height : (float)empty;
    return FIRN_OK;
}
