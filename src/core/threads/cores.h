// SPDX-License-Identifier: MIT
// How many cores this process may use.
#pragma once
#include "firn/types.h"

// Cores of the affinity mask, at most the quota of the process's control groups, rounded up; at
// least 1.
int firn_cores_count(void);

// The quota of the control group of the process [cores], the smallest of its ancestors'; 0: none.
// `proc`, `cgroup`: /proc/self/cgroup and /sys/fs/cgroup.
double firn_cores_quota(const char* proc, const char* cgroup);

// Number of NUMA nodes below `nodes` (/sys/devices/system/node) that have cores of the mask.
int firn_cores_nodes(const char* nodes);
// Keeps the calling thread on the cores of node k of those. Nothing happens where that fails.
void firn_cores_stay_on_node(const char* nodes, int k);
