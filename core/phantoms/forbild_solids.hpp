#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"
#include "core/phantoms/solid.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Densities of the FORBILD table of tissues, water 1.
namespace tissue {
inline constexpr double water = 1, heart = 1.05, aorta = 1.05, marrow = .98, lung = .26,
                        spongiosa = 1.18, sternum = 1.25, ribs = 1.41, femur = 1.43, humerus = 1.46,
                        clavicle = 1.46, scapula = 1.46, cranium = 1.61, cortical = 1.92,
                        teeth = 2.5, air = 0;
}  // namespace tissue

/// A phantom of the FORBILD family from its table: cm, densities relative to water, the later solid
/// in the earlier one's place. `shift_cm` brings the table's middle to the origin.
std::unique_ptr<Phantom> make_forbild(const std::vector<Solid>& table_cm, double mu_water,
                                      Vec3 half_extent_cm, Vec3 shift_cm = {});

/// The eight parts of a vertebra about `center`, of this height: body, arch and spine.
void add_vertebra(std::vector<Solid>& table_cm, Vec3 center, double height);

}  // namespace gantry
