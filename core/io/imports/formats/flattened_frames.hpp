#pragma once

#include "core/base/vec3.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// An arc detector whose centre of curvature need not be the source: its cells lie at equal angles
/// about a line parallel to z through the focal centre.
struct ArcDetector {
  int columns = 0, rows = 0;
  double radius_mm = 0, column_pitch_mm = 0, row_pitch_mm = 0;  ///< pitches on the arc
  double central_column = 0, central_row = 0;  ///< where the ray through the axis lands
};

/// Source and detector of one view. `inward` points from the focal centre to the axis, `across`
/// along growing columns; both are of length 1 and at right angles to z.
struct ArcView {
  Vec3 source_mm, focal_centre_mm, inward, across;
};

/// Returns the pose of the flat detector that touches the arc at the central ray.
View flat_pose(const ArcDetector& arc, const ArcView& view);

/// How far values of a frame are from what they become when they are interpolated and then
/// interpolated back, which is about twice the error of one interpolation.
struct InterpolationError {
  double rms = 0, most = 0, largest_value = 0;
};

/// Frames of an arc detector whose source does not stand in the centre of the arc (a flying focal
/// spot), interpolated to the cells of a flat detector that touches the arc at the central ray. The
/// flat detector has the pitches and the rows of the arc; it is wider, so that it takes up all
/// columns. Each value belongs to the same ray as before, from the source through the flat cell to
/// the arc; cubic convolution (Keys 1981) between the cells. The frames are [row][column] with the
/// lowest row last, as those that they are made of.
class FlattenedFrames final : public FrameSource {
 public:
  /// Takes one view for each frame.
  FlattenedFrames(std::shared_ptr<const FrameSource> frames, const ArcDetector& arc,
                  std::vector<ArcView> views);

  int frames() const override { return frames_->frames(); }
  int rows() const override { return frames_->rows(); }
  int columns() const override { return columns_; }
  std::string name(int frame) const override { return frames_->name(frame); }
  void read(int frame, std::span<float> values) const override;

  InterpolationError error_of(int frame) const;
  /// Returns the fractional column of the flat detector where the central ray lands.
  double central_column() const { return central_column_; }

 private:
  std::shared_ptr<const FrameSource> frames_;
  ArcDetector arc_;
  std::vector<ArcView> views_;
  int columns_ = 0;
  double central_column_ = 0;
};

}  // namespace gantry
