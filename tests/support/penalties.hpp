// Penalty terms for problems of tests.
#pragma once

#include "core/catalog/made_penalty.hpp"
#include "core/operator/projector.hpp"

#include <string>
#include <vector>

namespace gantry::test {

/// Makes priors and keeps them alive as long as the object exists.
class Penalties {
 public:
  Penalties(const Catalog& catalog, std::string backend_key)
      : catalog_(catalog), backend_key_(std::move(backend_key)) {}

  /// Returns the penalty with the prior `key` on the grid of A. The prior's parameters also say the
  /// weight, as in a run.
  Penalty make(const std::string& key, const Projector& A, const Params& params = {}) {
    made_.push_back(make_penalty(catalog_, key, backend_key_, A.backend(), A.grid(), params));
    return made_.back().penalty;
  }

 private:
  const Catalog& catalog_;
  std::string backend_key_;
  std::vector<MadePenalty> made_;
};

}  // namespace gantry::test
