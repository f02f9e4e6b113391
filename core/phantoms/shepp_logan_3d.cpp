// Kak and Slaney's table follows several independent copies that agree (RTK, CONRAD, TIGRE's
// 'yu-ye-wang'); copies with 0.23 for 0.046, or with axes 7 and 8 exchanged, are wrong. phantom3d
// (M. Schabel) tests |(R x - c) / a| < 1 where R (x - c) is meant, with the Euler angles (phi,
// theta, psi) = (-+18, 0, 10) degrees of the ventricles. As theta is 0, R is a single rotation by
// phi + psi about z, by -8 and 28 degrees, and the test rotates the centres together with the axes.
#include "core/phantoms/shepp_logan_3d.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/phantom_params.hpp"
#include "core/phantoms/solid_phantom.hpp"

#include <array>
#include <cmath>

namespace gantry {

namespace {

struct Row {
  Vec3 center, half;
  double angle_deg;
  double value, other_value;
};

// clang-format off
/// value: of KS; other_value: of YYW.
constexpr std::array<Row, 10> kak_slaney = {{
    {{0, 0, 0}, {.69, .92, .90}, 0, 2.00, 1.0},
    {{0, 0, 0}, {.6624, .874, .88}, 0, -.98, -.8},
    {{-.22, 0, -.25}, {.41, .16, .21}, 108, -.02, -.2},
    {{.22, 0, -.25}, {.31, .11, .22}, 72, -.02, -.2},
    {{0, .35, -.25}, {.21, .25, .50}, 0, .02, .2},
    {{0, .1, -.25}, {.046, .046, .046}, 0, .02, .2},
    {{-.08, -.65, -.25}, {.046, .023, .02}, 0, .01, .1},
    {{.06, -.65, -.25}, {.046, .023, .02}, 90, .01, .1},
    {{.06, -.105, .625}, {.056, .04, .10}, 90, .02, .2},
    {{0, .1, .625}, {.056, .056, .10}, 0, -.02, -.2},
}};

/// value: with the modified contrast; other_value: with the original contrast.
constexpr std::array<Row, 10> toft_schabel = {{
    {{0, 0, 0}, {.69, .92, .81}, 0, 1.0, 1.0},
    {{0, -.0184, 0}, {.6624, .874, .78}, 0, -.8, -.98},
    {{.22, 0, 0}, {.11, .31, .22}, -18 + 10, -.2, -.02},
    {{-.22, 0, 0}, {.16, .41, .28}, 18 + 10, -.2, -.02},
    {{0, .35, -.15}, {.21, .25, .41}, 0, .1, .01},
    {{0, .1, .25}, {.046, .046, .05}, 0, .1, .01},
    {{0, -.1, .25}, {.046, .046, .05}, 0, .1, .01},
    {{-.08, -.605, 0}, {.046, .023, .05}, 0, .1, .01},
    {{0, -.606, 0}, {.023, .023, .02}, 0, .1, .01},
    {{.06, -.605, 0}, {.023, .046, .02}, 0, .1, .01},
}};
// clang-format on

std::unique_ptr<Phantom> make(const std::array<Row, 10>& table, bool other_values,
                              bool turn_centers, const Params& params) {
  const double scale_mm = params.real("size_mm") / 2, mu = params.real("mu_scale");
  std::vector<Solid> solids;
  for (const Row& row : table) {
    const Axes axes = axes_turned(radians(row.angle_deg));
    const Vec3 c = row.center;
    const Vec3 center = turn_centers ? c.x * axes.x + c.y * axes.y + c.z * axes.z : c;
    const double value = other_values ? row.other_value : row.value;
    solids.push_back(scaled(ellipsoid(center, row.half, value, axes), scale_mm, mu));
  }
  return std::make_unique<SolidPhantom>(solids, Overlap::add, scale_mm * table[0].half);
}

}  // namespace

std::vector<ParamSpec> shepp_logan_3d_params() {
  return {size_param("Side of the cube that the head is drawn in; the head is 0.69 by 0.92 by 0.9 "
                     "of it."),
          mu_scale_param()};
}

std::vector<ParamSpec> shepp_logan_ts_params() {
  return {
      size_param("Side of the cube that the head is drawn in; the head is 0.69 by 0.92 by 0.81 of "
                 "it."),
      mu_scale_param(),
      {.key = "contrast",
       .label = "Contrast",
       .unit = "",
       .fallback = std::string("modified"),
       .choices = {"modified", "original"},
       .help = "Original: brain 0.02 in a skull of 1, as phantom3d has it. Modified: brain 0.2, so "
               "that the small ellipsoids are seen without a narrow window."},
      {.key = "centres",
       .label = "Ventricles",
       .unit = "",
       .fallback = std::string("turned"),
       .choices = {"turned", "fixed"},
       .help =
           "phantom3d rotates the ventricles' centres together with their axes, by -8 and 28 "
           "degrees. Turned: as it draws them. Fixed: centres as in the table, (+-0.22, 0, 0)."},
  };
}

std::unique_ptr<Phantom> make_shepp_logan_ks(const Params& params) {
  return make(kak_slaney, false, false, params);
}

std::unique_ptr<Phantom> make_shepp_logan_yyw(const Params& params) {
  return make(kak_slaney, true, false, params);
}

std::unique_ptr<Phantom> make_shepp_logan_ts(const Params& params) {
  return make(toft_schabel, params.text("contrast") == "original",
              params.text("centres") == "turned", params);
}

}  // namespace gantry
