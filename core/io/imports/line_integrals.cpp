#include "core/io/imports/line_integrals.hpp"

#include "core/base/error.hpp"
#include "core/base/even_samples.hpp"
#include "core/base/large_pages.hpp"
#include "core/base/median.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/base/params.hpp"
#include "core/corrections/cell_repair.hpp"
#include "core/corrections/correction.hpp"
#include "core/corrections/kernels/transmission_kernels.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/checks/assumed_beam.hpp"
#include "core/io/imports/checks/frame_checks.hpp"
#include "core/io/imports/checks/repeated_pictures.hpp"
#include "core/io/imports/checks/stuck_cells.hpp"
#include "core/io/imports/checks/unlit_cells.hpp"
#include "core/io/imports/frame_notes.hpp"
#include "core/io/imports/unmeasured_values.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace gantry {

namespace {

constexpr float least_transmission = 1e-6F;
constexpr std::size_t most_bytes_of_median = std::size_t{1} << 30;  // of frames held at a time

std::size_t cells_of(const FrameSource& source) {
  return static_cast<std::size_t>(source.rows()) * static_cast<std::size_t>(source.columns());
}

/// Turns the rows of a frame over.
void turn_over(std::span<float> values, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  for (std::ptrdiff_t row = 0; row < rows / 2; ++row) {
    const auto line = values.begin() + row * columns;
    std::swap_ranges(line, line + columns, values.begin() + (rows - 1 - row) * columns);
  }
}

void check(const Interrupt* interrupt) {
  if (interrupt != nullptr) interrupt->check();
}

/// Returns the mean of the finite values of each cell; NaN where a cell has none.
std::vector<float> mean_frame(const FrameSource& source, std::span<const int> frames,
                              const Interrupt* interrupt) {
  std::vector<float> frame(cells_of(source));
  std::vector<double> sums(frame.size());
  std::vector<int> counts(frame.size());
  for (const int i : frames) {
    check(interrupt);
    source.read(i, frame);
    for (std::size_t cell = 0; cell < frame.size(); ++cell) {
      if (!std::isfinite(frame[cell])) continue;
      sums[cell] += frame[cell];
      ++counts[cell];
    }
  }
  std::ranges::transform(sums, counts, frame.begin(), [](double sum, int count) {
    return static_cast<float>(sum / count);  // 0 / 0 is NaN
  });
  return frame;
}

std::vector<float> mean_frame(const FrameSource& source, const Interrupt* interrupt) {
  std::vector<int> all(static_cast<std::size_t>(source.frames()));
  std::iota(all.begin(), all.end(), 0);
  return mean_frame(source, all, interrupt);
}

/// Returns the median of the finite values, which are reordered; NaN without any.
float median_of_finite(std::span<float> values) {
  const auto end =
      std::partition(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
  values = values.first(static_cast<std::size_t>(end - values.begin()));
  return values.empty() ? std::numeric_limits<float>::quiet_NaN() : median_of(values);
}

/// Takes so many cells at a time that their values in all frames fit into memory; the frames are
/// read again for each portion.
std::vector<float> median_frame(const FrameSource& source, const Interrupt* interrupt) {
  const std::size_t cells = cells_of(source), frames = static_cast<std::size_t>(source.frames()),
                    portion = std::clamp<std::size_t>(
                        most_bytes_of_median / (frames * sizeof(float)), 1, cells);
  std::vector<float> result(cells), frame(cells), held(portion * frames);  // held: [cell][frame]
  for (std::size_t first = 0; first < cells; first += portion) {
    const std::size_t count = std::min(portion, cells - first);
    for (std::size_t i = 0; i < frames; ++i) {
      check(interrupt);
      source.read(static_cast<int>(i), frame);
      for (std::size_t k = 0; k < count; ++k) held[k * frames + i] = frame[first + k];
    }
    for (std::size_t k = 0; k < count; ++k)
      result[first + k] = median_of_finite(std::span(held).subspan(k * frames, frames));
  }
  return result;
}

/// Returns the median of all frames, cell by cell, unless their mean is asked for; empty without
/// frames. A cell whose values are all not finite becomes NaN.
std::vector<float> average_of(const FrameSource* source, FrameAverage average,
                              const Interrupt* interrupt) {
  if (source == nullptr) return {};
  return average == FrameAverage::median ? median_frame(*source, interrupt)
                                         : mean_frame(*source, interrupt);
}

/// The beam in each cell at a time, as an index of projections.
struct TimedBeam {
  double view = 0;
  std::vector<float> values;
};

/// Returns the means of the flats that were taken at one time, in the order of time. Throws
/// InputError where nothing can be interpolated.
std::vector<TimedBeam> beams_in_time(const RawScan& scan, const Interrupt* interrupt) {
  const std::string remedy = "leave the interpolation out";
  if (scan.flats == nullptr)
    throw InputError("has no flats to interpolate", scan.projections->name(0), remedy);
  if (scan.flat_views.size() != static_cast<std::size_t>(scan.flats->frames()))
    throw InputError(
        "nothing says whether the flats were taken before or after the projections",
        scan.flats->name(0),
        (can_be_named(*scan.flats) ? "name them flat_before and flat_after, or " : "") + remedy +
            " and take the beam from columns of air in each view (--air)");
  std::map<double, std::vector<int>> at;
  for (int i = 0; i < scan.flats->frames(); ++i)
    at[scan.flat_views[static_cast<std::size_t>(i)]].push_back(i);
  if (at.size() < 2)
    throw InputError("all flats were taken at one time", scan.flats->name(0), remedy);
  std::vector<TimedBeam> beams;
  for (const auto& [view, frames] : at)
    beams.push_back({view, mean_frame(*scan.flats, frames, interrupt)});
  return beams;
}

/// Returns the beams of the request, one unless they are interpolated; none where nothing tells it.
std::vector<TimedBeam> beams_of(const RawScan& scan, FrameAverage average,
                                const Interrupt* interrupt) {
  if (average == FrameAverage::interpolated) return beams_in_time(scan, interrupt);
  if (scan.flats != nullptr) return {{0, average_of(scan.flats.get(), average, interrupt)}};
  if (!(scan.white_level > 0)) return {};
  return {
      {0, std::vector<float>(cells_of(*scan.projections), static_cast<float>(scan.white_level))}};
}

/// Throws InputError unless flats or darks, if there are any, are of the size of the projections.
void require_size_of(const FrameSource* source, const RawScan& scan, const std::string& kind) {
  const FrameSource& projections = *scan.projections;
  if (source == nullptr ||
      (source->rows() == projections.rows() && source->columns() == projections.columns()))
    return;
  const bool is_array = std::ranges::any_of(
      scan.assumptions, [](const Assumption& one) { return one.what == axes_assumed; });
  throw InputError(kind + " has " + std::to_string(source->columns()) + " x " +
                       std::to_string(source->rows()) + " cells, the projections have " +
                       std::to_string(projections.columns()) + " x " +
                       std::to_string(projections.rows()),
                   source->name(0),
                   std::string("give frames of one size") +
                       (is_array ? ", or the order of the axes (--axes) if it is another" : ""));
}

/// Makes line integrals of the values of frames, row 0 lowest.
class Normaliser {
 public:
  /// `dark` may be empty. `where` names the beam in messages.
  Normaliser(const FrameSource& projections, std::vector<TimedBeam> beams, std::vector<float> dark,
             int air_columns, const std::string& where)
      : projections_(projections),
        air_columns_(air_columns),
        rows_(projections.rows()),
        columns_(projections.columns()),
        dark_(std::move(dark)),
        beams_(std::move(beams)),
        inverse_(beams_.front().values.size()),
        clipped_(static_cast<std::size_t>(projections.frames())) {
    dark_.resize(inverse_.size());
    for (std::size_t cell = 0; cell < inverse_.size(); ++cell) {
      bool lives = true;
      for (TimedBeam& beam : beams_) {
        const float signal = beam.values[cell] -= dark_[cell];
        lives =
            lives && signal >= std::numeric_limits<float>::min();  // has a reciprocal, is no NaN
      }
      inverse_[cell] = lives ? 1 / beams_.front().values[cell] : 0;
      if (lives) continue;
      dead_.push_back(cell);
      dark_[cell] = 0;  // may be NaN
    }
    std::vector<float> beam = beams_.front().values;
    for (const std::size_t cell : dead_) beam[cell] = 0;
    dim_ = gantry::dim_cells(beam, rows_, columns_);
    if (faulty() > inverse_.size() / 4)
      throw InputError("the flat is not above the dark in " + std::to_string(dead_.size()) +
                           " of " + std::to_string(inverse_.size()) + " cells",
                       where, "check which frames are flats and which are darks");
    repair_ = CellRepair(rows_, columns_, dead_);
  }

  /// Replaces the values of a frame by its line integrals. Several threads may call it at once.
  void compute(int frame, std::span<float> values) {
    for (std::size_t cell = 0; cell < values.size(); ++cell)
      values[cell] = (values[cell] - dark_[cell]) * inverse_[cell];
    if (beams_.size() > 1) follow_beam(values, frame);
    if (air_columns_ > 0) normalise_air(values, frame);
    const std::size_t clipped =
        transmission_kernels().to_line_integrals(values.data(), values.size(), least_transmission);
    // Dead cells have the transmission 0 until here.
    clipped_[static_cast<std::size_t>(frame)] = clipped - dead_.size();
    repair_.apply(values);
  }

  /// Returns flat less dark of each cell, rows in the order of the frames.
  std::span<const float> beam() const { return beams_.front().values; }
  /// Returns the cells that the beam hardly reaches, rows in the order of the frames.
  const DimCells& dim_cells() const { return dim_; }

  /// `in_unlit`: values of the frames that are kept in cells that mend_unlit() mended; `stuck`:
  /// cells that mark_stuck() marked.
  std::vector<std::string> notes(std::span<const int> left_out, std::size_t in_unlit,
                                 std::size_t stuck) const {
    std::vector<std::string> notes;
    std::size_t clipped = std::accumulate(clipped_.begin(), clipped_.end(), std::size_t{0});
    for (const int frame : left_out) clipped -= clipped_[static_cast<std::size_t>(frame)];
    clipped -= in_unlit;
    if (beams_.size() > 1) notes.push_back(drift_note());
    const std::string repaired = " got the mean of the neighbours";
    if (stuck > 0)
      notes.push_back(counted(stuck, "cell") + " with one number in all flats and projections" +
                      repaired);
    if (const std::size_t dead = faulty() - std::min(stuck, faulty()); dead > 0)
      notes.push_back((dead == 1 ? "1 dead cell (its flat is not above its dark)"
                                 : std::to_string(dead) +
                                       " dead cells (their flats are not above their darks)") +
                      repaired);
    if (clipped > 0)
      notes.push_back(std::to_string(clipped) +
                      " values show no beam at all and were taken as a transmission of 1e-6");
    return notes;
  }

 private:
  /// Returns how many cells are dead though the beam reaches those around them.
  std::size_t faulty() const { return dead_.size() - dim_.margin.dead.size(); }

  /// Turns a transmission by the first beam into one by the beam at the time of a frame.
  void follow_beam(std::span<float> transmission, int frame) const {
    std::size_t after = 1;
    while (after + 1 < beams_.size() && beams_[after].view < frame) ++after;
    const TimedBeam &first = beams_.front(), &from = beams_[after - 1], &to = beams_[after];
    const auto part =
        static_cast<float>(std::clamp((frame - from.view) / (to.view - from.view), 0.0, 1.0));
    for (std::size_t cell = 0; cell < transmission.size(); ++cell)
      if (inverse_[cell] > 0)
        transmission[cell] *=
            first.values[cell] / (from.values[cell] + part * (to.values[cell] - from.values[cell]));
  }

  std::string drift_note() const {
    const auto sum = [](const TimedBeam& beam) {
      return std::accumulate(beam.values.begin(), beam.values.end(), 0.0);
    };
    const double percent = 100 * (sum(beams_.back()) / sum(beams_.front()) - 1);
    return "flats of " + std::to_string(beams_.size()) +
           " times were interpolated for each view; from the first to the last the beam changed "
           "by " +
           format_param(to_digits(percent, 3)) + " %";
  }

  void normalise_air(std::span<float> transmission, int frame) const {
    double sum = 0;
    std::size_t count = 0;
    for (int row = 0; row < rows_; ++row)
      for (int k = 0; k < air_columns_; ++k)
        for (const int column : {k, columns_ - 1 - k}) {
          const auto cell = static_cast<std::size_t>(std::ptrdiff_t{row} * columns_ + column);
          if (inverse_[cell] == 0) continue;  // a dead cell sees no air
          sum += transmission[cell];
          ++count;
        }
    const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
    if (!(mean > 0.01))
      throw InputError("the outermost " + std::to_string(air_columns_) + " columns see no air",
                       projections_.name(frame), "give fewer air columns, or 0");
    for (float& value : transmission) value = static_cast<float>(value / mean);
  }

  const FrameSource& projections_;
  int air_columns_, rows_, columns_;
  std::vector<float> dark_;       // per cell
  std::vector<TimedBeam> beams_;  // less the dark; their frames in the order of time
  std::vector<float> inverse_;    // 1 / (flat - dark) of the first beam, 0 where dead
  std::vector<std::size_t> dead_;
  DimCells dim_;
  CellRepair repair_;
  std::vector<std::size_t> clipped_;  // values of each frame
};

/// Returns the cells that the beam of the flats hardly reaches against the noise of the camera,
/// rows in the order of the line integrals.
DimCells dim_cells_of(const RawScan& scan, const Normaliser& normaliser) {
  DimCells cells = normaliser.dim_cells();
  if (cells.margin.weak.empty() && cells.inner.weak.empty() && cells.margin.dead.empty())
    return cells;
  const FrameSource& frames =
      scan.darks != nullptr && scan.darks->frames() > 1 ? *scan.darks : *scan.projections;
  if (frames.frames() > 1) {
    std::vector<float> one(cells_of(frames)), other = one;
    frames.read(0, one);
    frames.read(1, other);
    leave_out_measured(normaliser.beam(), noise_in(cells, one, other), cells);
  }
  return scan.begins_lowest ? cells
                            : turned_over(std::move(cells), frames.rows(), frames.columns());
}

/// Marks cells that are stuck at one number as dead in the beams, and returns how many. Where there
/// are darks, these tell: the flats of such cells are not above them.
std::size_t mark_stuck(const RawScan& scan, std::vector<TimedBeam>& beams) {
  constexpr int most_flats = 2, most_projections = 6;
  if (scan.flats == nullptr || scan.darks != nullptr) return 0;
  std::vector<std::vector<float>> frames;
  for (const auto& [source, most] : {std::pair(scan.flats.get(), most_flats),
                                     std::pair(scan.projections.get(), most_projections)})
    for (const int frame : samples_to_the_ends(source->frames(), most))
      source->read(frame, frames.emplace_back(cells_of(*source)));
  const std::vector<std::size_t> stuck = stuck_cells(frames);
  for (TimedBeam& beam : beams)
    for (const std::size_t cell : stuck)
      beam.values[cell] = std::numeric_limits<float>::quiet_NaN();
  return stuck.size();
}

/// Calls work(frame) for every frame, from all threads, unless it is interrupted.
template <class Work>
void for_frames(int frames, const Interrupt* interrupt, const Work& work) {
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (int frame = 0; frame < frames; ++frame)
    errors.run([&] {
      if (interrupt == nullptr || !interrupt->raised()) work(frame);
    });
  errors.rethrow();
  check(interrupt);
}

/// Notes a beam that the projections contradict: that of the flats, or the one that files state.
void check_beam(const RawScan& scan, std::span<const FrameSummary> summaries,
                const FrameSizes& sizes, LineIntegrals& result) {
  const bool has_flats = scan.flats != nullptr;
  if (!has_flats && !(scan.white_level > 0)) return;
  const std::string beam =
      scan.is_white_level_given ? "the beam that was given" : "the beam that the files state";
  const auto weak = weak_beam_note(column_means(result.values, sizes, result.left_out),
                                   has_flats ? "the flats" : beam);
  if (weak) result.notes.push_back(*weak);
  const auto unseen =
      has_flats ? std::nullopt : unseen_beam_note(summaries, scan.white_level, beam);
  if (unseen) result.notes.push_back(*unseen);
}

}  // namespace

LineIntegrals line_integrals_of(const RawScan& scan, const NormaliseOptions& options,
                                const std::function<void(double)>& progress,
                                const Interrupt* interrupt) {
  const FrameSource& projections = *scan.projections;
  require_size_of(scan.flats.get(), scan, "a flat");
  require_size_of(scan.darks.get(), scan, "a dark");
  if (2 * options.air_columns >= projections.columns() && !options.are_line_integrals)
    throw InputError("the outermost " + std::to_string(options.air_columns) +
                         " columns on both sides are all of its " +
                         std::to_string(projections.columns()) + " columns, with the object",
                     projections.name(0), "give fewer air columns, or 0");
  const int frames = projections.frames();
  const std::size_t cells = cells_of(projections);
  LineIntegrals result;
  std::vector<float> dark;
  std::optional<Normaliser> normaliser;
  if (!options.are_line_integrals) dark = average_of(scan.darks.get(), options.average, interrupt);
  std::vector<TimedBeam> beams;
  if (!options.are_line_integrals) beams = beams_of(scan, options.average, interrupt);
  const double dark_mean = summary_of(dark).mean;
  std::vector<FrameSummary> summaries(static_cast<std::size_t>(frames));
  KeptFrames flats;
  if (!options.are_line_integrals)
    flats = kept_of(scan.flats.get(), scan.marked_at_end_of_flats > 0, interrupt);
  const bool knows_all = options.are_line_integrals || !beams.empty();
  result.lacks_flat = scan.is_white_level_given && !options.are_line_integrals;
  const std::size_t stuck = mark_stuck(scan, beams);
  if (!beams.empty())
    normaliser.emplace(projections, std::move(beams), dark, options.air_columns,
                       (scan.flats ? *scan.flats : projections).name(0));
  result.values.reserve(cells * static_cast<std::size_t>(frames));
  // Few large pages are made much faster than many small ones.
  ask_for_large_pages(result.values.data(), result.values.capacity() * sizeof(float));
  make_pages(result.values.data(), result.values.capacity() * sizeof(float));
  result.values.resize(cells * static_cast<std::size_t>(frames));
  const auto values_of = [&](int frame) {
    return std::span(result.values).subspan(cells * static_cast<std::size_t>(frame), cells);
  };
  UnmeasuredValues unmeasured(projections);
  const auto finish = [&](int frame) {
    if (unmeasured.is_lost(frame)) return;
    if (normaliser) normaliser->compute(frame, values_of(frame));
    unmeasured.repair(frame, values_of(frame));
    if (!scan.begins_lowest) turn_over(values_of(frame), projections.rows(), projections.columns());
  };
  std::atomic<int> done = 0;
  std::vector<PictureKeys> keys(static_cast<std::size_t>(frames));
  for_frames(frames, interrupt, [&](int frame) {
    unmeasured.read(frame, values_of(frame));
    const auto index = static_cast<std::size_t>(frame);
    keys[index] = picture_keys(values_of(frame), static_cast<std::size_t>(projections.columns()));
    if (options.are_line_integrals)
      keys[index].picture.reset();  // which is for counts
    else
      summaries[index] = summary_of(values_of(frame));
    if (knows_all) finish(frame);
    ++done;
    if (progress && frame % 8 == 0) progress(static_cast<double>(done) / frames);
  });
  const std::vector<int> lost = unmeasured.lost_frames();
  ClosedFrames closed;
  if (!options.are_line_integrals)
    closed = dark.empty() ? closed_frames(summaries) : closed_frames(summaries, dark_mean);
  std::vector<int> unlit = closed.indices;
  for (const int frame : unlit) keys[static_cast<std::size_t>(frame)].picture.reset();
  std::erase_if(unlit, [&](int frame) { return unmeasured.is_lost(frame); });
  if (std::string replaced = unmeasured.note(); !replaced.empty())
    result.notes.push_back(std::move(replaced));
  note_repeated(projections, keys, result.notes);
  const FrameSizes sizes{frames, projections.rows(), projections.columns()};
  if (!knows_all) {
    const AssumedBeam beam = assumed_beam(
        result.values, sizes, dark.empty() ? std::nullopt : std::optional(dark_mean), lost, unlit);
    note_assumed_beam(scan, beam, options.air_columns, result);
    if (beam.basis == AssumedBeam::Basis::none) {
      leave_out({}, lost, projections, result);
      for_frames(frames, interrupt, finish);
      return result;
    }
    result.lacks_flat = true;
    normaliser.emplace(projections,
                       std::vector<TimedBeam>{{0, std::vector<float>(cells, beam.level)}}, dark,
                       options.air_columns, projections.name(0));
    for_frames(frames, interrupt, finish);
  }
  leave_out(unlit, lost, projections, result);
  note_doubtful(closed.doubtful, projections, result);
  if (closed.may_be_darks) result.closed = std::move(closed.indices);
  if (!options.are_line_integrals) {
    note_flats(scan, summaries, closed.doubtful, dark_mean, result);
    note_flats_apart(scan, flats.summaries, dark_mean, options, result);
    check_likeness(scan, flats, summaries, dark_mean, interrupt, result);
  }
  const auto note = [&](const std::optional<std::string>& text) {
    if (text) result.notes.push_back(*text);
  };
  if (normaliser) {
    const UnlitCells unlit_cells =
        mend_unlit(dim_cells_of(scan, *normaliser), sizes, result.left_out,
                   0.999F * -std::log(least_transmission), result.values);
    std::ranges::copy(unlit_notes(unlit_cells, sizes), std::back_inserter(result.notes));
    note(saturation_note(flats.summaries, cells, "flats"));
    note(saturation_note(summaries, cells, "projections"));
    if (options.air_columns == 0) check_beam(scan, summaries, sizes, result);
    std::ranges::copy(normaliser->notes(result.left_out, unlit_cells.clipped, stuck),
                      std::back_inserter(result.notes));
  }
  return result;
}

}  // namespace gantry
