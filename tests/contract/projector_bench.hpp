#pragma once

#include "core/catalog/catalog.hpp"
#include "core/operator/projector.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/scans.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gantry::test {

/// The projectors of a backend and the scans of tests/support/scans.hpp, for their contracts.
class ProjectorBench : public QObject {
 protected:
  explicit ProjectorBench(ContractBench bench) : bench_(std::move(bench)) {}

  ContractBench bench_;
  const Catalog& catalog_ = bench_.catalog;
  Backend& backend_ = *bench_.backend;
  const std::string& on_ = bench_.key;
  std::vector<ScanCase> cases_ = scan_cases(), free_ = pose_cases();

  std::unique_ptr<Projector> projector() {
    QFETCH(QString, key);
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    return catalog_.projectors.make(key.toStdString(), on_, backend_, c.geometry, c.grid, {});
  }
  Array image(const Projector& A, unsigned seed) {
    return Array::from(backend_, random_values(A.domain_size(), seed));
  }
  Array rays(const Projector& A, unsigned seed) {
    return Array::from(backend_, random_values(A.range_size(), seed));
  }

  /// Adds a row for every projector, with the trait `has` if given, on every scan that it accepts
  /// and that has at least `views` views.
  void rows(bool ProjectorTraits::*has = nullptr, int views = 1) {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    int added = 0;
    for (const auto* entry : catalog_.projectors.on(on_))
      for (std::size_t i = 0; i < cases_.size(); ++i) {
        const ProjectorTraits& traits = entry->traits_on(on_);
        const ScanGeometry& geometry = *cases_[i].geometry;
        if (!traits.scans.include(geometry) || geometry.views() < views) continue;
        if (has != nullptr && !(traits.*has)) continue;
        ++added;
        QTest::addRow("%s, %s", entry->key.c_str(), cases_[i].name.c_str())
            << QString::fromStdString(entry->key) << static_cast<int>(i);
      }
    // Only a trait may be absent: without one, no row is an error of the bench.
    QVERIFY(added > 0 || has != nullptr);
    if (added == 0) QSKIP("no projector of this backend has the trait that is tested");
  }
  static bool sees_nothing(const ScanCase& c) { return c.name == "every ray misses"; }
};

}  // namespace gantry::test
