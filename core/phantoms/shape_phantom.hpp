#pragma once

#include "core/phantoms/phantom.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// The half-plane (x - x0) cos(angle) + (y - y0) sin(angle) < distance, with (x0, y0) the centre of
/// the ellipse that it clips.
struct HalfPlane {
  double distance_mm = 0, angle_rad = 0;
};

/// A filled ellipse, cut by half-planes, that adds `mu` where it lies.
struct EllipseShape {
  double x0_mm = 0, y0_mm = 0;
  double a_mm = 1, b_mm = 1;  ///< half axes along the ellipse's own x and y
  double angle_rad = 0;       ///< of its own x axis from the world's, counter-clockwise
  double mu = 0;              ///< added, 1/mm; may be negative
  std::vector<HalfPlane> clips = {};
};

/// A 2D section made of additive ellipses. A line's chord through an ellipse is the interval of the
/// quadratic |M (o + t d)|^2 < 1, with M the map of the ellipse onto the unit disc, cut by each
/// half-plane in turn; a ray's z is left out, and a line along z meets nothing.
class ShapePhantom : public Phantom {
 public:
  /// Throws UsageError for a half axis that is not positive or a number that is not finite.
  ShapePhantom(const std::vector<EllipseShape>& shapes, Vec3 half_extent_mm);

  double mu_at(Vec3 point_mm) const override;
  double line_integral(const Ray& ray) const override;
  Vec3 half_extent_mm() const override { return half_extent_mm_; }
  bool is_section() const override { return true; }

 private:
  /// An ellipse ready to be evaluated; (m00 m01; m10 m11) maps it onto the unit disc.
  struct Item {
    double x0, y0, reach, mu;
    double m00, m01, m10, m11;
    std::size_t first_clip, last_clip;
  };
  struct Clip {
    double normal_x, normal_y, distance;
  };
  /// Neighbours in the list, with a circle about them: most points and lines miss most of them.
  struct Cluster {
    double x0, y0, reach;
    std::size_t first, last;
  };

  void add(const EllipseShape& shape);
  void make_clusters();
  bool holds(const Item& item, double x, double y) const;
  double chord(const Item& item, double ox, double oy, double dx, double dy) const;

  std::vector<Item> items_;
  std::vector<Clip> clips_;
  std::vector<Cluster> clusters_;
  Vec3 half_extent_mm_;
};

}  // namespace gantry
