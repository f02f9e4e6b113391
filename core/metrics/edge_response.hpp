#pragma once

#include "core/metrics/metric.hpp"
#include "core/metrics/region.hpp"

#include <memory>
#include <span>

namespace gantry {

/// An edge fitted along a segment: value(s) = from + (to - from) (1 + erf((s - position) / (sqrt(2)
/// sigma))) / 2, with s in mm from the segment's start.
struct EdgeFit {
  double width_mm = nan_value;  ///< 10 to 90 % of the step; NaN if there is no edge
  double position_mm = nan_value, sigma_mm = nan_value;
  double from = nan_value, to = nan_value;  ///< levels before and behind the edge
  std::string problem = {};                 ///< why there is no width, or only a limit; else empty
};

/// Returns the edge response along a segment; width_mm is the distance from 10 to 90 % of the step
/// (Smith, The Scientist and Engineer's Guide to Digital Signal Processing, 1997, chapter 25) of
/// the error function fitted by least squares:
///   width = 2 sqrt(2) erfinv(0.8) sigma = 2.5631 sigma.
/// The fit uses the pixels of one slice within 1.5 pixels of the segment, each at its own position
/// along the segment (the presampled edge response of Judy, Med. Phys. 3 (1976) 233); nothing is
/// interpolated, because interpolation would widen the edge. There is no width if the segment meets
/// fewer than 8 pixels, if the step explains less than half of the variance along the segment, or
/// if the 10 and 90 % points are not inside the segment. An edge sharper than the pixels can show
/// gets their limit, a width of 0.64 pixels, and a note in `problem`.
EdgeFit fit_edge(const VolumeGrid& grid, std::span<const float> values, const EdgeSegment& segment);

/// Returns width_mm along pair.regions->edge; needs no reference.
MetricValue edge_width(const ImagePair& pair);

/// Returns the entry for a Registry<Metric>; there are no parameters, since the segment comes from
/// the ImagePair.
std::unique_ptr<Metric> make_edge_width(const Params& params);

}  // namespace gantry
