#pragma once

// The arithmetic of CUDA projectors, run on the host, against the CPU's projectors: what can be
// known of them without a device.
#include "core/backend/cpu_backend.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace gantry::test {

/// Root mean square of a - b over that of b; that of a where b is zero.
inline double relative_rms(std::span<const float> a, std::span<const float> b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - b[i], 2);
    norm += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / (norm > 0 ? norm : 1));
}

inline void add_scan_rows(const std::vector<ScanCase>& cases) {
  QTest::addColumn<int>("scan");
  for (std::size_t i = 0; i < cases.size(); ++i)
    QTest::addRow("%s", cases[i].name.c_str()) << static_cast<int>(i);
}

}  // namespace gantry::test
