#pragma once

#include "core/operator/projector.hpp"

#include <functional>
#include <string>

namespace gantry {

enum class Direction { projection, backprojection };
constexpr Direction directions[] = {Direction::projection, Direction::backprojection};
std::string name_of(Direction direction);

/// Operands for both products of a projector, and functions that carry out a product. operator()
/// waits for the end of the product, queue does not.
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

/// Returns the median time of 3 to 10 calls after one call to warm up, s.
double median_seconds(const std::function<void()>& work);

/// Returns the time of a product including all tables that the product needs (prefix sums among
/// them), with operands on the device, s: the median of 3 to 10 calls after one to warm up.
double product_seconds(const Projector& projector, Direction direction);
/// Returns the time of a product over all views in `subsets` interleaved subsets, one after the
/// other, s.
double subset_seconds(const Projector& projector, Direction direction, int subsets);

}  // namespace gantry
