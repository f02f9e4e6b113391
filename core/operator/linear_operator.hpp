#pragma once

#include "core/backend/array.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/view_subset.hpp"
#include "core/operator/row_source.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

struct VolumeGrid;

/// The numbers of x <- max(x + relaxation C A^T R (b - A x), low), C = diag(1 / column sum), 0
/// where a sum is negligible; or C = column_weight, where that is above 0.
struct WeightedUpdate {
  float relaxation = 1, low = 0, smallest_column_sum = 0;
  float column_weight = 0;

  bool by_column_sums() const { return column_weight <= 0; }
  int products() const { return by_column_sums() ? 3 : 2; }  ///< with A or its transpose

  /// By column sums, of `count` voxels in a row: from the gradient A^T R (b - A x) and the sums.
  /// Returns the squared norm of the change.
  double apply(float* x, const float* gradient, const float* column_sum, std::size_t count) const;
};

/// What x <- max(x + relaxation C A^T R (b - A x), low) is made of, R = diag(row_weight), the
/// identity where null, and C = diag(column_weight). A row weight is an array of rays, or one that
/// inverse_row_sums() made.
struct GradientStep {
  const Array* row_weight;
  const Array& column_weight;
  float relaxation = 1, low = 0;
};

/// Squared norms that an update computes on its way: of b - A x over the subset's views, and of the
/// change of x.
struct UpdateNorms {
  double residual_square = 0, update_square = 0;
};

/// What an update may write over: ray-sized and image-sized.
struct UpdateScratch {
  Array rays, gradient, column_weight;
};

/// What a gradient_update takes beside x, b and the weights: which scratch it has to be given, and
/// memory of its own, bytes. And how many elements inverse_row_sums() has, where it is in a form of
/// the operator's own; else 0.
struct GradientRoom {
  bool rays = true, image = true;
  std::size_t workspace_bytes = 0;
  std::size_t row_weight_size = 0;
};

/// What a computation needs of a device, and what that has.
struct MemoryShare {
  std::string device;
  std::size_t needed_bytes = 0, free_bytes = 0;
  bool fits() const { return needed_bytes <= free_bytes; }
};

/// A linear map A from an image (float32, `domain_size` voxels) to ray sums [view][cell], with its
/// transpose. Rows come in views; every operation can be restricted to a ViewSubset, and then reads
/// or writes only those views of the full-length ray array.
///
/// Public operations check lengths, backend and subset once and throw ShapeError; do_* trusts. When
/// an Interrupt is set and raised they throw Interrupted, with outputs undefined and inputs
/// untouched.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  LinearOperator(const LinearOperator&) = delete;
  LinearOperator& operator=(const LinearOperator&) = delete;

  std::size_t domain_size() const { return domain_size_; }
  std::size_t cells_per_view() const { return cells_per_view_; }
  int views() const { return views_; }
  std::size_t range_size() const { return cells_per_view_ * static_cast<std::size_t>(views_); }
  ViewSubset all() const { return ViewSubset::all(views_); }
  Backend& backend() const { return *backend_; }

  /// y = A x. Overwrites the subset's views of y.
  void forward(const Array& x, Array& y, ViewSubset subset) const;
  void forward(const Array& x, Array& y) const { forward(x, y, all()); }

  /// x = A^T y, from the subset's views of y. Overwrites x.
  void adjoint(const Array& y, Array& x, ViewSubset subset) const;
  void adjoint(const Array& y, Array& x) const { adjoint(y, x, all()); }

  /// r = C (b - A x) on the subset's views, with C = diag(row_weight) or the identity when null,
  /// and out = A^T r. Returns ||b - A x||^2 over those views.
  double residual_adjoint(const Array& x, const Array& b, const Array* row_weight, Array& r,
                          Array& out, ViewSubset subset) const;

  /// Makes the step with all views. Writes over `r`, ray-sized, and `gradient`, image-sized, which
  /// may be empty where gradient_room() does without; whether these hold anything of use then is up
  /// to the operator. Interrupted, it leaves x as it was.
  UpdateNorms gradient_update(Array& x, const Array& b, const GradientStep& step, Array& r,
                              Array& gradient) const;
  virtual GradientRoom gradient_room() const { return {true, true, workspace_bytes()}; }
  /// R = diag(1 / row sums of A), 0 where a sum is not above `threshold`, for gradient_update: ray
  /// by ray, or in a form of the operator's own that takes less memory, is rounded and serves
  /// nothing else (gradient_room). `ones`: an image of ones.
  Array inverse_row_sums(const Array& ones, float threshold) const;

  /// x <- max(x + relaxation C_s A_s^T R (b_s - A_s x), low) for a subset s of the views, with R =
  /// diag(row_weight) and C_s = diag(1 / column sums of A_s), or as `update` says. Interrupted, it
  /// leaves x as it was.
  UpdateNorms weighted_update(Array& x, const Array& b, const Array& row_weight,
                              const WeightedUpdate& update, UpdateScratch& scratch,
                              ViewSubset subset) const;

  /// weighted_update for one subset after the other; norms are summed over them. Interrupted, it
  /// leaves x as it was before the first.
  UpdateNorms weighted_sweep(Array& x, const Array& b, const Array& row_weight,
                             const WeightedUpdate& update, UpdateScratch& scratch,
                             std::span<const ViewSubset> subsets) const;
  /// How many subsets it likes to be given at once, where single updates are so short that asking
  /// for them takes longer. They should last no longer than somebody who waits can bear. May depend
  /// on what the first product has made.
  virtual int updates_at_once() const { return 1; }

  /// How often A or A^T has been applied so far, in whole scans: a subset counts by its share of
  /// the views.
  double applications() const { return applications_; }
  /// A method that went through single weights counts its work in the same unit.
  void count_applications(double whole_scans) const { applications_ += whole_scans; }

  /// Whether adjoint() is the exact transpose of forward(). Methods of the conjugate gradient kind
  /// need it.
  virtual bool matched() const { return true; }
  /// How far rounding may take a product from the exact one, relative to its root mean square, for
  /// data of one sign.
  virtual double rounding() const { return 1e-6; }
  /// Whether the same product gives the same numbers to the bit, however it is scheduled.
  virtual bool repeatable() const { return true; }
  /// The grid that x is an image on, for methods that look at neighbours. Null: a plain vector.
  virtual const VolumeGrid* image_grid() const { return nullptr; }
  /// The single weights of A, for methods that need more than products. Null: not available.
  virtual const RowSource* row_source() const { return nullptr; }
  /// Whether a method that goes through single weights can use them: it does so on the host.
  bool gives_single_weights() const {
    return row_source() != nullptr && backend_->kind() == BackendKind::cpu;
  }
  /// Memory that a call needs beside its operands, bytes.
  virtual std::size_t workspace_bytes() const { return 0; }

  /// How it computes, where the user should know before it starts: one line, else empty.
  virtual std::string note() const { return {}; }
  /// Memory of other devices than backend()'s that it takes or will take: those that help.
  virtual std::vector<MemoryShare> helpers() const { return {}; }

  /// Long operations give way when `interrupt` is raised. Null: never. It must outlive the
  /// operator.
  void set_interrupt(const Interrupt* interrupt) { interrupt_ = interrupt; }
  /// Throws Interrupted when asked to give way. Called by the computing thread, outside parallel
  /// regions.
  void check_interrupt() const {
    if (interrupt_ != nullptr) interrupt_->check();
  }
  /// For the threads of a parallel region, which must not throw: skip what is left.
  bool interrupted() const { return interrupt_ != nullptr && interrupt_->raised(); }

 protected:
  LinearOperator(Backend& backend, std::size_t domain_size, std::size_t cells_per_view, int views)
      : backend_(&backend),
        domain_size_(domain_size),
        cells_per_view_(cells_per_view),
        views_(views) {}

  /// r = C (b - A x) on the subset's views, as in residual_adjoint. Returns ||b - A x||^2 there.
  double residual_of(const Array& x, const Array& b, const Array* row_weight, Array& r,
                     ViewSubset subset) const;

  /// By one product after the other; those that can do better do.
  virtual UpdateNorms do_gradient_update(Array& x, const Array& b, const GradientStep& step,
                                         Array& r, Array& gradient) const;
  virtual Array do_inverse_row_sums(const Array& ones, float threshold) const;
  /// The same, for those that can do better for a few views.
  virtual UpdateNorms do_weighted_update(Array& x, const Array& b, const Array& row_weight,
                                         const WeightedUpdate& update, UpdateScratch& scratch,
                                         ViewSubset subset) const;
  /// By single updates, beside a copy of x; those that like to be given several do better.
  virtual UpdateNorms do_weighted_sweep(Array& x, const Array& b, const Array& row_weight,
                                        const WeightedUpdate& update, UpdateScratch& scratch,
                                        std::span<const ViewSubset> subsets) const;

  /// For operators made of others.
  const Interrupt* interrupt() const { return interrupt_; }

 private:
  virtual void do_forward(const Array& x, Array& y, ViewSubset subset) const = 0;
  virtual void do_adjoint(const Array& y, Array& x, ViewSubset subset) const = 0;
  virtual double do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight,
                                     Array& r, Array& out, ViewSubset subset) const;
  void count(ViewSubset subset, int operations) const {
    applications_ += static_cast<double>(operations) * subset.count / views_;
  }
  void check(const Array& image, const Array& rays, ViewSubset subset,
             const std::string& operation) const;

  Backend* backend_;
  std::size_t domain_size_, cells_per_view_;
  int views_;
  const Interrupt* interrupt_ = nullptr;
  mutable double applications_ = 0;  // a tally, no part of the operator's value
};

}  // namespace gantry
