#include "core/corrections/rings.hpp"

#include "core/base/cpu_threads.hpp"
#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"
#include "core/corrections/stripes.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr int fewest_views = 16;  // sorted columns of fewer are no distribution to compare
constexpr std::size_t values_between_checks = std::size_t{1} << 21;  // some tenths of a second

std::size_t threads() { return static_cast<std::size_t>(cpu_threads()); }

class Rings : public Correction {
 public:
  Rings(const ScanGeometry& scan, const StripeSettings& settings)
      : Correction(scan), settings_(settings) {}
  std::size_t workspace_bytes() const override {
    return std::min(threads(), static_cast<std::size_t>(rows())) *
           (stripe_workspace_bytes(views(), columns()) + sinogram_size() * sizeof(float));
  }

 private:
  std::vector<std::string> correct(std::span<float> values,
                                   const Interrupt* interrupt) const override {
    if (views() < fewest_views)
      throw InputError("needs " + std::to_string(fewest_views) + " views, and the scan has " +
                           std::to_string(views()),
                       "rings", "leave this correction out");
    std::vector<StripeCounts> of_rows(static_cast<std::size_t>(rows()));
    for_lines(
        rows(), interrupt,
        [&](std::ptrdiff_t row) {
          of_rows[static_cast<std::size_t>(row)] =
              correct_row(values, static_cast<std::size_t>(row));
        },
        rows_between_checks());
    StripeCounts all;
    for (const StripeCounts& one : of_rows) all += one;
    const std::string of_all =
        " of " +
        counted(static_cast<std::size_t>(rows()) * static_cast<std::size_t>(columns()), "column");
    return {counted(all.interpolated, "dead or fluctuating column") + " interpolated and " +
            counted(all.smoothed, "column") + " of large stripes smoothed," + of_all};
  }

  StripeCounts correct_row(std::span<float> values, std::size_t row) const {
    const auto width = static_cast<std::size_t>(columns());
    std::vector<float> sinogram(sinogram_size());
    const auto line = [&](std::size_t view) {
      return values.subspan(view * cells() + row * width, width);
    };
    const auto own = [&](std::size_t view) {
      return std::span(sinogram).subspan(view * width, width);
    };
    const auto count = static_cast<std::size_t>(views());
    for (std::size_t v = 0; v < count; ++v) std::ranges::copy(line(v), own(v).begin());
    const StripeCounts counts = remove_stripes(sinogram, views(), columns(), settings_);
    for (std::size_t v = 0; v < count; ++v) std::ranges::copy(own(v), line(v).begin());
    return counts;
  }

  std::size_t sinogram_size() const {
    return static_cast<std::size_t>(views()) * static_cast<std::size_t>(columns());
  }
  std::ptrdiff_t rows_between_checks() const {
    return static_cast<std::ptrdiff_t>(
        std::max(threads(), values_between_checks / sinogram_size()));
  }

  StripeSettings settings_;
};

ParamSpec window_param(const std::string& key, const std::string& label, int fallback,
                       const std::string& help) {
  return {.key = key,
          .label = label,
          .unit = "columns",
          .fallback = std::int64_t{fallback},
          .min = 1,
          .max = 1001,
          .step = 2,
          .help = help};
}

}  // namespace

std::vector<ParamSpec> rings_params() {
  const StripeSettings usual;
  return {{.key = "snr",
           .label = "Signal to noise",
           .unit = {},
           .fallback = usual.snr,
           .min = 1.1,
           .max = 1000,
           .step = 0.5,
           .help = "From this ratio on a column of the sinogram is a stripe of its own; larger "
                   "values find fewer."},
          window_param("large_window", "Large window", usual.large_window,
                       "Width of the median filter that bridges large stripes: twice theirs, and "
                       "a twelfth of the columns at most."),
          window_param("small_window", "Small window", usual.small_window,
                       "Width of the median filter against small and medium stripes; wider "
                       "blurs more. 1: only large, dead and fluctuating columns are changed."),
          {.key = "dropped",
           .label = "Dropped part",
           .unit = {},
           .fallback = usual.dropped,
           .min = 0,
           .max = 0.8,
           .step = 0.05,
           .help = "Part of the values of each column, the largest and the smallest, that does "
                   "not count in the search for large stripes."}};
}

std::unique_ptr<Correction> make_rings(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<Rings>(
      scan,
      StripeSettings{params.real("snr"), static_cast<int>(params.integer("large_window")),
                     static_cast<int>(params.integer("small_window")), params.real("dropped")});
}

}  // namespace gantry
