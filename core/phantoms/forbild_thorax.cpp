// The published list has 180 cylinders for the ribs. One rule reproduces each of the published
// numbers to the last digit: a rib follows the ellipse
//   p(f) = (18.5 cos f, 9 sin f, z - 5.5 sin f),
// and consists of straight pieces that touch the ellipse at f = 72, 54, .. -72 degrees and are
// mitred halfway between these angles.
#include "core/phantoms/forbild_thorax.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/phantoms/forbild_solids.hpp"
#include "core/phantoms/phantom_params.hpp"

#include <cmath>

namespace gantry {

namespace {

void add_trunk(std::vector<Solid>& table) {
  for (const double x : {-20.0, 20.0})  // arms
    table.push_back(cylinder({x, 0, 17.5}, 5, 5, 15, tissue::water));
  table.push_back(cylinder({0, 0, 0}, 20, 10, 50, tissue::water));
  for (const double x : {-10.5, 10.5})
    table.push_back(ellipsoid({x, 0, 0}, {7.5, 5.5, 15}, tissue::lung));
  table.push_back(box({0, 9, 2.5}, {2.5, .8, 25}, tissue::sternum));
  table.push_back(box({0, 9, 2.5}, {2, .5, 25}, tissue::marrow));
  table.push_back(sphere({0, 4, 0}, 3.5, tissue::heart));
}

/// Adds the aorta: three cylinders, mitred where they meet.
void add_aorta(std::vector<Solid>& table) {
  const Vec3 first{3, 7, std::sqrt(58.0)}, second{1, 2, -std::sqrt(5.0)};
  constexpr double first_cm = 2.982109, second_cm = -2.2393277;
  table.push_back(
      clipped(cylinder({-2.5, -2.5, 0}, 1, 1, 30, tissue::aorta), {below(first, first_cm)}));
  table.push_back(
      clipped(cylinder({.5, 4.5, 6}, 1, 1, 6, tissue::aorta), {above(second, second_cm)}));
  table.push_back(clipped(cylinder({-1, 1, 7.5}, 1, 1, 22, tissue::aorta, axes_from_z({3, 7, 0})),
                          {above(first, first_cm), below(second, second_cm)}));
}

/// Adds one side of a rib, either its bone or its marrow.
void add_half_rib(std::vector<Solid>& table, double side, double z, double radius, double density) {
  const auto point = [&](double degrees) {
    const double c = std::cos(radians(degrees)), s = std::sin(radians(degrees));
    return Vec3{side * 18.5 * c, 9 * s, -5.5 * s};
  };
  const auto direction = [&](double degrees) {
    const double c = std::cos(radians(degrees)), s = std::sin(radians(degrees));
    return normalized({side * 18.5 * s, -9 * c, 5.5 * c});
  };
  const auto mitre = [&](double degrees) {  // where the tangents 9 degrees before and after meet
    const Vec3 normal = normalized(direction(degrees - 9) + direction(degrees + 9));
    const Vec3 corner = (1 / std::cos(radians(9))) * point(degrees) + Vec3{0, 0, z};
    return HalfSpace{normal, dot(normal, corner)};
  };
  constexpr double length = 7;  // 10 as published; the mitres leave less than 6
  for (int degrees = 72; degrees >= -72; degrees -= 18) {
    const HalfSpace before = mitre(degrees + 9), after = mitre(degrees - 9);
    table.push_back(clipped(cylinder(point(degrees) + Vec3{0, 0, z}, radius, radius, length,
                                     density, axes_from_z(direction(degrees))),
                            {above(before.normal, before.distance), after}));
  }
}

void add_ribs(std::vector<Solid>& table) {
  for (const double z : {0.0, 3.0, 6.0, -3.0, -6.0})
    for (const bool marrow : {false, true})
      for (const double side : {1.0, -1.0})
        add_half_rib(table, side, z, marrow ? .4 : .5, marrow ? tissue::marrow : tissue::ribs);
}

void add_clavicles(std::vector<Solid>& table) {
  for (const bool marrow : {false, true})
    for (const double side : {-1.0, 1.0}) {
      const double radius = marrow ? .4 : .5;
      table.push_back(cylinder({10 * side, 5.5, 16}, radius, radius, marrow ? 16.5 : 17,
                               marrow ? tissue::marrow : tissue::clavicle,
                               axes_from_z({20, -9 * side, 2 * side})));
    }
}

void add_scapulae(std::vector<Solid>& table) {
  for (const bool marrow : {false, true})
    for (const double side : {-1.0, 1.0}) {
      const Vec3 half = marrow ? Vec3{4, .4, 5.5} : Vec3{4.5, .5, 6};
      table.push_back(
          clipped(ellipsoid({12 * side, -5, 15}, half, marrow ? tissue::marrow : tissue::scapula,
                            axes_from_xy({2, side, 0}, {-side, 2, 0})),
                  {below({0, 0, 1}, 15)}));
    }
}

void add_humeri(std::vector<Solid>& table) {
  for (const double x : {22.0, 16.5})
    for (const bool marrow : {false, true})
      for (const double side : {-1.0, 1.0})
        table.push_back(
            sphere({x * side, 0, 15}, marrow ? 2 : 2.5, marrow ? tissue::marrow : tissue::humerus));
}

}  // namespace

std::vector<ParamSpec> forbild_thorax_params() { return {mu_water_param()}; }

std::unique_ptr<Phantom> make_forbild_thorax(const Params& params) {
  std::vector<Solid> table;
  add_trunk(table);
  add_aorta(table);
  for (int z = 15; z >= -6; z -= 3) add_vertebra(table, {0, -5, static_cast<double>(z)}, 2);
  add_ribs(table);
  add_clavicles(table);
  add_scapulae(table);
  add_humeri(table);
  return make_forbild(table, params.real("mu_water"), {25, 10, 25});
}

}  // namespace gantry
