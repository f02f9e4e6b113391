#pragma once

#include "core/phantoms/phantom.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// The half-plane (x - x0) cos(angle) + (y - y0) sin(angle) < distance, where (x0, y0) is the
/// centre of the ellipse that the half-plane clips.
struct HalfPlane {
  double distance_mm = 0, angle_rad = 0;
};

/// A filled ellipse, clipped by half-planes, that adds `mu` to the attenuation inside.
struct EllipseShape {
  double x0_mm = 0, y0_mm = 0;
  double a_mm = 1, b_mm = 1;  ///< half axes along the ellipse's own x and y
  double angle_rad = 0;       ///< from the world's x to the ellipse's x, counter-clockwise
  double mu = 0;              ///< added attenuation, 1/mm; may be negative
  std::vector<HalfPlane> clips = {};
};

/// A 2D section made of additive ellipses. The chord of the line o + t d through an ellipse is the
/// interval |M (o + t d)|^2 < 1, where M maps the ellipse onto the unit disc; each half-plane then
/// shortens the interval. The z of a ray is not used: the integral is that of the projection onto
/// the xy plane, stretched by the ray's slope, and a line along z has the integral 0.
class ShapePhantom : public Phantom {
 public:
  /// Throws UsageError for a half axis that is not positive or a number that is not finite.
  ShapePhantom(const std::vector<EllipseShape>& shapes, Vec3 half_extent_mm);

  double mu_at(Vec3 point_mm) const override;
  double line_integral(const Ray& ray) const override;
  Vec3 half_extent_mm() const override { return half_extent_mm_; }
  bool is_section() const override { return true; }

 private:
  /// An ellipse prepared for evaluation; (m00 m01; m10 m11) maps it onto the unit disc.
  struct Item {
    double x0, y0, reach, mu;
    double m00, m01, m10, m11;
    std::size_t first_clip, last_clip;
  };
  struct Clip {
    double normal_x, normal_y, distance;
  };
  /// Consecutive items with a circle about them, used to skip items that a point or line misses.
  struct Cluster {
    double x0, y0, reach;
    std::size_t first, last;
  };

  void add(const EllipseShape& shape);
  void make_clusters();
  /// Returns whether the point (x, y) lies in an item.
  bool holds(const Item& item, double x, double y) const;
  /// Returns the length in mm of the line (ox, oy) + t (dx, dy) inside an item; the direction has
  /// unit length.
  double chord(const Item& item, double ox, double oy, double dx, double dy) const;

  std::vector<Item> items_;
  std::vector<Clip> clips_;
  std::vector<Cluster> clusters_;
  Vec3 half_extent_mm_;
};

}  // namespace gantry
