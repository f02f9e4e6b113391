#include "core/corrections/beam_hardening.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/corrections/pointwise.hpp"
#include "core/corrections/row_correction.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gantry {

namespace {

/// Returns " + 0.25 p^2"; nothing for 0.
std::string term(double factor, const std::string& power) {
  if (factor == 0) return {};
  return (factor < 0 ? " - " : " + ") + format_param(std::abs(factor)) + " " + power;
}

class BeamHardening : public RowCorrection {
 public:
  BeamHardening(const ScanGeometry& scan, double a1, double a2, double a3)
      : RowCorrection(scan), a1_(a1), a2_(a2), a3_(a3) {}

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    double greatest = 0;
    for (const float value : line_integrals)
      if (std::isfinite(value)) greatest = std::max<double>(greatest, value);
    change_values(line_integrals, interrupt, [this](float value) {
      const double p = value;
      return static_cast<float>(p * (a1_ + p * (a2_ + p * a3_)));
    });
    std::vector<std::string> notes = {"each line integral p became " + format_param(a1_) + " p" +
                                      term(a2_, "p^2") + term(a3_, "p^3")};
    if (const auto p = first_fall(greatest))
      notes.push_back("this curve falls from p = " + format_param(to_digits(*p, 3)) +
                      " on, so that longer paths got smaller values; the data go up to " +
                      format_param(to_digits(greatest, 3)));
    return notes;
  }

  /// Returns the least line integral up to `greatest` at which the curve falls; nothing without
  /// one.
  std::optional<double> first_fall(double greatest) const {
    constexpr int steps = 1000;
    for (int i = 0; i <= steps && greatest > 0; ++i) {
      const double p = greatest * i / steps;
      if (a1_ + p * (2 * a2_ + 3 * p * a3_) < 0) return p;
    }
    return std::nullopt;
  }

  double a1_, a2_, a3_;
};

ParamSpec coefficient(const std::string& key, double fallback, double step,
                      const std::string& help) {
  return {.key = key,
          .label = key,
          .unit = {},
          .fallback = fallback,
          .min = -1000,
          .max = 1000,
          .step = step,
          .help = help};
}

}  // namespace

std::vector<ParamSpec> beam_hardening_params() {
  return {
      coefficient("a1", 1, 0.01, "Of the line integral p itself; 1 leaves thin objects unchanged."),
      coefficient("a2", 0, 0.01, "Of p squared; positive values raise what long paths lost."),
      coefficient("a3", 0, 0.001, "Of p cubed.")};
}

std::unique_ptr<Correction> make_beam_hardening(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<BeamHardening>(scan, params.real("a1"), params.real("a2"),
                                         params.real("a3"));
}

}  // namespace gantry
