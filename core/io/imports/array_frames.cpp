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

  Axis() = default;
  Axis(const StoredArray& array, const std::optional<std::size_t>& index) {
    if (!index) return;
    size = static_cast<std::size_t>(array.size[*index]);
    step = static_cast<std::size_t>(array.step(*index));
  }
};

/// An array of frames, and where views, rows and columns lie in it.
struct FrameArray {
  StoredArray array;
  Axis view, row, column;

  FrameArray(StoredArray stored, const FrameAxes& axes)
      : array(std::move(stored)),
        view(array, axes.view),
        row(array, axes.row),
        column(array, axes.column) {
    constexpr std::size_t most_views = FrameSource::most_frames, most_cells = 65535;
    if (array.count() == 0 || array.count() != view.size * row.size * column.size ||
        view.size > most_views || row.size > most_cells || column.size > most_cells)
      throw InputError("holds no frames: it is of " + array.size_text() + " numbers", array.where,
                       "frames have 1 to 65535 rows and columns");
  }
  std::size_t cells() const { return row.size * column.size; }
  /// Whether each view lies in one piece.
  bool is_of_whole_views() const { return view.size == 1 || view.step == cells(); }
  PartOfCells all_cells() const {
    return {{0, static_cast<int>(column.size)}, {0, static_cast<int>(row.size)}};
  }
  std::string name(int place) const { return array.where + ", view " + std::to_string(place); }
};

/// Views that lie in one piece each.
class WholeFrames final : public FrameSource {
 public:
  explicit WholeFrames(FrameArray frames) : of_(std::move(frames)) {}

  int frames() const override { return static_cast<int>(of_.view.size); }
  int rows() const override { return static_cast<int>(of_.row.size); }
  int columns() const override { return static_cast<int>(of_.column.size); }
  std::string name(int frame) const override { return of_.name(frame); }
  void read(int frame, std::span<float> values) const override {
    std::vector<float> stored(of_.cells());
    of_.array.read(static_cast<std::size_t>(frame) * of_.view.step, stored);
    auto value = values.begin();
    for (std::size_t r = 0; r < of_.row.size; ++r)
      for (std::size_t c = 0; c < of_.column.size; ++c)
        *value++ = stored[r * of_.row.step + c * of_.column.step];
  }

 private:
  FrameArray of_;
};

/// A part of views whose rows or columns lie apart, in slabs of all views.
class ScatteredFrames final : public FrameSource {
 public:
  ScatteredFrames(FrameArray frames, const PartOfCells& part, std::uint64_t block_bytes)
      : of_(std::move(frames)), part_(part), block_bytes_(block_bytes) {
    constexpr std::size_t most_readings = 8;
    const auto views = static_cast<std::size_t>(this->frames());
    const auto least = static_cast<std::size_t>(block_bytes / (cells() * sizeof(float)));
    views_of_block_ =
        std::max<std::size_t>({1, least, (views + most_readings - 1) / most_readings});
  }

  int frames() const override {
    return (static_cast<int>(of_.view.size) + part_.every - 1) / part_.every;
  }
  int rows() const override { return part_.rows.groups(); }
  int columns() const override { return part_.columns.groups(); }
  std::string name(int frame) const override { return of_.name(place(frame)); }
  int place(int frame) const override { return frame * part_.every; }
  void read(int frame, std::span<float> values) const override {
    const auto view = static_cast<std::size_t>(frame);
    const std::shared_ptr<const Block> block = block_with(view);
    std::ranges::copy(std::span(block->values).subspan((view - block->first) * cells(), cells()),
                      values.begin());
  }
  std::shared_ptr<const FrameSource> part(const PartOfCells& part) const override {
    return std::make_shared<const ScatteredFrames>(of_, part, block_bytes_);
  }

 private:
  /// Views that follow each other, [view][row][column].
  struct Block {
    std::size_t first = 0;
    std::vector<float> values;
  };

  std::size_t cells() const {
    return static_cast<std::size_t>(rows()) * static_cast<std::size_t>(columns());
  }
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
    const auto block = std::make_shared<Block>();
    block->first = first;
    block->values.resize(std::min(views_of_block_, static_cast<std::size_t>(frames()) - first) *
                         cells());
    // An axis of a single element has no slabs that are parts of the array.
    const bool by_rows =
        of_.row.size > 1 && (of_.column.size == 1 || of_.row.step > of_.column.step);
    const CellSpan& span = by_rows ? part_.rows : part_.columns;
    std::vector<float> slab(by_rows ? of_.row.step : of_.column.step);
    for (int i = 0; i < span.count; ++i) {
      of_.array.read(static_cast<std::size_t>(span.first + i) * slab.size(), slab);
      add_slab(slab, i / span.group, by_rows, *block);
    }
    const int group = part_.rows.group * part_.columns.group;
    if (group > 1)
      for (float& value : block->values) value *= 1.0F / static_cast<float>(group);
    return block;
  }
  /// Adds a slab to a row of the part, or to a column of it, in all views of a block.
  void add_slab(std::span<const float> slab, int index, bool is_row, Block& block) const {
    const CellSpan& span = is_row ? part_.columns : part_.rows;
    const std::size_t step = is_row ? of_.column.step : of_.row.step,
                      step_to = is_row ? 1 : static_cast<std::size_t>(columns()),
                      view_step = of_.view.step * static_cast<std::size_t>(part_.every);
    std::size_t from_view = block.first * view_step + static_cast<std::size_t>(span.first) * step;
    std::size_t to_view =
        static_cast<std::size_t>(index) * (is_row ? static_cast<std::size_t>(columns()) : 1);
    for (; to_view < block.values.size(); to_view += cells(), from_view += view_step) {
      std::size_t from = from_view, to = to_view;
      for (int i = 0; i < span.groups(); ++i, to += step_to)
        for (int k = 0; k < span.group; ++k, from += step) block.values[to] += slab[from];
    }
  }

  FrameArray of_;
  PartOfCells part_;
  std::uint64_t block_bytes_;
  std::size_t views_of_block_ = 1;
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
  FrameArray frames(std::move(array), axes);
  if (frames.is_of_whole_views()) return std::make_shared<const WholeFrames>(std::move(frames));
  const PartOfCells all = frames.all_cells();
  return std::make_shared<const ScatteredFrames>(std::move(frames), all, block_bytes);
}

}  // namespace gantry
