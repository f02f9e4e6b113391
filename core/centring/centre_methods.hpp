#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// A way to find the axis of rotation from measured data.
struct CentreMethod {
  std::string key;         ///< "opposite"
  std::string label;       ///< "Opposite views"
  std::string help;        ///< what it compares, for which scans
  std::string references;  ///< "Vo et al. 2014"; may be empty
  std::string needs;       ///< "a fan or cone beam ...": the scans whose axis it can find
  /// Returns the axis; nothing where the data do not tell it in this way. `line_integrals`:
  /// [view][row][column]. Throws ShapeError and Interrupted.
  std::optional<CentreEstimate> (*find)(const ScanGeometry& geometry,
                                        std::span<const float> line_integrals,
                                        const Interrupt* interrupt);
};

/// Returns all ways, the most exact first.
const std::vector<CentreMethod>& centre_methods();
/// Throws UsageError, with all keys, for an unknown one.
const CentreMethod& centre_method(const std::string& key);

/// An axis, and the way by which it was found.
struct FoundCentre {
  const CentreMethod* method = nullptr;
  CentreEstimate estimate;
};

/// Returns what the ways of centre_from_data() find, which suit the beam, and by which of them.
/// Throws as they do.
std::optional<FoundCentre> centre_by_usual_method(const ScanGeometry& geometry,
                                                  std::span<const float> line_integrals,
                                                  const Interrupt* interrupt = nullptr);

/// Returns what each way finds, in the order of the ways; none that finds nothing. Throws as they
/// do.
std::vector<FoundCentre> centres_by_all_methods(const ScanGeometry& geometry,
                                                std::span<const float> line_integrals,
                                                const Interrupt* interrupt = nullptr);

/// Returns one line with both values if any way is more than a column away from the first one:
/// "opposite finds column 85.9, but sharpness 91.25"; that of the farthest. Else an empty text.
std::string disagreement(const std::vector<FoundCentre>& found);

}  // namespace gantry
