#pragma once

#include "gpu/base/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gantry {

/// Calls that come again: the first of its kind is made as it is, what the second launches is
/// recorded, and launched as one from then on. `Call` is what tells kinds apart: all that a
/// recording holds on to. The latest few kinds are kept. With the device current.
template <class Call>
class RecordedCalls {
 public:
  explicit RecordedCalls(std::size_t most) : most_(most) {}

  /// `queue` puts the call's work on the stream, under the rules of CapturedGraph.
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
