#include "core/phantoms/forbild_abdomen.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/forbild_solids.hpp"
#include "core/phantoms/phantom_params.hpp"

#include <array>
#include <cmath>

namespace gantry {

namespace {

/// Adds the lesions in the plane of height z: rows of five spheres of density 1.05 in the liver's
/// 1.06.
void add_lesions(std::vector<Solid>& table, double z) {
  struct Row {
    double y, pitch, radius;
  };
  constexpr std::array<Row, 8> rows = {{{1.2, 2.4, .6},
                                        {-.6, 2, .5},
                                        {-2.1, 1.6, .4},
                                        {-3.3, 1.2, .3},
                                        {-4.2, 1, .25},
                                        {-4.95, .8, .2},
                                        {-5.55, .6, .15},
                                        {-6, .4, .1}}};
  for (const Row& row : rows)
    for (int i = 0; i < 5; ++i)
      table.push_back(sphere({-14 + row.pitch * i, row.y, z}, row.radius, 1.05));
}

/// Adds four groups of seven bars, of 10 and 12 line pairs per cm, spaced along x and along y.
void add_bars(std::vector<Solid>& table) {
  constexpr double density = 2;
  for (const bool across_y : {false, true})
    for (const auto& [x, pairs_per_cm] : {std::pair{12.0, 10.0}, std::pair{14.0, 12.0}})
      for (int i = -3; i <= 3; ++i) {
        const double width = .5 / pairs_per_cm, shift = i / pairs_per_cm;
        table.push_back(across_y ? box({x, -1 + shift, 0}, {1, width, 2}, density)
                                 : box({x + shift, 1, 0}, {width, 1, 2}, density));
      }
}

}  // namespace

std::vector<ParamSpec> forbild_abdomen_params() {
  return {
      {.key = "length_mm",
       .label = "Length",
       .unit = "mm",
       .fallback = 300.0,
       .min = 240,
       .max = 1000,
       .step = 50,
       .help = "Of the trunk. 1000 as published; the organs lie within 240, and what a cone beam "
               "does not see of a longer one disturbs the outer slices."},
      mu_water_param(),
  };
}

std::unique_ptr<Phantom> make_forbild_abdomen(const Params& params) {
  const double length = params.real("length_mm") / 10;
  std::vector<Solid> table;
  table.push_back(cylinder({0, 0, 0}, 20, 12, length, tissue::water));
  table.push_back(ellipsoid({-10, 0, 0}, {8, 7, 10}, 1.06, axes_turned(radians(60))));  // liver
  for (const double z : {-10.0, -5.0, 0.0, 5.0, 10.0}) add_vertebra(table, {0, -7, z}, 4);
  for (const double z : {0.0, 3.0}) add_lesions(table, z);
  const Solid liquid = cylinder({0, 6, 0}, 3, 2, 20, 1.06);
  table.push_back(liquid);
  table.push_back(clipped(liquid, {above({0, 1, 0}, 6.5)}));
  table.back().mu = tissue::air;
  const Axes along_rib = axes_from_zx({0, std::sin(radians(60)), std::cos(radians(60))}, {1, 0, 0});
  for (const double x : {-18.0, 18.0})
    table.push_back(cylinder({x, 0, 0}, .4, .4, 8, 2, along_rib));
  add_bars(table);
  return make_forbild(table, params.real("mu_water"), {20, 12, length / 2});
}

}  // namespace gantry
