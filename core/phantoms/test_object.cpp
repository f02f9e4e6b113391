#include "core/phantoms/test_object.hpp"

#include "core/base/error.hpp"
#include "core/phantoms/phantom_params.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

std::vector<ParamSpec> test_object_params(std::vector<ParamSpec> own) {
  own.push_back(body_radius_param());
  own.push_back({.key = "height_mm",
                 .label = "Height",
                 .unit = "mm",
                 .fallback = 0.0,
                 .min = 0,
                 .max = 10000,
                 .step = 10,
                 .help = "0: a 2D section. Otherwise body and inserts are this high along z."});
  own.push_back(mu_water_param());
  return own;
}

TestObject::TestObject(const Params& params)
    : radius_mm_(params.real("radius_mm")),
      height_mm_(params.real("height_mm")),
      mu_water_(params.real("mu_water")) {
  add_disc(0, 0, radius_mm_, 1);
}

void TestObject::add(Solid solid_mm, double density) {
  solid_mm.mu = mu_water_ * density;
  solids_.push_back(std::move(solid_mm));
}

void TestObject::add_disc(double x_mm, double y_mm, double radius_mm, double density) {
  add(cylinder({x_mm, y_mm, 0}, radius_mm, radius_mm, drawn_height_mm(), 0), density);
}

void TestObject::add_bar(double x_mm, double y_mm, Vec3 sides_mm, double density) {
  add(box({x_mm, y_mm, 0}, {sides_mm.x, sides_mm.y, drawn_height_mm()}, 0), density);
}

std::unique_ptr<Phantom> TestObject::finish(const std::string& key) const {
  for (const Solid& solid : solids_) {
    const Vec3 c = solid.center, h = solid.half;
    const double farthest = solid.kind == SolidKind::box
                                ? std::hypot(std::abs(c.x) + h.x, std::abs(c.y) + h.y)
                                : std::hypot(c.x, c.y) + std::max(h.x, h.y);
    if (farthest > 1.000001 * radius_mm_)
      throw UsageError("the inserts do not fit into a body of " + format_param(radius_mm_) + " mm",
                       key, "make them smaller or fewer, or the body wider");
  }
  return std::make_unique<SolidPhantom>(solids_, Overlap::replace,
                                        Vec3{radius_mm_, radius_mm_, height_mm_ / 2});
}

}  // namespace gantry
