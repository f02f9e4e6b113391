// FORBILD: http://www.imp.uni-erlangen.de/phantoms; the numbers are those of the copies in
// RTKConsortium/Forbild and CONRAD. A clip "r(n) < d" in these tables refers to the unit normal
// n / |n|.
#include "core/phantoms/forbild_solids.hpp"

#include "core/phantoms/solid_phantom.hpp"

#include <cmath>

namespace gantry {

std::unique_ptr<Phantom> make_forbild(const std::vector<Solid>& table_cm, double mu_water,
                                      Vec3 half_extent_cm, Vec3 shift_cm) {
  constexpr double mm_per_cm = 10;
  std::vector<Solid> solids;
  solids.reserve(table_cm.size());
  for (const Solid& solid : table_cm)
    solids.push_back(scaled(solid, mm_per_cm, mu_water, shift_cm));
  return std::make_unique<SolidPhantom>(solids, Overlap::replace, mm_per_cm * half_extent_cm);
}

// RTK's newest copy cuts the first cylinder at y > -1.35, where the cylinder meets the plate; RTK's
// older copies and CONRAD's copy do not.
void add_vertebra(std::vector<Solid>& table_cm, Vec3 center, double height) {
  constexpr double bone = tissue::cortical;
  const double half_plate = std::sqrt(1.3725), slope = 4 - half_plate;
  const auto at = [&](double x, double y) { return center + Vec3{x, y, 0}; };
  // Returns the half-space of this outward normal whose face goes through the point (x, y) relative
  // to the centre.
  const auto through = [&](Vec3 normal, double x, double y) {
    return below(normal, dot(normalized(normal), at(x, y)));
  };
  table_cm.push_back(cylinder(center, 1.75, 1.75, height, bone));
  table_cm.push_back(box(at(0, -1.4), {2 * half_plate, .2, height}, bone));
  table_cm.push_back(cylinder(center, 1.5, 1.5, height, tissue::spongiosa));
  for (const double side : {-1.0, 1.0})  // arches with the transverse processes
    table_cm.push_back(clipped(box(at(2 * side, -1.975), {4, .95, height}, bone),
                               {through({side * .95, slope, 0}, 4 * side, -2.45),
                                through({-side * 2, -32, 0}, 4 * side, -2.45)}));
  table_cm.push_back(clipped(box(at(0, -2.35), {1.6, .3, height}, bone),
                             {through({2, -4, 0}, .4, -2.45), through({-2, -4, 0}, -.4, -2.45)}));
  table_cm.push_back(box(at(0, -3.25), {.8, 1.6, height}, bone));
  table_cm.push_back(
      clipped(cylinder(at(0, -4.05), .4, .4, height, bone), {below({0, 1, 0}, center.y - 4.05)}));
}

}  // namespace gantry
