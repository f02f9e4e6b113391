#include "core/phantoms/contrast_inserts.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/test_object.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace gantry {

std::vector<ParamSpec> contrast_inserts_params() {
  return test_object_params({
      {.key = "contrast_percent",
       .label = "Contrast",
       .unit = "%",
       .fallback = 1.0,
       .min = -100,
       .max = 1000,
       .step = 0.5,
       .help = "Of the strongest group to the water about it; the others have 0.5 and 0.3 of it. "
               "Each group has discs of 15, 9, 8, 7, 6, 5, 4, 3 and 2 mm (in a body of 100 mm "
               "radius), from the largest on counter-clockwise; the strongest begins on +y."},
  });
}

std::unique_ptr<Phantom> make_contrast_inserts(const Params& params) {
  constexpr std::array diameters = {15.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0};
  constexpr std::array strengths = {1.0, 0.5, 0.3};
  TestObject object(params);
  const double scale = object.radius_mm() / 100, ring_mm = 50 * scale;
  // The discs of a group have equal gaps along a third of the ring.
  const double filled = scale * std::accumulate(diameters.begin(), diameters.end(), 0.0);
  const double gap_mm = (2 * pi / 3 * ring_mm - filled) / static_cast<double>(diameters.size());
  for (std::size_t group = 0; group < strengths.size(); ++group) {
    const double density = 1 + params.real("contrast_percent") / 100 * strengths[group];
    double along_mm = -scale * diameters[0] / 2;
    for (const double diameter : diameters) {
      const double angle = pi / 2 + 2 * pi / 3 * static_cast<double>(group) +
                           (along_mm + scale * diameter / 2) / ring_mm;
      object.add_disc(ring_mm * std::cos(angle), ring_mm * std::sin(angle), scale * diameter / 2,
                      density);
      along_mm += scale * diameter + gap_mm;
    }
  }
  return object.finish("phantom.radius_mm");
}

}  // namespace gantry
