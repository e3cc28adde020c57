// SPDX-License-Identifier: MIT
// How threads wait for each other.
#pragma once

// Restarts the program with a short spin, unless the user has chosen how threads wait
// (OMP_WAIT_POLICY, GOMP_SPINCOUNT). Returns if there is nothing to do or if it fails.
void cli_wait_policy_set(char** argv);
