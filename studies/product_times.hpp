#pragma once

#include "core/operator/projector.hpp"

#include <functional>
#include <string>

namespace gantry {

enum class Direction { projection, backprojection };
constexpr Direction directions[] = {Direction::projection, Direction::backprojection};
std::string name_of(Direction direction);

/// The operands of both products, and one of them carried out and waited for.
class TimedProducts {
 public:
  explicit TimedProducts(const Projector& projector);

  void operator()(Direction direction, ViewSubset subset) {
    queue(direction, subset);
    wait();
  }
  void queue(Direction direction, ViewSubset subset);
  void wait() { projector_.backend().synchronize(); }

 private:
  const Projector& projector_;
  Array image_, rays_;
};

/// Of 3 to 10 calls after one to warm up.
double median_seconds(const std::function<void()>& work);

/// A product with all that it needs (tables of sums among it), waited for; operands on the device.
/// Seconds, the median of 3 to 10 calls after one to warm up.
double product_seconds(const Projector& projector, Direction direction);
/// The same of the views in `subsets` interleaved subsets, one after the other.
double subset_seconds(const Projector& projector, Direction direction, int subsets);

}  // namespace gantry
