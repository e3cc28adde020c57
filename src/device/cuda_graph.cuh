// SPDX-License-Identifier: MIT
// Parts of a captured graph whose running the device decides: a loop, or something that is done or
// not. A kernel before it (for loops, also one inside) sets the handle (cudaGraphSetConditional).
#pragma once
#include <cuda_runtime.h>

#ifdef FIRN_CUDA_HOST_LOOPS
#include "device/cuda_host_loops.cuh"
#else

// A handle for a part that `stream`, which captures, will add. 0 until a kernel sets it.
static inline cudaError_t firn_cuda_capture_handle(cudaStream_t stream,
                                                   cudaGraphConditionalHandle* out_handle)
{
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    const cudaError_t e =
        cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr, nullptr);
    if (e != cudaSuccess) return e;
    return cudaGraphConditionalHandleCreate(out_handle, graph, 0, cudaGraphCondAssignDefault);
}

// Adds a node for the handle with `size` bodies to what `stream` captures.
static inline cudaError_t firn_cuda_capture_node(cudaStream_t stream,
                                                 cudaGraphConditionalHandle handle,
                                                 cudaGraphConditionalNodeType type, unsigned size,
                                                 cudaGraph_t** out_bodies)
{
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    const cudaGraphNode_t* after;
    size_t after_count;
    cudaError_t e =
        cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &after, nullptr, &after_count);
    if (e != cudaSuccess) return e;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    cudaGraphNode_t node;
    e = cudaGraphAddNode(&node, graph, after, nullptr, after_count, &params);
    if (e != cudaSuccess) return e;
    *out_bodies = params.conditional.phGraph_out;
    return cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                               cudaStreamSetCaptureDependencies);
}

// Captures what body(inner) launches, on a stream of its own: cudaError_t.
template <typename Body>
static inline cudaError_t firn_cuda_capture_body(cudaGraph_t graph, Body body)
{
    cudaStream_t inner;
    cudaError_t e = cudaStreamCreateWithFlags(&inner, cudaStreamNonBlocking);
    if (e != cudaSuccess) return e;
    e = cudaStreamBeginCaptureToGraph(inner, graph, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeThreadLocal);
    if (e == cudaSuccess) {
        const cudaError_t launched = body(inner);
        cudaGraph_t captured;
        e = cudaStreamEndCapture(inner, &captured);
        if (launched != cudaSuccess) e = launched;
    }
    cudaStreamDestroy(inner);
    return e;
}

// Adds a part that is done while, or if, the handle is set.
template <typename Body>
static inline cudaError_t firn_cuda_capture_part(cudaStream_t stream,
                                                 cudaGraphConditionalHandle handle,
                                                 cudaGraphConditionalNodeType type, Body body)
{
    cudaGraph_t* bodies;
    const cudaError_t e = firn_cuda_capture_node(stream, handle, type, 1, &bodies);
    return e != cudaSuccess ? e : firn_cuda_capture_body(bodies[0], body);
}

// Adds two parts: the first is done if the handle is set, else the second.
template <typename Body, typename Other>
static inline cudaError_t firn_cuda_capture_choice(cudaStream_t stream,
                                                   cudaGraphConditionalHandle handle, Body body,
                                                   Other other)
{
    cudaGraph_t* bodies;
    cudaError_t e = firn_cuda_capture_node(stream, handle, cudaGraphCondTypeIf, 2, &bodies);
    if (e == cudaSuccess) e = firn_cuda_capture_body(bodies[0], body);
    return e != cudaSuccess ? e : firn_cuda_capture_body(bodies[1], other);
}
#endif
