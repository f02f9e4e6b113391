#pragma once

#include "core/geometry/near_circle.hpp"

#include <memory>
#include <string>

namespace gantry {

/// Takes the views of free poses as a detector on the circle near them would have measured them:
/// each ray of the circle is measured by the ray of the pose that crosses it in the plane through
/// the axis at right angles to the view. That is the same ray where the source is on the circle,
/// however the detector lies; else the nearer to the axis, the more accurate. Values lie linearly
/// between cells; beyond the detector they are 0.
class CircleResampling {
 public:
  /// Throws UsageError, naming `method`, for poses that are near no circle.
  CircleResampling(ScanGeometry poses, const std::string& method);

  const ScanGeometry& circle() const { return circle_; }
  /// Returns one line about what was done.
  std::string note() const;
  /// Writes a view of the circle, [row][column], from the same view of the poses.
  void resample(int view, const float* from, float* to) const;

 private:
  ScanGeometry poses_;
  NearCircle near_;
  ScanGeometry circle_;
};

}  // namespace gantry
