// Symmetric CSR. With the symmetry group G of the scan (ScanSymmetry) and W the matrix rows of its
// stored views (symmetric_copies.hpp):
//   y = A x:    X[j, k] = x[g_k j],  Y = W X,    y[g_k r] = Y[r, k]
//   x = A^T y:  Y[r, k] = y[g_k r],  X = W^T Y,  x[j] = sum_k X[g_k^-1 j, k]
// Yu et al. (cuART), section 3. The threads of the published transpose race for the voxels; here
// each sum is computed by one thread.
#include "core/matrix/symmetric/scsr.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/matrix/symmetric/column_permutation.hpp"
#include "core/matrix/symmetric/scsr_bands.hpp"
#include "core/matrix/symmetric/scsr_blocks.hpp"
#include "core/matrix/symmetric/symmetric_copies.hpp"

namespace gantry {

namespace {

/// Uninitialised float values, aligned to cache lines.
class Lines {
 public:
  explicit Lines(std::size_t floats)
      : lines_(std::make_unique_for_overwrite<Line[]>((floats + 15) / 16)) {}
  float* data() { return lines_[0].value; }

 private:
  struct alignas(64) Line {
    float value[16];
  };
  std::unique_ptr<Line[]> lines_;
};

/// Returns the bytes of the vectors of a product with all views: copies of the image and, in the
/// transposed product, of the rays; with a blocking also float64 sums of the image.
std::size_t vector_bytes(const SymmetricCopies& copies, int views, bool blocks) {
  const SymmetricCopies::Plan plan = copies.plan(ViewSubset::all(views));
  return static_cast<std::size_t>(plan.vectors) *
         (copies.voxels() * (sizeof(float) + (blocks ? sizeof(double) : 0)) +
          copies.stored_views() * copies.cells() * sizeof(float));
}

class Scsr final : public Matrix {
 public:
  Scsr(SymmetricCopies copies, std::unique_ptr<const ScsrStoredViews> stored,
       std::size_t vector_bytes)
      : copies_(std::move(copies)), stored_(std::move(stored)), vector_bytes_(vector_bytes) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    const SymmetricCopies::Plan plan = copies_.plan(subset);
    Lines images(copies_.voxels() * static_cast<std::size_t>(plan.vectors));
    copies_.gather(x.host().data(), plan, images.data());
    float* rays = y.host().data();
    stored_->multiply(
        plan.stored, plan.vectors, images.data(),
        [&](std::size_t i, const double* sums) { copies_.spread(sums, plan, i, rays); },
        interruptible);
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    const SymmetricCopies::Plan plan = copies_.plan(subset);
    const auto vectors = static_cast<std::size_t>(plan.vectors);
    Lines rays(plan.stored.size() * copies_.cells() * vectors), images(copies_.voxels() * vectors);
    const float* from = y.host().data();
    ParallelErrors errors;
#pragma omp parallel for
    for (std::size_t i = 0; i < plan.stored.size(); ++i)
      errors.run(
          [&] { copies_.collect(from, plan, i, rays.data() + i * copies_.cells() * vectors); });
    errors.rethrow();
    stored_->multiply_transposed(plan.stored, plan.vectors, rays.data(), images.data(),
                                 interruptible);
    if (!interruptible.interrupted()) copies_.fold(images.data(), plan, x.host().data());
  }

  MatrixStorage storage() const override {
    MatrixStorage all;
    for (std::size_t v = 0; v < copies_.stored_views(); ++v) {
      all.stored += stored_->nonzeros(v);
      all.nonzeros += nonzeros_of_images(v) * copies_.images_of(v);
    }
    stored_->describe(all);
    all.parts.push_back({"vectors of a product", vector_bytes_, PartOf::workspace});
    return all;
  }

 private:
  /// Returns the number of nonzeros of A in each view that is an image of stored view v.
  std::uint64_t nonzeros_of_images(std::size_t v) const {
    if (copies_.images_in_view(0) == 1) return stored_->nonzeros(v);
    const ViewCsr rows = stored_->decode(v);
    std::uint64_t count = 0;
    for (std::size_t cell = 0; cell < copies_.cells(); ++cell)
      count += std::uint64_t{rows.row_start[cell + 1] - rows.row_start[cell]} *
               static_cast<std::uint64_t>(copies_.images_in_view(cell));
    return count;
  }

  SymmetricCopies copies_;
  std::unique_ptr<const ScsrStoredViews> stored_;
  std::size_t vector_bytes_;
};

class ScsrFormat final : public MatrixFormat {
 public:
  explicit ScsrFormat(const Params& params)
      : weights_(params.text("weights") == "compact" ? ScsrWeights::compact : ScsrWeights::float32),
        blocking_(params.text("blocking")),
        order_(parse_column_order(params.text("permutation"))) {
    if (weights_ == ScsrWeights::compact && blocking_ != "none")
      throw UsageError("weights compact (half precision) are not available with dense blocks",
                       "format.blocking", "use blocking none, or weights float32");
  }

  void require(const Projector& weights) const override {
    require_scsr_blocking(weights, blocking_);
    const ScanSymmetry symmetry(weights.geometry(), weights.grid());
    if (symmetry.elements().size() > 1) return;
    throw UsageError(
        "SCSR stores a part of the views and needs a scan that rotations by 90 degrees or mirrors "
        "map onto itself; here " +
            symmetry.failures().front().reason,
        "format", "use another format, or another grid or scan");
  }

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const ScanSymmetry symmetry(weights.geometry(), weights.grid());
    const std::vector<int>& views = symmetry.stored_views();
    const int rows = kept_rows(symmetry, weights);
    const std::string quantity =
        "scsr " + blocking_ + (weights_ == ScsrWeights::compact ? " compact" : "");
    const double bytes = estimate.quantity(quantity, [&] {
      const ScsrSample sample = sample_stored_views(weights, views, rows, blocking_ == "view");
      return blocked() ? scsr_blocks_bytes(sample, weights, blocking_)
                       : scsr_bands_bytes(sample, views.size(), estimate.columns, weights_);
    });
    return static_cast<std::size_t>(bytes) +
           vector_bytes({symmetry, weights.geometry(), weights.grid(), rows}, estimate.views,
                        blocked());
  }
  /// The blocks are filled from the matrix rows of all stored views.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    if (!blocked()) return 0;
    const ScanSymmetry symmetry(weights.geometry(), weights.grid());
    return static_cast<std::size_t>(
        (8 * estimate.nonzeros + 4 * static_cast<double>(estimate.rows)) *
        static_cast<double>(symmetry.stored_views().size()) / estimate.views);
  }

  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    const ScanSymmetry symmetry(weights.geometry(), weights.grid());
    const int rows = kept_rows(symmetry, weights);
    SymmetricCopies copies(symmetry, weights.geometry(), weights.grid(), rows);
    const std::size_t vectors = vector_bytes(copies, weights.views(), blocked());
    return std::make_unique<Scsr>(
        std::move(copies), make_stored_views(weights, symmetry.stored_views(), rows), vectors);
  }

  /// Parameters "transpose" and "residual" choose between ways that exist on a device only; a
  /// permutation of columns is that of a dense sub-matrix.
  bool uses(const std::string& parameter) const override {
    return parameter != "transpose" && parameter != "residual" &&
           (parameter != "permutation" || blocked());
  }

  /// Half precision changes a weight by 2^-11 of it at most; the factor 2 allows for single values
  /// of a product that exceed the root mean square.
  double rounding() const override { return weights_ == ScsrWeights::compact ? 0x1p-10 : 1e-6; }

 private:
  bool blocked() const { return blocking_ != "none"; }
  /// Returns how many detector rows of a view are stored. Dense blocks consist of whole views.
  int kept_rows(const ScanSymmetry& symmetry, const Projector& weights) const {
    return blocked() ? weights.geometry().rows()
                     : SymmetricCopies::rows_to_keep(symmetry, weights.geometry());
  }
  std::unique_ptr<const ScsrStoredViews> make_stored_views(const Projector& weights,
                                                           const std::vector<int>& stored_views,
                                                           int rows) const {
    if (!blocked()) return make_scsr_bands(weights, stored_views, weights_, rows);
    return make_scsr_blocks(weights, stored_views, blocking_, order_);
  }

  ScsrWeights weights_;
  std::string blocking_;
  ColumnOrder order_;
};

}  // namespace

std::vector<ParamSpec> scsr_params() {
  return {
      {.key = "weights",
       .label = "Weights",
       .unit = "",
       .fallback = std::string("float32"),
       .choices = {"float32", "compact"},
       .help = "float32 keeps them as computed. compact takes 4 bytes a nonzero with its column: "
               "half precision, exact to 0.05 %; on a device of the vectors too.",
       .in_names = ""},
      {.key = "transpose",
       .label = "Transpose",
       .unit = "",
       .fallback = std::string("gather"),
       .choices = {"gather", "atomics", "colouring", "unsafe"},
       .study_choices = {"colouring", "unsafe"},
       .help =
           "How a device adds what several rays give to a voxel. Gather: from a transpose that it "
           "stores beside the rows, the fastest, at twice the memory. Atomics: without one, in no "
           "order, so that results differ in rounding from run to run. The CPU always gathers.",
       .study_help =
           "Colouring: without a stored transpose, tile by tile, where only rays that share no "
           "voxel are added at a time. Unsafe: cuART's way, which races and gives wrong sums."},
      {.key = "residual",
       .label = "Residual",
       .unit = "",
       .fallback = std::string("split"),
       .choices = {"split", "fused"},
       .study_choices = {"fused"},
       .help = "Split: W x, the residual, and its transposed product one after the other. Fused: "
               "cuART's single kernel: a device computes the residual of a row and adds it to the "
               "voxels in one launch, by atomic operations; results differ in rounding from run to "
               "run. "
               "For methods that take all rays at once. The CPU always splits.",
       .in_names = ""},
      {.key = "blocking",
       .label = "Blocking",
       .unit = "",
       .fallback = std::string("none"),
       .choices = {"none", "global", "view"},
       .study_choices = {"global", "view"},
       .help = "cuART's padded dense sub-matrices, built on the CPU. global: all stored rows, "
               "paired by length. view: neighbouring views fill up each other's short rows. A "
               "device uses a thread per dense row and atomic operations. Slower; for comparison.",
       .in_names = ""},
      {.key = "permutation",
       .label = "Column permutation",
       .unit = "",
       .fallback = std::string("none"),
       .choices = {"none", "shift", "distinct"},
       .study_choices = {"shift", "distinct"},
       .help = "With a blocking: the order of a row's nonzeros, chosen so that threads, which "
               "process one row each, write to the same pixel less often. Shift: cuART's, each row "
               "rotated by one more. Distinct: chosen so that the 32 rows of a warp have different "
               "pixels at a time."}};
}
std::unique_ptr<MatrixFormat> make_scsr(const Params& params) {
  return std::make_unique<ScsrFormat>(params);
}

}  // namespace gantry
