// The source names materials that the table of tissues does not have: "body" is taken as water,
// "bone" and "bone of the spine" as cortical bone, "cartilage" as density 1.1, and "skull" as
// cranium.
#include "core/phantoms/forbild_jaw.hpp"

#include "core/phantoms/forbild_solids.hpp"
#include "core/phantoms/phantom_params.hpp"

#include <array>

namespace gantry {

namespace {

constexpr double body = tissue::water, bone = tissue::cortical, cartilage = 1.1;

void add_neck_and_head(std::vector<Solid>& table) {
  table.push_back(cylinder({0, 0, 5}, 6, 6, 10, body));
  table.push_back(cylinder({0, 6, 6.5}, 6, 6, 7, body));
  table.push_back(box({0, 3, 6.5}, {12, 6, 7}, body));
  // The spine is one cylinder, because the vertebrae are no wider.
  table.push_back(cylinder({0, -1, 5}, 2.5, 1.5, 10, bone));
  table.push_back(cylinder({0, -1.5, 5}, .5, .5, 10, tissue::marrow));
}

/// Adds both jaws: half a cylinder in front (+y) that continues straight towards the back.
void add_jaws(std::vector<Solid>& table) {
  const std::vector<HalfSpace> front = {above({0, 1, 0}, 7.5)};
  table.push_back(clipped(cylinder({0, 7.5, 6}, 3.5, 3.5, 5, bone), front));
  table.push_back(clipped(cylinder({0, 7.5, 6}, 2, 2, 5, cartilage), front));
  table.push_back(box({0, 5.25, 6}, {7, 4.5, 5}, bone));
  table.push_back(box({0, 6.25, 6}, {4, 2.5, 5}, cartilage));
  table.push_back(box({0, 4, 6}, {5, 2, 5}, cartilage));
  table.push_back(clipped(cylinder({0, 7.5, 6}, 3.5, 3.5, 2, tissue::air), front));
  table.push_back(box({0, 6.25, 6}, {7, 2.5, 2}, tissue::air));
}

void add_teeth(std::vector<Solid>& table) {
  struct Tooth {
    double x, y, radius;
  };
  constexpr std::array<Tooth, 8> quarter = {{{3, 5.5, .5},
                                             {3, 6.5, .5},
                                             {3, 7.5, .5},
                                             {2.9, 8.4, .4},
                                             {2.5, 9.2, .4},
                                             {1.9, 9.9, .4},
                                             {1.2, 10.4, .4},
                                             {.4, 10.6, .4}}};
  for (const double side : {1.0, -1.0})
    for (const double z : {5.475, 6.525})
      for (const Tooth& tooth : quarter)
        table.push_back(
            cylinder({side * tooth.x, tooth.y, z}, tooth.radius, tooth.radius, .95, tissue::teeth));
}

void add_airways(std::vector<Solid>& table) {
  table.push_back(cylinder({0, 3.75, 2.5}, .75, .75, 5, tissue::air));  // trachea
  table.push_back(cylinder({0, 5, 7.5}, 2, 2, 5, tissue::air));         // mouth
  table.push_back(cylinder({0, 7.5, 7.5}, 2, 2, 5, tissue::air));
  table.push_back(box({0, 6.25, 7.5}, {4, 2.5, 5}, tissue::air));
  table.push_back(clipped(cylinder({0, 7.5, 8.75}, 3.5, 3.5, .5, tissue::cranium),
                          {above({0, 1, 0}, 5)}));  // roof of the mouth
  table.push_back(box({0, 6.25, 8.75}, {7, 2.5, .5}, tissue::cranium));
}

}  // namespace

std::vector<ParamSpec> forbild_jaw_params() { return {mu_water_param()}; }

std::unique_ptr<Phantom> make_forbild_jaw(const Params& params) {
  std::vector<Solid> table;
  add_neck_and_head(table);
  add_jaws(table);
  add_teeth(table);
  add_airways(table);
  return make_forbild(table, params.real("mu_water"), {6, 9, 5}, {0, -3, -5});
}

}  // namespace gantry
