#include "gpu/base/graph.hpp"

namespace gantry {

CapturedGraph CapturedGraph::finish(cudaStream_t stream) {
  cudaGraph_t recorded = nullptr;
  check(cudaStreamEndCapture(stream, &recorded), "record a graph");
  CapturedGraph graph;
  const cudaError_t status = cudaGraphInstantiate(&graph.executable_, recorded, 0);
  cudaGraphDestroy(recorded);
  check(status, "prepare a graph");
  return graph;
}

void CapturedGraph::abandon(cudaStream_t stream) noexcept {
  cudaGraph_t recorded = nullptr;
  cudaStreamEndCapture(stream, &recorded);
  if (recorded != nullptr) cudaGraphDestroy(recorded);
  cudaGetLastError();
}

void CapturedGraph::release() noexcept {
  if (executable_ != nullptr && cudaGraphExecDestroy(executable_) != cudaSuccess)
    cudaGetLastError();
}

}  // namespace gantry
