#include "core/corrections/rings.hpp"

#include "core/corrections/row_correction.hpp"
#include "core/corrections/rows/row_sinograms.hpp"
#include "core/corrections/stripes.hpp"

namespace gantry {

namespace {

class Rings : public RowCorrection {
 public:
  Rings(const ScanGeometry& scan, const StripeSettings& settings, bool keep_symmetric)
      : RowCorrection(scan), settings_(settings) {
    if (keep_symmetric && scan.rotates()) axis_ = scan.spec().central_column;
  }
  std::size_t workspace_bytes() const override {
    return sinograms().at_once() *
           (stripe_workspace_bytes(views(), columns()) + sinograms().bytes());
  }

 private:
  std::vector<std::string> correct(std::span<float> values,
                                   const Interrupt* interrupt) const override {
    sinograms().require_views("rings");
    std::vector<StripeCounts> of_rows(static_cast<std::size_t>(rows()));
    sinograms().change(values, interrupt, [&](std::size_t row, std::span<float> sinogram) {
      of_rows[row] = remove_stripes(sinogram, views(), columns(), settings_, axis_);
    });
    StripeCounts all;
    for (const StripeCounts& one : of_rows) all += one;
    const std::string of_all =
        " of " +
        counted(static_cast<std::size_t>(rows()) * static_cast<std::size_t>(columns()), "column");
    std::vector<std::string> notes = {
        counted(all.interpolated, "dead or fluctuating column") + " interpolated, " +
        counted(all.levelled, "column") + " with an offset levelled, " +
        counted(all.smoothed, "column") + " of large stripes and " + counted(all.small, "column") +
        " of small ones smoothed," + of_all + "; " +
        (all.interpolated > 0 ? "but for the interpolated ones, " : "") + all.change.text()};
    if (all.kept > 0)
      notes[0] += "; " + counted(all.kept, "column") +
                  " stayed as structure of the object, such as a tube about the axis, because both "
                  "sides of the axis show the same: if they are rings, as of gaps in the detector "
                  "at mirror images, set keep_symmetric=false";
    if (const std::string warning = all.change.warning("use a smaller small_window, 1 at least");
        !warning.empty())
      notes.push_back(warning);
    return notes;
  }

  RowSinograms sinograms() const { return {views(), rows(), columns()}; }

  StripeSettings settings_;
  std::optional<double> axis_;  // its column, where all views have the same and symmetry counts
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
                       "a twelfth of the columns at most. Stripes up to a third as wide whose "
                       "offset is the same in all views are levelled."),
          window_param("small_window", "Small window", usual.small_window,
                       "Width of the median filter against small and medium stripes, a 32nd "
                       "of the columns at most; wider blurs more. 1: only columns of large "
                       "stripes, with an offset, dead or "
                       "fluctuating are changed."),
          {.key = "dropped",
           .label = "Dropped part",
           .unit = {},
           .fallback = usual.dropped,
           .min = 0,
           .max = 0.8,
           .step = 0.05,
           .help = "Part of the values of each column, the largest and the smallest, that does "
                   "not count in the search for large stripes."},
          {.key = "keep_symmetric",
           .label = "Keep what is symmetric",
           .unit = {},
           .fallback = true,
           .help = "What both sides of the axis show alike is structure of the object, such as "
                   "the walls of a tube, and stays. Off: such columns are corrected as well, for "
                   "detectors whose gaps lie at mirror images of each other."}};
}

std::unique_ptr<Correction> make_rings(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<Rings>(
      scan,
      StripeSettings{params.real("snr"), static_cast<int>(params.integer("large_window")),
                     static_cast<int>(params.integer("small_window")), params.real("dropped")},
      params.flag("keep_symmetric"));
}

}  // namespace gantry
