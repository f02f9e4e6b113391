#pragma once

#include "tests/support/scans.hpp"

#include <QtTest>

#include <vector>

namespace gantry::test {

/// A row of a data-driven test for every scan, by its index: QFETCH(int, scan).
inline void add_scan_rows(const std::vector<ScanCase>& cases) {
  QTest::addColumn<int>("scan");
  for (std::size_t i = 0; i < cases.size(); ++i)
    QTest::addRow("%s", cases[i].name.c_str()) << static_cast<int>(i);
}

}  // namespace gantry::test
