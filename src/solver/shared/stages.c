// SPDX-License-Identifier: MIT
#include "solver/shared/stages.h"

#include <math.h>
#include <string.h>

#include "comm/comm.h"
#include "core/timer.h"

firn_stages firn_stages_begin(void* self,
                              firn_result (*run)(void* self, int stage, firn_error* error),
                              firn_error* error)
{
    firn_solver_base* base = self;
    memset(base->stage_seconds, 0, sizeof base->stage_seconds);
    firn_loads_clear(&base->loads);
    return (firn_stages){self, run, FIRN_OK, error};
}

void firn_stages_prepare(firn_stages* stages, double time, double dt_limit, double dt_scale)
{
    firn_solver_base* base = stages->self;
    base->time = time;
    base->dt_limit = dt_limit;
    base->dt_scale = dt_scale;
    firn_stages_run(stages, 0);
}

void firn_stages_run(firn_stages* stages, int stage)
{
    if (stages->result != FIRN_OK) return;
    firn_solver_base* base = stages->self;
    const double start = firn_seconds();
    stages->result = stages->run(stages->self, stage, stages->error);
    base->stage_seconds[stage] += firn_seconds() - start;
}

firn_step_report firn_report_begin(const firn_solver_base* base)
{
    firn_step_report report = {.step = base->step,
                               .time = base->time,
                               .dt = base->dt,
                               .max_speed = base->max_speed,
                               .plastic_min = 1,
                               .plastic_max = 1,
                               .particle_count = base->store.count,
                               .culled = base->culled};
    memcpy(report.stage_seconds, base->stage_seconds, sizeof report.stage_seconds);
    return report;
}

void firn_report_add(firn_step_report* report, const firn_sums* sums, firn_local count)
{
    for (firn_local k = 0; k < count; k++) {
        const firn_sums* s = &sums[k];
        for (int d = 0; d < 3; d++) report->momentum[d] += s->momentum[d];
        report->kinetic += s->kinetic;
        report->potential += s->potential;
        report->elastic += s->elastic;
        report->plastic_min = k == 0 ? s->plastic_min : fmin(report->plastic_min, s->plastic_min);
        report->plastic_max = k == 0 ? s->plastic_max : fmax(report->plastic_max, s->plastic_max);
    }
}

#define EXACT 6  // sums of a report

void firn_report_add_ranks(firn_step_report* report, const firn_sums* sums, firn_local count,
                           firn_comm* comm)
{
    firn_exact_sum all[EXACT];
    memset(all, 0, sizeof all);
    double bounds[2] = {-INFINITY, -INFINITY};  // -min, max of J_P
    for (firn_local k = 0; k < count; k++) {
        const firn_sums* s = &sums[k];
        const double values[EXACT] = {s->momentum[0], s->momentum[1], s->momentum[2],
                                      s->kinetic,     s->potential,   s->elastic};
        for (int v = 0; v < EXACT; v++) firn_exact_sum_add(&all[v], values[v]);
        bounds[0] = fmax(bounds[0], -s->plastic_min);
        bounds[1] = fmax(bounds[1], s->plastic_max);
    }
    firn_comm_join(comm, all, EXACT);
    firn_comm_max(comm, bounds, 2);
    for (int d = 0; d < 3; d++) report->momentum[d] += firn_exact_sum_value(&all[d]);
    report->kinetic += firn_exact_sum_value(&all[3]);
    report->potential += firn_exact_sum_value(&all[4]);
    report->elastic += firn_exact_sum_value(&all[5]);
    if (bounds[0] > -INFINITY) report->plastic_min = -bounds[0];
    if (bounds[1] > -INFINITY) report->plastic_max = bounds[1];
}
