// SPDX-License-Identifier: MIT
#include "solver/shared/stages.h"

#include <math.h>
#include <string.h>

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
