#pragma once

#include <cstdint>
#include <vector>

namespace gantry {

/// An image in half the memory: floats of 16 bits (IEEE binary16) times one power of two, so that
/// values keep eleven binary digits, three decimal ones, from the greatest down to 1e-9 of it;
/// smaller ones become multiples of a step.
class RoundedImage {
 public:
  /// Values that are not finite stay so.
  explicit RoundedImage(const std::vector<float>& values);

  std::vector<float> values() const;
  std::size_t bytes() const { return halves_.size() * sizeof(std::uint16_t); }

 private:
  float scale_ = 1;
  std::vector<std::uint16_t> halves_;
};

}  // namespace gantry
