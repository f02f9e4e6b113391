#pragma once

#include "core/io/imports/import_scan.hpp"
#include "tests/support/expect.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry::test {

/// The counts of a small detector in whole numbers, and the line integrals that they stand for,
/// in closed form. Row 0 is the uppermost, as in files.
struct CountedFrames {
  static constexpr int rows = 6, columns = 9;
  static constexpr int dark = 100;

  static int projection(int frame, int row, int column) {
    return 600 + 1000 * frame + 100 * row + 10 * column;
  }
  static int flat(int column) { return dark + 10000 + 50 * column; }
  static double line_integral(int frame, int row, int column) {
    return -std::log((projection(frame, row, column) - dark) / (10000.0 + 50 * column));
  }

  static std::vector<std::uint16_t> projection(int frame) {
    return filled([frame](int row, int column) { return projection(frame, row, column); });
  }
  /// Three frames of which the median is right and the mean is not: the last one is no such frame.
  static std::vector<std::uint16_t> flat_frame(int index) {
    return filled([index](int, int column) { return index == 2 ? 60000 : flat(column); });
  }
  static std::vector<std::uint16_t> dark_frame(int index) {
    return filled([index](int, int) { return index == 2 ? 7 : dark; });
  }

 private:
  template <class Value>
  static std::vector<std::uint16_t> filled(const Value& value) {
    std::vector<std::uint16_t> frame;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        frame.push_back(static_cast<std::uint16_t>(value(row, column)));
    return frame;
  }
};

/// Checks that view i of the scan is frame frames[i], turned over: its lowest row comes first.
inline void expect_line_integrals(const ImportedScan& imported, const std::vector<int>& frames) {
  const ScanGeometry& geometry = *imported.scan.geometry;
  QCOMPARE(geometry.views(), static_cast<int>(frames.size()));
  QCOMPARE(geometry.rows(), CountedFrames::rows);
  QCOMPARE(geometry.columns(), CountedFrames::columns);
  QCOMPARE(imported.scan.line_integrals.size(), geometry.rays());
  std::size_t ray = 0;
  for (const int frame : frames)
    for (int row = CountedFrames::rows - 1; row >= 0; --row)
      for (int column = 0; column < CountedFrames::columns; ++column)
        EXPECT_NEAR(imported.scan.line_integrals[ray++],
                    CountedFrames::line_integral(frame, row, column), 1e-5);
}

inline void expect_angles(const ImportedScan& imported, const std::vector<double>& degrees) {
  QCOMPARE(imported.scan.geometry->views(), static_cast<int>(degrees.size()));
  for (std::size_t i = 0; i < degrees.size(); ++i)
    EXPECT_NEAR(imported.scan.geometry->angle_rad(static_cast<int>(i)),
                degrees[i] * std::acos(-1.0) / 180, 1e-9);
}

/// Whether exactly this was assumed.
inline bool is_assumed(const ImportedScan& imported, const std::string& what,
                       const std::string& value) {
  return std::ranges::any_of(imported.assumptions, [&](const Assumption& one) {
    return one.what == what && one.value == value;
  });
}

/// Whether one of some notes says this, among other things.
inline bool has_part(const std::vector<std::string>& notes, const char* part) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

/// Returns the notes but for that on flats that differ, as CountedFrames::flat_frame(2) does.
inline std::vector<std::string> notes_beside_flats(const ImportedScan& imported) {
  std::vector<std::string> notes = imported.scan.notes;
  std::erase_if(notes, [](const std::string& note) {
    return note.find("and one flat was made of all") != std::string::npos;
  });
  return notes;
}

}  // namespace gantry::test
