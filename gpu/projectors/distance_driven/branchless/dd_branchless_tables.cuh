#pragma once

// The summed-area tables of the branchless variants: in textures, in double precision, or plain
// images without sums. Each class makes the object (Sums) from which kernels get sums over
// rectangles.
#include "gpu/base/launch.hpp"
#include "gpu/base/texture.hpp"
#include "gpu/projectors/distance_driven/branchless/dd_branchless.cuh"
#include "gpu/projectors/distance_driven/branchless/sums_2d.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone_tables.hpp"

#include <algorithm>

namespace gantry {

/// A stack of images: width x height elements each.
struct ImageStack {
  int width, height, count;
  std::size_t table_elements() const {
    return static_cast<std::size_t>(width + 1) * static_cast<std::size_t>(height + 1);
  }
};

/// Makes the tables of `count` images from `first` on.
template <class T, class Source>
void make_sums(const CudaBackend& cuda, const Source& source, const ImageStack& stack, int first,
               int count, T* table) {
  device::
      sum_along_rows<<<blocks(static_cast<long>(count) * (stack.height + 1), device::image_rows),
                       dim3(32, device::image_rows), 0, cuda.stream()>>>(
          source, table, stack.width, stack.height, first, count);
  check_launch("sum_along_rows");
  device::
      sum_along_columns<<<blocks(static_cast<long>(count) * (stack.width + 1), device::sum_threads),
                          device::sum_threads, 0, cuda.stream()>>>(table, stack.width, stack.height,
                                                                   count);
  check_launch("sum_along_columns");
}

/// Tables in layered textures, interpolated by the hardware.
class TextureTables {
 public:
  using Sums = device::TextureSums;
  static constexpr int most_images = dd_branchless::most_texture_layers;
  static constexpr double rounding = 4e-3;  // of fractions with 8 bits; Liu et al. report 2e-3

  template <class Source>
  void set(const CudaBackend& cuda, bool along_y, const Source& source, const ImageStack& stack) {
    Texture& texture = along_y ? along_y_ : along_x_;
    texture = Texture(
        cuda,
        {static_cast<std::size_t>(stack.width + 1), static_cast<std::size_t>(stack.height + 1),
         static_cast<std::size_t>(stack.count), true},
        TextureFilter::linear, false, "a summed-area table");
    const int at_once = std::clamp(static_cast<int>(dd_branchless::texture_part_bytes /
                                                    sizeof(float) / stack.table_elements()),
                                   1, stack.count);
    DeviceBuffer<float> part(cuda, static_cast<std::size_t>(at_once) * stack.table_elements(),
                             "a part of a summed-area table");
    for (int first = 0; first < stack.count; first += at_once) {
      const int count = std::min(at_once, stack.count - first);
      make_sums(cuda, source, stack, first, count, part.data());
      texture.copy_from(part.data(), static_cast<std::size_t>(first),
                        static_cast<std::size_t>(count));
    }
  }
  Sums sums() const { return {along_y_.object(), along_x_.object()}; }
  static std::size_t bytes(const ImageStack& stack) {
    return static_cast<std::size_t>(stack.count) * stack.table_elements() * sizeof(float);
  }

 private:
  Texture along_y_, along_x_;
};

/// Tables in double precision, interpolated in software.
class DoubleTables {
 public:
  using Sums = device::DoubleSums;
  static constexpr int most_images = dd_branchless::most_images_in_memory;
  static constexpr double rounding = 1e-5;  // positions are float32

  template <class Source>
  void set(const CudaBackend& cuda, bool along_y, const Source& source, const ImageStack& stack) {
    DeviceBuffer<double>& table = along_y ? along_y_ : along_x_;
    table =
        DeviceBuffer<double>(cuda, static_cast<std::size_t>(stack.count) * stack.table_elements(),
                             "a summed-area table");
    make_sums(cuda, source, stack, 0, stack.count, table.data());
    (along_y ? sums_.width_y : sums_.width_x) = stack.width + 1;
    sums_.height = stack.height + 1;
    (along_y ? sums_.along_y : sums_.along_x) = table.data();
  }
  Sums sums() const { return sums_; }
  static std::size_t bytes(const ImageStack& stack) {
    return static_cast<std::size_t>(stack.count) * stack.table_elements() * sizeof(double);
  }

 private:
  DeviceBuffer<double> along_y_, along_x_;
  Sums sums_{};
};

/// No tables: copies of the images, over which kernels sum.
class DirectTables {
 public:
  using Sums = device::DirectSums;
  static constexpr int most_images = dd_branchless::most_images_in_memory;
  static constexpr double rounding = 1e-5;

  template <class Source>
  void set(const CudaBackend& cuda, bool along_y, const Source& source, const ImageStack& stack) {
    DeviceBuffer<float>& image = along_y ? along_y_ : along_x_;
    const long rows = static_cast<long>(stack.count) * stack.height;
    image = DeviceBuffer<float>(
        cuda, static_cast<std::size_t>(rows) * static_cast<std::size_t>(stack.width),
        "images to sum");
    device::copy_rows<<<blocks(rows, device::image_rows), dim3(32, device::image_rows), 0,
                        cuda.stream()>>>(source, image.data(), stack.width, stack.height,
                                         stack.count);
    check_launch("copy_rows");
    (along_y ? sums_.image_y : sums_.image_x) = image.data();
    (along_y ? sums_.width_y : sums_.width_x) = stack.width;
    sums_.height = stack.height;
  }
  Sums sums() const { return sums_; }
  static std::size_t bytes(const ImageStack& stack) {
    return static_cast<std::size_t>(stack.count) * static_cast<std::size_t>(stack.width) *
           static_cast<std::size_t>(stack.height) * sizeof(float);
  }

 private:
  DeviceBuffer<float> along_y_, along_x_;
  Sums sums_{};
};

}  // namespace gantry
