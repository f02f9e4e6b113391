#pragma once

#include "gui/render/slice_scene.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gantry::test {

inline std::shared_ptr<SliceImage> makeSlice(int width, int height, double du, double dv,
                                             std::vector<float> values) {
  auto slice = std::make_shared<SliceImage>();
  slice->width = width;
  slice->height = height;
  slice->du_mm = du;
  slice->dv_mm = dv;
  slice->u0_mm = 3;
  slice->v0_mm = -7;
  slice->values = std::move(values);
  return slice;
}

inline std::shared_ptr<SliceImage> constantSlice(int width, int height, double du, double dv,
                                                 float value) {
  return makeSlice(width, height, du, dv,
                   std::vector<float>(
                       static_cast<std::size_t>(width) * static_cast<std::size_t>(height), value));
}

inline Rgb grey(int value) {
  return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value),
          static_cast<std::uint8_t>(value)};
}

inline void bare(SliceScene& scene) { scene.setScaleBar(false); }

}  // namespace gantry::test
