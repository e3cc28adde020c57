// SPDX-License-Identifier: MIT
// Loads on colliders of a run that continues in the middle of a frame.
#pragma once
#include "firn/firn.h"

// Takes the steps of the frame that were done before the run is resumed from its stats.csv.
firn_result firn_run_loads_resume(firn_sim* sim);
