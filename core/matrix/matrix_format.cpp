#include "core/matrix/matrix_format.hpp"

#include "core/base/error.hpp"
#include "core/base/timing.hpp"
#include "core/matrix/stacked_matrix.hpp"
#include "core/operator/host_columns.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>

namespace gantry {

std::size_t MatrixStorage::bytes() const {
  std::size_t sum = 0;
  for (const MatrixPart& part : parts) sum += part.bytes;
  return sum;
}

std::size_t MatrixStorage::bytes(PartOf of) const {
  std::size_t sum = 0;
  for (const MatrixPart& part : parts)
    if (part.of == of) sum += part.bytes;
  return sum;
}

std::unique_ptr<const Matrix> MatrixFormat::stacked(std::unique_ptr<const Matrix> slice,
                                                    const Projector&,
                                                    const SliceStack& stack) const {
  return stack_on_host(std::move(slice), stack);
}

std::size_t MatrixFormat::stack_bytes(const NonzeroEstimate& /*of_slice*/,
                                      const Projector& /*slice*/, const SliceStack& stack) const {
  return slice_bytes(stack);
}

StoredMatrix::StoredMatrix(std::unique_ptr<Projector> weights, std::unique_ptr<MatrixFormat> format,
                           const NonzeroEstimator& estimate)
    : Projector(weights->backend(), weights->shared_geometry(), weights->grid()),
      weights_(std::move(weights)),
      format_(std::move(format)) {
  require_row_source(*weights_);
  if (format_->stacks(backend())) slice_ = shared_slice(*weights_);
  format_->require(stored());
  const NonzeroEstimate nonzeros = estimate(stored());
  nonzeros_ = nonzeros.nonzeros;
  estimated_bytes_ = format_->estimate_bytes(nonzeros, stored());
  if (slice_) estimated_bytes_ += format_->stack_bytes(nonzeros, *slice_, slice_stack(*weights_));
  build_bytes_ = format_->build_bytes(nonzeros, stored());
}

StoredMatrix::~StoredMatrix() = default;

void StoredMatrix::build() const {
  weights_->set_interrupt(interrupt());
  if (slice_) slice_->set_interrupt(interrupt());
  if (built()) return;
  const double build_ms = milliseconds([&] {
    auto matrix = format_->build(stored());
    matrix_ = slice_ ? format_->stacked(std::move(matrix), *weights_, slice_stack(*weights_))
                     : std::move(matrix);
    backend().synchronize();
  });
  storage_ = matrix_->storage();
  storage_.build_s = build_ms / 1e3;
}

const MatrixStorage& StoredMatrix::storage() const {
  build();
  return storage_;
}

double StoredMatrix::rounding() const {
  return std::max(weights_->rounding(), format_->rounding());
}
bool StoredMatrix::repeatable() const { return format_->repeatable(); }

std::size_t StoredMatrix::workspace_bytes() const {
  return weights_->workspace_bytes() +
         (built() ? storage_.bytes() : estimated_bytes_ + build_bytes_);
}

std::unique_ptr<ColumnAccess> MatrixFormat::make_columns(const Projector& weights,
                                                         ColumnWorker /*worker*/) const {
  return weights.backend().kind() == BackendKind::cpu ? stored_columns(weights) : nullptr;
}

std::unique_ptr<ColumnAccess> StoredMatrix::make_columns(ColumnWorker worker) const {
  weights_->set_interrupt(interrupt());
  std::unique_ptr<ColumnAccess> columns = format_->make_columns(*weights_, worker);
  if (const auto* gives = dynamic_cast<const GivesColumns*>(weights_.get());
      columns == nullptr && gives != nullptr)
    columns = gives->make_columns(worker);
  return columns;
}

std::size_t StoredMatrix::columns_bytes() const {
  // The columns of a stack are those of one slice, even if the format stores every slice.
  const double slices = !slice_ && is_stack(geometry(), grid()) ? grid().nz : 1;
  return stored_columns_bytes(nonzeros_ / slices, stored().domain_size());
}

std::string StoredMatrix::note() const {
  std::string size = built() ? "the matrix takes " + format_bytes(storage_.bytes())
                             : "the matrix will take about " + format_bytes(estimated_bytes_);
  if (build_bytes() > 0)
    size += ", while it is built " + format_bytes(estimated_bytes_ + build_bytes());
  const std::string caveat = format_->caveat();
  return caveat.empty() ? size : size + "; " + caveat;
}

void StoredMatrix::do_forward(const Array& x, Array& y, ViewSubset subset) const {
  build();
  matrix_->multiply(x, y, subset, *weights_);
}

void StoredMatrix::do_adjoint(const Array& y, Array& x, ViewSubset subset) const {
  build();
  matrix_->multiply_transposed(y, x, subset, *weights_);
}

double StoredMatrix::do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight,
                                         Array& r, Array& out, ViewSubset subset) const {
  build();
  if (const auto fused = matrix_->residual_transposed(x, b, row_weight, r, out, subset))
    return *fused;
  const double squared_norm = residual_of(x, b, row_weight, r, subset);
  matrix_->multiply_transposed(r, out, subset, *weights_);
  return squared_norm;
}

/// Uses the sweeps of the matrix if its format has them, else computes product by product.
class StoredMatrix::Sweep final : public SubsetSweep {
 public:
  Sweep(const StoredMatrix& A, Array row_weight, const SubsetUpdate& update)
      : SubsetSweep(A, std::move(row_weight), update),
        matrix_(*A.matrix_),
        sweep_(A.matrix_->make_sweep(update, *A.weights_)) {}

  int subsets_at_once(int views_of_subset) const override {
    return matrix_.subsets_at_once(views_of_subset);
  }

 private:
  std::optional<UpdateNorms> swept(Array& x, const Array& b, std::span<const ViewSubset> subsets) {
    return sweep_ ? sweep_->run({x, b, row_weight(), rays()}, subsets) : std::nullopt;
  }
  UpdateNorms do_run(Array& x, const Array& b, std::span<const ViewSubset> subsets) override {
    if (subsets.size() > 1)  // do_update tries a single one
      if (const auto norms = swept(x, b, subsets)) return *norms;
    return SubsetSweep::do_run(x, b, subsets);
  }
  UpdateNorms do_update(Array& x, const Array& b, ViewSubset subset) override {
    if (const auto norms = swept(x, b, {&subset, 1})) return *norms;
    return update_by_products(x, b, subset);
  }

  const Matrix& matrix_;
  std::unique_ptr<MatrixSweep> sweep_;
};

std::unique_ptr<SubsetSweep> StoredMatrix::make_subset_sweep(Array row_weight,
                                                             const SubsetUpdate& update) const {
  build();
  return std::make_unique<Sweep>(*this, std::move(row_weight), update);
}

}  // namespace gantry
