#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/penalised/wls_pcg.hpp"

#include <memory>
#include <string>
#include <utility>

namespace gantry::test {

/// A filtered sum for any backend that is computed on the CPU, as in HostedProjector.
class HostedFilteredSum final : public FilteredSum {
 public:
  HostedFilteredSum(const Projector& projector, FilteringPlan plan)
      : inner_(make_cpu_filtered_sum(projector, std::move(plan))) {}

 private:
  void do_compute(const Array& rays, Array& mu) const override {
    CpuBackend host;
    Array image(host, mu.size());
    inner_->compute(Array::from(host, rays.to_host()), image);
    mu.backend().upload(image.data(), mu.data(), mu.size());
  }

  std::unique_ptr<FilteredSum> inner_;
};

/// Adds FBP, FDK and WLS-PCG for the backend of this key, with filtered sums that are computed on
/// the CPU.
inline void add_hosted_fbp(Catalog& catalog, const std::string& backend_key) {
  const FilteredSumMaker hosted = [](const Projector& projector, FilteringPlan plan) {
    return std::make_unique<HostedFilteredSum>(projector, std::move(plan));
  };
  catalog.solvers.add_on(backend_key, "fbp",
                         [hosted](const Params& params) { return make_fbp_with(params, hosted); });
  catalog.solvers.add_on(backend_key, "fdk",
                         [hosted](const Params& params) { return make_fdk_with(params, hosted); });
  catalog.solvers.add_on(backend_key, "wls_pcg", [hosted](const Params& params) {
    return make_wls_pcg_with(params, hosted);
  });
}

}  // namespace gantry::test
