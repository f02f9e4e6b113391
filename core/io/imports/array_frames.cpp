#include "core/io/imports/array_frames.hpp"

#include "core/base/error.hpp"

#include <mutex>
#include <utility>

namespace gantry {

namespace {

/// An axis of an array: how many elements, and how far apart they are.
struct Axis {
  std::size_t size = 1, step = 0;
};

class ArrayFrames final : public FrameSource {
 public:
  ArrayFrames(StoredArray array, const FrameAxes& axes)
      : array_(std::move(array)),
        view_(axis(axes.view)),
        row_(axis(axes.row)),
        column_(axis(axes.column)) {
    constexpr std::size_t most_views = FrameSource::most_frames, most_cells = 65535;
    if (array_.count() == 0 || array_.count() != view_.size * row_.size * column_.size ||
        view_.size > most_views || row_.size > most_cells || column_.size > most_cells)
      throw InputError("holds no frames: it is of " + array_.size_text() + " numbers", array_.where,
                       "frames have 1 to 65535 rows and columns");
  }
  int frames() const override { return static_cast<int>(view_.size); }
  int rows() const override { return static_cast<int>(row_.size); }
  int columns() const override { return static_cast<int>(column_.size); }
  std::string name(int frame) const override {
    return array_.where + ", view " + std::to_string(frame);
  }
  void read(int frame, std::span<float> values) const override {
    const std::size_t first = static_cast<std::size_t>(frame) * view_.step,
                      cells = row_.size * column_.size;
    if (view_.size > 1 && view_.step != cells) {
      std::call_once(once_, [&] {
        std::vector<float> all(static_cast<std::size_t>(array_.count()));
        array_.read(0, all);
        all_ = std::move(all);
      });
      return take(std::span(all_).subspan(first), values);
    }
    std::vector<float> stored(cells);
    array_.read(first, stored);
    take(stored, values);
  }

 private:
  Axis axis(const std::optional<std::size_t>& index) const {
    return index ? Axis{static_cast<std::size_t>(array_.size[*index]),
                        static_cast<std::size_t>(array_.step(*index))}
                 : Axis{};
  }
  /// Copies numbers, whose first is that of the frame, in the order of rows and columns.
  void take(std::span<const float> stored, std::span<float> values) const {
    auto value = values.begin();
    for (std::size_t r = 0; r < row_.size; ++r)
      for (std::size_t c = 0; c < column_.size; ++c)
        *value++ = stored[r * row_.step + c * column_.step];
  }

  StoredArray array_;
  Axis view_, row_, column_;
  mutable std::once_flag once_;
  mutable std::vector<float> all_;
};

}  // namespace

std::shared_ptr<const FrameSource> frames_of_array(StoredArray array, const FrameAxes& axes) {
  return std::make_shared<const ArrayFrames>(std::move(array), axes);
}

}  // namespace gantry
