// SPDX-License-Identifier: MIT
// stats.csv: one row per step, with the forces and torques on colliders in it. Plain text, flushed
// once a frame.
#pragma once
#include "core/result.h"
#include "solver/solver.h"

typedef struct firn_stats firn_stats;
// Opens DIR/stats.csv, with columns for so many stages and colliders. With `resume_step` >= 0, rows
// of steps >= resume_step and an incomplete last line are removed first; else a new file with a
// header is begun.
firn_result firn_stats_open(const char* dir, const char* const* stage_names, int stage_count,
                            firn_local collider_count, int64_t resume_step, firn_stats** out_stats,
                            firn_error* error);
// `loads`: [collider_count].
firn_result firn_stats_add(firn_stats* stats, const firn_step_report* row,
                           const firn_collider_load* loads, firn_error* error);
firn_result firn_stats_flush(firn_stats* stats, firn_error* error);
firn_result firn_stats_close(firn_stats* stats, firn_error* error);  // also frees; null is fine
