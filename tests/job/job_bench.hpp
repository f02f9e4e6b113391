#pragma once

#include "tests/job/job_fixture.hpp"

#include <memory>

namespace gantry::test {

/// What tests of single runs have in common.
class JobBench {
 protected:
  ReconstructionJob job(const RunSpec& spec, MetricsSpec metrics = {},
                        const Interrupt* interrupt = nullptr) const {
    return {spec, data_, metrics, workshop_.catalog, workshop_.backends, interrupt};
  }
  void every_solver() const {
    QTest::addColumn<QString>("solver");
    for (const auto& entry : workshop_.catalog.solvers.entries())
      if (entry.key != "fdk")  // fbp for cones, which these data are not
        QTest::addRow("%s", entry.key.c_str()) << QString::fromStdString(entry.key);
  }

  Workshop workshop_;
  std::shared_ptr<const ExperimentData> data_;
};

}  // namespace gantry::test
