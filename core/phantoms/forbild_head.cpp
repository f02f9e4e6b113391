// The tables are as published, in cm and in densities relative to water; shape() converts them to
// mm and 1/mm. The order of the shapes has no meaning, because all shapes add.
#include "core/phantoms/forbild_head.hpp"

#include "core/phantoms/phantom_params.hpp"
#include "core/phantoms/shape_phantom.hpp"

#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr double mm_per_cm = 10;

struct Clip {
  double distance_cm, angle_deg;
};

struct Row {
  double x0_cm, y0_cm, a_cm, b_cm, angle_deg, density;
  std::vector<Clip> clips = {};
};

EllipseShape shape(const Row& row, double mu_water) {
  EllipseShape ellipse{.x0_mm = mm_per_cm * row.x0_cm,
                       .y0_mm = mm_per_cm * row.y0_cm,
                       .a_mm = mm_per_cm * row.a_cm,
                       .b_mm = mm_per_cm * row.b_cm,
                       .angle_rad = radians(row.angle_deg),
                       .mu = mu_water * row.density};
  for (const Clip& clip : row.clips)
    ellipse.clips.push_back({mm_per_cm * clip.distance_cm, radians(clip.angle_deg)});
  return ellipse;
}

/// Returns all shapes but the brain and the ears, with the numbers of the paper; a comment gives
/// the paper's number of the shape.
std::vector<Row> head() {
  constexpr double y0_16b = -14.294530834372887;
  // clang-format off
  return {
      {-4.7, 4.3, 1.79989, 1.79989, 0, .010},         // 1 eye
      {4.7, 4.3, 1.79989, 1.79989, 0, .010},          // 2 eye
      {-1.08, -9, .4, .4, 0, .0025},                  // 3 denser sphere
      {1.08, -9, .4, .4, 0, -.0025},                  // 4 less dense sphere
      {0, 0, 9.6, 12, 0, 1.8},                        // 5 skull
      {0, 8.4, 1.8, 3, 0, -1.05},                     // 7 frontal sinus
      {1.9, 5.4, .41633, 1.17425, -31.07698, .75},    // 8
      {-1.9, 5.4, .41633, 1.17425, 31.07698, .75},    // 9
      {-4.3, 6.8, 1.8, .24, -30, .75},                // 10
      {4.3, 6.8, 1.8, .24, 30, .75},                  // 11
      {0, -3.6, 1.8, 3.6, 0, -.005},                  // 12 ventricle
      {6.39395, -6.39395, 1.2, .42, 58.1, .005},      // 13 haematoma
      {0, 3.6, 2, 2, 0, .75, {{1.2, 0}, {1.2, 180}, {.27884, 90}, {.27884, 270}}},      // 14
      {0, 9.6, 1.8, 3, 0, 1.8, {{.60687, 90}, {.60687, 270}, {.2, 0}, {.2, 180}}},      // 15
      {0, 0, 9, 11.4, 0, .75, {{-2.605, 15}, {-2.605, 165}, {-10.71177, 90}}},          // 16a
      {0, y0_16b, .443194085308632, 3.892760834372886, 0, .75, {{y0_16b + 10.71177, 270}}},  // 16b
  };
  // clang-format on
}

/// Returns shape 6 of the paper, which lowers the density of the skull to that of the brain. With
/// the right ear, a clip at x = 8.8874 cm keeps the skull beside the ear.
Row brain(bool ear) {
  Row row{0, 0, 9, 11.4, 0, -.75};
  if (ear) row.clips.push_back({8.8874, 0});
  return row;
}

/// Adds the petrous bone of the right ear and its 53 air cells, in rows that are staggered like
/// bricks.
void add_right_ear(std::vector<Row>& rows) {
  rows.push_back({9.1, 0, 4.2, 1.8, 0, .75, {{-.2126, 0}}});
  constexpr std::array<int, 4> cells_in_row = {9, 8, 8, 6};
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < cells_in_row[static_cast<std::size_t>(j)]; ++k) {
      const double x = 8.8 - .4 * k - .2 * (j % 2), y = j * .2 * std::sqrt(3.0);
      rows.push_back({x, y, .15, .15, 0, -1.8});
      if (j > 0) rows.push_back({x, -y, .15, .15, 0, -1.8});
    }
}

/// Adds the pattern of four groups of four columns of five discs; the discs of a column lie two
/// diameters apart.
void add_resolution_pattern(std::vector<Row>& rows) {
  constexpr std::array diameters_cm = {.0357, .0312, .0278, .0250};
  constexpr double x0_cm = -7, y0_cm = -1, step_cm = .04;
  for (int group = 0; group < 4; ++group)
    for (std::size_t column = 0; column < diameters_cm.size(); ++column)
      for (int disc = 0; disc < 5; ++disc) {
        const double diameter = diameters_cm[column];
        const double x = x0_cm + 2 * step_cm * static_cast<double>(column);
        const double y = y0_cm + 2 * diameter * disc + 12 * step_cm * group;
        rows.push_back({x, y, diameter / 2, diameter / 2, 0, .75});
      }
}

}  // namespace

std::vector<ParamSpec> forbild_head_params() {
  return {
      {.key = "ear",
       .label = "Right ear",
       .unit = "",
       .fallback = true,
       .help = "Adds the petrous bone of the right ear with its 53 air cells of 3 mm."},
      {.key = "resolution",
       .label = "Resolution pattern",
       .unit = "",
       .fallback = false,
       .help = "Adds 80 bone discs of 0.25 to 0.36 mm diameter on the left."},
      mu_water_param(),
  };
}

std::unique_ptr<Phantom> make_forbild_head(const Params& params) {
  const bool ear = params.flag("ear");
  std::vector<Row> rows = head();
  rows.push_back(brain(ear));
  if (ear) add_right_ear(rows);
  if (params.flag("resolution")) add_resolution_pattern(rows);
  std::vector<EllipseShape> shapes;
  shapes.reserve(rows.size());
  for (const Row& row : rows) shapes.push_back(shape(row, params.real("mu_water")));
  return std::make_unique<ShapePhantom>(shapes, Vec3{mm_per_cm * 9.6, mm_per_cm * 12, 0});
}

}  // namespace gantry
