#include "core/phantoms/discs.hpp"

#include "core/base/error.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/test_object.hpp"

#include <cmath>

namespace gantry {

std::vector<ParamSpec> discs_params() {
  return test_object_params({
      {.key = "number",
       .label = "Discs",
       .unit = "",
       .fallback = std::int64_t{8},
       .min = 1,
       .max = 500,
       .help =
           "They stand at equal angles on a ring of 0.6 of the body's radius, the first on +x."},
      {.key = "disc_radius_mm",
       .label = "Radius",
       .unit = "mm",
       .fallback = 10.0,
       .min = 0.001,
       .max = 10000,
       .step = 1,
       .help = "Of each disc."},
      {.key = "contrast",
       .label = "Contrast",
       .unit = "",
       .fallback = 0.5,
       .min = -1,
       .max = 100,
       .step = 0.1,
       .help = "Of the discs to the water about them: 0.5 is half as much again, -1 is air."},
  });
}

std::unique_ptr<Phantom> make_discs(const Params& params) {
  TestObject object(params);
  const auto number = params.integer("number");
  const double radius_mm = params.real("disc_radius_mm"), ring_mm = 0.6 * object.radius_mm();
  if (number > 1 && ring_mm * std::sin(pi / static_cast<double>(number)) < radius_mm)
    throw UsageError(std::to_string(number) + " discs of this radius overlap",
                     "phantom.disc_radius_mm", "make them smaller or fewer, or the body wider");
  for (std::int64_t i = 0; i < number; ++i) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(number);
    object.add_disc(ring_mm * std::cos(angle), ring_mm * std::sin(angle), radius_mm,
                    1 + params.real("contrast"));
  }
  return object.finish("phantom.disc_radius_mm");
}

}  // namespace gantry
