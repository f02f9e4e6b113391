// The table describes the object in a cube of side 200. The letter F lies in the xy plane, off the
// middle; it reads correctly with x to the right and y upwards, and its arms lie at different
// heights z. One ball marks +x, two cubes mark +y, and a cone marks +z.
#include "core/phantoms/orientation.hpp"

#include "core/phantoms/phantom_params.hpp"
#include "core/phantoms/solid_phantom.hpp"

namespace gantry {

std::vector<ParamSpec> orientation_params() {
  return {size_param("Side of the cube that holds everything."),
          {.key = "section",
           .label = "2D section",
           .unit = "",
           .fallback = false,
           .help = "The plane z = 0 alone: the letter F, one disc to its right (+x), two squares "
                   "above it (+y). In 3D the stem is longest, the upper arm reaches up and the "
                   "lower one down, and a cone stands on +z."},
          mu_water_param()};
}

std::unique_ptr<Phantom> make_orientation(const Params& params) {
  constexpr double water = 1, plastic = 1.2, mark = 1.8;
  const std::vector<Solid> table = {
      box({-35, -12, 0}, {30, 136, 120}, water),  // stem
      box({20, 41, 20}, {80, 30, 60}, plastic),   // upper arm
      box({5, -15, -15}, {50, 26, 60}, plastic),  // lower arm
      sphere({82, 0, 0}, 14, mark),               // +x
      box({-50, 80, 0}, {20, 20, 20}, mark),      // +y
      box({-15, 80, 0}, {20, 20, 20}, mark),
      cone({-35, 0, 80}, 14, 0, 36, mark),  // +z
  };
  const double scale = params.real("size_mm") / 200;
  std::vector<Solid> solids;
  for (const Solid& solid : table) solids.push_back(scaled(solid, scale, params.real("mu_water")));
  const double z = params.flag("section") ? 0 : 100 * scale;
  return std::make_unique<SolidPhantom>(solids, Overlap::replace,
                                        Vec3{100 * scale, 100 * scale, z});
}

}  // namespace gantry
