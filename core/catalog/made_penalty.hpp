#pragma once

#include "core/catalog/catalog.hpp"

#include <memory>
#include <string>

namespace gantry {

/// A penalty term with the prior that it points to.
struct MadePenalty {
  std::unique_ptr<Prior> prior;  ///< null: no penalty
  Penalty penalty;
};

/// Makes the prior `key` on a backend and the penalty term of it; `params` contains the weight. An
/// empty key makes no penalty. Throws UsageError as Registry::make() does.
MadePenalty make_penalty(const Catalog& catalog, const std::string& key,
                         const std::string& backend_key, Backend& backend, const VolumeGrid& grid,
                         const Params& params = {});

}  // namespace gantry
