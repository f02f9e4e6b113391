// S. E. Derenzo, T. F. Budinger, J. L. Cahoon et al., IEEE Trans. Nucl. Sci. 24 (1977) 544.
#include "core/phantoms/resolution_inserts.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/test_object.hpp"

#include <cmath>

namespace gantry {

namespace {

constexpr int sectors = 6;

ParamSpec diameter(const std::string& key, const std::string& label, double fallback) {
  return {.key = key,
          .label = label,
          .unit = "mm",
          .fallback = fallback,
          .min = 0.01,
          .max = 1000,
          .step = 0.5,
          .help =
              "Diameter of the rods of one sector, as wide as the gaps between them; it changes "
              "evenly from sector to sector."};
}

/// Adds rows of 1, 2, 3, .. rods from the middle outwards, until a row would leave the body.
void add_sector(TestObject& object, double diameter_mm, double middle_rad, double density) {
  const double pitch = 2 * diameter_mm, first = pitch + 0.04 * object.radius_mm();
  const Vec3 out{std::cos(middle_rad), std::sin(middle_rad), 0}, side{-out.y, out.x, 0};
  for (int row = 0;; ++row) {
    const double away = first + row * pitch * std::sqrt(0.75);
    if (std::hypot(away, row * pitch / 2) + diameter_mm / 2 > 0.94 * object.radius_mm()) return;
    for (int i = 0; i <= row; ++i) {
      const Vec3 center = away * out + (i - row / 2.0) * pitch * side;
      object.add_disc(center.x, center.y, diameter_mm / 2, density);
    }
  }
}

}  // namespace

std::vector<ParamSpec> resolution_inserts_params() {
  return test_object_params({
      diameter("largest_mm", "Largest rods", 8),
      diameter("smallest_mm", "Smallest rods", 2),
      {.key = "density",
       .label = "Density of the rods",
       .unit = "",
       .fallback = 2.0,
       .min = 0,
       .max = 100,
       .step = 0.1,
       .help = "Relative to the water about them; 0 makes holes."},
  });
}

std::unique_ptr<Phantom> make_resolution_inserts(const Params& params) {
  TestObject object(params);
  const double largest = params.real("largest_mm"), smallest = params.real("smallest_mm");
  for (int i = 0; i < sectors; ++i)
    add_sector(object, largest + (smallest - largest) * i / (sectors - 1), pi / 2 + i * pi / 3,
               params.real("density"));
  return object.finish("phantom.largest_mm");
}

}  // namespace gantry
