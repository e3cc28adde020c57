// SPDX-License-Identifier: MIT
// The manifest of a run lists what was exported into its folder (run --overwrite removes it).
#pragma once
#include "firn/run.h"
#include "output/run/cache.h"

// Lists the files of these frames and of the whole run that are there; nothing when they went
// elsewhere (output_dir), or while the run is being written, which is logged (export.not_listed).
firn_result firn_export_record(const firn_export_def* def, const firn_cache_job* frames,
                               firn_error* error);
