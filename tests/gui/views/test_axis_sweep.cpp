// Sweeps of the central column of a scan of several rows, and of corrections: slices of its middle
// row.
#include "core/io/scans/scan_file.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestAxisSweep : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  /// Writes a scan of discs by a parallel beam, whose file states another axis.
  QString scan(const TiffScan& discs) const {
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = discs.columns;
    spec.detector_rows = discs.rows;
    spec.column_pitch_mm = spec.row_pitch_mm = 1;
    spec.central_column = 48;
    spec.central_row = 0.5 * (discs.rows - 1);
    spec.view_angles_rad = angles_from_degrees(0, discs.arc_deg / (discs.views - 1), discs.views);
    std::vector<float> p;
    for (int view = 0; view < discs.views; ++view)
      for (int row = 0; row < discs.rows; ++row)
        for (int column = 0; column < discs.columns; ++column)
          p.push_back(0.1F * static_cast<float>(discs.line_integral(view, row, column)));
    const QString path = folder_.filePath(QStringLiteral("discs.scan.json"));
    write_scan(path.toStdString(), ScanGeometry(spec), p, "discs");
    return path;
  }
  static QString text(WindowFixture& w) { return w.part<QLabel>("sweepState").text(); }
  static bool hasSlices(WindowFixture& w, const TiffScan& discs) {
    const auto& points = w.window->sweep().points();
    return points.size() == 5 && std::ranges::all_of(points, [&](const SweepPoint& point) {
             return point.problem.empty() && point.data->grid.nz == 1 &&
                    point.image.size() == point.data->grid.voxels() &&
                    point.data->geometry->columns() == discs.columns;
           });
  }

 private slots:
  /// Whatever method the run has, and however many iterations.
  void theMiddleSliceTellsTheAxis() {
    const TiffScan discs;
    WindowFixture w;
    w.window->open(scan(discs));
    WAIT_FOR(w.isReady());
    const int id = w.run(0);
    w.model().editRun(id, QStringLiteral("run"), [](RunSpec& run) {
      run.solver = "sirt";
      run.iterations = 100000;
    });
    const RunSpec before = *w.model().run(id);
    w.window->runs().selectRun(id);
    w.window->applyLayout(WindowLayout::sweep);
    SweepBoard& board = w.window->sweep();
    board.chooseParam(QStringLiteral("scan:central_column"));
    QVERIFY(!w.part<QSpinBox>("sweepIterations").isEnabled());
    QVERIFY2(text(w).contains(QStringLiteral("the middle slice alone")), qPrintable(text(w)));
    w.part<QDoubleSpinBox>("sweepFrom").setValue(discs.centre - 4);
    w.part<QDoubleSpinBox>("sweepTo").setValue(discs.centre + 4);
    w.part<QSpinBox>("sweepCount").setValue(5);
    board.setLongSeconds(0);  // there is nothing to ask about
    w.part<QPushButton>("startSweep").click();
    WAIT_FOR(board.points().size() == 5 && !board.isBusy());
    QVERIFY(w.bannerTexts().isEmpty());
    QVERIFY(hasSlices(w, discs));
    QVERIFY2(text(w).contains(QStringLiteral("Central column %1").arg(discs.centre)) &&
                 text(w).contains(QStringLiteral("the middle slice alone, by filtered")),
             qPrintable(text(w)));

    // A finer one after it.
    w.part<QDoubleSpinBox>("sweepFrom").setValue(discs.centre - 2);
    w.part<QDoubleSpinBox>("sweepTo").setValue(discs.centre + 2);
    w.part<QPushButton>("startSweep").click();
    WAIT_FOR(board.points().size() == 5 && !board.isBusy());
    QVERIFY(hasSlices(w, discs));

    QSignalSpy saved(w.sessions, &SessionFiles::saved);
    const QString session = folder_.filePath(QStringLiteral("axis.gantry"));
    w.sessions->save(session);
    WAIT_FOR(saved.count() == 1);
    WindowFixture again;
    again.window->open(session);
    WAIT_FOR(hasSlices(again, discs));
    QCOMPARE(text(again), text(w));
    QVERIFY(again.part<QPushButton>("useBest").isEnabled());
    const auto &kept = board.points(), &restored = again.window->sweep().points();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      QCOMPARE(restored[i].slice.negativity, kept[i].slice.negativity);
      QCOMPARE(restored[i].slice.gradient, kept[i].slice.gradient);
    }

    // The run gets the axis, and keeps its method.
    w.part<QPushButton>("useBest").click();
    QCOMPARE(w.model().experiment().geometry->central_column, discs.centre);
    QVERIFY(*w.model().run(id) == before);
  }

  /// A correction is seen in the same slices, in seconds, whatever the run would take.
  void theMiddleSliceTellsACorrection() {
    const TiffScan discs;
    WindowFixture w;
    w.window->open(scan(discs));
    WAIT_FOR(w.isReady());
    const int id = w.run(0);
    w.model().editRun(id, QStringLiteral("run"), [](RunSpec& run) { run.iterations = 100000; });
    const auto plain = w.controller().data();
    w.model().edit(QStringLiteral("correct"), [](Experiment& e) {
      e.corrections = {{"beam_hardening", {}}};
    });
    WAIT_FOR(w.isReady() && w.controller().data() != plain);
    const RunSpec before = *w.model().run(id);
    w.window->runs().selectRun(id);
    w.window->applyLayout(WindowLayout::sweep);
    SweepBoard& board = w.window->sweep();
    board.chooseParam(QStringLiteral("correction:0:a2"));
    QVERIFY(!w.part<QSpinBox>("sweepIterations").isEnabled());
    QVERIFY2(text(w).contains(QStringLiteral("the middle slice alone")), qPrintable(text(w)));
    QCOMPARE(w.part<QDoubleSpinBox>("sweepFrom").value(), -0.1);
    QCOMPARE(w.part<QDoubleSpinBox>("sweepTo").value(), 0.1);
    w.part<QSpinBox>("sweepCount").setValue(5);
    board.setLongSeconds(0);  // there is nothing to ask about
    w.part<QPushButton>("startSweep").click();
    WAIT_FOR(board.points().size() == 5 && !board.isBusy());
    QVERIFY2(!w.bannerText().contains(QStringLiteral("sweep takes")), qPrintable(w.bannerText()));
    QVERIFY(hasSlices(w, discs));
    QVERIFY2(text(w).contains(QStringLiteral("choose a picture")), qPrintable(text(w)));
    const auto greatest = [&](std::size_t i) { return std::ranges::max(board.points()[i].image); };
    for (std::size_t i = 1; i < 5; ++i) QVERIFY(greatest(i) > greatest(i - 1));

    // The correction gets the value of the picture that is chosen.
    auto& pictures = w.part<QWidget>("sweepPictures");
    pictures.setFocus();
    QTest::keyClick(&pictures, Qt::Key_Left);
    w.part<QPushButton>("useBest").click();
    QCOMPARE(w.model().experiment().corrections.at(0).params.real("a2"), -0.1);
    QVERIFY(*w.model().run(id) == before);
  }

  /// A scan of one row is as quick by the run itself, which sees more than its slice.
  void ofOneRowTheRunIsRepeated() {
    TiffScan discs;
    discs.rows = 1;
    WindowFixture w;
    w.window->open(scan(discs));
    WAIT_FOR(w.isReady());
    w.window->runs().selectRun(w.run(0));
    w.window->applyLayout(WindowLayout::sweep);
    w.window->sweep().chooseParam(QStringLiteral("scan:central_column"));
    QVERIFY(w.part<QSpinBox>("sweepIterations").isEnabled());
    QVERIFY(!text(w).contains(QStringLiteral("the middle slice alone")));
  }
};

GANTRY_TEST(TestAxisSweep)
#include "test_axis_sweep.moc"
