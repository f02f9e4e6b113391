#include "core/io/imports/line_integrals.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/base/params.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace gantry {

namespace {

constexpr float least_transmission = 1e-6F;

std::size_t cells_of(const FrameSource& source) {
  return static_cast<std::size_t>(source.rows()) * static_cast<std::size_t>(source.columns());
}

std::vector<float> frame_of(const FrameSource& source, int frame) {
  std::vector<float> values(cells_of(source));
  source.read(frame, values);
  const auto bad = std::ranges::find_if(values, [](float v) { return !std::isfinite(v); });
  if (bad != values.end()) {
    const auto cell = bad - values.begin();
    throw InputError("row " + std::to_string(cell / source.columns()) + ", column " +
                         std::to_string(cell % source.columns()) + " is not finite",
                     source.name(frame), "replace the value");
  }
  return values;
}

/// Returns the mean or the median of all frames, cell by cell; empty without frames.
std::vector<float> average_of(const FrameSource* source, FrameAverage average) {
  if (source == nullptr) return {};
  const auto frames = static_cast<std::size_t>(source->frames());
  std::vector<std::vector<float>> all;
  for (int i = 0; i < source->frames(); ++i) all.push_back(frame_of(*source, i));
  std::vector<float> result(cells_of(*source));
  std::vector<float> of_cell(frames);
  for (std::size_t cell = 0; cell < result.size(); ++cell) {
    for (std::size_t i = 0; i < frames; ++i) of_cell[i] = all[i][cell];
    if (average == FrameAverage::mean) {
      double sum = 0;
      for (const float value : of_cell) sum += value;
      result[cell] = static_cast<float>(sum / static_cast<double>(frames));
      continue;
    }
    const auto middle = of_cell.begin() + static_cast<std::ptrdiff_t>(frames / 2);
    std::ranges::nth_element(of_cell, middle);
    const float upper = *middle;
    result[cell] =
        frames % 2 == 1 ? upper : 0.5F * (upper + *std::max_element(of_cell.begin(), middle));
  }
  return result;
}

void require_size_of(const FrameSource* source, const FrameSource& projections,
                     const std::string& kind) {
  if (source == nullptr ||
      (source->rows() == projections.rows() && source->columns() == projections.columns()))
    return;
  throw InputError(kind + " has " + std::to_string(source->columns()) + " x " +
                       std::to_string(source->rows()) + " cells, the projections have " +
                       std::to_string(projections.columns()) + " x " +
                       std::to_string(projections.rows()),
                   source->name(0), "give frames of one size");
}

/// Normalises frames and turns their rows over.
class Normaliser {
 public:
  Normaliser(const RawScan& scan, const NormaliseOptions& options)
      : projections_(*scan.projections),
        options_(options),
        rows_(projections_.rows()),
        columns_(projections_.columns()),
        dark_(average_of(scan.darks.get(), options.average)),
        inverse_(average_of(scan.flats.get(), options.average)) {
    if (inverse_.empty()) {
      inverse_.assign(cells_of(projections_), largest_value());
      notes_.push_back("there is no flat: the largest value of the projections, " +
                       format_param(inverse_.front()) + ", was taken as the beam");
    }
    for (std::size_t cell = 0; cell < inverse_.size(); ++cell) {
      const float beam = inverse_[cell] - (dark_.empty() ? 0.0F : dark_[cell]);
      if (!(beam > 0)) dead_.push_back(cell);
      inverse_[cell] = beam > 0 ? 1 / beam : 0;
    }
    if (dead_.size() > inverse_.size() / 4)
      throw InputError("the flat is not above the dark in " + std::to_string(dead_.size()) +
                           " of " + std::to_string(inverse_.size()) + " cells",
                       scan.flats ? scan.flats->name(0) : projections_.name(0),
                       "check which frames are flats and which are darks");
  }

  /// Computes the line integrals of a frame, row 0 lowest.
  void compute(int frame, std::span<float> into) {
    std::vector<float> values = frame_of(projections_, frame);
    for (std::size_t cell = 0; cell < values.size(); ++cell)
      values[cell] = (values[cell] - (dark_.empty() ? 0.0F : dark_[cell])) * inverse_[cell];
    if (options_.air_columns > 0) normalise_air(values, frame);
    std::size_t clipped = 0;
    for (float& value : values) {
      clipped += value < least_transmission ? 1 : 0;
      value = -std::log(std::max(value, least_transmission));
    }
    clipped_ += clipped - dead_.size();
    replace_dead(values);
    for (int row = 0; row < rows_; ++row)
      std::copy_n(values.begin() + std::ptrdiff_t{rows_ - 1 - row} * columns_, columns_,
                  into.begin() + std::ptrdiff_t{row} * columns_);
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = notes_;
    if (!dead_.empty())
      notes.push_back(std::to_string(dead_.size()) +
                      " dead cells (their flat is not above their "
                      "dark) got the mean of their neighbours");
    if (clipped_ > 0)
      notes.push_back(std::to_string(clipped_) +
                      " values show no beam at all and were taken as a transmission of 1e-6");
    return notes;
  }

 private:
  float largest_value() const {
    float largest = 0;
    for (int i = 0; i < projections_.frames(); ++i)
      largest = std::max(largest, std::ranges::max(frame_of(projections_, i)));
    return largest;
  }

  void normalise_air(std::vector<float>& transmission, int frame) const {
    const int air = std::min(options_.air_columns, columns_ / 2);
    double sum = 0;
    for (int row = 0; row < rows_; ++row)
      for (int k = 0; k < air; ++k) {
        const float* line = transmission.data() + std::ptrdiff_t{row} * columns_;
        sum += line[k] + line[columns_ - 1 - k];
      }
    const double mean = sum / (2.0 * air * rows_);
    if (!(mean > 0.01))
      throw InputError("the outermost " + std::to_string(air) + " columns see no air",
                       projections_.name(frame), "give fewer air columns, or 0");
    for (float& value : transmission) value = static_cast<float>(value / mean);
  }

  /// Gives every dead cell the mean of the living ones among its eight neighbours; 0 without any.
  void replace_dead(std::vector<float>& values) const {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    for (const std::size_t cell : dead_) values[cell] = none;
    std::vector<float> means;
    for (const std::size_t cell : dead_) {
      const int row = static_cast<int>(cell) / columns_, column = static_cast<int>(cell) % columns_;
      double sum = 0;
      int count = 0;
      for (int r = std::max(0, row - 1); r <= std::min(rows_ - 1, row + 1); ++r)
        for (int c = std::max(0, column - 1); c <= std::min(columns_ - 1, column + 1); ++c)
          if (const float value = values[static_cast<std::size_t>(r * columns_ + c)];
              !std::isnan(value)) {
            sum += value;
            ++count;
          }
      means.push_back(count > 0 ? static_cast<float>(sum / count) : 0.0F);
    }
    for (std::size_t k = 0; k < dead_.size(); ++k) values[dead_[k]] = means[k];
  }

  const FrameSource& projections_;
  NormaliseOptions options_;
  int rows_, columns_;
  std::vector<float> dark_, inverse_;  // per cell; inverse_: 1 / (flat - dark), 0 where dead
  std::vector<std::size_t> dead_;
  std::atomic<std::size_t> clipped_ = 0;
  std::vector<std::string> notes_;
};

/// Copies frames that hold line integrals already.
void copy_turned(const FrameSource& source, int frame, std::span<float> into) {
  const std::vector<float> values = frame_of(source, frame);
  const std::ptrdiff_t columns = source.columns(), rows = source.rows();
  for (std::ptrdiff_t row = 0; row < rows; ++row)
    std::copy_n(values.begin() + (rows - 1 - row) * columns, columns, into.begin() + row * columns);
}

}  // namespace

LineIntegrals line_integrals_of(const RawScan& scan, const NormaliseOptions& options,
                                const std::function<void(double)>& progress,
                                const Interrupt* interrupt) {
  const FrameSource& projections = *scan.projections;
  require_size_of(scan.flats.get(), projections, "a flat");
  require_size_of(scan.darks.get(), projections, "a dark");
  std::optional<Normaliser> normaliser;
  if (!options.are_line_integrals) normaliser.emplace(scan, options);
  const int frames = projections.frames();
  const std::size_t cells = cells_of(projections);
  LineIntegrals result;
  result.values.resize(cells * static_cast<std::size_t>(frames));
  ParallelErrors errors;
  std::atomic<int> done = 0;
#pragma omp parallel for schedule(dynamic)
  for (int frame = 0; frame < frames; ++frame)
    errors.run([&] {
      if (interrupt != nullptr && interrupt->raised()) return;
      const std::span<float> into(result.values.data() + cells * static_cast<std::size_t>(frame),
                                  cells);
      if (normaliser)
        normaliser->compute(frame, into);
      else
        copy_turned(projections, frame, into);
      ++done;
      if (progress && frame % 8 == 0) progress(static_cast<double>(done) / frames);
    });
  errors.rethrow();
  if (interrupt != nullptr) interrupt->check();
  if (normaliser) result.notes = normaliser->notes();
  return result;
}

}  // namespace gantry
