// Measuring at places in the window: regions drawn and typed, edges, values and curves.
#include "charts/run_colours.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/stage/region_list.hpp"
#include "gui/stage/region_stats.hpp"
#include "gui/stage/region_table.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/table_text.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/test_program.hpp"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeWidget>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestMeasure : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  const MetricsSpec& metrics() { return w_->model().experiment().metrics; }
  void type(const char* field, const QString& text) {
    window().findChild<QLineEdit*>(QLatin1String(field))->setText(text);
  }
  QString problem() {
    return window().findChild<QLabel*>(QStringLiteral("measureProblem"))->text();
  }
  bool last_has(int id, const char* key) {
    return w_->controller().status(id).history.back().metrics.contains(key);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().panels().open(QStringLiteral("measure"));
  }
  void cleanup() { w_.reset(); }

  /// Also where the field that was typed in still has the focus.
  void undoBringsBackWhatAFieldHad() {
    window().activateWindow();
    auto* field = window().findChild<QLineEdit*>(QStringLiteral("roi"));
    field->setFocus();
    WAIT_FOR(field->hasFocus());
    type("roi", QStringLiteral("0, -60, 20"));
    QCOMPARE(field->text(), QStringLiteral("0, -60, 20"));  // as it is being typed
    w_->model().undoStack().undo();
    QCOMPARE(field->text(), QString());
    w_->model().undoStack().redo();
    QCOMPARE(field->text(), QStringLiteral("0,-60,20"));
    type("roi", QStringLiteral("0,-60,"));  // not a region yet
    QVERIFY(!problem().isEmpty());
    w_->model().undoStack().undo();
    QVERIFY(field->hasFocus());
    QCOMPARE(field->text(), QString());
    QVERIFY(!problem().contains(QStringLiteral("Region")));
  }

  /// A run that has ended is measured at the new place, and the metrics of its reference stay.
  void typedRegionsGiveValuesAtOnce() {
    const int sirt = w_->run(1);
    w_->model().editRun(sirt, QStringLiteral("fewer"), [](RunSpec& run) { run.iterations = 4; });
    w_->controller().start(sirt);
    WAIT_FOR(w_->state(sirt) == RunState::finished);
    QVERIFY(!last_has(sirt, "cnr"));
    const double rmse = w_->metric(sirt, "rmse");
    type("roi", QStringLiteral("0, -60, 20"));
    QVERIFY(metrics().regions.roi == Region::circle(0, -60, 20));
    type("background", QStringLiteral("-20,-20,30,40"));
    WAIT_FOR(last_has(sirt, "cnr"));
    QVERIFY(w_->metric(sirt, "cnr") > 0);
    QCOMPARE(w_->metric(sirt, "rmse"), rmse);
    type("edge", QStringLiteral("0,0,4,0"));
    WAIT_FOR(last_has(sirt, "edge_width"));
    QVERIFY(std::isnan(w_->metric(sirt, "edge_width")));
    auto* values = window().findChild<QTreeWidget*>(QStringLiteral("measuredValues"));
    WAIT_FOR(values->topLevelItem(1)->text(1) == QString::number(w_->metric(sirt, "cnr"), 'g', 4));
    WAIT_FOR(values->topLevelItem(1)->text(2) == QStringLiteral("–"));
    WAIT_FOR(problem().contains(QStringLiteral("too few pixels")));
    // the curve has the point that was measured after the end
    auto* quantity = window().findChild<QComboBox*>(QStringLiteral("quantity"));
    quantity->setCurrentIndex(quantity->findText(QStringLiteral("CNR")));
    const ChartSeries* curve =
        window().convergence().chart().chart().model().find(std::to_string(sirt));
    QVERIFY(curve != nullptr && curve->ys.size() == 4);
    QCOMPARE(curve->ys.back(), w_->metric(sirt, "cnr"));
    QVERIFY(std::isnan(curve->ys.front()));
    QVERIFY2(window().convergence().caption().contains(
                 QStringLiteral("circle of radius 20 mm about (0, -60) mm against box")),
             qPrintable(window().convergence().caption()));
    type("background", {});
    WAIT_FOR(!last_has(sirt, "cnr"));
  }

  void textThatIsNoRegionIsSaid() {
    type("roi", QStringLiteral("1,2,3"));
    type("roi", QStringLiteral("1,2,"));
    QVERIFY2(problem().contains(QStringLiteral("is no region")), qPrintable(problem()));
    QVERIFY(metrics().regions.roi == Region::circle(1, 2, 3));  // the last one that was
    type("roi", QStringLiteral("1,2,4"));
    QVERIFY(problem().isEmpty());
    QVERIFY(metrics().regions.roi == Region::circle(1, 2, 4));
    w_->model().undoStack().undo();
    QVERIFY(!metrics().regions.roi);  // typing is one step
  }

  void drawnRegionsAreOnEveryView() {
    const auto tiles = window().board().tiles();
    SliceView& view = tiles[0]->view();
    WAIT_FOR(w_->isDrawn(view));
    window().viewState().setDrawMode(DrawMode::region);
    const PointPx centre = view.slice().worldToDisplay(0, 0);
    const QPoint at(static_cast<int>(centre.x), static_cast<int>(centre.y));
    drag(view, Qt::LeftButton, at, at + QPoint(25, 0));
    QVERIFY(metrics().regions.roi.has_value());
    EXPECT_NEAR(metrics().regions.roi->half_width_mm, 25 * view.slice().view().mm_per_pixel, 1e-6);
    for (SliceTile* tile : tiles) {
      QCOMPARE(tile->view().slice().regions().size(), std::size_t{1});
      QVERIFY(tile->view().slice().regions().front().region == *metrics().regions.roi);
    }
    QVERIFY(window()
                .findChild<QLineEdit*>(QStringLiteral("roi"))
                ->text()
                .endsWith(QString::fromStdString(format_region(*metrics().regions.roi))));
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QTest::keyClick(&window(), Qt::Key_Escape);
    QVERIFY(window().viewState().drawMode() == DrawMode::none);
  }

  void theProfileLineBecomesTheEdge() {
    window().viewState().setProfile(LineSegment{-90, 0, -50, 5});
    for (QToolButton* button : window().findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Profile line") && !button->isCheckable())
        button->click();
    QVERIFY((metrics().regions.edge == EdgeSegment{-90, 0, -50, 5}));
  }

  void theMaskNeedsItsRegion() {
    auto* mask = window().findChild<QComboBox*>(QStringLiteral("mask"));
    QCOMPARE(mask->itemData(2, Qt::UserRole - 1), QVariant(0));  // greyed out
    type("roi", QStringLiteral("0,0,40"));
    QVERIFY(!mask->itemData(2, Qt::UserRole - 1).isValid());
    mask->setCurrentIndex(2);
    emit mask->activated(2);
    QVERIFY(metrics().mask == MaskKind::roi);
    const auto spec = [&] { return w_->controller().reference()->mask.spec; };
    QVERIFY((spec() == MaskSpec{MaskKind::roi, Region::circle(0, 0, 40)}));
    QVERIFY(w_->controller().dataAreCurrent());
    type("roi", {});
    QVERIFY(metrics().mask == MaskKind::circle && spec() == MaskSpec{MaskKind::circle});
  }

  /// A ramp of 0.01/mm a mm: the mean is the value at the centre; the deviation of a box of n
  /// columns is that of the numbers 1 to n, sqrt((n^2 - 1) / 12), times sqrt(N / (N - 1)) for N
  /// pixels.
  void statisticsOfARegionAreExact() {
    SliceImage ramp;
    ramp.width = 40;
    ramp.height = 30;
    ramp.u0_mm = -19.5;
    ramp.v0_mm = -14.5;
    for (int iv = 0; iv < ramp.height; ++iv)
      for (int iu = 0; iu < ramp.width; ++iu) ramp.values.push_back(0.01F * static_cast<float>(iu));
    const auto stats = region_stats(ramp, Region::box(-5, -3, 5, 3));
    QVERIFY(stats.has_value());
    QCOMPARE(stats->values.voxels, std::size_t{60});
    EXPECT_NEAR(stats->values.mean, 0.195, 1e-7);
    EXPECT_NEAR(stats->values.deviation, 0.01 * std::sqrt(99.0 / 12 * 60 / 59), 1e-7);
    EXPECT_NEAR(stats->least, 0.15, 1e-7);
    EXPECT_NEAR(stats->greatest, 0.24, 1e-7);
    EXPECT_NEAR(stats->area_mm2, 60, 1e-12);
    QVERIFY(!region_stats(ramp, Region::box(100, 100, 110, 110)));
    ramp.axis = Axis::coronal;
    QVERIFY(!region_stats(ramp, Region::box(-5, -3, 5, 3)));
  }

  /// The table has a row for every run and for the truth, of the iterates the playhead shows.
  void theTableFollowsTheViews() {
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    const Region region = Region::circle(-30, 0, 25);
    w_->model().edit(QStringLiteral("region"),
                     [&](Experiment& e) { e.metrics.regions.roi = region; });
    auto* table = window().findChild<RegionTable*>();
    WAIT_FOR(table->topLevelItemCount() == 3);
    const int id = w_->run(1);
    const auto mean = [&] {
      const auto stats = region_stats(*window().board().slice(id, Axis::axial, 0), region);
      return QString::number(stats->values.mean, 'g', 4);
    };
    QCOMPARE(table->topLevelItem(2)->text(2), mean());
    const QString live = mean();
    window().playhead().set(ProgressAxis::iterations, 1);
    WAIT_FOR(table->topLevelItem(2)->text(2) == mean());
    QVERIFY(mean() != live);
    const QString csv = csv_of(*table);
    QCOMPARE(csv.count(QLatin1Char('\n')), 4);
    QVERIFY2(csv.startsWith(QStringLiteral("\"View\",\"In\",\"Mean, 1/mm\"")), qPrintable(csv));
    QVERIFY(csv.contains(QStringLiteral(",\"region\",") + mean()));
    const QString latex = latex_of(*table);
    QVERIFY2(latex.startsWith(QStringLiteral("\\begin{tabular}{llrrrrr")), qPrintable(latex));
    QCOMPARE(latex.count(QStringLiteral("\\\\\n")), 4);
    window().playhead().goLive();
  }

  /// Values of regions are in the unit that is chosen for window and level, and so are copied.
  void valuesAreInTheChosenUnit() {
    const int id = w_->run(0);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const Region region = Region::circle(-30, 0, 25);
    window().board().measurements().addRegion(region);
    auto* table = window().findChild<RegionTable*>();
    WAIT_FOR(table->topLevelItemCount() == 2);
    const RegionStats stats = *region_stats(*window().board().slice(id, Axis::axial, 0), region);
    const auto cell = [&](int column) { return table->topLevelItem(1)->text(column); };
    QCOMPARE(cell(2), QString::number(stats.values.mean, 'g', 4));
    window().viewState().setHu(true);
    const double water = window().viewState().muWater();
    QCOMPARE(cell(2), QString::number(1000 * (stats.values.mean - water) / water, 'f', 1));
    QCOMPARE(cell(3), QString::number(1000 * stats.values.deviation / water, 'f', 1));
    QCOMPARE(cell(4), QString::number(1000 * (stats.least - water) / water, 'f', 1));
    QCOMPARE(cell(5), QString::number(1000 * (stats.greatest - water) / water, 'f', 1));
    QCOMPARE(cell(6), QString::number(stats.area_mm2, 'g', 4));
    const QString csv = csv_of(*table);
    QVERIFY2(csv.startsWith(QStringLiteral("\"View\",\"In\",\"Mean, HU\",\"SD, HU\"")),
             qPrintable(csv));
    QVERIFY2(csv.contains(cell(2)), qPrintable(csv));
    window().viewState().setHu(false);
    QCOMPARE(cell(2), QString::number(stats.values.mean, 'g', 4));
    QVERIFY(csv_of(*table).contains(QStringLiteral("\"Mean, 1/mm\"")));
  }

  /// While regions are drawn, the panel says what the mouse does.
  void drawingSaysItsRule() {
    auto& hint = w_->part<QLabel>("drawHint");
    QVERIFY(!hint.isVisible());
    window().viewState().setDrawMode(DrawMode::region);
    QVERIFY(hint.isVisible() && hint.text().contains(QStringLiteral("Ctrl")));
    window().viewState().setDrawMode(DrawMode::none);
    QVERIFY(!hint.isVisible());
  }

  /// However long the names of the runs are, the numbers up to the area are read without scrolling.
  void longNamesLeaveTheNumbersInSight() {
    const QString longest = QStringLiteral("SART with a name that is as long as those of a sweep");
    for (const int id : w_->model().runIds()) {
      w_->model().editRun(id, QStringLiteral("name"),
                          [&](RunSpec& run) { run.name = longest.toStdString(); });
      w_->controller().start(id);
    }
    w_->model().edit(QStringLiteral("region"),
                     [](Experiment& e) { e.metrics.regions.roi = Region::circle(-30, 0, 25); });
    auto* table = window().findChild<RegionTable*>();
    WAIT_FOR(table->topLevelItemCount() == 3);
    QCOMPARE(window().size(), QSize(1280, 800));
    for (int column = 0; column < 7; ++column) {
      const QRect cell = table->visualItemRect(table->topLevelItem(2));
      const int end = table->columnViewportPosition(column) + table->columnWidth(column);
      QVERIFY2(cell.isValid() && end <= table->viewport()->width(),
               qPrintable(QStringLiteral("column %1 ends at %2 of %3")
                              .arg(column)
                              .arg(end)
                              .arg(table->viewport()->width())));
    }
    for (const int column : {2, 3, 4, 5, 6})
      QVERIFY(table->columnWidth(column) >
              table->fontMetrics().size(0, table->headerItem()->text(column)).width());
    QVERIFY(table->columnWidth(0) > 50);
    QVERIFY(table->columnWidth(1) > table->fontMetrics().horizontalAdvance(tr("region")));
    QVERIFY(table->topLevelItem(2)->toolTip(0).contains(longest));
    // Where there is room, all columns share it.
    for (const int id : w_->model().runIds())
      w_->model().editRun(id, QStringLiteral("name"), [](RunSpec& run) { run.name = "S"; });
    table->resize(900, table->height());
    WAIT_FOR(table->columnWidth(0) > 80);
    const int end = table->columnViewportPosition(7) + table->columnWidth(7);
    QVERIFY(end > table->viewport()->width() - 8 && end <= table->viewport()->width());
    for (int column = 1; column < 7; ++column)
      QVERIFY(table->columnWidth(column) >
              table->fontMetrics().size(0, table->headerItem()->text(column)).width() + 30);
  }

  /// Statistics are computed for a new picture, region or slice, and at no other time.
  void nothingIsComputedTwice() {
    const int id = w_->run(1);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    auto* table = window().findChild<RegionTable*>();
    Measurements& all = window().board().measurements();
    all.addRegion(Region::circle(-30, 0, 25));
    WAIT_FOR(table->topLevelItemCount() == 2);  // the truth and a run
    const int before = table->computations();
    emit window().board().shownImagesChanged();
    w_->model().editRun(id, QStringLiteral("name"), [](RunSpec& run) { run.name = "other"; });
    QCOMPARE(table->topLevelItem(1)->text(0), QStringLiteral("other"));
    QCOMPARE(table->computations(), before);
    all.addRegion(Region::box(0, 0, 30, 20));
    QCOMPARE(table->computations(), before + 2);
    all.setRegion(all.background(), Region::box(0, 0, 40, 20));
    QCOMPARE(table->computations(), before + 4);
  }

  /// |mean of one - mean of the other| over the deviation of the other, for every run.
  void anyPairGivesAContrast() {
    Measurements& all = window().board().measurements();
    const int id = w_->run(1);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    all.addRegion(Region::circle(-30, 0, 15));
    const int second = all.addRegion(Region::circle(30, 20, 15));
    const int third = all.addRegion(Region::box(-20, -60, 20, -30));
    QCOMPARE(all.regions().size(), std::size_t{3});
    QCOMPARE(all.region(third)->name, QStringLiteral("region 3"));
    all.setPair(third, second);
    QVERIFY(metrics().regions.roi == Region::box(-20, -60, 20, -30));
    QVERIFY(metrics().regions.background == Region::circle(30, 20, 15));
    QCOMPARE(all.regions().size(), std::size_t{3});
    auto* table = window().findChild<RegionTable*>();
    WAIT_FOR(table->topLevelItemCount() == 6);
    const auto row = [&](const QString& in) {
      for (int i = 3; i < 6; ++i)
        if (table->topLevelItem(i)->text(1) == in) return table->topLevelItem(i);
      return static_cast<QTreeWidgetItem*>(nullptr);
    };
    const auto slice = window().board().slice(id, Axis::axial, 0);
    const auto one = region_stats(*slice, *metrics().regions.roi),
               other = region_stats(*slice, *metrics().regions.background);
    const double cnr = std::abs(one->values.mean - other->values.mean) / other->values.deviation;
    QCOMPARE(row(QStringLiteral("region 3"))->text(7), QString::number(cnr, 'g', 4));
    QVERIFY(row(QStringLiteral("background"))->text(7).isEmpty());
    w_->model().undoStack().undo();
    QCOMPARE(all.roi(), 1);
    QVERIFY(metrics().regions.roi == Region::circle(-30, 0, 15));
    QCOMPARE(all.regions().size(), std::size_t{3});
  }

  void regionsAreNamedMovedAndDeletedWithUndo() {
    Measurements& all = window().board().measurements();
    auto* list = window().findChild<RegionList*>();
    for (int i = 0; i < 3; ++i) all.addRegion(Region::circle(10 * i, 0, 5));
    QCOMPARE(list->topLevelItemCount(), 3);
    list->topLevelItem(2)->setText(0, QStringLiteral("bone"));
    QCOMPARE(all.regions()[2].name, QStringLiteral("bone"));
    list->topLevelItem(2)->setText(1, QStringLiteral("ellipse:0,0,8,4"));
    QCOMPARE(all.regions()[2].region.half_width_mm, 4.0);
    QCOMPARE(all.regions()[2].region.half_height_mm, 2.0);
    list->topLevelItem(2)->setText(1, QStringLiteral("4"));
    QVERIFY(problem().contains(QStringLiteral("is no region")));
    QCOMPARE(list->topLevelItem(2)->text(1), QStringLiteral("ellipse:0,0,8,4"));
    list->setCurrentItem(list->topLevelItem(2));
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(all.regions().size(), std::size_t{2});
    w_->model().undoStack().undo();
    QCOMPARE(all.regions().size(), std::size_t{3});
    QCOMPARE(all.regions()[2].name, QStringLiteral("bone"));
    // what the experiment does not hold comes back from a session
    const QJsonObject saved = all.toJson();
    w_->openSmall();
    QVERIFY(all.regions().empty());
    all.restore(saved);
    QCOMPARE(all.regions().size(), std::size_t{1});
    QVERIFY(all.toJson() == saved);
  }

  void rulersBelongToTheirSlice() {
    Measurements& all = window().board().measurements();
    all.addRuler({0, Axis::axial, 0, {{0, 0}, {3, 4}}});
    all.addRuler({0, Axis::coronal, 5, {{1, 0}, {0, 0}, {0, 1}}});
    QCOMPARE(all.text(all.rulers()[0]), QStringLiteral("5.00 mm"));
    QCOMPARE(all.text(all.rulers()[1]), QStringLiteral("90.0°"));
    const auto& shown = window().board().tiles()[0]->view().slice().rulers();
    QCOMPARE(shown.size(), std::size_t{1});
    QCOMPARE(shown[0].label, std::string("5.00 mm"));
    w_->model().undoStack().undo();
    QCOMPARE(all.rulers().size(), std::size_t{1});
  }

  /// What is copied holds the values of the regions, and what was drawn: distances and angles too.
  void copiesHoldWhatWasDrawn() {
    auto& measurements = window().board().measurements();
    measurements.addRegion(Region::circle(0, 0, 30));
    measurements.addRuler({0, Axis::axial, 0, {{0, 0}, {30, 40}}});
    measurements.addRuler({0, Axis::axial, 0, {{10, 0}, {0, 0}, {0, 10}}});
    QCoreApplication::processEvents();
    window().findChild<QToolButton*>(QStringLiteral("copyRegionTable"))->click();
    const QString csv = QApplication::clipboard()->text();
    for (const char* part : {"\"View\"", "reference", "0,0,30", "50.00 mm", "90.0"})
      QVERIFY2(csv.contains(QLatin1String(part)), qPrintable(csv));
    window().findChild<QToolButton*>(QStringLiteral("copyRegionLatex"))->click();
    QCOMPARE(QApplication::clipboard()->text().count(QStringLiteral("\\begin{tabular}")), 2);
  }

  /// The contrast is that of whole regions, whatever slice is shown and measured in the table.
  void theExtentOfTheContrastIsSaid() {
    const auto& extent = w_->part<QLabel>("measuredExtent");
    QVERIFY(!extent.isVisible());  // a single slice
    w_->openSpatial();
    WAIT_FOR(w_->isReady() && w_->controller().data()->grid.nz > 1);
    Measurements& all = window().board().measurements();
    all.addRegion(Region::circle(0, 0, 20));
    all.addRegion(Region::circle(30, 0, 20));
    WAIT_FOR(extent.isVisible());
    QVERIFY2(extent.text().contains(QStringLiteral("over all slices")), qPrintable(extent.text()));
    type("roi", QStringLiteral("0,0,20,-5,5"));
    QVERIFY2(extent.text().contains(QStringLiteral("over the slices of the regions")),
             qPrintable(extent.text()));
  }

  /// The area of an ellipse is pi a b, and its pixels are those inside it.
  void anEllipseIsMeasured() {
    SliceImage slice;
    slice.width = slice.height = 400;
    slice.u0_mm = slice.v0_mm = -19.95;
    slice.du_mm = slice.dv_mm = 0.1;
    slice.values.assign(160000, 1);
    Region ellipse = Region::box(-12, -5, 12, 5);
    ellipse.shape = Region::Shape::circle;
    const auto stats = region_stats(slice, ellipse);
    QVERIFY(stats.has_value());
    EXPECT_NEAR(stats->area_mm2, std::acos(-1.0) * 12 * 5, 1);
  }

  void coloursOfRegionsAreNotThoseOfRuns() {
    for (std::size_t i = 0; i < 7; ++i)
      for (const Rgb run : run_palette) {
        const Rgb ink = regionColour(i);
        QVERIFY(std::hypot(ink.r - run.r, ink.g - run.g, ink.b - run.b) > 60);
      }
  }
};

GANTRY_TEST(TestMeasure)
#include "test_measure.moc"
