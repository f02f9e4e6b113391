#include "core/corrections/beam_hardening_bimodal.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/corrections/pointwise.hpp"
#include "core/corrections/row_correction.hpp"

#include <cmath>

namespace gantry {

namespace {

class BeamHardeningBimodal : public RowCorrection {
 public:
  BeamHardeningBimodal(const ScanGeometry& scan, double ratio, double soft_part)
      : RowCorrection(scan), excess_(ratio - 1), soft_part_(soft_part) {}

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    change_values(line_integrals, interrupt,
                  [this](float p) { return static_cast<float>(corrected(p)); });
    const auto text = [this](double p) { return format_param(to_digits(corrected(p), 4)); };
    return {"line integrals of 1, 3 and 6 became " + text(1) + ", " + text(3) + " and " + text(6)};
  }

  double corrected(double p) const {
    if (!(p > 0) || !std::isfinite(p)) return p;
    // The curve p(q) rises and is concave: from the tangent at 0 on, Newton's steps come from below
    // and never pass the solution.
    const double slope_at_0 = 1 + soft_part_ * excess_;
    double q = p / slope_at_0;
    constexpr int most_steps = 50;  // 3 to 6 suffice
    for (int step = 0; step < most_steps; ++step) {
      const double soft = soft_part_ * std::exp(-excess_ * q), both = 1 - soft_part_ + soft,
                   change = (p - q + std::log(both)) / (1 + excess_ * soft / both);
      q += change;
      if (change <= 1e-9 * q) break;
    }
    return slope_at_0 * q;
  }

  double excess_, soft_part_;
};

}  // namespace

std::vector<ParamSpec> beam_hardening_bimodal_params() {
  return {{.key = "ratio",
           .label = "Ratio r",
           .unit = {},
           .fallback = 1.46,
           .min = 1,
           .max = 100,
           .step = 0.05,
           .help = "Attenuation of the material at the lower over that at the higher energy: water "
                   "1.46, aluminium 2.8 for 40 and 80 keV. 1 changes nothing."},
          {.key = "soft_part",
           .label = "Soft part s",
           .unit = {},
           .fallback = 0.5,
           .min = 0,
           .max = 0.99,
           .step = 0.05,
           .help = "Of the lower energy in what the detector measures of the beam in air."}};
}

std::unique_ptr<Correction> make_beam_hardening_bimodal(const ScanGeometry& scan,
                                                        const Params& params) {
  return std::make_unique<BeamHardeningBimodal>(scan, params.real("ratio"),
                                                params.real("soft_part"));
}

}  // namespace gantry
