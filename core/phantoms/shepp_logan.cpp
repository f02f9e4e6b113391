// The table has ten additive ellipses in the square [-1, 1]^2, with angles counter-clockwise.
// Published copies differ in y of the ninth ellipse, -0.605 or -0.606; this table has -0.606, as in
// MATLAB and ODL.
#include "core/phantoms/shepp_logan.hpp"

#include "core/phantoms/phantom_params.hpp"
#include "core/phantoms/shape_phantom.hpp"

#include <array>

namespace gantry {

namespace {

struct Row {
  double x0, y0, a, b, angle_deg, original, modified;
};

constexpr std::array<Row, 10> table = {{
    {0, 0, .69, .92, 0, 2.00, 1.0},
    {0, -.0184, .6624, .874, 0, -.98, -.8},
    {.22, 0, .11, .31, -18, -.02, -.2},
    {-.22, 0, .16, .41, 18, -.02, -.2},
    {0, .35, .21, .25, 0, .01, .1},
    {0, .1, .046, .046, 0, .01, .1},
    {0, -.1, .046, .046, 0, .01, .1},
    {-.08, -.605, .046, .023, 0, .01, .1},
    {0, -.606, .023, .023, 0, .01, .1},
    {.06, -.605, .023, .046, 0, .01, .1},
}};

}  // namespace

std::vector<ParamSpec> shepp_logan_params() {
  return {
      size_param("Side of the square that the head is drawn in; the head is 0.69 by 0.92 of it."),
      mu_scale_param(),
      {.key = "contrast",
       .label = "Contrast",
       .unit = "",
       .fallback = std::string("modified"),
       .choices = {"modified", "original"},
       .help = "Original: brain 1.02 in a skull of 2, as published. Modified: brain 0.2 in a skull "
               "of 1, so that the small ellipses are seen without a narrow window."},
  };
}

std::unique_ptr<Phantom> make_shepp_logan(const Params& params) {
  const double scale_mm = params.real("size_mm") / 2, mu = params.real("mu_scale");
  const bool original = params.text("contrast") == "original";
  std::vector<EllipseShape> shapes;
  shapes.reserve(table.size());
  for (const Row& row : table)
    shapes.push_back({.x0_mm = scale_mm * row.x0,
                      .y0_mm = scale_mm * row.y0,
                      .a_mm = scale_mm * row.a,
                      .b_mm = scale_mm * row.b,
                      .angle_rad = radians(row.angle_deg),
                      .mu = mu * (original ? row.original : row.modified)});
  return std::make_unique<ShapePhantom>(shapes, Vec3{.69 * scale_mm, .92 * scale_mm, 0});
}

}  // namespace gantry
