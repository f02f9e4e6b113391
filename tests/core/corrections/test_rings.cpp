// Stripes of a sinogram, which are rings in its image: they disappear, and the rest stays.
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/corrections/column_offsets.hpp"
#include "core/corrections/sliding_median.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/phantoms/phantom.hpp"
#include "tests/core/corrections/neutron_sinogram.hpp"
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

struct Stripe {
  int column;
  float height;
};
// One to three columns wide, in air and in the middle of the object: where it slopes more than
// 0.002 a column, a median keeps a part of the stripe.
const std::vector<Stripe> stripes = {{20, 0.1F},   {205, -0.08F}, {235, 0.1F},
                                     {236, 0.1F},  {260, 0.15F},  {261, 0.15F},
                                     {262, 0.12F}, {310, -0.1F},  {480, 0.06F}};

std::vector<float> striped(const SinogramCase& scan, std::vector<float> values,
                           const std::vector<Stripe>& with = stripes) {
  for (int view = 0; view < scan.views; ++view)
    for (int row = 0; row < scan.rows; ++row)
      for (const Stripe& one : with) values[scan.index(view, row, one.column)] += one.height;
  return values;
}

double rms(const std::vector<double>& values) {
  double square = 0;
  for (const double value : values) square += value * value;
  return std::sqrt(square / static_cast<double>(values.size()));
}

/// The median of the values within `reach` of a place, without hurry.
double median_near(const std::vector<double>& values, int place, int reach) {
  std::vector<double> some;
  for (int k = place - reach; k <= place + reach; ++k)
    some.push_back(values[static_cast<std::size_t>(k)]);
  std::ranges::sort(some);
  return some[some.size() / 2];
}

}  // namespace

class TestRings : public QObject {
  Q_OBJECT
  Catalog catalog_;

  std::unique_ptr<Correction> rings(const ScanGeometry& scan, const Params& params = {}) {
    return catalog_.corrections.make("rings", "cpu", scan, params);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// What is left of a stripe is what data with it differ by from data that never had it, both
  /// corrected; what the correction blurs is told by the columns without stripes.
  void stripesDisappear() {
    SinogramCase scan;
    scan.rows = 3;
    const std::vector<float> clean = scan.line_integrals(), before = striped(scan, clean);
    std::vector<float> after = before, without = clean;
    const auto notes = rings(scan.geometry())->apply(after);
    QCOMPARE(notes.size(), 1U);
    rings(scan.geometry())->apply(without);
    std::set<int> columns;
    for (const Stripe& one : stripes) {
      columns.insert(one.column);
      for (int row = 0; row < scan.rows; ++row) {
        const double left = scan.excess(after, without, row, one.column);
        QVERIFY2(std::abs(left) <= 0.1 * std::abs(one.height),
                 qPrintable(QStringLiteral("column %1: %2 of %3 is left")
                                .arg(one.column)
                                .arg(left)
                                .arg(static_cast<double>(one.height))));
      }
    }
    std::vector<double> rest;  // of the other columns, blurred edges included
    for (int view = 0; view < scan.views; ++view)
      for (int row = 0; row < scan.rows; ++row)
        for (int column = 0; column < scan.columns; ++column)
          if (!columns.contains(column)) {
            const std::size_t at = scan.index(view, row, column);
            rest.push_back(static_cast<double>(after[at]) - clean[at]);
          }
    const double change = rms(rest) / *std::ranges::max_element(clean);
    QVERIFY2(change <= 0.01, QByteArray::number(change));
  }

  /// Stripes of several columns, uneven and on slopes of the object, where a median across them
  /// keeps half their width times the slope: nine tenths disappear, and the rest is blurred no more
  /// than without them.
  void wideStripesDisappear_data() {
    QTest::addColumn<int>("width");
    for (const int width : {3, 5, 8}) QTest::addRow("%d columns", width) << width;
  }
  void wideStripesDisappear() {
    QFETCH(int, width);
    const SinogramCase scan;
    const std::vector<float> clean = scan.line_integrals();
    std::vector<Stripe> wide;
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> uneven(0.8F, 1.2F);
    for (const Stripe& one :
         {Stripe{20, 0.1F}, Stripe{150, 0.1F}, Stripe{205, -0.08F}, Stripe{260, 0.15F},
          Stripe{320, -0.1F}, Stripe{400, 0.05F}, Stripe{480, 0.06F}})
      for (int k = 0; k < width; ++k) wide.push_back({one.column + k, uneven(engine) * one.height});
    std::vector<float> after = striped(scan, clean, wide), without = clean;
    rings(scan.geometry())->apply(after);
    rings(scan.geometry())->apply(without);
    std::set<int> columns;
    for (const Stripe& one : wide) {
      columns.insert(one.column);
      const double left = scan.excess(after, without, 0, one.column);
      QVERIFY2(std::abs(left) <= 0.1 * std::abs(one.height),
               qPrintable(QStringLiteral("column %1: %2 of %3 is left")
                              .arg(one.column)
                              .arg(left)
                              .arg(static_cast<double>(one.height))));
    }
    std::vector<double> rest;
    for (std::size_t at = 0; at < after.size(); ++at)
      if (!columns.contains(static_cast<int>(at) % scan.columns))
        rest.push_back(static_cast<double>(after[at]) - clean[at]);
    const double change = rms(rest) / *std::ranges::max_element(clean);
    qInfo("the other columns change by %.3f %% of the largest line integral", 100 * change);
    QVERIFY2(change <= 0.01, QByteArray::number(change));
  }

  /// A tube about the axis has its edges in the same columns of all views. They are no stripes, and
  /// do not hide a single column between them.
  void aTubeAboutTheAxisKeepsItsEdges_data() {
    QTest::addColumn<int>("column");
    for (const int column : {50, 60, 110, 140}) QTest::addRow("column %d", column) << column;
  }
  void aTubeAboutTheAxisKeepsItsEdges() {
    QFETCH(int, column);
    constexpr int views = 360, columns = 256;
    constexpr double height = 0.05;
    const auto chord = [](double radius, double t) {
      return 2 * std::sqrt(std::max(0.0, radius * radius - t * t));
    };
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = columns;
    spec.column_pitch_mm = spec.row_pitch_mm = 1;
    spec.central_column = 127.5;
    spec.view_angles_rad = angles_from_degrees(0, 0.5, views);
    std::mt19937 engine(5);
    std::normal_distribution<double> noise(0, 0.004);
    std::vector<float> exact, without, with;
    for (int view = 0; view < views; ++view)
      for (int c = 0; c < columns; ++c) {
        const double t = c - 127.5;
        exact.push_back(static_cast<float>(0.012 * chord(102.4, t) - 0.0072 * chord(76.8, t)));
        without.push_back(exact.back() + static_cast<float>(noise(engine)));
        with.push_back(without.back() + (c == column ? static_cast<float>(height) : 0.0F));
      }
    const ScanGeometry scan(spec);
    rings(scan)->apply(without);
    rings(scan)->apply(with);
    const auto mean_off = [&](const std::vector<float>& from, int c) {
      double sum = 0;
      for (std::size_t at = static_cast<std::size_t>(c); at < with.size(); at += columns)
        sum += with[at] - from[at];
      return sum / views;
    };
    for (int c = column - 8; c <= column + 8; ++c)
      QVERIFY2(
          std::abs(mean_off(without, c)) <= 0.1 * height,
          qPrintable(QStringLiteral("%1 is left in column %2").arg(mean_off(without, c)).arg(c)));
    std::vector<double> off;
    for (std::size_t at = 0; at < exact.size(); ++at)
      off.push_back(static_cast<double>(without[at]) - exact[at]);
    QVERIFY2(rms(off) < 0.015, QByteArray::number(rms(off)));  // 0.035 without edges
  }

  /// The walls of thin tubes about the axis are as narrow as wide stripes, but are on both sides of
  /// the axis. Over a whole turn, so are those of tubes beside it. Rings disappear from them still.
  void thinTubesStay_data() {
    QTest::addColumn<double>("wall");  // part of the columns
    QTest::addColumn<int>("tubes");
    QTest::addColumn<double>("beside");  // columns
    QTest::addColumn<double>("turn");    // degrees
    QTest::addColumn<double>("axis");
    for (const double wall : {0.01, 0.02, 0.05}) {
      QTest::addRow("%g of the width", wall) << wall << 1 << 0.0 << 180.0 << 199.5;
      QTest::addRow("%g, beside the axis", wall) << wall << 1 << 3.0 << 360.0 << 203.75;
    }
    for (const double axis : {199.25, 199.75, 199.125})
      QTest::addRow("1.5 cells, axis at %g", axis) << 1.5 / 400 << 1 << 0.0 << 180.0 << axis;
    QTest::addRow("three") << 0.02 << 3 << 0.0 << 180.0 << 199.5;
    QTest::addRow("three, axis beside the middle") << 0.02 << 3 << 0.0 << 360.0 << 203.9;
  }
  void thinTubesStay() {
    QFETCH(double, wall);
    QFETCH(int, tubes);
    QFETCH(double, beside);
    QFETCH(double, turn);
    QFETCH(double, axis);
    constexpr int views = 180;
    SinogramCase scan;
    scan.views = views;
    scan.columns = 400;
    ScanSpec spec = scan.geometry().spec();
    spec.central_column = axis;
    spec.view_angles_rad = angles_from_degrees(0, turn / views, views);
    std::mt19937 engine(5);
    std::normal_distribution<double> noise(0, 0.002);
    std::vector<float> without, with;
    for (const double angle : spec.view_angles_rad)
      for (int column = 0; column < scan.columns; ++column) {
        const double t = column - axis - beside * std::cos(angle - 1);
        double sum = noise(engine);
        for (int k = 0; k < tubes; ++k) {
          const double outer = (0.42 - 0.11 * k) * scan.columns;
          sum += (SinogramCase::chord(t, outer) -
                  SinogramCase::chord(t, outer - wall * scan.columns)) /
                 scan.columns;
        }
        without.push_back(static_cast<float>(sum));
        with.push_back(without.back() + (column == 230 ? 0.1F : 0.0F));
      }
    std::vector<float> after = without;
    rings(ScanGeometry(spec))->apply(after);
    rings(ScanGeometry(spec))->apply(with);
    std::vector<double> change, all;
    for (std::size_t at = 0; at < after.size(); ++at) {
      change.push_back(static_cast<double>(after[at]) - without[at]);
      all.push_back(without[at]);
    }
    const double part = rms(change) / rms(all), left = scan.excess(with, after, 0, 230);
    qInfo("changes by %.2f %%", 100 * part);
    QVERIFY2(part < 0.02, QByteArray::number(part));  // 0.028 to 0.26 without mirror images
    QVERIFY2(std::abs(left) < 0.01, QByteArray::number(left));
  }

  /// Two cells that are off by chance at mirror images of each other, or one at the axis, are no
  /// object.
  void ringsAtMirrorImagesDisappear() {
    const SinogramCase scan;  // whose axis is at 255.5
    const std::vector<Stripe> pairs = {{101, 0.1F},  {410, 0.1F},  {160, -0.1F}, {161, -0.1F},
                                       {350, -0.1F}, {351, -0.1F}, {255, 0.1F},  {256, 0.1F}};
    std::vector<float> without = scan.line_integrals(), with = striped(scan, without, pairs);
    rings(scan.geometry())->apply(without);
    rings(scan.geometry())->apply(with);
    for (const Stripe& one : pairs) {
      const double left = scan.excess(with, without, 0, one.column);
      QVERIFY2(std::abs(left) <= 0.1 * std::abs(one.height), QByteArray::number(left));
    }
  }

  /// Offsets are taken off exactly where nothing else is: on any slope, and not where an edge of
  /// the object has no second one.
  void offsetsAreTakenOff() {
    constexpr int views = 20, columns = 120;
    const auto values_with = [&](const std::vector<std::pair<int, float>>& offsets, bool has_edge) {
      std::vector<float> values;
      for (int view = 0; view < views; ++view)
        for (int column = 0; column < columns; ++column)
          values.push_back(0.02F * static_cast<float>(column) +
                           0.1F * std::sin(0.3F * static_cast<float>(view)) +
                           (has_edge && column >= 60 ? 1.0F : 0.0F));
      for (const auto& [column, offset] : offsets)
        for (int view = 0; view < views; ++view)
          values[static_cast<std::size_t>(view * columns + column)] += offset;
      return values;
    };
    const std::vector<float> clean = values_with({}, false);
    std::vector<float> striped = values_with(
        {{30, 0.2F}, {31, 0.25F}, {32, 0.15F}, {33, 0.2F}, {80, -0.1F}, {100, 0.1F}}, false);
    QCOMPARE(take_off_column_offsets(striped, views, columns, 3, 31), std::size_t{6});
    for (std::size_t at = 0; at < clean.size(); ++at) EXPECT_NEAR(striped[at], clean[at], 1e-5);
    const std::vector<float> edge = values_with({}, true);
    std::vector<float> same = edge;
    QCOMPARE(take_off_column_offsets(same, views, columns, 3, 31), std::size_t{0});
    QVERIFY(same == edge);
  }

  /// Edges of the object, also in a measured sinogram, are no large stripes.
  void edgesAreNoLargeStripes() {
    SinogramCase few;
    few.views = 91;
    few.columns = 160;
    for (const SinogramCase& scan : {SinogramCase(), few}) {
      const std::vector<float> clean = scan.line_integrals();
      std::vector<float> values = clean;
      rings(scan.geometry())->apply(values);
      std::vector<double> change;
      for (std::size_t i = 0; i < values.size(); ++i)
        change.push_back(static_cast<double>(values[i]) - clean[i]);
      // As large stripes, or by windows of a twelfth of the columns, they changed by 0.4 %.
      QVERIFY2(rms(change) < 0.002 * *std::ranges::max_element(clean),
               QByteArray::number(rms(change)));
    }
    NEED_DATA("scans-in/sino_neutron360_rings");
    LoadedScan neutrons = neutron_sinogram();
    const auto said = rings(*neutrons.geometry)->apply(neutrons.line_integrals);
    QVERIFY2(said[0].find(" 0 columns of large stripes") != std::string::npos, said[0].c_str());
  }

  /// Medians of all columns would add noise, and change small features by most of their height.
  void whereThereAreNoStripesLittleChanges() {
    const SinogramCase scan;
    const std::vector<float> clean = scan.line_integrals();
    std::vector<float> values = clean;
    rings(scan.geometry())->apply(values);
    std::vector<double> change;
    for (std::size_t i = 0; i < values.size(); ++i)
      change.push_back(static_cast<double>(values[i]) - clean[i]);
    QVERIFY2(rms(change) < 0.05 * scan.noise, QByteArray::number(rms(change)));
    NEED_DATA("scans-in/proj_i13_24737_tiff");
    ImportRequest request;
    request.path = data_path("scans-in/proj_i13_24737_tiff");
    LoadedScan grain = import_scan(request).scan;
    const std::vector<float> before = grain.line_integrals;
    rings(*grain.geometry)->apply(grain.line_integrals);
    double most = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
      most = std::max(most, std::abs(static_cast<double>(grain.line_integrals[i]) - before[i]));
    qInfo("at most %.3f of a line integral of the grain is changed", most);
    QVERIFY2(most < 0.3, QByteArray::number(most));  // 0.94 when all columns were smoothed
  }

  /// A dead column has no values to keep, and gets those between its neighbours; so does one that
  /// fluctuates.
  void deadAndFluctuatingColumnsAreInterpolated() {
    const SinogramCase scan;
    const std::vector<float> clean = scan.line_integrals();
    std::vector<float> values = clean;
    std::mt19937 engine(3);
    std::normal_distribution<float> wild(1, 0.2F);
    for (int view = 0; view < scan.views; ++view) {
      values[scan.index(view, 0, 150)] = 1.3F;
      values[scan.index(view, 0, 350)] = wild(engine);
    }
    const auto notes = rings(scan.geometry())->apply(values);
    QVERIFY2(notes[0].starts_with("6 dead or fluctuating columns"), notes[0].c_str());
    for (const int column : {150, 350}) {
      std::vector<double> off;
      for (int view = 0; view < scan.views; ++view)
        off.push_back(static_cast<double>(values[scan.index(view, 0, column)]) -
                      clean[scan.index(view, 0, column)]);
      QVERIFY2(rms(off) < 0.03, QByteArray::number(rms(off)));  // 0.2 and more before
    }
  }

  /// Exact data fluctuate from view to view only as the object moves: no column of them is dead,
  /// and one that is remains one.
  void withoutNoiseOnlyDeadColumnsAreInterpolated() {
    SinogramCase scan;
    scan.views = 360;
    ScanSpec spec = scan.geometry().spec();
    spec.column_pitch_mm = spec.row_pitch_mm = 0.5;
    const ScanGeometry geometry(spec);
    std::vector<float> clean(geometry.rays());
    const auto phantom = catalog_.phantoms.make("shepp_logan", "cpu", {{"size_mm", 200.0}});
    project_exactly(*phantom, geometry, 4, clean);
    std::vector<float> values = clean;
    const auto notes = rings(geometry)->apply(values);
    QVERIFY2(notes[0].starts_with("0 dead or fluctuating columns"), notes[0].c_str());
    std::vector<float> dead = clean;
    for (int view = 0; view < scan.views; ++view) dead[scan.index(view, 0, 290)] = 1.3F;
    const auto notes_of_dead = rings(geometry)->apply(dead);
    QVERIFY2(notes_of_dead[0].starts_with("3 dead or fluctuating columns"),
             notes_of_dead[0].c_str());
  }

  /// Rows are corrected each for itself, on any number of threads.
  void rowsDoNotMix() {
    SinogramCase one, both;
    both.rows = 2;
    const std::vector<float> first = striped(one, one.line_integrals());
    std::vector<float> together(2 * first.size());
    for (int view = 0; view < one.views; ++view)
      for (int column = 0; column < one.columns; ++column) {
        const float value = first[one.index(view, 0, column)];
        together[both.index(view, 0, column)] = value;
        together[both.index(view, 1, column)] = 2 * value;
      }
    std::vector<float> alone = first;
    rings(one.geometry())->apply(alone);
    rings(both.geometry())->apply(together);
    for (int view = 0; view < one.views; ++view)
      for (int column = 0; column < one.columns; ++column)
        QCOMPARE(together[both.index(view, 0, column)], alone[one.index(view, 0, column)]);
  }

  void theSlidingMedianIsTheMedian() {
    std::mt19937 engine(5);
    std::uniform_int_distribution<int> whole(0, 20);  // with values that occur again
    for (const int window : {1, 2, 3, 8, 21, 61}) {
      std::vector<float> line(40);
      for (float& value : line) value = static_cast<float>(whole(engine));
      std::vector<float> expected;
      for (int i = 0; i < 40; ++i) {
        std::vector<float> some;
        for (int k = i - window / 2; k < i - window / 2 + window; ++k)
          some.push_back(line[static_cast<std::size_t>(k < 0 ? -1 - k : k > 39 ? 79 - k : k)]);
        std::ranges::sort(some);
        expected.push_back(some[static_cast<std::size_t>(window / 2)]);
      }
      SlidingMedian(window).apply(line);
      QVERIFY(line == expected);
    }
  }

  /// A neutron sinogram in which two columns see no beam in many views; by their means over the
  /// views, computed from the file by a program of its own, they lie off the median of 15 columns.
  void aMeasuredSinogram() {
    NEED_DATA("scans-in/sino_neutron360_rings");
    LoadedScan scan = neutron_sinogram();
    const int columns = scan.geometry->columns(), views = scan.geometry->views();
    const auto means = [&] {
      std::vector<double> result(static_cast<std::size_t>(columns));
      for (std::size_t i = 0; i < scan.line_integrals.size(); ++i)
        result[i % static_cast<std::size_t>(columns)] += scan.line_integrals[i] / views;
      return result;
    };
    const std::vector<double> before = means();
    rings(*scan.geometry)->apply(scan.line_integrals);
    const std::vector<double> after = means();
    for (const auto& [column, height] : {std::pair{314, 2.4738}, std::pair{346, 2.7320}}) {
      const double was = before[static_cast<std::size_t>(column)] - median_near(before, column, 7),
                   is = after[static_cast<std::size_t>(column)] - median_near(after, column, 7);
      EXPECT_NEAR(was, height, 0.001);
      QVERIFY2(std::abs(is) <= 0.02, QByteArray::number(is));
    }
  }

  /// How much the values changed is said, and a warning where structure of the object did. Columns
  /// that are interpolated have no values that could change.
  void theChangeIsSaid() {
    SinogramCase scan;
    scan.views = 91;
    scan.columns = 160;
    scan.noise = 0;
    const std::vector<float> before =
        striped(scan, scan.line_integrals(), {{20, 0.1F}, {90, 0.1F}});
    std::vector<float> after = before;
    const auto notes = rings(scan.geometry())->apply(after);
    QCOMPARE(notes.size(), 1U);
    double square = 0, all = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      square += std::pow(static_cast<double>(after[i]) - before[i], 2);
      all += std::pow(static_cast<double>(after[i]), 2);
    }
    const double said = std::stod(notes[0].substr(notes[0].find("changed by ") + 11)) / 100;
    EXPECT_NEAR(said / std::sqrt(square / all), 1, 0.06);  // it is said with two digits
    // Thin rods close to each other are all edges.
    std::vector<float> rods;
    for (int view = 0; view < scan.views; ++view)
      for (int column = 0; column < scan.columns; ++column) {
        const double angle = view * std::numbers::pi / scan.views, t = column - 79.5;
        double sum = 0;
        for (int k = 0; k < 12; ++k)
          sum += SinogramCase::chord(t - 6 * k * std::cos(angle - k), 1.5);
        rods.push_back(static_cast<float>(sum));
      }
    const auto warned = rings(scan.geometry())->apply(rods);
    QCOMPARE(warned.size(), 2U);
    QVERIFY2(warned[1].find("small_window") != std::string::npos, warned[1].c_str());
  }

  void whatCannotBeCorrectedIsSaid() {
    SinogramCase scan;
    scan.views = 8;
    std::vector<float> values = scan.line_integrals();
    EXPECT_THROWS(InputError, rings(scan.geometry())->apply(values), "needs 16 views");
    values.pop_back();
    EXPECT_THROWS(ShapeError, rings(scan.geometry())->apply(values), "corrections");
    EXPECT_THROWS(UsageError, rings(scan.geometry(), {{"snr", 0.5}}), "rings.snr");
  }

  void itCanBeInterrupted() {
    const SinogramCase scan;
    std::vector<float> values = scan.line_integrals();
    InterruptAtCheck interrupt;
    interrupt.set(1);
    QVERIFY_THROWS_EXCEPTION(Interrupted, rings(scan.geometry())->apply(values, &interrupt));
  }
};

GANTRY_TEST(TestRings)
#include "test_rings.moc"
