// The random numbers of ellipse i are the first numbers of the stream (seed, i), so that additional
// ellipses do not change the earlier ones. A later ellipse replaces earlier ones where they
// overlap, so that the densities stay in their range.
#include "core/phantoms/random_ellipses.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/phantom_params.hpp"
#include "core/phantoms/solid_phantom.hpp"
#include "core/physics/philox.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Returns a direction; all directions are equally likely.
Vec3 random_direction(RandomStream& random) {
  const double z = 2 * random.uniform() - 1, angle = 2 * pi * random.uniform();
  const double across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

/// Returns axes of random orientation: about z only, or in space.
Axes random_axes(RandomStream& random, bool in_space) {
  const double angle = 2 * pi * random.uniform();
  if (!in_space) return axes_turned(angle);
  const Axes about = axes_from_z(random_direction(random));
  return axes_from_zx(about.z, std::cos(angle) * about.x + std::sin(angle) * about.y);
}

/// Returns a point in a disc or a ball of this radius; all points are equally likely.
Vec3 random_point(RandomStream& random, double radius, bool in_space) {
  if (in_space) {
    const double away = radius * std::cbrt(random.uniform());
    return away * random_direction(random);
  }
  const double away = radius * std::sqrt(random.uniform()), angle = 2 * pi * random.uniform();
  return {away * std::cos(angle), away * std::sin(angle), 0};
}

}  // namespace

std::vector<ParamSpec> random_ellipses_params() {
  return {
      {.key = "number",
       .label = "Ellipses",
       .unit = "",
       .fallback = std::int64_t{30},
       .min = 1,
       .max = 1000,
       .help = "How many; the later ones replace the earlier ones."},
      {.key = "seed",
       .label = "Seed",
       .unit = "",
       .fallback = std::int64_t{1},
       .min = 0,
       .max = 9e15,
       .help = "Another number makes another phantom, the same one each time."},
      {.key = "contrast",
       .label = "Contrast",
       .unit = "",
       .fallback = 0.5,
       .min = 0,
       .max = 1,
       .step = 0.1,
       .help = "Densities lie between 1 - contrast and 1 + contrast of the water about them."},
      {.key = "largest",
       .label = "Largest half axis",
       .unit = "",
       .fallback = 0.3,
       .min = 0.01,
       .max = 0.9,
       .step = 0.1,
       .help = "As part of the body's radius; the smallest is a tenth of it."},
      {.key = "volume",
       .label = "3D",
       .unit = "",
       .fallback = false,
       .help = "Ellipsoids in a ball instead of ellipses in a disc."},
      body_radius_param(),
      mu_water_param(),
  };
}

std::unique_ptr<Phantom> make_random_ellipses(const Params& params) {
  const bool in_space = params.flag("volume");
  const double radius_mm = params.real("radius_mm"), mu_water = params.real("mu_water"),
               contrast = params.real("contrast"), largest = params.real("largest") * radius_mm;
  std::vector<Solid> solids = {sphere({0, 0, 0}, radius_mm, mu_water)};
  for (std::int64_t i = 0; i < params.integer("number"); ++i) {
    RandomStream random(static_cast<std::uint64_t>(params.integer("seed")),
                        static_cast<std::uint64_t>(i));
    const auto half_axis = [&] { return largest * (0.1 + 0.9 * random.uniform()); };
    const double mu = mu_water * (1 + contrast * (2 * random.uniform() - 1));
    const Vec3 half{half_axis(), half_axis(), half_axis()};
    const Axes axes = random_axes(random, in_space);
    const double reach = radius_mm - std::max({half.x, half.y, in_space ? half.z : 0.0});
    solids.push_back(ellipsoid(random_point(random, reach, in_space), half, mu, axes));
  }
  return std::make_unique<SolidPhantom>(solids, Overlap::replace,
                                        Vec3{radius_mm, radius_mm, in_space ? radius_mm : 0});
}

}  // namespace gantry
