#pragma once

#include "core/metrics/metric.hpp"
#include "core/metrics/region.hpp"

#include <memory>
#include <span>

namespace gantry {

/// An edge as fitted along a segment: value(s) = low + (high - low) (1 + erf((s - position) /
/// (sqrt(2) sigma))) / 2, s from the segment's start.
struct EdgeFit {
  double width_mm = nan_value;  ///< 10 to 90 % of the step; NaN where there is no edge
  double position_mm = nan_value, sigma_mm = nan_value;
  double from = nan_value, to = nan_value;  ///< levels before and behind the edge
  std::string problem = {};                 ///< why there is no width, or only a limit; else empty
};

/// Width of the edge response, 10 to 90 % of the step (Smith, The Scientist and Engineer's Guide to
/// Digital Signal Processing, 1997, chapter 25), of the error function fitted by least squares:
///   width = 2 sqrt(2) erfinv(0.8) sigma = 2.5631 sigma.
/// Fitted are the pixels of one slice within 1.5 pixels of the segment, at their own place along
/// it (the presampled edge response of Judy, Med. Phys. 3 (1976) 233): nothing is interpolated, so
/// that nothing is added to the width. No width where the segment meets too few pixels, where the
/// step explains less than half of the variance along it, and where the 10 and 90 % points are not
/// inside it. An edge sharper than pixels can show gives their limit, 0.64 pixels, and
/// says so.
EdgeFit fit_edge(const VolumeGrid& grid, std::span<const float> values, const EdgeSegment& segment);

/// width_mm of the pair's edge; needs no reference.
MetricValue edge_width(const ImagePair& pair);

/// Entry for a Registry<Metric>; no parameters: it measures the pair's regions.
std::unique_ptr<Metric> make_edge_width(const Params& params);

}  // namespace gantry
