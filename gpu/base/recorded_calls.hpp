#pragma once

#include "gpu/base/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gantry {

/// Replaces repeated calls by CUDA graphs. The first call of a kind is executed directly; the
/// second is recorded, and from then on calls of this kind are launched as a graph. `Call`
/// identifies the kind: it compares everything that the recording depends on (pointers, sizes,
/// parameters). The latest `most` kinds are kept. The device must be current.
template <class Call>
class RecordedCalls {
 public:
  explicit RecordedCalls(std::size_t most) : most_(most) {}

  /// Executes a call: `queue` puts the work of the call on the stream, under the rules of
  /// CapturedGraph.
  template <class Queue>
  void run(cudaStream_t stream, const Call& call, const Queue& queue) {
    const auto known = std::ranges::find(kinds_, call, &Kind::call);
    if (known == kinds_.end()) {
      queue();
      if (kinds_.size() == most_) kinds_.erase(kinds_.begin());
      kinds_.push_back({call, {}});
      return;
    }
    if (known->graph.empty()) known->graph = CapturedGraph::capture(stream, queue);
    known->graph.launch(stream);
  }
  void clear() { kinds_.clear(); }

 private:
  struct Kind {
    Call call;
    CapturedGraph graph;
  };

  std::size_t most_;
  std::vector<Kind> kinds_;
};

}  // namespace gantry
