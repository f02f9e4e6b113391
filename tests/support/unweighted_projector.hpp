#pragma once

#include "core/operator/projector.hpp"

namespace gantry::test {

/// A projector that gives no single weights.
class UnweightedProjector final : public Projector {
 public:
  explicit UnweightedProjector(const Projector& inner)
      : Projector(inner.backend(), inner.shared_geometry(), inner.grid()) {}

 private:
  void do_forward(const Array&, Array&, ViewSubset) const override {}
  void do_adjoint(const Array&, Array&, ViewSubset) const override {}
};

}  // namespace gantry::test
