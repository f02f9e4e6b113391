#pragma once

#include "core/base/registry.hpp"
#include "core/corrections/correction.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/metrics/metric.hpp"
#include "core/operator/projector.hpp"
#include "core/phantoms/phantom.hpp"
#include "core/priors/prior.hpp"
#include "core/solvers/solver.hpp"

#include <memory>

namespace gantry {

/// All algorithms, by kind. The program makes the catalogue once; combo boxes, forms, the command
/// line, contract tests and benchmarks list its entries.
struct Catalog {
  Registry<Projector, Backend&, std::shared_ptr<const ScanGeometry>, const VolumeGrid&> projectors{
      "projector"};
  Registry<MatrixFormat> matrix_formats{"matrix format"};
  Registry<Solver> solvers{"solver"};
  Registry<Prior, Backend&, const VolumeGrid&> priors{"prior"};
  Registry<Metric> metrics{"metric"};
  Registry<Phantom> phantoms{"phantom"};
  Registry<Correction, const ScanGeometry&> corrections{"correction"};
};

/// Adds the algorithms of the core, which need no device.
void add_core(Catalog& catalog);

}  // namespace gantry
