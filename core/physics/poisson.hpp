#pragma once

#include "core/physics/philox.hpp"

namespace gantry {

/// The largest mean that poisson() takes: counts are still exact in a double.
constexpr double largest_poisson_mean = 1e15;

/// Returns a Poisson variate, a whole number, for a mean of 0 to largest_poisson_mean. The variate
/// is drawn from the exact distribution (to double rounding of its probabilities), never from a
/// normal approximation.
double poisson(double mean, RandomStream& random);

/// Returns a standard normal variate (Box and Muller, Ann. Math. Stat. 29 (1958) 610).
double standard_normal(RandomStream& random);

}  // namespace gantry
