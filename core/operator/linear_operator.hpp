#pragma once

#include "core/backend/array.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/view_subset.hpp"
#include "core/operator/row_source.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

struct VolumeGrid;

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

  /// Throws ShapeError, in the name of `operation`, unless `image` and `rays` have the operator's
  /// sizes and backend and the subset lies inside the scan.
  void check(const Array& image, const Array& rays, ViewSubset subset,
             const std::string& operation) const;

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
  Backend* backend_;
  std::size_t domain_size_, cells_per_view_;
  int views_;
  const Interrupt* interrupt_ = nullptr;
  mutable double applications_ = 0;  // a tally, no part of the operator's value
};

}  // namespace gantry
