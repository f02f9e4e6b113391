#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"
#include "core/phantoms/solid.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Densities from the FORBILD table of tissues, relative to water.
namespace tissue {
inline constexpr double water = 1, heart = 1.05, aorta = 1.05, marrow = .98, lung = .26,
                        spongiosa = 1.18, sternum = 1.25, ribs = 1.41, femur = 1.43, humerus = 1.46,
                        clavicle = 1.46, scapula = 1.46, cranium = 1.61, cortical = 1.92,
                        teeth = 2.5, air = 0;
}  // namespace tissue

/// Returns a phantom of the FORBILD family from its table, in cm and densities relative to water
/// (mu_water: 1/mm for density 1). A later solid replaces earlier ones where they overlap. The
/// solids are moved by `shift_cm`, which brings the middle of the table to the origin.
std::unique_ptr<Phantom> make_forbild(const std::vector<Solid>& table_cm, double mu_water,
                                      Vec3 half_extent_cm, Vec3 shift_cm = {});

/// Adds the eight parts of a vertebra about `center`, of this height (cm): body, arch and spine.
void add_vertebra(std::vector<Solid>& table_cm, Vec3 center, double height);

}  // namespace gantry
