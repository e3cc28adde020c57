// SPDX-License-Identifier: MIT
// firn bench --backend cuda: steps of solver mpm on a GPU. Steps overlap on a device, so a step's
// time is wall clock over many steps; stages are timed by the device where it can.
#include <stdio.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/terminal/format.h"

// clang-format off
static const cli_figure figures[] = {
    {NULL, "bench", CLI_LINE_CHARS(row.name)},
    {"backend", NULL, CLI_LINE_CHARS(row.backend)},
    {"device", NULL, CLI_LINE_STRING(device)},
    {"threads", NULL, CLI_LINE_INT(row.threads)},
    {"particles", "particles", CLI_LINE_INT64(row.particles), "count"},
    {"nodes", NULL, CLI_LINE_INT64(row.nodes)},
    {"yielding_share", "yielding", CLI_LINE_REAL(row.yielding), "%.0f %%", 100},
    {"seconds_per_step", "ms/step", CLI_LINE_REAL(row.seconds_per_step), "%.3f", 1e3},
    {"particle_steps_per_second", "G steps/s", CLI_LINE_REAL(row.steps_per_second), "%.3f", 1e-9},
    {"iterations_per_step", "iter.", CLI_LINE_REAL(row.iterations), "%.1f", 1, CLI_EMPTY_DASH},
    {"particle_iterations_per_second", "G iter./s", CLI_LINE_REAL(row.iterations_per_second),
     "%.2f", 1e-9, CLI_EMPTY_DASH},
    {"bytes_per_particle", NULL, CLI_LINE_REAL(row.bytes_per_particle)},
    {"peak_bytes", NULL, CLI_LINE_INT64(row.peak_bytes)},
    {NULL, "device memory", CLI_LINE_INT64(row.device_bytes), "bytes"},
    {"device_bytes_per_particle", "B/particle", CLI_LINE_REAL(row.device_bytes_per_particle),
     "%.1f"},
    {"device_bytes", NULL, CLI_LINE_INT64(row.device_bytes)},
};
// clang-format on

// The GPU behind "cuda:1", as `firn version` lists it; empty for the CPU.
static firn_device_info device_of(const char* backend)
{
    enum { MOST = 32 };
    firn_device_info devices[MOST];
    const int count = firn_device_list(devices, MOST, NULL);
    for (int d = 0; d < count && d < MOST; d++)
        if (strcmp(devices[d].backend, backend) == 0) return devices[d];
    return (firn_device_info){0};
}

static void print_json(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    const firn_device_info device = device_of(rows[0].backend);
    for (int i = 0; i < count; i++) {
        cli_bench_line line = cli_bench_line_of(&rows[i], machine);
        line.device = *device.name != '\0' ? device.name : NULL;
        cli_json json = cli_figures_json(&CLI_FIGURES(figures), rows[i].name, &line);
        cli_bench_add_stages(&json, &rows[i], NULL);
        cli_bench_add_floor(&json, &rows[i], NULL);
        cli_figures_json_end(&json);
    }
}

static void print(const firn_bench_row* rows, int count, const firn_machine* machine)
{
    const firn_device_info device = device_of(rows[0].backend);
    cli_bench_print_rates(&CLI_FIGURES(figures), rows, count);
    cli_bench_print_stages(rows, count, machine);
    printf("\ndevice: %s, %s, %s\n", rows[0].backend, device.name,
           cli_format_bytes((double)device.memory_bytes).text);
    puts("G steps/s: 1e9 particle-steps per second; G iter./s: 1e9 particle-iterations of the "
         "linear solver\nper second of the whole step; yielding: share of particles that yield in "
         "a step. Stages are in\nmilliseconds. The fastest repeat counts.");
}

const cli_bench_kind cli_bench_device = {firn_bench, false, print_json, print};
