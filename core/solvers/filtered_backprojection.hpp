#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

class Projector;

/// The filter's window and cut-off, and whether negative values are kept.
std::vector<ParamSpec> filtered_backprojection_params();

/// What FBP and FDK have in common: all but the scans that they accept. `require_suitable` throws
/// UsageError for others; so does init where the operator is no projector of a scan.
std::unique_ptr<Solver> make_filtered_backprojection(const Params& params,
                                                     void (*require_suitable)(const ScanGeometry&));

}  // namespace gantry
