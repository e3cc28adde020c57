// SPDX-License-Identifier: MIT
// Loops of the calling test run on a team of as many threads as it names.
#pragma once
#include "core/threads/team.h"
#include "firn_test.h"

// A team of `threads` from now on, instead of the one before; 0: none, as at the start of a test.
static inline void use_team(int threads)
{
    firn_team* team = NULL;
    if (threads > 0) {
        team = firn_team_create(threads);
        assert_non_null(team);
    }
    firn_team_destroy(firn_team_use(team));
}
