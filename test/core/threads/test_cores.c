// SPDX-License-Identifier: MIT
// Counting cores: quotas of control groups of both versions and NUMA nodes, from files of our own.
#define _GNU_SOURCE  // affinity masks
#include "core/threads/cores.h"

#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>

#include "firn_test.h"

static void put(const char* path, const char* text)
{
    FILE* out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

#define CGROUP FIRN_TEST_TMP "/cgroup"
#define PROC FIRN_TEST_TMP "/proc"
#define NODES FIRN_TEST_TMP "/node"

static void quota_of_version_2(void** state)
{
    (void)state;
    put(PROC, "0::/jobs/one\n");
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 0, 0);  // no files: none
    mkdir(CGROUP, 0755);
    mkdir(CGROUP "/jobs", 0755);
    mkdir(CGROUP "/jobs/one", 0755);
    put(CGROUP "/jobs/one/cpu.max", "max 100000\n");
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 0, 0);
    put(CGROUP "/jobs/one/cpu.max", "350000 100000\n");
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 3.5, 1e-9);
    put(CGROUP "/jobs/cpu.max", "50000 25000\n");  // the parent allows less
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 2, 1e-9);
    put(CGROUP "/cpu.max", "100000 100000\n");  // seen from inside a container
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 1, 1e-9);
    put(PROC, "0::/\n");
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 1, 1e-9);
    put(PROC, "what is this\n::\n0::/none\n");
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 1, 1e-9);
    remove(CGROUP "/cpu.max");
}

static void quota_of_version_1(void** state)
{
    (void)state;
    put(PROC, "5:cpuset:/x\n4:cpu,cpuacct:/docker\n1:name=systemd:/\n");
    mkdir(CGROUP "/cpu,cpuacct", 0755);
    mkdir(CGROUP "/cpu,cpuacct/docker", 0755);
    put(CGROUP "/cpu,cpuacct/docker/cpu.cfs_quota_us", "-1\n");
    put(CGROUP "/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n");
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 0, 0);
    put(CGROUP "/cpu,cpuacct/docker/cpu.cfs_quota_us", "600000\n");
    assert_float_equal(firn_cores_quota(PROC, CGROUP), 6, 1e-9);
}

static void affinity_masks_count(void** state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_in_range(firn_cores_count(), 1, CPU_COUNT(&all));
    int first = 0;
    while (!CPU_ISSET((size_t)first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET((size_t)first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(firn_cores_count(), 1);
    mkdir(NODES, 0755);
    mkdir(NODES "/node0", 0755);
    mkdir(NODES "/node1", 0755);
    char list[32];
    snprintf(list, sizeof list, "900,%d-%d\n", first, first);
    put(NODES "/node0/cpulist", "901-903\n");  // none of ours
    put(NODES "/node1/cpulist", list);
    assert_int_equal(firn_cores_nodes(NODES), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    firn_cores_stay_on_node(NODES, 0);
    cpu_set_t now;
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_true(CPU_EQUAL(&now, &one));
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(firn_cores_nodes(FIRN_TEST_TMP "/missing"), 0);
}

int test_cores(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quota_of_version_2),
                                       cmocka_unit_test(quota_of_version_1),
                                       cmocka_unit_test(affinity_masks_count)};
    return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}
