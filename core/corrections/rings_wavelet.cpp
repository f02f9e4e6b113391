#include "core/corrections/rings_wavelet.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/corrections/daubechies.hpp"
#include "core/corrections/row_correction.hpp"
#include "core/corrections/rows/row_sinograms.hpp"
#include "core/corrections/unseen_values.hpp"
#include "core/corrections/wavelet_stripes.hpp"

#include <cmath>
#include <numeric>

namespace gantry {

namespace {

class RingsWavelet : public RowCorrection {
 public:
  RingsWavelet(const ScanGeometry& scan, const WaveletSettings& settings)
      : RowCorrection(scan), settings_(settings) {}
  std::size_t workspace_bytes() const override {
    return sinograms().at_once() *
           (wavelet_workspace_bytes(views(), columns(), settings_) + sinograms().bytes());
  }

 private:
  std::vector<std::string> correct(std::span<float> values,
                                   const Interrupt* interrupt) const override {
    sinograms().require_views("rings_wavelet");
    std::vector<RemovedStripes> of_rows(static_cast<std::size_t>(rows()));
    std::vector<std::size_t> bridged(of_rows.size());
    sinograms().change(values, interrupt, [&](std::size_t row, std::span<float> sinogram) {
      // A jump to a value without any beam would spread over all widths of the wavelet.
      const BridgedValues unseen = bridge_unseen(sinogram, columns());
      of_rows[row] = remove_wavelet_stripes(sinogram, views(), columns(), settings_);
      unseen.restore(sinogram);
      bridged[row] = unseen.bridged;
    });
    double sum = 0, largest = 0;
    StripeChange change;
    for (const RemovedStripes& one : of_rows) {
      sum += one.sum_of_squares;
      largest = std::max(largest, static_cast<double>(one.largest));
      change += one.change;
    }
    const double usual = std::sqrt(sum / static_cast<double>(values.size()));
    std::vector<std::string> notes = {"stripes of " + format_param(to_digits(usual, 3)) +
                                      " (root mean square) were subtracted, " +
                                      format_param(to_digits(largest, 3)) + " at most, by " +
                                      counted(static_cast<std::size_t>(settings_.levels), "level") +
                                      "; " + change.text()};
    if (const std::string warning = change.warning("use fewer levels"); !warning.empty())
      notes.push_back(warning);
    if (const auto count = std::accumulate(bridged.begin(), bridged.end(), std::size_t{0}))
      notes.push_back(counted(count, "value") +
                      " of cells without any beam became the line between those beside them");
    return notes;
  }

  RowSinograms sinograms() const { return {views(), rows(), columns()}; }

  WaveletSettings settings_;
};

}  // namespace

std::vector<ParamSpec> rings_wavelet_params() {
  const WaveletSettings usual;
  return {
      {.key = "levels",
       .label = "Levels",
       .unit = {},
       .fallback = std::int64_t{0},
       .min = 0,
       .max = 12,
       .step = 1,
       .help = "A stripe of w columns keeps up to 1.3 w / 2^levels of its height. More levels take "
               "more of objects whose edges stay at the same columns, above all of few views and "
               "columns. "
               "0: as many as suit these.",
       .least_means = "by views and columns"},
      {.key = "sigma",
       .label = "Damping σ",
       .unit = "waves",
       .fallback = usual.sigma,
       .min = 0.1,
       .max = 1000,
       .step = 0.5,
       .help = "Stripes whose height changes along the views by up to about so many waves are "
               "removed too. Larger values take more of the object near the axis."},
      {.key = "vanishing_moments",
       .label = "Vanishing moments",
       .unit = {},
       .fallback = std::int64_t{usual.vanishing_moments},
       .min = 1,
       .max = most_vanishing_moments,
       .step = 1,
       .help = "Of Daubechies' wavelet; more separate neighbouring widths better, and reach "
               "over more columns."}};
}

std::unique_ptr<Correction> make_rings_wavelet(const ScanGeometry& scan, const Params& params) {
  const int levels = static_cast<int>(params.integer("levels"));
  return std::make_unique<RingsWavelet>(
      scan,
      WaveletSettings{levels > 0 ? levels : suitable_levels(scan.views(), scan.columns()),
                      params.real("sigma"), static_cast<int>(params.integer("vanishing_moments"))});
}

}  // namespace gantry
