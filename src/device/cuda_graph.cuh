// SPDX-License-Identifier: MIT
// Parts of a captured graph whose running the device decides: a loop, or something that is done or
// not. A kernel before it (for loops, also one inside) sets the handle (cudaGraphSetConditional).
#pragma once
#include <cuda_runtime.h>

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

// Adds the part. body(inner) launches what is in it on a stream of its own: cudaError_t.
template <typename Body>
static inline cudaError_t firn_cuda_capture_part(cudaStream_t stream,
                                                 cudaGraphConditionalHandle handle,
                                                 cudaGraphConditionalNodeType type, Body body)
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
    params.conditional.size = 1;
    cudaGraphNode_t node;
    e = cudaGraphAddNode(&node, graph, after, nullptr, after_count, &params);
    if (e != cudaSuccess) return e;
    cudaStream_t inner;
    e = cudaStreamCreateWithFlags(&inner, cudaStreamNonBlocking);
    if (e != cudaSuccess) return e;
    e = cudaStreamBeginCaptureToGraph(inner, params.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeThreadLocal);
    if (e == cudaSuccess) {
        const cudaError_t launched = body(inner);
        cudaGraph_t captured;
        e = cudaStreamEndCapture(inner, &captured);
        if (launched != cudaSuccess) e = launched;
    }
    cudaStreamDestroy(inner);
    if (e != cudaSuccess) return e;
    return cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                               cudaStreamSetCaptureDependencies);
}
