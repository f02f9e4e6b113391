#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "studies/branchless_dd/printed_model.hpp"
#include "studies/study.hpp"

namespace gantry::branchless_dd {

/// Adds what the RMSE that Liu et al. 2017 print of GPU-BL may be: of the projections of ones at
/// the views of Fig. 12, given by `scan`, and of the backprojection of ones from 984 views (Fig.
/// 14), by texture units with exact weights and with rounded ones, in other units, norms, places
/// and sizes, each beside print. Figures and notes are computed.
void rmse_readings(const ScanGeometry& scan, const Interrupt* interrupt, StudyResult& result);

}  // namespace gantry::branchless_dd
