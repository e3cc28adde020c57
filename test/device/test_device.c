// SPDX-License-Identifier: MIT
// What is said about backends that cannot be had, in worlds made up for it: no test machine has an
// old driver, four cards and none at all.
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

#include "device/cuda_world.h"
#include "firn_test.h"

static firn_cuda_world good_world(void)
{
    return (firn_cuda_world){
        .built = true,
        .runtime = 13000,
        .driver = 13010,
        .capability = 75,
        .count = 2,
        .cards = {{"NVIDIA H200", 150000000000, 9, 0}, {"Tesla P100", 17179869184, 6, 0}}};
}

// The backend is refused, and each of the words (ended by null) is in the message.
static void refuses(const firn_cuda_world* world, const char* backend, const char* const* words)
{
    int device = -7;
    firn_error error = {0};
    assert_int_equal(firn_device_choose(world, backend, &device, &error), FIRN_REFUSED_BACKEND);
    assert_int_equal(device, -7);
    for (; *words != NULL; words++)
        if (strstr(error.text, *words) == NULL) fail_msg("no '%s' in: %s", *words, error.text);
}
#define REFUSES(world, backend, ...) \
    refuses(&(world), backend, (const char* const[]){__VA_ARGS__, NULL})

static int accepts(const firn_cuda_world* world, const char* backend)
{
    int device = -7;
    firn_error error = {0};
    if (firn_device_choose(world, backend, &device, &error) != FIRN_OK) fail_msg("%s", error.text);
    return device;
}

static void chooses(void** state)
{
    (void)state;
    firn_cuda_world w = good_world();
    assert_int_equal(accepts(&w, "cpu"), FIRN_DEVICE_CPU);
    assert_int_equal(accepts(&w, "cuda"), 0);
    assert_int_equal(accepts(&w, "cuda:0"), 0);
    w.cards[1].major = 9;
    assert_int_equal(accepts(&w, "cuda:1"), 1);
    w.driver = 12080;  // an older driver that still counts devices is trusted
    assert_int_equal(accepts(&w, "cuda"), 0);
    w = (firn_cuda_world){0};
    assert_int_equal(accepts(&w, "cpu"), FIRN_DEVICE_CPU);
}

static void misspelt(void** state)
{
    (void)state;
    firn_cuda_world w = good_world();
    REFUSES(w, "cdua", "there is no backend 'cdua'", "did you mean 'cuda'?", "cpu, cuda, cuda:N");
    REFUSES(w, "quantum", "there is no backend 'quantum' (this");
    REFUSES(w, "cuda0", "there is no backend 'cuda0'", "did you mean 'cuda'?");
    static const char* const numbers[] = {"cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999"};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        REFUSES(w, numbers[k], numbers[k], "number of a device", "cuda:0");
    w = (firn_cuda_world){0};
    REFUSES(w, "cpuu", "did you mean 'cpu'?", "(this build has: cpu)");
}

static void no_device(void** state)
{
    (void)state;
    firn_cuda_world w = {0};
    REFUSES(w, "cuda", "'cuda'", "built without CUDA", "FIRN_CUDA=ON", "backend cpu");
    w = good_world();
    w.count = 0;
    setenv("CUDA_VISIBLE_DEVICES", "7", 1);
    REFUSES(w, "cuda:1", "finds no device", "CUDA 13.1", "CUDA_VISIBLE_DEVICES is '7'");
    unsetenv("CUDA_VISIBLE_DEVICES");
    REFUSES(w, "cuda", "CUDA_VISIBLE_DEVICES is not set");
    strcpy(w.problem, "the weather is bad");
    REFUSES(w, "cuda", "the weather is bad", "CUDA 13.1", "nvidia-smi");
    w.driver = 12040;
    REFUSES(w, "cuda", "is for CUDA 12.4", "needs 13.0", "newer driver", "the weather is bad");
    w.driver = 0;
    REFUSES(w, "cuda", "no NVIDIA driver", "CUDA 13.0 or newer");
}

static void wrong_device(void** state)
{
    (void)state;
    const firn_cuda_world w = good_world();
    REFUSES(w, "cuda:2", "no device 2", "cuda:0 (NVIDIA H200, 140 GiB)",
            "cuda:1 (Tesla P100, 16 GiB)");
    REFUSES(w, "cuda:1", "Tesla P100", "capability 6.0", "7.5 and newer", "another device");
}

// A list of more cards than a message has room for is cut, not written past its end.
static void many_cards(void** state)
{
    (void)state;
    firn_cuda_world w = good_world();
    w.count = 100;
    for (int d = 0; d < FIRN_CUDA_CARDS_MAX; d++) {
        memset(w.cards[d].name, 'N', sizeof w.cards[d].name - 1);
        w.cards[d].bytes = (uint64_t)80 << 30;
    }
    REFUSES(w, "cuda:100", "no device 100", "cuda:0 (NNNN");
    assert_int_equal(accepts(&w, "cuda:99"), 99);
}

// This machine, whatever it has: an answer of one kind or the other, and the same twice.
static void here(void** state)
{
    (void)state;
    int device = -7;
    firn_error error = {0};
    assert_int_equal(firn_device_open("cpu", &device, &error), FIRN_OK);
    assert_int_equal(device, FIRN_DEVICE_CPU);
    assert_int_equal(firn_device_open(NULL, &device, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_device_open("gpu", &device, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, strstr(firn_device_backends(), "cuda") ? "cuda" : "cpu)");
    char text[128] = "x";
    firn_device_describe(FIRN_DEVICE_CPU, text, sizeof text);
    assert_string_equal(text, "");
    const firn_result r = firn_device_open("cuda", &device, &error);
    assert_int_equal(firn_device_open("cuda", &device, &error), r);
    firn_cuda_world w;
    firn_cuda_world_look(&w);
    assert_int_equal(w.built, strstr(firn_device_backends(), "cuda") != NULL);
    firn_device_describe(0, text, sizeof text);
    if (r == FIRN_OK) {
        assert_greater(w.count, 0);
        assert_equal(device, 0);
        assert_contains(text, " GiB");
    } else {
        assert_int_equal(r, FIRN_REFUSED_BACKEND);
        assert_contains(error.text, "backend 'cuda'");
        if (w.count == 0) assert_string_equal(text, "");
    }
}

int test_device(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chooses),    cmocka_unit_test(misspelt),
                                       cmocka_unit_test(no_device),  cmocka_unit_test(wrong_device),
                                       cmocka_unit_test(many_cards), cmocka_unit_test(here)};
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
