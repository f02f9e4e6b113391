#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/backend/thread_count.hpp"
#include "core/catalog/catalog.hpp"

#include <memory>
#include <string>
#include <utility>

namespace gantry::test {

/// A projector for any backend whose products are computed on the CPU, so that code for all
/// backends can be tested on a backend without projectors.
class HostedProjector : public Projector {
 public:
  HostedProjector(const Catalog& catalog, const std::string& key, Backend& backend,
                  std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        inner_(catalog.projectors.make(key, "cpu", host_, std::move(geometry), grid, {})) {}

  bool matched() const override { return inner_->matched(); }
  bool repeatable() const override { return inner_->repeatable(); }
  double rounding() const override { return inner_->rounding(); }
  const RowSource* row_source() const override { return inner_->row_source(); }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const ThreadCount one(1);  // a team of threads takes longer to start than a small product
    inner_->set_interrupt(interrupt());
    const Array image = Array::from(host_, x.to_host());
    Array rays = Array::from(host_, y.to_host());
    inner_->forward(image, rays, subset);
    backend().upload(rays.data(), y.data(), y.size());
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const ThreadCount one(1);
    inner_->set_interrupt(interrupt());
    const Array rays = Array::from(host_, y.to_host());
    Array image(host_, x.size());
    inner_->adjoint(rays, image, subset);
    backend().upload(image.data(), x.data(), x.size());
  }

  mutable CpuBackend host_;
  std::unique_ptr<Projector> inner_;
};

/// Adds the projector "hosted_KEY" for the backend of this key.
inline void add_hosted(Catalog& catalog, const std::string& key, const std::string& backend_key) {
  auto core = std::make_shared<Catalog>();
  add_core(*core);
  ProjectorTraits traits = core->projectors.at(key).traits;
  traits.memory = nullptr;  // the memory is that of a CPU
  traits.has_rows = traits.has_columns = false;
  catalog.projectors.add(
      {.key = "hosted_" + key, .label = "Hosted " + key}, backend_key,
      [core, key](Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                  const VolumeGrid& grid, const Params&) -> std::unique_ptr<Projector> {
        return std::make_unique<HostedProjector>(*core, key, backend, std::move(geometry), grid);
      },
      traits);
}

}  // namespace gantry::test
