#include "core/corrections/scatter.hpp"

#include "core/corrections/pointwise.hpp"
#include "core/corrections/row_correction.hpp"

#include <atomic>
#include <cmath>

namespace gantry {

namespace {

/// Lower limit of the corrected transmission, as a part of the measured one.
constexpr double least_part = 0.01;

class Scatter : public RowCorrection {
 public:
  Scatter(const ScanGeometry& scan, double part) : RowCorrection(scan), part_(part) {}

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    std::atomic<std::size_t> limited = 0;
    change_values(line_integrals, interrupt, [&](float p) {
      const double measured = std::exp(-static_cast<double>(p)), left = measured - part_;
      if (left < least_part * measured) ++limited;
      return static_cast<float>(-std::log(std::max(left, least_part * measured) / (1 - part_)));
    });
    std::vector<std::string> notes = {"scatter of " + format_param(part_) +
                                      " of the beam was subtracted"};
    if (limited > 0)
      notes.push_back(counted(limited, "value") +
                      " had less than 1.01 times this scatter and kept 1 % "
                      "of the transmission: the scatter is too large");
    return notes;
  }

  double part_;
};

}  // namespace

std::vector<ParamSpec> scatter_params() {
  return {{.key = "part",
           .label = "Part of the beam",
           .unit = {},
           .fallback = 0.02,
           .min = 0,
           .max = 0.9,
           .step = 0.005,
           .help = "Scatter over the unattenuated beam, the same in all cells."}};
}

std::unique_ptr<Correction> make_scatter(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<Scatter>(scan, params.real("part"));
}

}  // namespace gantry
