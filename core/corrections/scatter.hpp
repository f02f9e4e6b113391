#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Scatter, or a veil of the scintillator, that adds the same to all cells: from the transmission
/// T = exp(-p) a part s of the unattenuated beam is subtracted, p <- -ln((T - s) / (1 - s)), so
/// that air stays air. Without it, thick and dense parts appear too thin (cupping, dark bands).
/// Siewerdsen and Jaffray, "Cone-beam computed tomography with a flat-panel imager: magnitude and
/// effects of x-ray scatter", Medical Physics 28 (2001) 220.
std::vector<ParamSpec> scatter_params();
std::unique_ptr<Correction> make_scatter(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
