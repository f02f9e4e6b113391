#pragma once

#include "tests/support/scans.hpp"

#include <QtTest>

#include <vector>

namespace gantry::test {

/// Adds a row for every scan to a data-driven test; the test fetches its index by QFETCH(int,
/// scan).
/// With `wanted`, only for scans for which wanted(scan) holds.
template <class Wanted>
void add_scan_rows(const std::vector<ScanCase>& cases, const Wanted& wanted) {
  QTest::addColumn<int>("scan");
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (wanted(cases[i])) QTest::addRow("%s", cases[i].name.c_str()) << static_cast<int>(i);
}
inline void add_scan_rows(const std::vector<ScanCase>& cases) {
  add_scan_rows(cases, [](const ScanCase&) { return true; });
}

}  // namespace gantry::test
