#pragma once

#include "core/backend/array.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/view_subset.hpp"
#include "core/operator/row_source.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

/// The memory that a computation needs on a device, and the memory that is free there.
struct MemoryNeed {
  std::string device;
  std::size_t needed_bytes = 0, free_bytes = 0;
  bool fits() const { return needed_bytes <= free_bytes; }
};

/// A linear map A from an image (float32, `domain_size` voxels) to ray sums [view][cell], with its
/// transpose. Every operation can be restricted to a ViewSubset, and then reads or writes only
/// those views of the ray array, which has its full length all the same.
///
/// The public operations check lengths, backend and subset and throw ShapeError; the do_* functions
/// rely on these checks. If an Interrupt has been set and is raised, operations throw Interrupted,
/// with undefined outputs and unchanged inputs.
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

  /// Throws ShapeError, in the name of `operation`, unless `image` and `rays` have the operator's
  /// sizes and backend and the subset lies inside the scan.
  void check(const Array& image, const Array& rays, ViewSubset subset,
             const std::string& operation) const;

  /// Returns the number of applications of A or A^T so far, in whole scans: a subset counts as the
  /// fraction of the views that it holds.
  double applications() const { return applications_; }
  /// Adds the work of a method that uses single weights instead of products, in the same unit.
  void count_applications(double whole_scans) const { applications_ += whole_scans; }

  /// Whether adjoint() is the exact transpose of forward(), as methods of the conjugate gradient
  /// kind require.
  virtual bool matched() const { return true; }
  /// Bound of the rounding error of a product, as a fraction of the product's root mean square, for
  /// inputs of one sign.
  virtual double rounding() const { return 1e-6; }
  /// Whether repeating a product gives identical bits, whatever the order of its threads.
  virtual bool repeatable() const { return true; }
  /// The single weights of A, for methods that need more than products; null if not available.
  virtual const RowSource* row_source() const { return nullptr; }
  /// Whether a method can use single weights of this operator: such methods work on the host only.
  bool has_single_weights() const {
    return row_source() != nullptr && backend_->kind() == BackendKind::cpu;
  }
  /// Memory that an operation needs besides its operands, bytes.
  virtual std::size_t workspace_bytes() const { return 0; }
  /// The part of workspace_bytes() that is free again after an operation, bytes; 0 if not known.
  virtual std::size_t scratch_bytes() const { return 0; }

  /// A line about the way of computing that the user should know before the start; mostly empty.
  virtual std::string note() const { return {}; }
  /// Memory that is or will be taken on devices other than backend(), which do part of the work.
  virtual std::vector<MemoryNeed> helpers() const { return {}; }

  /// Makes long operations throw Interrupted once `interrupt` is raised; null: never. `interrupt`
  /// must outlive the operator.
  void set_interrupt(const Interrupt* interrupt) { interrupt_ = interrupt; }
  /// Throws Interrupted if the interrupt is raised. For the computing thread, outside parallel
  /// regions.
  void check_interrupt() const {
    if (interrupt_ != nullptr) interrupt_->check();
  }
  /// Whether the interrupt is raised. For the threads of a parallel region, which must not throw
  /// but skip the rest of their work.
  bool interrupted() const { return interrupt_ != nullptr && interrupt_->raised(); }

 protected:
  LinearOperator(Backend& backend, std::size_t domain_size, std::size_t cells_per_view, int views)
      : backend_(&backend),
        domain_size_(domain_size),
        cells_per_view_(cells_per_view),
        views_(views) {}

  /// Computes r = C (b - A x) on the subset's views, as residual_adjoint does. Returns ||b - A
  /// x||^2 over those views.
  double residual_of(const Array& x, const Array& b, const Array* row_weight, Array& r,
                     ViewSubset subset) const;

  /// Returns the interrupt, for operators that are composed of other operators.
  const Interrupt* interrupt() const { return interrupt_; }

 private:
  virtual void do_forward(const Array& x, Array& y, ViewSubset subset) const = 0;
  virtual void do_adjoint(const Array& y, Array& x, ViewSubset subset) const = 0;
  virtual double do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight,
                                     Array& r, Array& out, ViewSubset subset) const;
  void count(ViewSubset subset, int operations) const {
    applications_ += static_cast<double>(operations) * subset.count / views_;
  }
  Backend* backend_;
  std::size_t domain_size_, cells_per_view_;
  int views_;
  const Interrupt* interrupt_ = nullptr;
  mutable double applications_ = 0;  // a counter; does not change what the operator computes
};

}  // namespace gantry
