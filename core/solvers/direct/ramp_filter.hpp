#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The names of the ramp filter's windows, from the one that damps high frequencies least to the
/// one that damps them most.
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

  /// Filters one or two detector rows in place, row <- tau * (h * row); two cost as much as one.
  /// Rows are padded with zeros against wrap-around. The second row may be empty.
  void apply(std::span<float> first, std::span<float> second = {}) const;

  /// What implementations with another Fourier transform need: the padded length of a row, and the
  /// factor of each frequency. The factor contains 1 / length, which an unnormalised transform and
  /// its inverse require.
  std::size_t padded() const { return padded_; }
  std::span<const double> response() const { return response_; }

 private:
  struct Transforms;

  std::size_t padded_;
  std::shared_ptr<const Transforms> transforms_;
  std::vector<double> response_;  ///< factors of all padded_ frequencies
};

}  // namespace gantry
