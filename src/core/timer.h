// SPDX-License-Identifier: MIT
// Wall-clock time for progress and profiles; never enters a result.
#pragma once

double firn_seconds(void);  // [s] monotonic
