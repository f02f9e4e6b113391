#pragma once

#include "core/operator/linear_operator.hpp"

#include <exception>

namespace gantry {

/// Makes the work of a scope count as `whole_scans` applications of A or A^T to all views, in place
/// of whatever its products have counted. A scope that an exception ends counts nothing, since its
/// work will be repeated.
class CountedApplications {
 public:
  CountedApplications(const LinearOperator& A, double whole_scans)
      : A_(A),
        before_(A.applications()),
        whole_scans_(whole_scans),
        exceptions_(std::uncaught_exceptions()) {}
  ~CountedApplications() {
    const bool failed = std::uncaught_exceptions() > exceptions_;
    A_.count_applications(before_ + (failed ? 0 : whole_scans_) - A_.applications());
  }
  CountedApplications(const CountedApplications&) = delete;
  CountedApplications& operator=(const CountedApplications&) = delete;

 private:
  const LinearOperator& A_;
  double before_, whole_scans_;
  int exceptions_;
};

}  // namespace gantry
