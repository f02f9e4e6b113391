// Bad cells of a detector, zingers, and corrections of each value by itself.
#include "core/base/error.hpp"
#include "core/corrections/cell_repair.hpp"
#include "core/corrections/obvious_bad_cells.hpp"
#include "core/corrections/repaired_meanwhile.hpp"
#include "core/geometry/default_scan.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <random>
#include <set>

using namespace gantry;
using namespace gantry::test;

class TestCellCorrections : public QObject {
  Q_OBJECT
  Catalog catalog_;

  std::vector<std::string> apply(const std::string& key, const ScanGeometry& scan,
                                 std::vector<float>& values, const Params& params = {},
                                 const Interrupt* interrupt = nullptr) {
    return catalog_.corrections.make(key, "cpu", scan, params)->apply(values, interrupt);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// Dead cells, without any beam, and stuck ones, which always show the same, in an exact scan of
  /// a head: in the object's shadow and beside it.
  void deadAndStuckCellsAreFound_data() {
    QTest::addColumn<QString>("object");
    QTest::addRow("head") << "forbild_head_3d";
    QTest::addRow("ellipsoids") << "shepp_logan_ks";
  }
  void deadAndStuckCellsAreFound() {
    QFETCH(QString, object);
    const auto head = phantom(object.toStdString());
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 2 * half.z, 256);
    spec.view_angles_rad = angles_from_degrees(0, 6, 60);
    const ScanGeometry scan(spec);
    std::vector<float> clean(scan.rays());
    project_exactly(*head, scan, 1, clean);
    std::mt19937 engine(11);
    std::uniform_int_distribution<std::size_t> any(0, scan.cells() - 1);
    std::uniform_real_distribution<float> level(0.3F, 0.9F);
    const float most = *std::ranges::max_element(clean);
    std::set<std::size_t> bad;
    while (bad.size() < 500) bad.insert(any(engine));
    std::vector<float> values = clean;
    bool is_dead = false;
    for (const std::size_t cell : bad) {
      is_dead = !is_dead;
      const float stuck = is_dead ? 13.8F : level(engine) * most;
      for (std::size_t at = cell; at < values.size(); at += scan.cells()) values[at] = stuck;
    }
    const std::vector<float> before = values;
    const auto notes = apply("bad_cells", scan, values);
    std::size_t missed = 0, others = 0;
    for (std::size_t cell = 0; cell < scan.cells(); ++cell) {
      bool has_changed = false;
      for (std::size_t at = cell; at < values.size(); at += scan.cells())
        has_changed = has_changed || values[at] != before[at];
      missed += bad.contains(cell) && !has_changed ? 1 : 0;
      others += !bad.contains(cell) && has_changed ? 1 : 0;
    }
    QCOMPARE(missed, 0U);
    QVERIFY2(static_cast<double>(others) <= 1e-4 * static_cast<double>(scan.cells()),
             QByteArray::number(static_cast<int>(others)));
    QVERIFY2(notes.size() == 1 && notes[0].starts_with("50"), notes[0].c_str());
  }

  void aWildCellIsFound() {
    SinogramCase scan;
    scan.rows = 8;
    std::vector<float> values = scan.line_integrals();
    std::mt19937 engine(4);
    std::normal_distribution<float> wild(0, 0.5F);
    for (int view = 0; view < scan.views; ++view) values[scan.index(view, 3, 200)] += wild(engine);
    const std::vector<float> before = values;
    const auto notes = apply("bad_cells", scan.geometry(), values);
    QVERIFY2(notes[0].starts_with("1 cell of 4096 is"), notes[0].c_str());
    for (int view = 0; view < scan.views; ++view) {
      double sum = 0;
      for (const int row : {2, 3, 4})
        for (const int column : {199, 200, 201})
          if (row != 3 || column != 200) sum += before[scan.index(view, row, column)];
      EXPECT_NEAR(values[scan.index(view, 3, 200)], sum / 8, 1e-6);
    }
  }

  void aSoundDetectorStaysAsItIs() {
    SinogramCase scan;
    for (const int rows : {1, 6}) {
      scan.rows = rows;
      const std::vector<float> before = scan.line_integrals();
      std::vector<float> values = before;
      apply("bad_cells", scan.geometry(), values);
      QVERIFY(values == before);
    }
  }

  /// The tips of a head on the axis stand still on the detector: their rims are no bad cells, and
  /// neither are those of thin shells.
  void rimsThatStandStillAreNoBadCells_data() {
    QTest::addColumn<QString>("object");
    QTest::addColumn<double>("photons");
    for (const char* object : {"forbild_head_3d", "shepp_logan_ks"})
      for (const double photons : {0.0, 1e4, 1e5})
        QTest::addRow("%s, %g photons", object, photons) << object << photons;
  }
  void rimsThatStandStillAreNoBadCells() {
    QFETCH(QString, object);
    QFETCH(double, photons);
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = 160;
    spec.detector_rows = 60;
    spec.column_pitch_mm = 1.9;
    spec.row_pitch_mm = 4;
    spec.central_column = 79.5;
    spec.central_row = 29.5;
    spec.view_angles_rad = angles_from_degrees(0, 2, 180);
    const ScanGeometry scan(spec);
    const std::vector<float> before = measured(*phantom(object.toStdString()), scan, photons, 2);
    std::vector<float> values = before;
    const auto notes = apply("bad_cells", scan, values);
    QVERIFY2(values == before, notes[0].c_str());
  }

  /// Narrow things on the axis, as high as the detector or not, thick or thin, and their tips show
  /// the same in all views, beside something that moves; dead and stuck cells are found beside
  /// them.
  void thingsOnTheAxisAreNoBadCells_data() {
    QTest::addColumn<double>("radius");       // columns
    QTest::addColumn<double>("half_height");  // rows; 0: all rows
    QTest::addColumn<double>("photons");
    for (const double photons : {0.0, 1e4, 1e5}) {
      QTest::addRow("rod, %g photons", photons) << 3.0 << 0.0 << photons;
      QTest::addRow("wire, %g photons", photons) << 0.8 << 0.0 << photons;
      QTest::addRow("spindle, %g photons", photons) << 3.0 << 20.0 << photons;
      QTest::addRow("needle, %g photons", photons) << 0.8 << 22.0 << photons;
    }
  }
  void thingsOnTheAxisAreNoBadCells() {
    QFETCH(double, radius);
    QFETCH(double, half_height);
    QFETCH(double, photons);
    SinogramCase scan;
    scan.views = 90;
    scan.rows = 60;
    scan.columns = 128;
    scan.noise = 0;
    std::mt19937 engine(8);
    std::vector<float> values = scan.line_integrals();
    for (int view = 0; view < scan.views; ++view)
      for (int row = 0; row < scan.rows; ++row) {
        const double z = half_height > 0 ? (row - 29.5) / half_height : 0,
                     here = z * z < 1 ? radius * std::sqrt(1 - z * z) : 0;
        for (int column = 0; column < scan.columns; ++column) {
          float& value = values[scan.index(view, row, column)];
          value += static_cast<float>(0.2 * SinogramCase::chord(column - 63.5, here));
          if (photons == 0) continue;
          std::poisson_distribution<int> counts(photons * std::exp(-static_cast<double>(value)));
          value = static_cast<float>(-std::log(std::max(1, counts(engine)) / photons));
        }
      }
    const std::vector<float> sound = values;
    apply("bad_cells", scan.geometry(), values);
    QVERIFY(values == sound);
    const std::size_t cells = scan.geometry().cells();
    const std::set<std::size_t> bad = {30 * 128 + 63, 12 * 128 + 64, 40 * 128 + 65, 25 * 128 + 30};
    for (const std::size_t cell : bad)
      for (std::size_t at = cell; at < values.size(); at += cells)
        values[at] = cell % 2 == 0 ? 13.8F : 2.5F;
    const std::vector<float> before = values;
    apply("bad_cells", scan.geometry(), values);
    for (std::size_t cell = 0; cell < cells; ++cell)
      QCOMPARE(values[cell] != before[cell], bad.contains(cell));
  }

  /// What an estimate from the views leaves aside: dead and stuck cells, two side by side and one
  /// beside the end of a row among them, with noise and without; of a sound detector none.
  void obviousBadCellsAreTold_data() {
    QTest::addColumn<double>("noise");
    QTest::addRow("exact") << 0.0;
    QTest::addRow("noise") << 0.02;
  }
  void obviousBadCellsAreTold() {
    QFETCH(double, noise);
    SinogramCase scan;
    scan.views = 60;
    scan.rows = 4;
    scan.noise = noise;
    const ScanSize size{scan.views, scan.rows, scan.columns};
    std::vector<float> values = scan.line_integrals();
    const std::vector<float> sound = values;
    QCOMPARE(obvious_bad_cells(size, sound, nullptr).size(), 0U);
    const std::vector<std::size_t> bad{1, 512 + 200, 512 + 201, 2 * 512 + 300, 3 * 512 + 510};
    for (const std::size_t cell : bad)
      for (std::size_t at = cell; at < values.size(); at += size.cells())
        values[at] = cell == 2 * 512 + 300 ? 0.6F : 13.8F;
    QCOMPARE(obvious_bad_cells(size, values, nullptr), bad);
    const std::vector<float> before = values;
    {
      const RepairedMeanwhile repaired(size, values, nullptr);
      QCOMPARE(repaired.bad_cells(), bad.size());
      for (const std::size_t cell : bad)
        for (std::size_t at = cell; at < values.size(); at += size.cells())
          EXPECT_NEAR(values[at], sound[at], 0.2);
    }
    QVERIFY(values == before);
    QVERIFY(std::ranges::max(RepairedView(size, values, nullptr).line_integrals()) < 4);
    QVERIFY(RepairedView(size, sound, nullptr).line_integrals().data() == sound.data());
    RepairedView(size, sound, nullptr, 1);
    EXPECT_THROWS(OutOfMemory, RepairedView(size, values, nullptr, 1), "a copy of the scan");
  }

  /// The middle one of 3 x 3 bad cells has living neighbours only two cells away.
  void repairReachesAsFarAsItMust() {
    std::vector<float> view(7 * 7);
    for (std::size_t i = 0; i < view.size(); ++i) view[i] = static_cast<float>(i % 7);  // columns
    const std::vector<float> sound = view;
    std::vector<std::size_t> bad;
    for (const std::size_t row : {2U, 3U, 4U})
      for (const std::size_t column : {2U, 3U, 4U}) bad.push_back(row * 7 + column);
    for (const std::size_t cell : bad) view[cell] = 1000;
    CellRepair(7, 7, bad).apply(view);
    EXPECT_NEAR(view[3 * 7 + 3], 3, 1e-6);                          // 16 cells of columns 1 to 5
    EXPECT_NEAR(view[3 * 7 + 2], 1, 1e-6);                          // three of column 1
    EXPECT_NEAR(view[2 * 7 + 2], (1 + 2 + 3 + 1 + 1) / 5.0, 1e-6);  // above and beside it
    view.assign(5, 2.0F);
    CellRepair(1, 5, {0, 1, 2, 3, 4}).apply(view);
    QVERIFY(view == std::vector<float>(5, 0.0F));
  }

  void aScanFullOfBadCellsIsRefused() {
    SinogramCase scan;
    scan.rows = 4;
    std::vector<float> values = scan.line_integrals();
    std::mt19937 engine(2);
    for (std::size_t cell = 0; cell < scan.geometry().cells(); ++cell)
      if (engine() % 10 < 3)
        for (std::size_t at = cell; at < values.size(); at += scan.geometry().cells())
          values[at] = 13.8F;
    EXPECT_THROWS(InputError, apply("bad_cells", scan.geometry(), values),
                  "raise level and wild, or lower still");
  }

  /// Single values far off, away from edges, also in the first and the last view: all found, and
  /// nothing else. A single row says less of what is usual about a value.
  void zingersAreReplaced_data() {
    QTest::addColumn<int>("rows");
    QTest::addRow("nine rows") << 9;
    QTest::addRow("one row") << 1;
  }
  void zingersAreReplaced() {
    QFETCH(int, rows);
    SinogramCase scan;
    scan.rows = rows;
    const std::vector<float> clean = scan.line_integrals();
    std::vector<float> values = clean;
    std::mt19937 engine(6);
    std::set<std::size_t> hit;
    for (int k = 0; k < 100; ++k) {
      const int view = k == 0 ? scan.views - 1 : k - 1, row = k % rows,
                column = 85 + 7 * k % 25;  // no edge comes there
      const std::size_t at = scan.index(view, row, column);
      hit.insert(at);
      const float off = rows == 1 ? 0.4F : 0.2F;  // 80 or 40 times the noise
      values[at] += k % 2 == 0 ? off : -off;
    }
    const auto notes = apply("zingers", scan.geometry(), values);
    QVERIFY2(notes[0].starts_with("100 values in 100 views were"), notes[0].c_str());
    for (std::size_t at = 0; at < values.size(); ++at)
      if (hit.contains(at))
        EXPECT_NEAR(values[at], clean[at], 0.05);
      else
        QCOMPARE(values[at], clean[at]);
  }

  /// Spots of 2 x 2 values of single views, of one row 2, at random places, edges of the object and
  /// the detector among them: nearly all are found, and hardly anything else.
  void spotsAreReplaced_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<double>("missed_part");  // at edges; few cells about a spot tell less of it
    QTest::addRow("nine rows") << 9 << 0.01;
    QTest::addRow("two rows") << 2 << 0.02;
    QTest::addRow("one row") << 1 << 0.04;
  }
  void spotsAreReplaced() {
    QFETCH(int, rows);
    QFETCH(double, missed_part);
    SinogramCase scan;
    scan.rows = rows;
    const std::vector<float> clean = scan.line_integrals();
    std::vector<float> values = clean;
    std::mt19937 engine(6);
    std::uniform_int_distribution<int> view(0, scan.views - 1), column(0, scan.columns - 2),
        row(0, std::max(0, rows - 2));
    std::uniform_real_distribution<float> height(0.6F, 1.4F);
    std::set<std::size_t> hit;
    for (int k = 0; k < 200; ++k) {
      const int v = view(engine), r = row(engine), c = column(engine);
      for (int i = 0; i < std::min(2, rows); ++i)
        for (const int j : {0, 1}) {
          const std::size_t at = scan.index(v, r + i, c + j);
          if (hit.insert(at).second) values[at] += k % 2 == 0 ? height(engine) : -height(engine);
        }
    }
    const std::vector<float> before = values;
    apply("zingers", scan.geometry(), values);
    std::size_t missed = 0, others = 0;
    std::vector<float> errors;
    for (std::size_t at = 0; at < values.size(); ++at)
      if (!hit.contains(at))
        others += values[at] != before[at] ? 1 : 0;
      else if (values[at] == before[at])
        ++missed;
      else
        errors.push_back(std::abs(values[at] - clean[at]));
    QVERIFY2(static_cast<double>(missed) <= missed_part * static_cast<double>(hit.size()),
             QByteArray::number(static_cast<int>(missed)));
    QVERIFY2(static_cast<double>(others) <= 1e-4 * static_cast<double>(values.size()),
             QByteArray::number(static_cast<int>(others)));
    std::ranges::sort(errors);
    QVERIFY(errors[errors.size() / 2] < 0.01);
    QVERIFY(errors[errors.size() * 9 / 10] < 0.05);  // at edges of the object the cells differ
  }

  /// The head as 10 000 photons a ray show it has no zingers.
  void noiseAndEdgesAreNoZingers() {
    const auto head = phantom("forbild_head_3d");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 2 * half.z, 128);
    spec.view_angles_rad = angles_from_degrees(0, 3, 120);
    const ScanGeometry scan(spec);
    std::vector<float> values = measured(*head, scan, 1e4);
    const std::vector<float> before = values;
    apply("zingers", scan, values);
    std::size_t changed = 0;
    for (std::size_t at = 0; at < values.size(); ++at) changed += values[at] != before[at] ? 1 : 0;
    QVERIFY2(static_cast<double>(changed) <= 1e-4 * static_cast<double>(values.size()),
             QByteArray::number(static_cast<int>(changed)));
  }

  void valuesAreChangedOneByOne() {
    SinogramCase scan;
    scan.columns = 16;
    const std::vector<float> before = scan.line_integrals();
    std::vector<float> values = before;
    apply("scale", scan.geometry(), values, {{"factor", 2.5}});
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], 2.5 * before[i], 1e-6);
    values = before;
    const auto notes =
        apply("beam_hardening", scan.geometry(), values, {{"a1", 1.0}, {"a2", 0.25}, {"a3", -0.5}});
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double p = before[i];
      EXPECT_NEAR(values[i], p + 0.25 * p * p - 0.5 * p * p * p, 2e-6);
    }
    QVERIFY2(notes[0].ends_with("1 p + 0.25 p^2 - 0.5 p^3"), notes[0].c_str());
  }

  /// A beam of two energies through known thicknesses: what is corrected grows linearly, as the
  /// thinnest layers do, and values below 0 stay.
  void twoEnergiesBecomeOne() {
    constexpr double soft = 0.02683, hard = 0.01837;  // water at 40 and 80 keV, 1/mm
    constexpr double part = 0.3;
    SinogramCase scan;
    scan.columns = 16;
    std::vector<float> values;
    for (std::size_t i = 0; i < scan.geometry().rays(); ++i) {
      const double mm = 0.2 * static_cast<double>(i);
      values.push_back(static_cast<float>(
          -std::log(part * std::exp(-soft * mm) + (1 - part) * std::exp(-hard * mm))));
    }
    const double loss = (part * soft + (1 - part) * hard) * 400 - values[2000];
    QVERIFY2(loss > 0.5, QByteArray::number(loss));  // else nothing was to be seen
    values[0] = -0.02F;
    const auto notes = apply("beam_hardening_bimodal", scan.geometry(), values,
                             {{"ratio", soft / hard}, {"soft_part", part}});
    QCOMPARE(values[0], -0.02F);
    for (std::size_t i = 1; i < values.size(); ++i) {
      const double expected = (part * soft + (1 - part) * hard) * 0.2 * static_cast<double>(i);
      EXPECT_NEAR(values[i], expected, 1e-6 * (1 + expected));
    }
    QVERIFY2(notes[0].starts_with("line integrals of 1, 3 and 6 became 1.0"), notes[0].c_str());
    std::vector<float> same = values;
    apply("beam_hardening_bimodal", scan.geometry(), same, {{"ratio", 1.0}});
    for (std::size_t i = 1; i < same.size(); ++i) EXPECT_NEAR(same[i], values[i], 1e-6 * values[i]);
  }

  /// Line integrals to which scatter was added are what they were; where more scatter is taken off
  /// than was measured, a note says so.
  void scatterIsTakenOff() {
    SinogramCase scan;
    scan.columns = 16;
    const std::vector<float> before = scan.line_integrals();
    std::vector<float> values = before;
    constexpr double scatter = 0.05;
    for (float& value : values)
      value = static_cast<float>(-std::log((1 - scatter) * std::exp(-value) + scatter));
    const auto notes = apply("scatter", scan.geometry(), values, {{"part", scatter}});
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], before[i], 1e-5);
    QCOMPARE(notes.size(), std::size_t{1});
    std::vector<float> dark(scan.geometry().rays(), 4);  // a transmission of 1.8 %
    const auto more = apply("scatter", scan.geometry(), dark, {{"part", scatter}});
    QCOMPARE(more.size(), std::size_t{2});
    EXPECT_NEAR(dark[0], 4 - std::log(0.01) + std::log(1 - scatter), 1e-5);
  }

  /// The beam loses a twentieth of its intensity and waves; the air at both ends tells it, even
  /// where a third of its cells are dead.
  void driftIsSubtracted() {
    SinogramCase scan;
    scan.rows = 2;
    scan.noise = 0;
    const std::vector<float> clean = scan.line_integrals();  // air: columns 0 to 55, 456 to 511
    const auto drift = [&](int view) { return 0.05 * view / scan.views + 0.01 * std::sin(view); };
    std::vector<float> values = clean;
    for (int view = 0; view < scan.views; ++view)
      for (int row = 0; row < scan.rows; ++row)
        for (int column = 0; column < scan.columns; ++column) {
          float& value = values[scan.index(view, row, column)];
          value += static_cast<float>(drift(view));
          if (column < 20) value = 13.8F;
        }
    const auto notes = apply("drift", scan.geometry(), values,
                             {{"left", std::int64_t{30}}, {"right", std::int64_t{30}}});
    for (int view = 0; view < scan.views; ++view)
      for (int row = 0; row < scan.rows; ++row)
        for (int column = 20; column < scan.columns; ++column) {
          const std::size_t at = scan.index(view, row, column);
          EXPECT_NEAR(values[at], clean[at], 1e-6);
        }
    QCOMPARE(notes, std::vector<std::string>{
                        "line integrals of air, -0.0082 to 0.0582 in the views, became 0"});
  }

  /// Where the beam changes from top to bottom, each band of rows has the air of its own.
  void driftIsSubtractedInBands() {
    SinogramCase scan;
    scan.rows = 5;
    scan.noise = 0;
    const std::vector<float> clean = scan.line_integrals();
    std::vector<float> values = clean, whole;
    for (int view = 0; view < scan.views; ++view)
      for (int row = 0; row < scan.rows; ++row)
        for (int column = 0; column < scan.columns; ++column)
          values[scan.index(view, row, column)] += row < 2 ? 0.02F : -0.01F;
    whole = values;
    const auto notes =
        apply("drift", scan.geometry(), values, {{"bands", std::int64_t{2}}});  // 2 and 3 rows
    apply("drift", scan.geometry(), whole, {});
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], clean[i], 1e-6);
    EXPECT_NEAR(whole[scan.index(0, 0, 0)], 0.03, 1e-6);  // with the air of the lower rows
    QCOMPARE(notes,
             std::vector<std::string>{
                 "line integrals of air, -0.01 to 0.02 in the views and bands of rows, became 0"});
  }

  /// Columns that the object shades are no air, which a note says; settings without air are
  /// refused.
  void driftNeedsAir() {
    const SinogramCase scan;
    std::vector<float> values = scan.line_integrals();
    const auto notes = apply("drift", scan.geometry(), values,
                             {{"left", std::int64_t{0}}, {"right", std::int64_t{200}}});
    QCOMPARE(notes.size(), 2U);
    QVERIFY2(notes[1].starts_with("in 180 views that was more than 0.1: check"), notes[1].c_str());
    EXPECT_THROWS(UsageError,
                  apply("drift", scan.geometry(), values,
                        {{"left", std::int64_t{0}}, {"right", std::int64_t{0}}}),
                  "no column sees air");
    EXPECT_THROWS(UsageError,
                  apply("drift", scan.geometry(), values, {{"left", std::int64_t{503}}}),
                  "513 columns, and the scan has 512");
  }

  /// Every correction of the catalogue stops on request.
  void allCanBeInterrupted() {
    SinogramCase scan;
    for (const auto& entry : catalog_.corrections.entries()) {
      std::vector<float> values = scan.line_integrals();
      InterruptAtCheck interrupt;
      interrupt.set(1);
      QVERIFY_THROWS_EXCEPTION(Interrupted,
                               apply(entry.key, scan.geometry(), values, {}, &interrupt));
    }
  }
};

GANTRY_TEST(TestCellCorrections)
#include "test_cell_corrections.moc"
