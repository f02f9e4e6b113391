#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/solid_phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the object's own parameters, followed by those of all test objects: radius_mm of the
/// body, height_mm (0: a 2D section) and mu_water.
std::vector<ParamSpec> test_object_params(std::vector<ParamSpec> own);

/// A round body of water about the axis with inserts. Densities are relative to water.
class TestObject {
 public:
  explicit TestObject(const Params& params);

  double radius_mm() const { return radius_mm_; }
  double height_mm() const { return height_mm_; }  ///< 0 for a section
  /// Adds a cylinder along z, as high as the body.
  void add_disc(double x_mm, double y_mm, double radius_mm, double density);
  /// Adds a box as high as the body; sides_mm.z is not used.
  void add_bar(double x_mm, double y_mm, Vec3 sides_mm, double density);
  void add(Solid solid_mm, double density);
  /// Returns the body with its inserts; a later insert replaces earlier ones where they overlap.
  /// Throws UsageError for an insert that reaches out of the body; `key` is the parameter that the
  /// message names.
  std::unique_ptr<Phantom> finish(const std::string& key) const;

 private:
  double drawn_height_mm() const { return height_mm_ > 0 ? height_mm_ : 1; }

  double radius_mm_, height_mm_, mu_water_;
  std::vector<Solid> solids_;
};

}  // namespace gantry
