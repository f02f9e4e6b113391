#pragma once

#include "core/catalog/catalog.hpp"
#include "tests/support/expect.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace gantry::test {

using PhantomRegistry = decltype(Catalog::phantoms);

inline const PhantomRegistry& phantoms() {
  static const Catalog catalog = [] {
    Catalog all;
    add_core(all);
    return all;
  }();
  return catalog.phantoms;
}

inline std::unique_ptr<Phantom> phantom(const std::string& key, const Params& params = {}) {
  return phantoms().make(key, "cpu", params);
}

/// Returns a phantom with densities instead of attenuations, so that its values can be compared
/// with published tables.
inline std::unique_ptr<Phantom> densities(const std::string& key, Params params = {}) {
  params.set("mu_water", 1.0);
  return phantom(key, params);
}

inline std::vector<float> draw(const Phantom& phantom, const VolumeGrid& grid, int subsamples) {
  std::vector<float> mu(grid.voxels());
  voxelise(phantom, grid, subsamples, mu);
  return mu;
}

inline double sum(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

struct TestPoint {
  Vec3 point;
  double value;
};
inline void expect_values_at(const Phantom& phantom, double mm,
                             const std::vector<TestPoint>& places) {
  for (const auto& [point, value] : places) {
    const double mu = phantom.mu_at(mm * point);
    QVERIFY2(std::abs(mu - value) < 1e-9, qPrintable(QStringLiteral("%1 at (%2, %3, %4), not %5")
                                                         .arg(mu)
                                                         .arg(point.x)
                                                         .arg(point.y)
                                                         .arg(point.z)
                                                         .arg(value)));
  }
}

}  // namespace gantry::test
