// Cells that the beam of the flats does not reach, as behind a slit: where they show no more than
// noise, their line integrals are 0, so that neither an axis nor a slice is made of noise.
#include "core/io/imports/checks/unlit_cells.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/held_frames.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <random>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Counts behind a slit: row 4 to 8 of 20, from the uppermost one, see the beam.
struct SlitCase {
  static constexpr int rows = 20, columns = 40, views = 50, first = 4, behind = 9;
  static constexpr double dark = 100, noise = 5;
  double beam = 10000, leak = 0;  // of the beam, in the other rows
  std::mt19937 random = std::mt19937(3);

  static bool is_lit(int row) { return row >= first && row < behind; }
  static double integral(int view, int column) {
    const double middle = 19.5 + 8 * std::sin(0.12 * view), half = 7, at = column - middle;
    return std::abs(at) < half ? 0.15 * std::sqrt(half * half - at * at) : 0;
  }
  /// Returns a frame of exp(-integral(column)) of the beam, with the noise of the camera.
  template <class Integral>
  std::vector<float> frame(const Integral& integral_of, double of_beam = 1) {
    std::normal_distribution<double> camera(dark, noise);
    std::vector<float> counts;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        counts.push_back(static_cast<float>(
            std::round(of_beam * beam * (is_lit(row) ? 1 : leak) * std::exp(-integral_of(column)) +
                       camera(random))));
    return counts;
  }
  RawScan scan() {
    Frames projections, flats, darks;
    for (int view = 0; view < views; ++view)
      projections.push_back(frame([view](int column) { return integral(view, column); }));
    const auto nothing = [](int) { return 0.0; };
    for (int i = 0; i < 5; ++i) {
      flats.push_back(frame(nothing));
      darks.push_back(frame(nothing, 0));
    }
    return scan_of(std::move(projections), std::move(flats), std::move(darks), rows);
  }
  static std::size_t index(int view, int row, int column) {
    return static_cast<std::size_t>((std::ptrdiff_t{view} * rows + (rows - 1 - row)) * columns +
                                    column);
  }
  static double most_off(const LineIntegrals& found, int from_row, int behind_row) {
    double most = 0;
    for (int view = 0; view < views; ++view)
      for (int row = from_row; row < behind_row; ++row)
        for (int column = 0; column < columns; ++column)
          most = std::max(most, std::abs(double{found.values[index(view, row, column)]} -
                                         integral(view, column)));
    return most;
  }
};

}  // namespace

class TestUnlitCells : public QObject {
  Q_OBJECT
 private slots:
  /// Most cells see no beam, and in half of these the flat is below the dark: no reason to refuse.
  void behindASlit() {
    const LineIntegrals found = line_integrals_of(SlitCase().scan(), {});
    for (int view = 0; view < SlitCase::views; ++view)
      for (int row = 0; row < SlitCase::rows; ++row)
        for (int column = 0; column < SlitCase::columns; ++column)
          if (!SlitCase::is_lit(row))
            QCOMPARE(found.values[SlitCase::index(view, row, column)], 0.0F);
    QVERIFY(SlitCase::most_off(found, SlitCase::first, SlitCase::behind) < 0.02);
    QVERIFY(has_part(found.notes, "the beam does not reach 75 % of the detector"));
    QVERIFY(!has_part(found.notes, "dead cell"));
    QVERIFY(!has_part(found.notes, "show no beam at all"));
  }

  /// A weak beam that the camera measures is one.
  void aWeakBeamIsMeasured() {
    SlitCase weak;
    weak.leak = 0.03;
    const LineIntegrals found = line_integrals_of(weak.scan(), {});
    QVERIFY(SlitCase::most_off(found, 0, SlitCase::rows) < 0.5);
    QVERIFY(!has_part(found.notes, "does not reach"));
  }

  /// Behind a thick object a weak beam is lost in noise, and yet its cells see the beam.
  void aWeakBeamBehindAThickObject() {
    SlitCase weak;
    weak.leak = 0.02;
    RawScan scan = weak.scan();
    Frames projections;
    for (int view = 0; view < SlitCase::views; ++view)
      projections.push_back(
          weak.frame([view](int column) { return 12 * SlitCase::integral(view, column); }));
    scan.projections = std::make_shared<HeldFrames>(std::move(projections), SlitCase::rows);
    const LineIntegrals found = line_integrals_of(scan, {});
    QVERIFY(!has_part(found.notes, "does not reach"));
    int lost = 0;
    for (int view = 0; view < SlitCase::views; ++view)
      for (int column = 15; column < 24; ++column)
        if (SlitCase::integral(view, column) > 0.9)
          lost += found.values[SlitCase::index(view, 15, column)] < 2 ? 1 : 0;
    QCOMPARE(lost, 0);
  }

  /// A cell among those that the beam reaches is a fault of the camera.
  void oneCell() {
    SlitCase lit;
    lit.leak = 1;
    RawScan scan = lit.scan();
    const auto dimmed = [&](const std::shared_ptr<const FrameSource>& source) {
      Frames frames;
      std::normal_distribution<double> camera(SlitCase::dark + 4, SlitCase::noise);
      for (int i = 0; i < source->frames(); ++i) {
        std::vector<float>& frame = frames.emplace_back(lit.rows * lit.columns);
        source->read(i, frame);
        frame[6 * SlitCase::columns + 11] = static_cast<float>(camera(lit.random));
      }
      return std::make_shared<HeldFrames>(std::move(frames), SlitCase::rows);
    };
    scan.projections = dimmed(scan.projections);
    scan.flats = dimmed(scan.flats);
    const LineIntegrals found = line_integrals_of(scan, {});
    QVERIFY(has_part(found.notes, "1 cell with no more than noise"));
    QVERIFY(SlitCase::most_off(found, 0, SlitCase::rows) < 0.3);
  }

  /// Without darks, cells that are stuck at a number seem to see air: those beside them tell.
  void stuckCellsWithoutDarks() {
    SlitCase lit;
    lit.leak = 1;
    RawScan scan = lit.scan();
    scan.darks.reset();
    const LineIntegrals sound = line_integrals_of(scan, {});
    QVERIFY(!has_part(sound.notes, "one number in all"));
    const auto with_stuck = [&](const std::shared_ptr<const FrameSource>& source) {
      Frames frames;
      for (int i = 0; i < source->frames(); ++i) {
        std::vector<float>& frame = frames.emplace_back(SlitCase::rows * SlitCase::columns);
        source->read(i, frame);
        frame[6 * SlitCase::columns + 17] = 65535;
        frame[12 * SlitCase::columns + 22] = 9000;
      }
      return std::make_shared<HeldFrames>(std::move(frames), SlitCase::rows);
    };
    scan.projections = with_stuck(scan.projections);
    scan.flats = with_stuck(scan.flats);
    const LineIntegrals found = line_integrals_of(scan, {});
    QVERIFY(has_part(found.notes, "2 cells with one number in all flats and projections"));
    QVERIFY(!has_part(found.notes, "dead cell"));
    for (int view = 0; view < SlitCase::views; ++view)
      for (const auto& [row, column] : {std::pair(6, 17), std::pair(12, 22)}) {
        const std::size_t at = SlitCase::index(view, row, column);
        EXPECT_NEAR(found.values[at], sound.values[at], 0.4);
      }
  }

  /// A round screen: the corners are dark, and rows are counted from the lowest one.
  void besideARoundScreen() {
    std::vector<float> beam(30 * 30);
    for (int row = 0; row < 30; ++row)
      for (int column = 0; column < 30; ++column)
        beam[static_cast<std::size_t>(row * 30 + column)] =
            std::hypot(row - 10.0, column - 14.5) < 14 ? 1.0F : 0.01F;
    const DimCells dim = dim_cells(beam, 30, 30);
    const std::vector<std::size_t>& margin = dim.margin.weak;
    for (const std::size_t cell : margin) QVERIFY(beam[cell] < 0.5F);
    const std::size_t dark = static_cast<std::size_t>(std::ranges::count(beam, 0.01F));
    QVERIFY(margin.size() + dim.inner.weak.size() == dark);
    QVERIFY(dim.margin.dead.empty() && dim.inner.dead.empty());
    QVERIFY(dim.inner.weak.size() < dark / 10);
    const DimCells over = turned_over(dim, 30, 30);
    QCOMPARE(over.margin.weak.front() / 30, std::size_t{29});
    QVERIFY(turned_over(over, 30, 30).margin.weak == margin);
  }

  /// A gap between two modules lies before the object: the cells beside it tell what is there.
  void aGapBetweenModules() {
    constexpr int gap = 18, width = 4;
    SlitCase lit;
    lit.leak = 1;
    RawScan scan = lit.scan();
    const auto with_gap = [&](const std::shared_ptr<const FrameSource>& source) {
      Frames frames;
      std::normal_distribution<double> camera(SlitCase::dark, SlitCase::noise);
      for (int i = 0; i < source->frames(); ++i) {
        std::vector<float>& frame = frames.emplace_back(SlitCase::rows * SlitCase::columns);
        source->read(i, frame);
        for (int row = 0; row < SlitCase::rows; ++row)
          for (int column = gap; column < gap + width; ++column)
            frame[static_cast<std::size_t>(row * SlitCase::columns + column)] =
                static_cast<float>(camera(lit.random));
      }
      return std::make_shared<HeldFrames>(std::move(frames), SlitCase::rows);
    };
    scan.projections = with_gap(scan.projections);
    scan.flats = with_gap(scan.flats);
    const LineIntegrals found = line_integrals_of(scan, {});
    double off = 0, object = 0;
    for (int view = 0; view < SlitCase::views; ++view)
      for (int column = gap; column < gap + width; ++column) {
        const double expected = SlitCase::integral(view, column);
        off += std::abs(double{found.values[SlitCase::index(view, 7, column)]} - expected);
        object += expected;
      }
    QVERIFY(off < 0.4 * object);  // 0.34 by the nearest columns of exact values
    QVERIFY(!has_part(found.notes, "does not reach"));
    QVERIFY(has_part(found.notes, "cells with no more than noise"));
  }
};

GANTRY_TEST(TestUnlitCells)
#include "test_unlit_cells.moc"
