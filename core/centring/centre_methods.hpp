#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// A method that finds the axis of rotation from measured data.
struct CentreMethod {
  std::string key;         ///< "opposite"
  std::string label;       ///< "Opposite views"
  std::string help;        ///< what it compares, for which scans
  std::string references;  ///< "Vo et al. 2014"; may be empty
  std::string needs;       ///< "a fan or cone beam ...": the scans whose axis it can find
  /// Returns the axis; nothing where this method cannot find it. `line_integrals`:
  /// [view][row][column]. Throws ShapeError and Interrupted.
  std::optional<CentreEstimate> (*find)(const ScanGeometry& geometry,
                                        std::span<const float> line_integrals,
                                        const Interrupt* interrupt);
  /// Returns which part of `needs` the data lack where `find` finds nothing, "the views cover 120
  /// degrees". Null where the method does not say.
  std::string (*lacks)(const ScanGeometry& geometry,
                       std::span<const float> line_integrals) = nullptr;
};

/// Returns all methods, the most exact first.
const std::vector<CentreMethod>& centre_methods();
/// Throws UsageError, with all keys, for an unknown one.
const CentreMethod& centre_method(const std::string& key);

/// An axis, and the method by which it was found.
struct FoundCentre {
  const CentreMethod* method = nullptr;
  CentreEstimate estimate;
  bool is_certain = true;  ///< false: data without a flat do not confirm it
};

/// Does what centre_from_data() does, and also returns the method that found the axis. Throws what
/// the methods throw.
std::optional<FoundCentre> centre_by_usual_method(const ScanGeometry& geometry,
                                                  std::span<const float> line_integrals,
                                                  const Interrupt* interrupt = nullptr);

/// Does what centre_without_flat() does for data that lack a flat, and else the same as above.
std::optional<FoundCentre> centre_by_usual_method(const ScanGeometry& geometry,
                                                  std::span<const float> line_integrals,
                                                  bool lacks_flat,
                                                  const Interrupt* interrupt = nullptr);

/// Returns the axes that the methods find, in the order of the methods; methods that find none are
/// left out. Throws what the methods throw.
std::vector<FoundCentre> centres_by_all_methods(const ScanGeometry& geometry,
                                                std::span<const float> line_integrals,
                                                const Interrupt* interrupt = nullptr);

/// Returns the axis farthest from the first one, of those that contradict it: they are more than a
/// column away, or by more than 0.3 columns and four times the errors that both state. Null if none
/// does.
const FoundCentre* contradicting(const std::vector<FoundCentre>& found);

/// Returns one line with the first axis and the one that contradicts it:
/// "opposite finds column 85.9, but sharpness 91.25". An empty text if none does.
std::string disagreement(const std::vector<FoundCentre>& found);

}  // namespace gantry
