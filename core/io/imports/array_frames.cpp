#include "core/io/imports/array_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <utility>

namespace gantry {

namespace {

/// An axis of an array: how many elements, and how far apart they are.
struct Axis {
  std::size_t size = 1, step = 0;
};

class ArrayFrames final : public FrameSource {
 public:
  ArrayFrames(StoredArray array, const FrameAxes& axes, std::uint64_t block_bytes)
      : array_(std::move(array)),
        view_(axis(axes.view)),
        row_(axis(axes.row)),
        column_(axis(axes.column)) {
    constexpr std::size_t most_views = FrameSource::most_frames, most_cells = 65535;
    if (array_.count() == 0 || array_.count() != view_.size * row_.size * column_.size ||
        view_.size > most_views || row_.size > most_cells || column_.size > most_cells)
      throw InputError("holds no frames: it is of " + array_.size_text() + " numbers", array_.where,
                       "frames have 1 to 65535 rows and columns");
    constexpr std::uint64_t most_readings = 8;
    const std::uint64_t of_view = row_.size * column_.size * sizeof(float),
                        least = block_bytes / of_view;
    views_of_block_ = static_cast<std::size_t>(
        std::max<std::uint64_t>({1, least, (view_.size + most_readings - 1) / most_readings}));
  }
  int frames() const override { return static_cast<int>(view_.size); }
  int rows() const override { return static_cast<int>(row_.size); }
  int columns() const override { return static_cast<int>(column_.size); }
  std::string name(int frame) const override {
    return array_.where + ", view " + std::to_string(frame);
  }
  void read(int frame, std::span<float> values) const override {
    const auto view = static_cast<std::size_t>(frame);
    const std::size_t cells = row_.size * column_.size;
    if (view_.size == 1 || view_.step == cells) {
      std::vector<float> stored(cells);
      array_.read(view * view_.step, stored);
      return take(stored, values);
    }
    if (array_.is_unpacked_at_once) {
      std::call_once(is_read_, [&] {
        std::vector<float> all(static_cast<std::size_t>(array_.count()));
        array_.read(0, all);
        all_ = std::move(all);
      });
      return take(std::span(all_).subspan(view * view_.step), values);
    }
    const std::shared_ptr<const Block> block = block_with(view);
    std::copy_n(block->values.begin() + static_cast<std::ptrdiff_t>((view - block->first) * cells),
                cells, values.begin());
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

  /// Views that follow each other, [view][row][column].
  struct Block {
    std::size_t first = 0;
    std::vector<float> values;
  };

  /// Returns the block that a view lies in. Of the blocks that were read, the last two are kept:
  /// threads that ask for neighbouring views may be in both.
  std::shared_ptr<const Block> block_with(std::size_t view) const {
    const std::size_t first = view - view % views_of_block_;
    const std::scoped_lock lock(mutex_);
    for (const auto& block : kept_)
      if (block != nullptr && block->first == first) return block;
    kept_[0] = std::exchange(kept_[1], nullptr);
    kept_[1] = read_block(first);
    return kept_[1];
  }
  std::shared_ptr<const Block> read_block(std::size_t first) const {
    const std::size_t cells = row_.size * column_.size,
                      views = std::min(views_of_block_, view_.size - first);
    const auto block = std::make_shared<Block>();
    block->first = first;
    block->values.resize(views * cells);
    // An axis of a single element has no slabs that are parts of the array.
    const bool by_rows = row_.size > 1 && (column_.size == 1 || row_.step > column_.step);
    const Axis &slabs = by_rows ? row_ : column_, &others = by_rows ? column_ : row_;
    std::vector<float> slab(slabs.step);
    for (std::size_t i = 0; i < slabs.size; ++i) {
      array_.read(i * slabs.step, slab);
      for (std::size_t view = 0; view < views; ++view)
        for (std::size_t k = 0; k < others.size; ++k)
          block->values[view * cells + (by_rows ? i * column_.size + k : k * column_.size + i)] =
              slab[(first + view) * view_.step + k * others.step];
    }
    return block;
  }

  StoredArray array_;
  Axis view_, row_, column_;
  std::size_t views_of_block_;
  mutable std::once_flag is_read_;
  mutable std::vector<float> all_;  ///< in the order of the array, of a packed one
  mutable std::mutex mutex_;
  mutable std::array<std::shared_ptr<const Block>, 2> kept_;
};

constexpr std::array<std::pair<ArrayAxis, std::string_view>, 3> axis_names = {
    {{ArrayAxis::views, "views"}, {ArrayAxis::rows, "rows"}, {ArrayAxis::columns, "columns"}}};

}  // namespace

std::optional<AxisOrder> axis_order_in(const std::string& text) {
  AxisOrder order;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word =
        lower_case(std::string(trimmed_blanks(std::string_view(text).substr(begin, end - begin))));
    const auto found = std::ranges::find_if(axis_names, [&](const auto& one) {
      return word == one.second || word + "s" == one.second;
    });
    if (found == axis_names.end() || std::ranges::find(order, found->first) != order.end())
      return std::nullopt;
    order.push_back(found->first);
    begin = end + 1;
  }
  const bool has_columns = std::ranges::find(order, ArrayAxis::columns) != order.end();
  return order.size() > 1 && has_columns ? std::optional(order) : std::nullopt;
}

std::string text_of(const AxisOrder& order) {
  std::string text;
  for (const ArrayAxis axis : order)
    text +=
        (text.empty() ? "" : ",") +
        std::string(
            std::ranges::find(axis_names, axis, &decltype(axis_names)::value_type::first)->second);
  return text;
}

std::shared_ptr<const FrameSource> frames_of_array(StoredArray array, const FrameAxes& axes,
                                                   std::uint64_t block_bytes) {
  return std::make_shared<const ArrayFrames>(std::move(array), axes, block_bytes);
}

}  // namespace gantry
