#include "core/corrections/scale.hpp"

#include "core/corrections/pointwise.hpp"
#include "core/corrections/row_correction.hpp"

namespace gantry {

namespace {

class Scale : public RowCorrection {
 public:
  Scale(const ScanGeometry& scan, double factor) : RowCorrection(scan), factor_(factor) {}

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    change_values(line_integrals, interrupt,
                  [this](float p) { return static_cast<float>(factor_ * p); });
    std::vector<std::string> notes = {"all line integrals were multiplied by " +
                                      format_param(factor_)};
    if (factor_ == 0) notes.emplace_back("a factor of 0 leaves nothing of the data");
    return notes;
  }

  double factor_;
};

}  // namespace

std::vector<ParamSpec> scale_params() {
  return {{.key = "factor",
           .label = "Factor",
           .unit = {},
           .fallback = 1.0,
           .min = -1e6,
           .max = 1e6,
           .step = 0.1,
           .help = "All line integrals are multiplied by it; -1 turns their sign."}};
}

std::unique_ptr<Correction> make_scale(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<Scale>(scan, params.real("factor"));
}

}  // namespace gantry
