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

/// An axis of an array: how many elements, how far apart they are, and how many a tile has.
struct Axis {
  std::optional<std::size_t> index;
  std::size_t size = 1, step = 0, tile = 1;

  Axis() = default;
  Axis(const StoredArray& array, const std::optional<std::size_t>& of_array) : index(of_array) {
    if (!index) return;
    size = static_cast<std::size_t>(array.size[*index]);
    step = static_cast<std::size_t>(array.step(*index));
    if (array.tile.size() == array.size.size())
      tile = std::clamp<std::size_t>(static_cast<std::size_t>(array.tile[*index]), 1, size);
  }
  AxisRange all() const { return {0, size}; }
};

/// Numbers of some views, rows and columns, in the order of the array.
struct Band {
  AxisRange views, rows, columns;
  std::size_t view_step = 0, row_step = 0, column_step = 0;
  std::vector<float> values;
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
  bool has_tiles() const { return array.tile.size() == array.size.size() && array.read_box; }
  PartOfCells all_cells() const {
    return {{0, static_cast<int>(column.size)}, {0, static_cast<int>(row.size)}};
  }
  std::string name(int place) const { return array.where + ", view " + std::to_string(place); }

  /// Reads the numbers of a band: a box of an array in tiles, else the numbers from its first one
  /// on, which must follow each other in the array.
  void read(Band& band, bool is_box) const {
    StoredArray box;
    box.size.assign(array.size.size(), 1);
    box.first_axis_is_fastest = array.first_axis_is_fastest;
    ArrayBox ranges(array.size.size());
    std::uint64_t first = 0;
    for (const auto& [axis, range] :
         {std::pair(&view, band.views), {&row, band.rows}, {&column, band.columns}}) {
      first += range.first * axis->step;
      if (!axis->index) continue;
      ranges[*axis->index] = range;
      box.size[*axis->index] = range.count;
    }
    band.view_step = Axis(box, view.index).step;
    band.row_step = Axis(box, row.index).step;
    band.column_step = Axis(box, column.index).step;
    band.values.resize(static_cast<std::size_t>(box.count()));
    is_box ? array.read_box(ranges, band.values) : array.read(first, band.values);
  }
};

/// A part of views whose rows or columns lie apart, in slabs or tiles of many views.
class ScatteredFrames final : public FrameSource {
 public:
  /// `by_tiles`: the array has tiles, of which only those that the part lies in are unpacked.
  ScatteredFrames(FrameArray frames, const PartOfCells& part, bool by_tiles,
                  std::uint64_t block_bytes)
      : of_(std::move(frames)), part_(part), by_tiles_(by_tiles), block_bytes_(block_bytes) {
    constexpr std::size_t most_readings = 8;
    const auto views = static_cast<std::size_t>(this->frames());
    const auto least = static_cast<std::size_t>(block_bytes / (cells() * sizeof(float)));
    views_of_block_ =
        std::max<std::size_t>({1, least, (views + most_readings - 1) / most_readings});
    // A block ends where tiles do, so that these are unpacked once.
    const std::size_t of_tile = by_tiles ? of_.view.tile / static_cast<std::size_t>(part.every) : 1;
    if (of_tile > 1 && views_of_block_ > of_tile) views_of_block_ -= views_of_block_ % of_tile;
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
    return std::make_shared<const ScatteredFrames>(of_, part, of_.has_tiles(), block_bytes_);
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
    const std::size_t views = std::min(views_of_block_, static_cast<std::size_t>(frames()) - first);
    block->values.resize(views * cells());
    const auto range_of = [this](const CellSpan& span, const Axis& axis) {
      return by_tiles_ ? AxisRange{static_cast<std::uint64_t>(span.first),
                                   static_cast<std::uint64_t>(span.count)}
                       : axis.all();
    };
    Band band;
    const auto every = static_cast<std::uint64_t>(part_.every);
    band.views = by_tiles_ ? AxisRange{first * every, views, every} : of_.view.all();
    band.rows = range_of(part_.rows, of_.row);
    band.columns = range_of(part_.columns, of_.column);
    const bool are_rows = by_tiles_
                              ? tiles_of(part_.rows, of_.row) >= tiles_of(part_.columns, of_.column)
                              : slabs_are_rows();
    const CellSpan& span = are_rows ? part_.rows : part_.columns;
    AxisRange& thickness = are_rows ? band.rows : band.columns;
    const int most = by_tiles_ ? thickness_of_bands(band, are_rows) : 1;
    for (int cell = span.first; cell < span.first + span.count;) {
      const int end = std::min(span.first + span.count, (cell / most + 1) * most);
      thickness = {static_cast<std::uint64_t>(cell), static_cast<std::uint64_t>(end - cell)};
      of_.read(band, by_tiles_);
      add(band, *block);
      cell = end;
    }
    const int group = part_.rows.group * part_.columns.group;
    if (group > 1)
      for (float& value : block->values) value *= 1.0F / static_cast<float>(group);
    return block;
  }
  /// Whether slabs, which are the elements of the slowest axis of all views, are rows. An axis of a
  /// single element has no slabs that are parts of the array.
  bool slabs_are_rows() const {
    return of_.row.size > 1 && (of_.column.size == 1 || of_.row.step > of_.column.step);
  }
  /// Returns in how many tiles cells lie.
  static std::size_t tiles_of(const CellSpan& span, const Axis& axis) {
    const auto first = static_cast<std::size_t>(span.first),
               last = static_cast<std::size_t>(span.first + span.count - 1);
    return last / axis.tile - first / axis.tile + 1;
  }
  /// Returns how many rows, or columns, are read at a time: those of whole tiles, which take little
  /// beside a block if tiles are thin.
  int thickness_of_bands(const Band& band, bool are_rows) const {
    const std::size_t most_bytes = block_bytes_ / 8;
    const Axis& axis = are_rows ? of_.row : of_.column;
    const auto of_tile = static_cast<std::size_t>(
        band.views.count * (are_rows ? band.columns : band.rows).count * axis.tile * sizeof(float));
    return static_cast<int>(axis.tile * std::max<std::size_t>(1, most_bytes / of_tile));
  }
  /// Adds the cells of a band that are of the part to their groups, in the views of a block.
  void add(const Band& band, Block& block) const {
    const auto of_part = [](const AxisRange& range, const CellSpan& span) {
      return std::pair(
          std::max(static_cast<int>(range.first), span.first),
          std::min(static_cast<int>(range.first + range.count), span.first + span.count));
    };
    const auto [row, last_row] = of_part(band.rows, part_.rows);
    const auto [column, last_column] = of_part(band.columns, part_.columns);
    const auto offset = [](int cell, const AxisRange& range, std::size_t step) {
      return (static_cast<std::size_t>(cell) - static_cast<std::size_t>(range.first)) * step;
    };
    const int group = part_.columns.group, to_column = (column - part_.columns.first) / group,
              left_of_first = group - (column - part_.columns.first) % group;
    const std::size_t every = static_cast<std::size_t>(part_.every) / band.views.step;
    std::size_t view = block.first * static_cast<std::size_t>(part_.every) - band.views.first;
    view /= band.views.step;
    for (std::size_t to_view = 0; to_view < block.values.size(); to_view += cells(), view += every)
      for (int r = row; r < last_row; ++r) {
        const float* from = band.values.data() + view * band.view_step +
                            offset(r, band.rows, band.row_step) +
                            offset(column, band.columns, band.column_step);
        float* to =
            block.values.data() + to_view +
            static_cast<std::ptrdiff_t>((r - part_.rows.first) / part_.rows.group) * columns() +
            to_column;
        int left = left_of_first;
        for (int c = column; c < last_column; ++c, from += band.column_step) {
          *to += *from;
          if (--left > 0) continue;
          ++to;
          left = group;
        }
      }
  }

  FrameArray of_;
  PartOfCells part_;
  bool by_tiles_;
  std::uint64_t block_bytes_;
  std::size_t views_of_block_ = 1;
  mutable std::mutex mutex_;
  mutable std::array<std::shared_ptr<const Block>, 2> kept_;
};

/// Views that lie in one piece each. Where these are in tiles of many views, a part is read by
/// them.
class WholeFrames final : public FrameSource {
 public:
  WholeFrames(FrameArray frames, std::uint64_t block_bytes)
      : of_(std::move(frames)), block_bytes_(block_bytes) {}

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

  std::shared_ptr<const FrameSource> part(const PartOfCells& part) const override {
    if (!of_.has_tiles()) return nullptr;
    return std::make_shared<const ScatteredFrames>(of_, part, true, block_bytes_);
  }

 private:
  FrameArray of_;
  std::uint64_t block_bytes_;
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
  const bool needs_tiles = frames.has_tiles() && !frames.array.are_tiles_kept;
  if (frames.is_of_whole_views() && !needs_tiles)
    return std::make_shared<const WholeFrames>(std::move(frames), block_bytes);
  const PartOfCells all = frames.all_cells();
  return std::make_shared<const ScatteredFrames>(std::move(frames), all, needs_tiles, block_bytes);
}

}  // namespace gantry
