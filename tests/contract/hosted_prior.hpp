#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/backend/thread_count.hpp"
#include "core/catalog/catalog.hpp"

#include <memory>
#include <string>
#include <utility>

namespace gantry::test {

/// A prior for any backend that is computed on the CPU, as in HostedProjector.
class HostedPrior final : public Prior {
 public:
  HostedPrior(const Registry<Prior, Backend&, const VolumeGrid&>& priors, const std::string& key,
              const VolumeGrid& grid, const Params& params)
      : Prior(priors.at(key).traits), inner_(priors.make(key, "cpu", host_, grid, params)) {}

  double value(const Array& x) const override {
    const ThreadCount one(1);
    return inner_->value(hosted(x));
  }

 private:
  Array hosted(const Array& x) const { return Array::from(host_, x.to_host()); }
  static void upload(const Array& from, Array& to) {
    to.backend().upload(from.data(), to.data(), to.size());
  }

  void do_gradient(const Array& x, Array& g, Array& h) const override {
    const ThreadCount one(1);
    Array slope(host_, g.size()), curvature(host_, h.size());
    inner_->gradient(hosted(x), slope, curvature);
    upload(slope, g);
    upload(curvature, h);
  }
  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    const ThreadCount one(1);
    return inner_->along(hosted(x), hosted(d), a);
  }
  void do_proximal(const ProximalTask& task, Array& dual, Array& x) override {
    const ThreadCount one(1);
    const Array v = hosted(task.v);
    Array start = hosted(dual), minimum(host_, x.size());
    inner_->proximal({v, task.weight, task.low, task.iterations, task.check_interrupt}, start,
                     minimum);
    upload(start, dual);
    upload(minimum, x);
  }
  std::size_t do_dual_size() const override { return inner_->dual_size(); }

  mutable CpuBackend host_;
  std::unique_ptr<Prior> inner_;
};

/// Makes all priors of the core run on the backend of this key, computed on the CPU.
inline void add_hosted_priors(Catalog& catalog, const std::string& backend_key) {
  const auto core = std::make_shared<Catalog>();
  add_core(*core);
  for (const auto& entry : core->priors.entries())
    catalog.priors.add_on(backend_key, entry.key,
                          [core, key = entry.key](Backend&, const VolumeGrid& grid,
                                                  const Params& params) -> std::unique_ptr<Prior> {
                            return std::make_unique<HostedPrior>(core->priors, key, grid, params);
                          });
}

}  // namespace gantry::test
