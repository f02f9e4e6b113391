#include "core/io/imports/frame_part.hpp"

#include "core/base/error.hpp"
#include "core/geometry/coarsening.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/sinogram_frames.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Keeps the first of every so many values.
template <class Value>
void take_every(int every, std::vector<Value>& values) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); i += static_cast<std::size_t>(every))
    values[kept++] = values[i];
  values.resize(kept);
}

/// Returns the cells of a range that fill whole groups; a single row stays a single row. Throws
/// InputError.
CellSpan cells_of(const CellRange& range, int cells, int bin, const std::string& what,
                  const std::string& where) {
  const int last = range.last.value_or(cells - 1);
  if (range.last && range.first > last)
    throw InputError("the first of the " + what + ", " + std::to_string(range.first) +
                         ", lies after the last, " + std::to_string(last),
                     where, "write the smaller number first");
  if (range.first < 0 || last >= cells || range.first > last)
    throw InputError(what + " " + std::to_string(range.first) + " to " + std::to_string(last) +
                         " lie outside the " + std::to_string(cells) + " " + what +
                         " of the images",
                     where, "count from 0 to " + std::to_string(cells - 1));
  if (cells == 1) bin = 1;
  const int count = (last - range.first + 1) / bin * bin;
  if (count == 0)
    throw InputError("groups of " + std::to_string(bin) + " cells do not fit into " +
                         std::to_string(last - range.first + 1) + " " + what,
                     where, "take smaller groups or more " + what);
  return {range.first, count, bin};
}

/// Some cells of some frames of another source.
class PartOfFrames final : public FrameSource {
 public:
  PartOfFrames(std::shared_ptr<const FrameSource> whole, const PartOfCells& part)
      : whole_(std::move(whole)), columns_(part.columns), rows_(part.rows), every_(part.every) {}

  int frames() const override { return (whole_->frames() + every_ - 1) / every_; }
  int rows() const override { return rows_.groups(); }
  int columns() const override { return columns_.groups(); }
  std::string name(int frame) const override { return whole_->name(frame * every_); }
  int place(int frame) const override { return whole_->place(frame * every_); }
  void read(int frame, std::span<float> values) const override {
    const std::size_t width = static_cast<std::size_t>(whole_->columns());
    std::vector<float> all(width * static_cast<std::size_t>(whole_->rows()));
    whole_->read(frame * every_, all);
    const int group = columns_.group * rows_.group;
    const float share = 1.0F / static_cast<float>(group);
    std::size_t cell = 0;
    for (int row = rows_.first; row < rows_.first + rows_.count; row += rows_.group)
      for (int column = columns_.first; column < columns_.first + columns_.count;
           column += columns_.group) {
        float sum = 0;
        for (int j = 0; j < rows_.group; ++j)
          for (int i = 0; i < columns_.group; ++i)
            sum += all[static_cast<std::size_t>(row + j) * width +
                       static_cast<std::size_t>(column + i)];
        values[cell++] = group == 1 ? sum : share * sum;
      }
  }

 private:
  std::shared_ptr<const FrameSource> whole_;
  CellSpan columns_, rows_;
  int every_;
};

}  // namespace

CellRange range_from(const std::string& text, const std::string& where) {
  if (text.empty()) return {};
  const std::size_t colon = text.find(':');
  const auto number = [&](std::size_t from, std::size_t to) {
    int value = 0;
    const char* end = text.data() + to;
    const auto [stop, error] = std::from_chars(text.data() + from, end, value);
    if (error != std::errc() || stop != end || value < 0)
      throw UsageError("\"" + text + "\" is no range", where,
                       "write the first and the last cell, as in 100:899");
    return value;
  };
  CellRange range;
  if (colon == std::string::npos) return {number(0, 0), {}};
  if (colon > 0) range.first = number(0, colon);
  if (colon + 1 < text.size()) range.last = number(colon + 1, text.size());
  return range;
}

std::vector<CellRange> ranges_from(const std::string& text, const std::string& where) {
  std::vector<CellRange> ranges;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string one = text.substr(at, end - at);
    if (one.find(':') == std::string::npos) one += ":" + one;
    ranges.push_back(range_from(one, where));
    at = end + 1;
  }
  return ranges;
}

std::string text_of(const std::vector<CellRange>& ranges) {
  std::string text;
  for (const CellRange& range : ranges) {
    const std::string one = text_of(range);
    text += (text.empty() ? "" : ",") + (one.empty() ? "0:" : one);
  }
  return text;
}

std::string text_of(const CellRange& range) {
  if (range == CellRange{}) return {};
  return std::to_string(range.first) + ":" + (range.last ? std::to_string(*range.last) : "");
}

void take_part(RawScan& scan, const FramePart& part) {
  if (part == FramePart{}) return;
  const FrameSource& projections = *scan.projections;
  const std::string where = projections.name(0);
  const CellSpan columns =
                     cells_of(part.columns, projections.columns(), part.bin, "columns", where),
                 rows = cells_of(part.rows, projections.rows(), part.bin, "rows", where);
  const auto part_of_frames = [&](std::shared_ptr<const FrameSource> whole, int every) {
    // Flats and darks of another size are refused later, with both sizes as they are in the files.
    if (whole == nullptr || whole->columns() != projections.columns() ||
        whole->rows() != projections.rows())
      return whole;
    const PartOfCells cells{columns, rows, every};
    if (auto held = whole->part(cells)) return held;
    return std::shared_ptr<const FrameSource>(
        std::make_shared<PartOfFrames>(std::move(whole), cells));
  };
  scan.flats = part_of_frames(scan.flats, 1);
  scan.darks = part_of_frames(scan.darks, 1);
  scan.projections = part_of_frames(scan.projections, part.every);
  for (double& view : scan.flat_views) view /= part.every;
  take_every(part.every, scan.off_circle.moves_mm);
  take_every(part.every, scan.off_circle.shifts);
  for (CellShift& shift : scan.off_circle.shifts) {
    shift.columns /= columns.group;
    shift.rows /= rows.group;
  }
  scan.axis_shift.columns /= columns.group;
}

void keep_views(const std::vector<char>& is_kept, LoadedScan& scan) {
  ScanSpec spec = scan.geometry->spec();
  const auto keep = [&](auto& values) {
    const std::size_t of_view = values.size() / is_kept.size();
    auto to = values.begin();
    for (std::size_t view = 0; view < is_kept.size(); ++view) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(view * of_view);
      if (is_kept[view] != 0 && of_view > 0) to = std::copy_n(from, of_view, to);
    }
    values.erase(to, values.end());
  };
  keep(scan.line_integrals);
  scan.line_integrals.shrink_to_fit();
  keep(spec.view_angles_rad);
  keep(spec.poses);
  scan.geometry = std::make_shared<const ScanGeometry>(std::move(spec));
}

ScanSpec part_of(ScanSpec spec, const FramePart& part, bool begins_lowest) {
  if (part == FramePart{}) return spec;
  const CellSpan columns = cells_of(part.columns, spec.detector_columns, part.bin, "columns", {});
  CellSpan rows = cells_of(part.rows, spec.detector_rows, part.bin, "rows", {});
  if (!begins_lowest) rows.first = spec.detector_rows - rows.first - rows.count;
  spec.detector_columns = columns.count;
  spec.detector_rows = rows.count;
  spec.central_column -= columns.first;
  spec.central_row -= rows.first;
  take_every(part.every, spec.view_angles_rad);
  take_every(part.every, spec.poses);
  return with_binned_cells(std::move(spec), {columns.group, rows.group});
}

TurnedFrames::TurnedFrames(std::shared_ptr<const FrameSource> frames, const FrameTurn& turn)
    : frames_(std::move(frames)), turn_(turn), lies_down_(turn.clockwise_deg % 180 != 0) {
  const std::ptrdiff_t width = frames_->columns(), height = frames_->rows(),
                       last_row = (height - 1) * width, last_column = width - 1;
  if (turn.clockwise_deg == 90) {
    first_ = last_row;
    row_step_ = 1;
    column_step_ = -width;
  } else if (turn.clockwise_deg == 180) {
    first_ = last_row + last_column;
    row_step_ = -width;
    column_step_ = -1;
  } else if (turn.clockwise_deg == 270) {
    first_ = last_column;
    row_step_ = -1;
    column_step_ = width;
  } else {
    row_step_ = width;
    column_step_ = 1;
  }
  if (!turn.is_mirrored) return;
  first_ += (columns() - 1) * column_step_;
  column_step_ = -column_step_;
}

void TurnedFrames::read(int frame, std::span<float> values) const {
  std::vector<float> stored(values.size());
  frames_->read(frame, stored);
  auto value = values.begin();
  for (std::ptrdiff_t row = 0; row < rows(); ++row)
    for (std::ptrdiff_t column = 0; column < columns(); ++column)
      *value++ = stored[static_cast<std::size_t>(first_ + row * row_step_ + column * column_step_)];
}

std::shared_ptr<const FrameSource> TurnedFrames::part(const PartOfCells& part) const {
  const auto counted_from = [](CellSpan span, int cells, bool is_reversed) {
    if (is_reversed) span.first = cells - span.first - span.count;
    return span;
  };
  PartOfCells stored{counted_from(part.columns, columns(), column_step_ < 0),
                     counted_from(part.rows, rows(), row_step_ < 0), part.every};
  if (lies_down_) std::swap(stored.columns, stored.rows);
  std::shared_ptr<const FrameSource> of_frames = frames_->part(stored);
  if (of_frames == nullptr) return nullptr;
  return std::make_shared<const TurnedFrames>(std::move(of_frames), turn_);
}

std::shared_ptr<const FrameSource> TurnedFrames::of(std::shared_ptr<const FrameSource> frames,
                                                    const FrameTurn& turn) {
  if (frames == nullptr || (turn.clockwise_deg == 0 && !turn.is_mirrored)) return frames;
  return std::make_shared<const TurnedFrames>(std::move(frames), turn);
}

namespace {

/// Returns the place among all frames of a projection at a position, which may be missing.
int place_at(int position, const FrameNumbers& numbers) {
  const auto behind = std::ranges::upper_bound(numbers.positions, position);
  const auto frame =
      static_cast<int>(std::max<std::ptrdiff_t>(0, behind - numbers.positions.begin() - 1));
  return std::clamp(numbers.place(frame) + position - numbers.position(frame), 0,
                    numbers.all_places - 1);
}

}  // namespace

FrameNumbers in_order_of_angles(FrameNumbers numbers, const std::optional<FrameTurn>& turn) {
  if (!turn || !turn->is_reversed) return numbers;
  FrameNumbers reversed = numbers;
  std::ranges::reverse(reversed.files);
  std::ranges::reverse(reversed.positions);
  for (int& position : reversed.positions) position = numbers.all() - 1 - position;
  if (!numbers.positions.empty())
    for (std::size_t i = 0; i < reversed.places.size(); ++i)
      reversed.places[i] = place_at(reversed.positions[i], numbers);
  return reversed;
}

namespace {

void reverse_projections(RawScan& scan) {
  const int frames = scan.projections->frames();
  std::vector<ChosenFrames::Choice> reversed;
  for (int i = frames; i-- > 0;) reversed.emplace_back(scan.projections, i);
  scan.projections = std::make_shared<const ChosenFrames>(std::move(reversed));
  for (auto* views : {&scan.flat_views, &scan.marked_flat_views})
    for (double& view : *views) view = frames - 1 - view;
  scan.first_number = 0;  // the last file has the first position
  if (!scan.positions.empty()) {
    const int last = scan.positions.back();
    for (int& position : scan.positions) position = last - position;
    std::ranges::reverse(scan.positions);
  }
}

}  // namespace

void turn_frames(const FrameTurn& turn, RawScan& scan) {
  if (turn == FrameTurn{}) return;
  if (scan.geometry || !scan.off_circle.assumptions.empty() || scan.axis_shift.columns != 0 ||
      scan.zero_cell)
    throw UsageError(
        "the files state how source, detector and axis stood for their images as they are",
        "--turn, --mirror or --reverse",
        "leave it out, or give the images alone with a file of the geometry");
  if (!are_views_of_sinograms(*scan.projections)) {
    for (auto* frames : {&scan.projections, &scan.flats, &scan.darks})
      *frames = TurnedFrames::of(*frames, turn);
    if (turn.clockwise_deg % 180 != 0 && scan.row_pixel_mm > 0)
      std::swap(scan.pixel_mm, scan.row_pixel_mm);
  }
  if (turn.is_reversed) reverse_projections(scan);
}

}  // namespace gantry
