#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Names of the apodisation windows of the ramp filter, in the order in which they damp high
/// frequencies more.
const std::vector<std::string>& ramp_windows();

/// The ramp filter of filtered backprojection for one detector (Kak and Slaney, Principles of
/// Computerized Tomographic Imaging, 1988, ch. 3), sampled in space so that its DC term is right,
/// apodised in frequency:
///   parallel, flat: h[0] = 1/(4 tau^2), h[odd k] = -1/(pi k tau)^2 ; tau the cell pitch scaled to
///   the isocentre arc:            g[0] = 1/(8 db^2),  g[odd k] = -1/(2 (pi sin(k db))^2) ; db the
///   angular pitch
class RampFilter {
 public:
  /// `cutoff` in (0, 1] of the Nyquist frequency. Throws UsageError for an unknown window.
  RampFilter(const ScanGeometry& geometry, const std::string& window, double cutoff);

  /// Filters two detector rows in place, at the cost of one: row <- tau * (h * row). Zero-padded to
  /// avoid wrap-around. The second row may be empty.
  void apply(std::span<float> first, std::span<float> second = {}) const;

  /// For those that transform by other means: the length to which rows are padded, and what each of
  /// its frequencies is multiplied by, 1 / length included (there and back again make length).
  std::size_t padded() const { return padded_; }
  std::span<const double> response() const { return response_; }

 private:
  struct Transforms;

  std::size_t padded_;
  std::shared_ptr<const Transforms> transforms_;
  std::vector<double> response_;  ///< of all padded_ frequencies, over padded_
};

}  // namespace gantry
