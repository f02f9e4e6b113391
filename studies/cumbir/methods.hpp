#pragma once

#include "studies/cumbir/runs.hpp"

#include <vector>

namespace gantry::cumbir {

/// Stochastic gradient descent over Siddon's rays with the Mumford-Shah prior: the method of print.
/// `worker`: thread or warp (print's block); `order` and `writes` as the solver's parameters.
Method sgd(const std::string& name, const std::string& worker = "thread",
           const std::string& order = "golden", const std::string& writes = "atomic");
/// The same at print's learning rate.
Method printed_sgd();
/// Coordinate descent over Siddon's columns with the Mumford-Shah prior, print's comparison.
/// `step`: printed, or bound, the default; `start`: zero, or fbp for FDK's image, the default.
Method icd(const std::string& name, const std::string& worker, const std::string& step,
           const std::string& start);
/// Super-voxel ICD, the method of GPU-ICD; without a prior.
Method supervoxel_icd();

/// The methods that are compared to a common level: print's first, the rivals, and a control
/// without prior.
std::vector<Method> all_methods();

}  // namespace gantry::cumbir
