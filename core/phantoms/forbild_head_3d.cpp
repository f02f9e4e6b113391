// The table is as published, in cm and in densities relative to water. A later solid replaces
// earlier ones where they overlap. The numbers 8 and 9 of the solids are exchanged between this
// table and the table of the 2D section.
#include "core/phantoms/forbild_head_3d.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/forbild_solids.hpp"
#include "core/phantoms/phantom_params.hpp"

#include <array>
#include <cmath>
#include <cstdlib>

namespace gantry {

namespace {

constexpr double bone = 1.8;

double cosine(double degrees) { return std::cos(radians(degrees)); }
double sine(double degrees) { return std::sin(radians(degrees)); }

/// Returns all solids but the ears; a comment gives the published number of the solid.
std::vector<Solid> head() {
  const double c15 = cosine(15), s15 = sine(15), c30 = cosine(30), s30 = sine(30);
  const double c60 = cosine(60), s60 = sine(60);
  const Axes along_y = axes_from_zx({0, 1, 0}, {1, 0, 0});
  // clang-format off
  return {
      ellipsoid({0, 0, 0}, {9.6, 12, 12.5}, bone),                 // 5 skull
      ellipsoid({0, 0, 0}, {9, 11.4, 11.9}, 1.05),                 // 6 brain
      ellipsoid({0, -3.6, 0}, {1.8, 3.6, 3.6}, 1.045),             // 12 ventricle
      ellipsoid({0, 8.4, 0}, {1.8, 3, 3}, 0),                      // 7 frontal sinus
      sphere({-4.7, 4.3, .872}, 2, 1.06),                          // 1 eye
      sphere({4.7, 4.3, .872}, 2, 1.06),                           // 2 eye
      sphere({-1.08, -9, 0}, .4, 1.0525),                          // 3 denser sphere
      sphere({1.08, -9, 0}, .4, 1.0475),                           // 4 less dense sphere
      cylinder({0, 3.6, 0}, 1.2, 4, .5 * c15, bone,
               axes_from_zy({0, -c30, s30}, {0, s30, c30})),       // 14
      cylinder({0, 9.6, 0}, .525561, 2, .4, bone,
               axes_from_zy({1, 0, 0}, {0, -s30, c30})),           // 15
      ellipsoid({-1.9, 5.4, 0}, {1.206483 * c15, .420276 * c15, 3}, bone,
                axes_from_zx({s15, 0, c15}, {-c15 * c60, s60, s15 * c60})),  // 8
      ellipsoid({1.9, 5.4, 0}, {1.2 * c15, .42 * c15, 3}, bone,
                axes_from_zx({-s15, 0, c15}, {c15 * c60, s60, s15 * c60})),  // 9
      cylinder({-4.3, 6.8, -1}, 1.8, .24, 4, bone, axes_turned(radians(150))),  // 10
      cylinder({4.3, 6.8, -1}, 1.8, .24, 4, bone, axes_turned(radians(30))),    // 11
      ellipsoid({6.393945, -6.393945, 0}, {1.2, .42, 1.2}, 1.055,
                axes_turned(radians(58.1))),                       // 13 haematoma
      cone({0, -11.15, -.2}, .5, .2, 1.5, bone, along_y),          // 16
      cone({0, -11.15, .2}, .5, .2, 1.5, bone, along_y),           // 17
  };
  // clang-format on
}

/// Adds the petrous bone of the right ear and its 317 air cells: seven planes of rows, staggered
/// like bricks in both directions.
void add_right_ear(std::vector<Solid>& table) {
  table.push_back(clipped(ellipsoid({9.1, 0, 0}, {4.2, 1.8, 1.8}, bone), {below({1, 0, 0}, 9.1)}));
  constexpr std::array<std::array<int, 4>, 4> cells = {
      {{9, 8, 8, 6}, {8, 8, 7, 6}, {8, 7, 7, 5}, {6, 6, 5, 4}}};  // [|layer|][|row|]
  const double pitch = .2 * std::sqrt(3.0);
  for (int layer = -3; layer <= 3; ++layer)
    for (int row = -3; row <= 3; ++row) {
      const int k = std::abs(layer), j = std::abs(row);
      for (int i = 0; i < cells[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)]; ++i)
        table.push_back(sphere({8.8 - .4 * i - .2 * ((j + k) % 2), row * pitch, layer * pitch}, .15,
                               tissue::air));
    }
}

/// Adds the pattern of four groups of four columns. A column consists of five small ellipsoids
/// along y and four further ones along z from the first of the five. The columns differ in
/// diameter, the groups in height.
void add_resolution_pattern(std::vector<Solid>& table) {
  constexpr std::array diameters = {.0357, .0312, .0278, .0250}, heights = {.4, .2, .1, .05};
  constexpr double step = .04;
  for (int group = 0; group < 4; ++group)
    for (int column = 0; column < 4; ++column) {
      const double d = diameters[static_cast<std::size_t>(column)],
                   h = heights[static_cast<std::size_t>(group)];
      const Vec3 first{-7 + 2 * step * column, -1 + 12 * step * group, 0};
      const Vec3 half{d / 2, d / 2, h / 2};
      for (int i = 0; i < 5; ++i)
        table.push_back(ellipsoid(first + Vec3{0, 2 * d * i, 0}, half, bone));
      for (int i = 1; i < 5; ++i)
        table.push_back(ellipsoid(first + Vec3{0, 0, 2 * h * i}, half, bone));
    }
}

}  // namespace

std::vector<ParamSpec> forbild_head_3d_params() {
  return {
      {.key = "ear",
       .label = "Right ear",
       .unit = "",
       .fallback = true,
       .help = "Adds the petrous bone of the right ear with its 317 air cells of 3 mm."},
      {.key = "resolution",
       .label = "Resolution pattern",
       .unit = "",
       .fallback = false,
       .help = "Adds 144 bone ellipsoids on the left, 0.25 to 0.36 mm across, 0.5 to 4 mm high."},
      mu_water_param(),
  };
}

std::unique_ptr<Phantom> make_forbild_head_3d(const Params& params) {
  std::vector<Solid> table = head();
  if (params.flag("ear")) add_right_ear(table);
  if (params.flag("resolution")) add_resolution_pattern(table);
  return make_forbild(table, params.real("mu_water"), {9.6, 12, 12.5});
}

}  // namespace gantry
