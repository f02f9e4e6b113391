#pragma once

#include "core/operator/linear_operator.hpp"

#include <exception>

namespace gantry {

/// Counts work that is made of an operator's products, or of what takes their place, as so many
/// applications of A or its transpose to all views: whatever was counted on the way. Left by an
/// exception, it counts nothing, since the work will be done again.
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
