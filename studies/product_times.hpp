#pragma once

#include "core/operator/projector.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gantry {

enum class Direction { projection, backprojection };
constexpr Direction directions[] = {Direction::projection, Direction::backprojection};
std::string name_of(Direction direction);

/// Returns values around `mean` that vary by half of it from element to element, as noise does: the
/// energy of a product depends on the bits of its operands.
std::vector<float> noisy_values(std::size_t count, float mean);

/// Operands for both products of a projector, and functions that carry out a product. An operand
/// stays as it is. operator() waits for the end of the product, queue does not.
class TimedProducts {
 public:
  explicit TimedProducts(const Projector& projector) : projector_(projector) {}

  void operator()(Direction direction, ViewSubset subset) {
    queue(direction, subset);
    wait();
  }
  void queue(Direction direction, ViewSubset subset);
  /// Copy the operand of a product from the host to the device, and its result back.
  void upload(Direction direction);
  void download(Direction direction);
  void wait() { projector_.backend().synchronize(); }

 private:
  struct Product {
    Array operand, result;
    std::vector<float> host_operand, host_result;
  };
  /// The product of a direction, whose arrays are made at the first call.
  Product& of(Direction direction);

  const Projector& projector_;
  std::map<Direction, Product> products_;
};

/// Returns the median time of 3 to 10 calls after one call to warm up, s.
double median_seconds(const std::function<void()>& work);

/// Returns the time of a product including all tables that the product needs (prefix sums among
/// them), with operands on the device, s: the median of 3 to 10 calls after one to warm up.
double product_seconds(const Projector& projector, Direction direction);
/// Returns the time of a product over all views in `subsets` interleaved subsets, one after the
/// other, s.
double subset_seconds(const Projector& projector, Direction direction, int subsets);
/// Returns the same time with the operand on the host before and the result there after each call,
/// which copies both, s; on the CPU nothing is copied.
double seconds_with_transfers(const Projector& projector, Direction direction, int subsets = 1);

}  // namespace gantry
