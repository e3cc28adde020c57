// SPDX-License-Identifier: MIT
// How threads wait for each other.
#pragma once

// Starts the program again with a short spin, unless the user has chosen how threads wait
// (OMP_WAIT_POLICY, GOMP_SPINCOUNT). Returns if there is nothing to do or if it cannot be done.
void cli_wait_policy_set(char** argv);
