// SPDX-License-Identifier: MIT
// Loops and choices of graphs, driven by the host: instead of being captured, kernels are launched
// at once, and the host waits for each condition. For compute-sanitizer, whose racecheck ends
// abnormally in graphs with loops. A build with the CMake option FIRN_CUDA_HOST_LOOPS includes this
// file before all others in every .cu file; it is slow, and gives the same bits.
#pragma once
#include <cuda_runtime.h>

#define FIRN_HOST_WORDS 4096  // conditions; far more than are in use at a time

// Words that host and device share; a handle is the address of one.
static inline cudaError_t firn_host_loops_handle(cudaGraphConditionalHandle* out_handle,
                                                 unsigned value)
{
    static unsigned* words = nullptr;
    static unsigned next = 0;
    if (words == nullptr) {
        const cudaError_t e = cudaHostAlloc((void**)&words, FIRN_HOST_WORDS * sizeof *words,
                                            cudaHostAllocPortable | cudaHostAllocMapped);
        if (e != cudaSuccess) return e;
    }
    unsigned* word = &words[next++ % FIRN_HOST_WORDS];
    *word = value;
    *out_handle = (cudaGraphConditionalHandle)word;
    return cudaSuccess;
}

// Waits for what was launched, then looks.
static inline cudaError_t firn_host_loops_look(cudaStream_t stream,
                                               cudaGraphConditionalHandle handle, bool* out_set)
{
    const cudaError_t e = cudaStreamSynchronize(stream);
    *out_set = *(volatile unsigned*)handle != 0;
    return e;
}

// ---- what device/cuda_graph.cuh has -------------------------------------------------------------

static inline cudaError_t firn_cuda_capture_handle(cudaStream_t stream,
                                                   cudaGraphConditionalHandle* out_handle)
{
    (void)stream;
    return firn_host_loops_handle(out_handle, 0);
}

template <typename Body>
static inline cudaError_t firn_cuda_capture_part(cudaStream_t stream,
                                                 cudaGraphConditionalHandle handle,
                                                 cudaGraphConditionalNodeType type, Body body)
{
    for (;;) {
        bool set;
        cudaError_t e = firn_host_loops_look(stream, handle, &set);
        if (e == cudaSuccess && set) e = body(stream);
        if (e != cudaSuccess || !set || type == cudaGraphCondTypeIf) return e;
    }
}

template <typename Body, typename Other>
static inline cudaError_t firn_cuda_capture_choice(cudaStream_t stream,
                                                   cudaGraphConditionalHandle handle, Body body,
                                                   Other other)
{
    bool set;
    const cudaError_t e = firn_host_loops_look(stream, handle, &set);
    return e != cudaSuccess ? e : set ? body(stream) : other(stream);
}

// ---- what CUDA has ------------------------------------------------------------------------------

#ifdef __CUDACC__
static __device__ __forceinline__ void firn_host_loops_set(cudaGraphConditionalHandle handle,
                                                           unsigned value)
{
    *(volatile unsigned*)handle = value;
    __threadfence_system();
}
#define cudaGraphSetConditional(handle, value) firn_host_loops_set((handle), (value))
#endif

static inline cudaError_t firn_host_loops_no_graph(cudaGraph_t* out_graph)
{
    *out_graph = nullptr;
    return cudaSuccess;
}

// A step is "captured" each time by launching it: its graph stays null.
#define cudaGraphConditionalHandleCreate(handle, graph, value, flags) \
    ((void)(graph), firn_host_loops_handle((handle), (value)))
#define cudaStreamGetCaptureInfo(stream, status, id, graph, ...) \
    ((void)(stream), (void)(status), firn_host_loops_no_graph(graph))
#define cudaStreamBeginCapture(stream, mode) ((void)(stream), cudaSuccess)
#define cudaStreamEndCapture(stream, graph) ((void)(stream), firn_host_loops_no_graph(graph))
#define cudaGraphInstantiate(out_executable, graph, flags) \
    ((void)(out_executable), (void)(graph), cudaSuccess)
#define cudaGraphLaunch(executable, stream) ((void)(executable), (void)(stream), cudaSuccess)
