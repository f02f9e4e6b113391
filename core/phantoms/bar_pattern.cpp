// A group of f line pairs per cm consists of four bars and the three gaps between them, each 5 / f
// mm wide. The bars are as long as the group is wide, so that a group is a square.
#include "core/phantoms/bar_pattern.hpp"

#include "core/phantoms/test_object.hpp"

namespace gantry {

namespace {

constexpr int bars = 4, widths = 2 * bars - 1;  // number of bars and gaps

ParamSpec pairs(const std::string& key, const std::string& label, double fallback) {
  return {.key = key,
          .label = label,
          .unit = "lp/cm",
          .fallback = fallback,
          .min = 0.01,
          .max = 1000,
          .step = 1,
          .help =
              "Line pairs per cm: a bar of 5 mm and as wide a gap are one of 1 lp/cm. The "
              "groups between step evenly."};
}

}  // namespace

std::vector<ParamSpec> bar_pattern_params() {
  return test_object_params({
      pairs("coarsest", "Coarsest group", 2),
      pairs("finest", "Finest group", 12),
      {.key = "groups",
       .label = "Groups",
       .unit = "",
       .fallback = std::int64_t{6},
       .min = 1,
       .max = 50,
       .help = "Groups of four bars, each in both directions."},
      {.key = "density",
       .label = "Density of the bars",
       .unit = "",
       .fallback = 2.0,
       .min = 0,
       .max = 100,
       .step = 0.1,
       .help = "Relative to the water about them."},
  });
}

std::unique_ptr<Phantom> make_bar_pattern(const Params& params) {
  TestObject object(params);
  const auto groups = static_cast<int>(params.integer("groups"));
  const double coarsest = params.real("coarsest"), finest = params.real("finest");
  const auto width_mm = [&](int group) {
    return 5 / (coarsest + (groups > 1 ? (finest - coarsest) * group / (groups - 1) : 0));
  };
  double total_mm = 0;  // includes a gap of three bar widths beside each group
  for (int group = 0; group < groups; ++group) total_mm += (widths + 3) * width_mm(group);
  double left_mm = -total_mm / 2;
  const double off_middle_mm = 2 * width_mm(0), density = params.real("density");
  for (int group = 0; group < groups; ++group) {
    const double w = width_mm(group), side = widths * w;
    left_mm += 1.5 * w;
    const double x = left_mm + side / 2, y = off_middle_mm + side / 2;
    for (int i = 0; i < bars; ++i) {
      const double away = (2 * i - (bars - 1)) * w;
      object.add_bar(x + away, y, {w, side, 0}, density);
      object.add_bar(x, -y + away, {side, w, 0}, density);
    }
    left_mm += side + 1.5 * w;
  }
  return object.finish("phantom.coarsest");
}

}  // namespace gantry
