#include "gpu/matrix/scsr/scsr.hpp"

#include "core/base/error.hpp"
#include "core/base/named_value.hpp"
#include "core/matrix/stacked_matrix.hpp"
#include "core/matrix/symmetric/scsr_blocks.hpp"
#include "gpu/matrix/cuda_format.hpp"
#include "gpu/matrix/scsr/scsr_cone.hpp"
#include "gpu/matrix/scsr/scsr_dense.hpp"
#include "gpu/matrix/scsr/scsr_estimate.hpp"
#include "gpu/matrix/scsr/scsr_tiled.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr std::pair<const char*, ScsrTranspose> transposes[] = {
    {"gather", ScsrTranspose::gather},
    {"atomics", ScsrTranspose::atomics},
    {"colouring", ScsrTranspose::colouring},
    {"unsafe", ScsrTranspose::unsafe}};

constexpr const char* racing_transpose =
    "its transpose adds without synchronisation, as cuART does: simultaneous additions get lost, "
    "and results are wrong";

class ScsrFormat final : public CudaFormat {
 public:
  explicit ScsrFormat(const Params& params)
      : options_{params.text("weights") == "compact", params.text("residual") == "fused",
                 named_value(params.text("transpose"), transposes)},
        blocking_(params.text("blocking")),
        order_(parse_column_order(params.text("permutation"))) {
    if (options_.half && dense())
      throw UsageError("weights compact (half precision) are not available with dense blocks",
                       "format.blocking", "use blocking none, or weights float32");
  }

  void require(const Projector& weights) const override {
    require_scsr_blocking(weights, blocking_);
    require_stored_views(weights.geometry(), weights.grid());
    if (is_space(weights)) require_cone_options();
  }

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    if (is_space(weights)) return scsr_cone_bytes(estimate, weights, options_);
    return dense() ? scsr_dense_bytes(estimate, weights, blocking_, options_.fused)
                   : scsr_tiled_bytes(estimate, weights, options_);
  }
  /// Only three-dimensional scans take further memory, because the entries of their runs are
  /// sorted; the matrix rows of single slices are written to their final place.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    return is_space(weights) ? scsr_cone_build_bytes(estimate, weights) : 0;
  }
  std::size_t stack_bytes(const NonzeroEstimate& of_slice, const Projector& slice,
                          const SliceStack& stack) const override {
    return CudaFormat::stack_bytes(of_slice, slice, stack) +
           (dense() ? 0 : scsr_room_bytes(of_slice, slice, options_, stack.slices));
  }

  /// Only dense sub-matrices have a permutation of their matrix columns.
  bool uses(const std::string& parameter) const override {
    return parameter != "permutation" || dense();
  }

  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    if (is_space(weights))
      return make_scsr_cone(cuda_backend(weights.backend()), weights, options_);
    const StoredViews stored(ScanSymmetry(weights.geometry(), weights.grid()), weights.grid(),
                             weights.geometry().columns());
    if (dense())
      return make_scsr_dense(
          cuda_backend(weights.backend()), weights, stored,
          {blocking_, order_, options_.transpose != ScsrTranspose::unsafe, options_.fused});
    return make_scsr_tiled(cuda_backend(weights.backend()), weights, stored, options_);
  }

  std::unique_ptr<const Matrix> stacked(std::unique_ptr<const Matrix> slice,
                                        const Projector& weights,
                                        const SliceStack& stack) const override {
    if (const auto* stored = dynamic_cast<const TiledStoredViews*>(slice.get()))
      stored->make_room(stack.slices);
    return CudaFormat::stacked(std::move(slice), weights, stack);
  }

  /// Weights and values are rounded to 11 bits: half a unit in the last place of both, for a sum of
  /// one term.
  double rounding() const override { return options_.half ? 7e-4 : 1e-6; }
  bool repeatable() const override {
    return !dense() && !options_.fused &&
           (options_.transpose == ScsrTranspose::gather ||
            options_.transpose == ScsrTranspose::colouring);
  }
  std::string caveat() const override {
    return options_.transpose == ScsrTranspose::unsafe ? racing_transpose : "";
  }

 private:
  bool dense() const { return blocking_ != "none"; }
  static bool is_space(const Projector& weights) {
    return !is_planar(weights.geometry(), weights.grid());
  }
  void require_cone_options() const {
    const auto refuse = [](const char* what, const char* where, const char* remedy) {
      throw UsageError(std::string("SCSR on a GPU supports ") + what + " for single slices only",
                       where, remedy);
    };
    if (dense()) refuse("dense sub-matrices", "format.blocking", "use blocking none");
    if (options_.fused) refuse("a fused residual", "format.residual", "use residual split");
    if (options_.transpose == ScsrTranspose::colouring)
      refuse("a transpose by colours", "format.transpose", "use gather or atomics");
  }

  TiledOptions options_;
  std::string blocking_;
  ColumnOrder order_;
};

}  // namespace

std::unique_ptr<MatrixFormat> make_cuda_scsr(const Params& params) {
  return std::make_unique<ScsrFormat>(params);
}

}  // namespace gantry
