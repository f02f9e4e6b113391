#include "core/projectors/distance_driven/axial_rows.hpp"

#include "core/projectors/distance_driven/dd_view.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

AxialRows::AxialRows(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : diverges_(geometry.beam() == Beam::cone),
      arc_(geometry.spec().detector == DetectorShape::arc),
      pitch_at_detector_(geometry.spec().row_pitch_mm / grid.spacing_mm.z),
      first_edge_(geometry.spec().central_row + 0.5),
      source_z_((geometry.view(view).source_mm.z - grid.lower_corner_mm().z) / grid.spacing_mm.z) {
  const double t = geometry.angle_rad(view), c = std::cos(t), s = std::sin(t);
  const Layers slices = Layers::of(grid, looks_along_y(t));
  slices_ = slices.count;
  width_ = slices.width;
  if (!diverges_) return;
  const double sid = geometry.spec().source_to_isocenter_mm,
               sdd = geometry.spec().source_to_detector_mm;
  const auto affine = [&](double along_u, double along_w, double offset_mm) {
    const double u_mm = slices.u_lower_mm + 0.5 * slices.u_spacing_mm;
    return Affine{(offset_mm + along_u * u_mm + along_w * slices.w_first_mm) / sdd,
                  along_u * slices.u_spacing_mm / sdd, along_w * slices.w_spacing_mm / sdd};
  };
  // The central ray runs along (-sin, cos), columns along (cos, sin).
  depth_ = slices.along_y ? affine(-s, c, sid) : affine(c, -s, sid);
  across_ = slices.along_y ? affine(c, s, 0) : affine(s, c, 0);
}

// Depth is affine in the pixel, and distance is convex and no less than depth: the ends of the
// layer bound both.
std::pair<RowEdges, RowEdges> AxialRows::extremes(int k) const {
  const int last = width_ - 1;
  const double least = diverges_ ? std::min(depth_.at(0, k), depth_.at(last, k)) : 1;
  return {with_pitch(pitch_at_detector_ * least),
          with_pitch(pitch_at_detector_ * std::max(zoom(0, k), zoom(last, k)))};
}

AxialRows::Pitch AxialRows::pitch() const {
  if (!diverges_) return {{pitch_at_detector_, 0, 0}, {0, 0, 0}};
  const auto scaled = [&](const Affine& length) {
    return Affine{pitch_at_detector_ * length.first, pitch_at_detector_ * length.per_pixel,
                  pitch_at_detector_ * length.per_layer};
  };
  return {scaled(depth_), scaled(across_)};
}

double AxialRows::smallest_pitch() const {
  return std::min(extremes(0).first.pitch, extremes(slices_ - 1).first.pitch);
}

double AxialRows::largest_pitch() const {
  return std::max(extremes(0).second.pitch, extremes(slices_ - 1).second.pitch);
}

}  // namespace gantry
