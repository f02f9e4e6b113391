#pragma once

#include "core/operator/column_access.hpp"
#include "core/operator/projector.hpp"
#include "core/operator/row_access.hpp"

namespace gantry::test {

/// The products of another projector, without its own sweeps and gradient steps: methods compute
/// every update product by product, one subset per step.
class ProductProjector final : public Projector, public GivesColumns, public GivesRows {
 public:
  explicit ProductProjector(const Projector& inner)
      : Projector(inner.backend(), inner.shared_geometry(), inner.grid()), inner_(inner) {}

  bool matched() const override { return inner_.matched(); }
  bool repeatable() const override { return inner_.repeatable(); }
  double rounding() const override { return inner_.rounding(); }
  const RowSource* row_source() const override { return inner_.row_source(); }
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker /*worker*/) const override {
    return gantry::make_columns(inner_);
  }
  std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const override {
    return gantry::make_rows(inner_, workers);
  }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    inner_.forward(x, y, subset);
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    inner_.adjoint(y, x, subset);
  }

  const Projector& inner_;
};

}  // namespace gantry::test
