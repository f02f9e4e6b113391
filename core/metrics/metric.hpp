#pragma once

#include "core/base/params.hpp"
#include "core/data/volume.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// An image and the reference it is measured against, [iz][iy][ix], both in the same unit.
struct ImagePair {
  const VolumeGrid& grid;
  std::span<const float> x, reference;
  std::span<const std::uint8_t> mask = {};  ///< not 0: counted; empty: all voxels count
  double range = 0;  ///< dynamic range L of PSNR and SSIM, unit of the images
};

/// One number that says how alike two images are.
class Metric {
 public:
  using Function = std::function<double(const ImagePair&)>;

  Metric(std::string label, std::string unit, bool smaller_is_better, Function function)
      : label_(std::move(label)),
        unit_(std::move(unit)),
        smaller_is_better_(smaller_is_better),
        function_(std::move(function)) {}

  /// NaN where the metric has no meaning (see each function). Throws ShapeError when x, reference
  /// or mask do not have the grid's size.
  double evaluate(const ImagePair& pair) const;

  const std::string& label() const { return label_; }
  const std::string& unit() const { return unit_; }  ///< "1/mm" stands for the unit of the images
  bool smaller_is_better() const { return smaller_is_better_; }

 private:
  std::string label_, unit_;
  bool smaller_is_better_;
  Function function_;
};

/// Throws ShapeError when x, reference or mask do not have the grid's size.
void require_shapes(const ImagePair& pair);

/// 1 where the voxel's centre lies within radius_mm of the z axis, else 0: the reconstruction
/// circle.
std::vector<std::uint8_t> circle_mask(const VolumeGrid& grid, double radius_mm);

/// Largest minus smallest value, where the mask is not 0 (empty: everywhere); 0 for no voxels, NaN
/// when there is a NaN among them.
double range_of(std::span<const float> reference, std::span<const std::uint8_t> mask = {});

}  // namespace gantry
