#pragma once

#include "core/phantoms/phantom.hpp"
#include "core/phantoms/solid.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// The attenuation where solids overlap: the sum of all, or that of the latest solid.
enum class Overlap { add, replace };

/// An object made of convex solids. A line crosses each solid in one interval; the intervals,
/// processed from the last solid to the first, give the integral in closed form. If the half
/// extent's z is 0, the phantom is a 2D section: the plane z = 0 of the solids, extended to every
/// height.
class SolidPhantom : public Phantom {
 public:
  /// Throws UsageError for a solid without size, a number that is not finite, axes that are not at
  /// right angles, or more than 1024 solids with Overlap::replace (the capacity of the list of
  /// intervals on a line).
  SolidPhantom(const std::vector<Solid>& solids_mm, Overlap overlap, Vec3 half_extent_mm);

  double mu_at(Vec3 point_mm) const override;
  double line_integral(const Ray& ray) const override;
  void add_row(Vec3 first_mm, double step_mm, int subsamples,
               std::span<double> sums) const override;
  Vec3 half_extent_mm() const override { return half_extent_mm_; }
  bool is_section() const override { return half_extent_mm_.z == 0; }

 private:
  /// A solid prepared for evaluation; row_x, row_y, row_z are the rows of the 3 x 3 matrix that
  /// maps point - center to the unit ball, cylinder, cone or cube, which reaches from -1 to 1.
  struct Item {
    SolidKind kind;
    Vec3 center, row_x, row_y, row_z;
    double taper, mu;
    std::size_t first_clip, last_clip;
  };
  /// A ball about consecutive items or about consecutive balls of the level below, used to skip
  /// items that a point or line misses.
  struct Ball {
    Vec3 center;
    double reach2;
    std::size_t first, last;  // indices in the level below; on level 0, the item alone
  };
  struct Interval {
    double low, high;
  };
  class Cover;

  void add(const Solid& solid);
  void make_levels();
  template <class Near, class Visit>
  bool visit(std::size_t level, std::size_t index, const Near& near, const Visit& each) const;
  template <class Near, class Visit>
  void visit_from_last(const Near& near, const Visit& each) const;
  template <class Piece>
  void for_pieces(Vec3 origin, Vec3 direction, const Piece& piece) const;
  bool holds(const Item& item, Vec3 point) const;
  Interval crossing(const Item& item, Vec3 origin, Vec3 direction) const;

  std::vector<Item> items_;
  std::vector<HalfSpace> clips_;
  std::vector<std::vector<Ball>> levels_;
  Overlap overlap_;
  Vec3 half_extent_mm_;
};

}  // namespace gantry
