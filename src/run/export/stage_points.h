// SPDX-License-Identifier: MIT
// Which particles a stage holds. Ids decide, through a multiplicative hash, so that the selection
// is spread over the snow and holds the same particles in all frames; when a later frame has too
// many, every second one is dropped from all frames.
#pragma once
#include "run/export/stage_record.h"

// Fills points[sample_count] from the frame. FIRN_BROKEN_MEMORY: it is empty.
firn_result firn_stage_points_select(firn_stage_record* record, const firn_frame* frame,
                                     firn_error* error);
