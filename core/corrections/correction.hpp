#pragma once

#include <span>

namespace gantry {

/// A correction of measured projections, applied before they are reconstructed. Made for the
/// geometry of one scan; its settings are the parameters of its entry in the catalogue.
class Correction {
 public:
  virtual ~Correction() = default;
  Correction(const Correction&) = delete;
  Correction& operator=(const Correction&) = delete;

  /// Corrects the line integrals of successive views, [view][row][column], no unit, in place.
  /// `first_view` is the index of the first of them in the scan. Each view is passed once, the
  /// views in rising order.
  virtual void apply(int first_view, std::span<float> line_integrals) = 0;

 protected:
  Correction() = default;
};

}  // namespace gantry
