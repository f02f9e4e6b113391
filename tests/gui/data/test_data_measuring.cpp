// Measuring in the preview of the workspace Data, before a run exists: lines and regions are drawn
// there, and their values follow the corrections. What cannot be measured says why.
#include "gui/data/file_actions.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/measurements.hpp"
#include "gui/stage/projection_board.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/worker/preview.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/test_program.hpp"

#include <QStatusBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>

using namespace gantry;
using namespace gantry::test;

class TestDataMeasuring : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

  MainWindow& window() { return *w_->window; }
  ViewState& state() { return window().viewState(); }
  Measurements& measurements() { return window().board().measurements(); }
  SliceView& slice() { return window().data().projections().slice(); }
  QString profile() { return window().findChild<ProfilePanel*>()->csv(); }
  QToolButton& draw() {
    for (auto* button : window().findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Draw")) return *button;
    qFatal("no button that draws");
  }
  bool hasPreview() {
    return slice().slice().image() != nullptr && window().preview().image() != nullptr &&
           WindowFixture::isDrawn(slice());
  }
  void dragAcross() {
    const QPoint middle(slice().width() / 2, slice().height() / 2);
    drag(slice(), Qt::LeftButton, middle - QPoint(60, 0), middle + QPoint(60, 10));
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    const QString path = folder_.filePath(QStringLiteral("scan"));
    TiffScan().write(path);
    window().open(path);
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    WAIT_FOR(hasPreview());
  }
  void cleanup() { w_.reset(); }

  /// The user sees what a correction does along the line.
  void theProfileFollowsACorrection() {
    w_->part<QToolButton>("profileSwitch").click();
    WAIT_FOR(window().findChild<ProfilePanel*>()->isVisible());
    WAIT_FOR(hasPreview());
    const double window_before = state().window(), level_before = state().level();
    dragAcross();
    QVERIFY(state().profile() && state().profile()->length_mm() > 10);
    QVERIFY(slice().slice().profile().has_value());
    QCOMPARE(state().window(), window_before);
    QCOMPARE(state().level(), level_before);
    const QString plain = profile();
    QVERIFY2(plain.contains(QStringLiteral("\"preview (1/cell)\"")), qPrintable(plain));
    QVERIFY(plain.count(QLatin1Char('\n')) > 10);
    w_->model().edit(QStringLiteral("correct"), [](Experiment& e) {
      e.corrections = {{"beam_hardening", {{"a2", 0.2}}}};
    });
    WAIT_FOR(w_->isReady() && w_->controller().dataAreCurrent() && hasPreview());
    QVERIFY(state().profile());
    WAIT_FOR(profile().contains(QStringLiteral("preview")) && profile() != plain);
    // In another plane nothing would be seen of the line.
    state().setPlane(Axis::coronal, 3);
    dragAcross();
    QVERIFY(state().axis() == Axis::axial);
    // Compare shows the same curve, as long as it shows the preview.
    window().applyLayout(WindowLayout::compare);
    QVERIFY(profile().contains(QStringLiteral("preview")));
    w_->controller().start(w_->run(0));
    w_->controller().start(w_->run(1));
    WAIT_FOR(profile().count(QStringLiteral("(1/cell)")) == 2 &&
             !profile().contains(QStringLiteral("preview")));
  }

  void regionsAreDrawnAndMeasured() {
    window().panels().open(QStringLiteral("measure"));
    WAIT_FOR(hasPreview());
    QVERIFY(draw().isEnabled());
    draw().click();
    const double window_before = state().window();
    dragAcross();
    QCOMPARE(measurements().regions().size(), 1U);
    QCOMPARE(slice().slice().regions().size(), 1U);
    QCOMPARE(state().window(), window_before);
    auto& table = w_->part<QTreeWidget>("regionTable");
    WAIT_FOR(table.topLevelItemCount() == 1);
    QCOMPARE(table.topLevelItem(0)->text(0), QStringLiteral("preview"));
    w_->model().undoStack().undo();
    QVERIFY(slice().slice().regions().empty());
  }

  /// A preview is no measurement of water, and views in space take no lines.
  void whatCannotBeMeasuredSaysWhy() {
    window().panels().open(QStringLiteral("measure"));
    auto& water = w_->part<QToolButton>("regionIsWater");
    measurements().select(measurements().addRegion(Region::circle(0, 0, 5)));
    QVERIFY(!water.isEnabled());
    QVERIFY2(water.toolTip().contains(QStringLiteral("Start a run")), qPrintable(water.toolTip()));
    w_->controller().start(w_->run(0));
    WAIT_FOR(water.isEnabled());
    window().applyLayout(WindowLayout::sweep);
    QVERIFY(!draw().isEnabled());
    QVERIFY2(draw().toolTip().contains(QStringLiteral("choose Compare")),
             qPrintable(draw().toolTip()));
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    window().setFocus();
    QTest::keyClick(&window(), Qt::Key_L);
    QVERIFY(!state().profileMode());
    QVERIFY2(window().statusBar()->currentMessage().contains(QStringLiteral("No line can be")),
             qPrintable(window().statusBar()->currentMessage()));
    window().applyLayout(WindowLayout::compare);
    QVERIFY(draw().isEnabled() && draw().toolTip().contains(QStringLiteral("draws a region")));
  }
};

GANTRY_TEST(TestDataMeasuring)
#include "test_data_measuring.moc"
