// SPDX-License-Identifier: MIT
// Which threads calls run on, as the program chooses (host.h).
#pragma once
#include "core/result.h"
#include "firn/host.h"

// FIRN_REFUSED_ARGUMENT: no such number of threads, or a job system that cannot be used. `jobs` may
// be null.
firn_result firn_threads_check(int threads, const firn_jobs* jobs, firn_error* error);
