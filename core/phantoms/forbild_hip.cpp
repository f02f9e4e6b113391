// The source names two materials that the table of tissues does not have: its "body" is taken as
// water, its "bone" as cortical bone. As in the source, the bladder has the density of the body,
// and only the right femur (x > 0) has the flattened shaft and the neck, because the source's list
// ends there.
#include "core/phantoms/forbild_hip.hpp"

#include "core/phantoms/forbild_solids.hpp"
#include "core/phantoms/phantom_params.hpp"

namespace gantry {

namespace {

constexpr double body = tissue::water, bone = tissue::cortical;

void add_pelvis(std::vector<Solid>& table) {
  const Axes diagonal = axes_from_xy({1, 1, 0}, {-1, 1, 0});
  table.push_back(ellipsoid({5, 0, 10}, {1, 6, 5}, bone, diagonal));
  table.push_back(ellipsoid({-5, 0, 10}, {6, 1, 5}, bone, diagonal));
  table.push_back(ellipsoid({5, 0, 10}, {.5, 5.5, 4.5}, tissue::marrow, diagonal));
  table.push_back(ellipsoid({-5, 0, 10}, {5.5, .5, 4.5}, tissue::marrow, diagonal));
}

/// Adds the solids make(1) and make(-1), which lie symmetrically about x = 0.
template <class Make>
void add_pair(std::vector<Solid>& table, const Make& make) {
  for (const double side : {1.0, -1.0}) table.push_back(make(side));
}

}  // namespace

std::vector<ParamSpec> forbild_hip_params() { return {mu_water_param()}; }

std::unique_ptr<Phantom> make_forbild_hip(const Params& params) {
  std::vector<Solid> table;
  add_pair(table, [](double side) { return cylinder({10 * side, 0, 7.5}, 7.5, 7.5, 15, body); });
  table.push_back(box({0, 0, 9.5}, {20, 15, 12}, body));
  add_pair(table, [](double side) {
    return cylinder({10 * side, 0, 5}, 1.5, 1.5, 10, tissue::femur);
  });
  add_pair(table, [](double side) { return sphere({10 * side, 0, 10}, 2.5, tissue::femur); });
  add_pelvis(table);
  add_pair(table, [](double side) { return sphere({7.5 * side, 0, 12.5}, 2.5, tissue::femur); });
  add_pair(table, [](double side) {
    return cylinder({10 * side, 0, 5}, 1, 1, 10, tissue::marrow);
  });
  table.push_back(clipped(ellipsoid({0, -5, 15}, {2, .5, 4}, bone), {below({0, 0, 1}, 15)}));
  table.push_back(sphere({0, -1, 12}, 3, body));  // bladder
  table.push_back(cylinder({10, 0, 5}, 1, .5, 10, tissue::femur));
  table.push_back(sphere({7.5, 0, 12.5}, 2.5, tissue::femur));
  table.push_back(
      cylinder({8.75, 0, 11.25}, 1, .5, 4.9, tissue::femur, axes_from_zy({-1, 0, 1}, {0, 1, 0})));
  return make_forbild(table, params.real("mu_water"), {17.5, 7.5, 7.75}, {0, 0, -7.75});
}

}  // namespace gantry
