#pragma once

#include "core/physics/philox.hpp"

namespace gantry {

/// Largest mean that poisson() takes: counts are then still exact in a double.
constexpr double largest_poisson_mean = 1e15;

/// A Poisson variate, a whole number, for a mean of 0 to largest_poisson_mean. Drawn from the exact
/// distribution (to double rounding of its probabilities), never from a normal one.
double poisson(double mean, RandomStream& random);

/// A standard normal variate (Box and Muller, Ann. Math. Stat. 29 (1958) 610).
double standard_normal(RandomStream& random);

}  // namespace gantry
