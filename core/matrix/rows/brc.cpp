#include "core/matrix/rows/brc.hpp"

#include "core/matrix/rows/matrix_kernels.hpp"
#include "core/matrix/rows/sliced_rows.hpp"

namespace gantry {

namespace {

class BrcFormat final : public MatrixFormat {
 public:
  explicit BrcFormat(std::size_t width) : width_(width) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return static_cast<std::size_t>(sliced_rows_bytes(estimate, width_)) +
           row_block_workspace(estimate);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return build_row_blocks(weights,
                            [this](const ViewCsr& rows) { return slice_rows(rows, width_); });
  }

 private:
  std::size_t width_;
};

}  // namespace

std::vector<ParamSpec> brc_params() {
  return {{.key = "width",
           .label = "Block width",
           .unit = "",
           .fallback = std::string("256"),
           .choices = {"16", "64", "256", "1024"},
           .help = "A block holds at most this many nonzeros of each of its 32 rows."}};
}

std::unique_ptr<MatrixFormat> make_brc(const Params& params) {
  return std::make_unique<BrcFormat>(std::stoul(params.text("width")));
}

}  // namespace gantry
