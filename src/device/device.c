// SPDX-License-Identifier: MIT
// Backends by name, and the sentences that say why one cannot be had.
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "device/cuda_world.h"

#define LIST_LENGTH 600
#define VERSION(v) (v) / 1000, (v) % 1000 / 10  // 13000 -> 13, 0, for "%d.%d"

const char* firn_device_backends(void)
{
#ifdef FIRN_HAVE_CUDA
    return "cpu cuda";
#else
    return "cpu";
#endif
}

void firn_cuda_card_describe(const firn_cuda_card* card, char* text, size_t size)
{
    snprintf(text, size, "%s, %.0f GiB", card->name, (double)card->bytes / (1 << 30));
}

static firn_result refuse_name(const char* backend, bool has_cuda, firn_error* error)
{
    static const char* const names[] = {"cpu", "cuda"};
    const char* near = firn_suggest(backend, names, 2);
    char hint[64] = "";
    if (near != NULL) snprintf(hint, sizeof hint, "; did you mean '%s'?", near);
    return firn_fail(error, FIRN_REFUSED_BACKEND, "there is no backend '%s'%s (this build has: %s)",
                     backend, hint, has_cuda ? "cpu, cuda, cuda:N" : "cpu");
}

// The N of "cuda:N"; -1: that is not what it says.
static int number_of(const char* backend)
{
    if (strcmp(backend, "cuda") == 0) return 0;
    const char* digits = backend + strlen("cuda:");
    const size_t length = strlen(digits);
    if (length == 0 || length > 6 || strspn(digits, "0123456789") != length) return -1;
    return atoi(digits);
}

static void list_cards(const firn_cuda_world* world, char* text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int d = 0; d < world->count && d < FIRN_CUDA_CARDS_MAX && used < size; d++) {
        char card[128];
        firn_cuda_card_describe(&world->cards[d], card, sizeof card);
        used += (size_t)snprintf(text + used, size - used, "%scuda:%d (%s)", d > 0 ? ", " : "", d,
                                 card);
    }
}

// Why there is no device at all.
static firn_result refuse_world(const firn_cuda_world* world, const char* backend,
                                firn_error* error)
{
    if (!world->built)
        return firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "backend '%s': this firn was built without CUDA; use backend cpu, or build it with "
            "NVIDIA's CUDA toolkit installed (nvcc) and -D FIRN_CUDA=ON, which says what it lacks",
            backend);
    if (world->driver == 0)
        return firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "backend '%s': there is no NVIDIA driver on this machine; use backend cpu, or install "
            "a driver for CUDA %d.%d or newer (in a container: give it the GPUs)",
            backend, VERSION(world->runtime));
    if (world->driver < world->runtime && world->problem[0] != 0)
        return firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "backend '%s': the NVIDIA driver is for CUDA %d.%d, and this firn needs %d.%d: install "
            "a newer driver, or build firn with a CUDA toolkit as old as the driver (CUDA says: "
            "%s)",
            backend, VERSION(world->driver), VERSION(world->runtime), world->problem);
    if (world->problem[0] != 0)
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "backend '%s': CUDA cannot be used on this machine: %s (the driver is for "
                         "CUDA %d.%d; `nvidia-smi` may know more)",
                         backend, world->problem, VERSION(world->driver));
    const char* visible = getenv("CUDA_VISIBLE_DEVICES");
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "backend '%s': the NVIDIA driver (CUDA %d.%d) finds no device; use backend "
                     "cpu, or look with `nvidia-smi -L` (CUDA_VISIBLE_DEVICES is %s%s%s)",
                     backend, VERSION(world->driver), visible != NULL ? "'" : "",
                     visible != NULL ? visible : "not set", visible != NULL ? "'" : "");
}

firn_result firn_device_choose(const firn_cuda_world* world, const char* backend, int* out_device,
                               firn_error* error)
{
    if (strcmp(backend, "cpu") == 0) {
        *out_device = FIRN_DEVICE_CPU;
        return FIRN_OK;
    }
    if (strcmp(backend, "cuda") != 0 && strncmp(backend, "cuda:", 5) != 0)
        return refuse_name(backend, world->built, error);
    const int number = number_of(backend);
    if (number < 0)
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "backend '%s': after 'cuda:' comes the number of a device, as in cuda:0",
                         backend);
    if (world->count == 0) return refuse_world(world, backend, error);
    if (number >= world->count) {
        char list[LIST_LENGTH];
        list_cards(world, list, sizeof list);
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "backend '%s': there is no device %d, only %s", backend, number, list);
    }
    const firn_cuda_card* card = number < FIRN_CUDA_CARDS_MAX ? &world->cards[number] : NULL;
    if (card != NULL && card->major * 10 + card->minor < world->capability)
        return firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "backend '%s': %s has compute capability %d.%d, and this firn was built for %d.%d and "
            "newer: use another device or backend cpu",
            backend, card->name, card->major, card->minor, world->capability / 10,
            world->capability % 10);
    *out_device = number;
    return FIRN_OK;
}

firn_result firn_device_open(const char* backend, int* out_device, firn_error* error)
{
    if (backend == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the backend is null: name one (%s)",
                         firn_device_backends());
    firn_cuda_world world = {0};
    // the driver is not asked, which takes a while, unless someone wants it
    if (strncmp(backend, "cuda", 4) == 0) firn_cuda_world_look(&world);
#ifdef FIRN_HAVE_CUDA
    world.built = true;
#endif
    int device = FIRN_DEVICE_CPU;
    FIRN_TRY(firn_device_choose(&world, backend, &device, error));
    char problem[200];
    if (device != FIRN_DEVICE_CPU && !firn_cuda_world_try(device, problem, sizeof problem)) {
        char text[128];
        firn_device_describe(device, text, sizeof text);
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "backend '%s': %s cannot be used: %s (`nvidia-smi` shows whether another "
                         "program holds it)",
                         backend, text, problem);
    }
    *out_device = device;
    return FIRN_OK;
}

void firn_device_describe(int device, char* text, size_t size)
{
    text[0] = 0;
    if (device < 0 || device >= FIRN_CUDA_CARDS_MAX) return;
    firn_cuda_world world;
    firn_cuda_world_look(&world);
    if (device < world.count) firn_cuda_card_describe(&world.cards[device], text, size);
}

uint64_t firn_device_memory(int device)
{
    if (device < 0 || device >= FIRN_CUDA_CARDS_MAX) return 0;
    firn_cuda_world world;
    firn_cuda_world_look(&world);
    return device < world.count ? world.cards[device].bytes : 0;
}
