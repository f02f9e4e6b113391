#pragma once

#include "core/job/experiment.hpp"

#include <functional>
#include <optional>
#include <string>

namespace gantry {

/// What the import of a scan gave while the experiment stated no geometry.
struct FoundScan {
  std::string path = {};              ///< of the scan
  std::optional<ScanSpec> scan = {};  ///< empty: not known
  /// The axis that was found where the settings stated none, a column of the whole images; empty:
  /// not known.
  std::optional<double> axis = {};
  int columns = 0;  ///< of the detector of the present data; 0: not known
};

/// Takes over what the import of an experiment gave, which states no geometry.
void keep_found(const Experiment& experiment, const ScanSpec& scan, FoundScan& found);

/// Returns the axis of rotation of an imported scan, as a column of its whole images: that of the
/// experiment's geometry, where the slider, a sweep or the data moved the axis there; else what the
/// import settings state. Empty: the import finds it.
std::optional<double> chosen_axis(const Experiment& experiment, const FoundScan& found);

/// Changes the import settings of an experiment. The geometry and the grid belong to the import as
/// it was and are dropped; the chosen axis becomes a setting, unless the images have other columns
/// with the change. Returns whether something else is lost that was set in the geometry.
bool change_import(Experiment& experiment, const FoundScan& found,
                   const std::function<void(ImportSettings&)>& change);

}  // namespace gantry
