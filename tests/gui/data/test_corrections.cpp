// Corrections of a measured scan in the step "Data": they change its data, undo takes them back,
// and the experiment holds them.
#include "core/io/scans/scan_file.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/correction_panel.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/widgets/knob.hpp"
#include "gui/widgets/parameter_form.hpp"
#include "gui/worker/preview.hpp"
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFrame>
#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestCorrections : public QObject {
  Q_OBJECT
  static constexpr int stripe = 150;  // a column
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<QTemporaryDir> folder_;
  SinogramCase scan_;
  std::vector<float> clean_;

  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }
  CorrectionPanel& panel() { return w_->part<CorrectionPanel>("corrections"); }
  const std::vector<CorrectionSpec>& steps() { return w_->model().experiment().corrections; }
  /// Height of the stripe in the data that runs use.
  double height() {
    return scan_.excess(w_->controller().data()->line_integrals, clean_, 0, stripe);
  }
  template <class Change>
  void change(const Change& act) {
    const auto before = w_->controller().data();
    act();
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
  }
  void add(const char* key) {
    change([&] { w_->part<QAction>((std::string("correction_") + key).c_str()).trigger(); });
  }
  /// The button of this name of the n-th step.
  QToolButton& button(const char* name, int step) {
    QList<QToolButton*> found;
    for (auto* one : panel().findChildren<QToolButton*>(QLatin1String(name)))
      if (one->isVisible()) found << one;
    return *found.at(step);
  }
  QStringList keys() {
    QStringList list;
    for (const CorrectionSpec& one : steps()) list << QString::fromStdString(one.key);
    return list;
  }

 private slots:
  void initTestCase() {
    scan_.columns = 256;
    scan_.views = 90;
    clean_ = scan_.line_integrals();
  }
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    std::vector<float> striped = clean_;
    for (int view = 0; view < scan_.views; ++view) striped[scan_.index(view, 0, stripe)] += 0.1F;
    write_scan(path("s.scan.json").toStdString(), scan_.geometry(), striped, "striped");
    w_->window->open(path("s.scan.json"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
  }
  void cleanup() { w_.reset(); }

  void ringsLeaveTheData() {
    EXPECT_NEAR(height(), 0.1, 1e-5);
    add("rings");
    QVERIFY(std::abs(height()) < 0.02);  // 0.013 below are what smoothing does there without a ring
    QCOMPARE(keys(), QStringList{"rings"});
    // The window calls the correction by the name that its form has, files by its key.
    const QString label = QString::fromStdString(w_->program.catalog.corrections.at("rings").label);
    QVERIFY(w_->controller().data()->description.ends_with("corrected: rings"));
    w_->window->panels().open(QStringLiteral("runs"));
    const QString summary = w_->window->panels().rail().step(QStringLiteral("data"))->summary();
    for (const QString& shown : {w_->part<QLabel>("experimentDetails").text(), summary,
                                 w_->window->convergence().caption()})
      QVERIFY2(shown.endsWith(QStringLiteral("corrected: ") + label), qPrintable(shown));
    w_->window->panels().open(QStringLiteral("data"));
    QVERIFY(w_->part<QWidget>("correctionCard").isVisible());
    write_experiment(path("e.json").toStdString(), w_->model().experiment());
    const Experiment again = read_experiment(path("e.json").toStdString(), w_->program.catalog);
    QVERIFY(again.corrections == steps());
    change([&] { w_->model().undoStack().undo(); });
    EXPECT_NEAR(height(), 0.1, 1e-5);
    QVERIFY(steps().empty());
    change([&] { w_->model().undoStack().redo(); });
    QVERIFY(std::abs(height()) < 0.02);
  }

  /// While the slider of a number is dragged, the preview shows what the data will show with it.
  void aSliderShowsItsSlice() {
    add("rings");
    w_->window->applyLayout(WindowLayout::data);
    const auto shown = [this] { return w_->window->preview().slice(Axis::axial, 0); };
    WAIT_FOR(shown() != nullptr && shown()->width == scan_.columns);
    const auto before = shown();
    const auto data = w_->controller().data();
    auto& knob = *panel().findChild<Knob*>(QStringLiteral("knob_snr"));
    QVERIFY(knob.isVisible());
    knob.setSliderDown(true);
    knob.setSliderPosition(knob.maximum());
    WAIT_FOR(shown() != nullptr && shown() != before && shown()->width == scan_.columns);
    const auto followed = shown();
    QVERIFY(w_->controller().data() == data);
    QVERIFY(steps()[0].params.values().empty());
    QVERIFY(followed->values != before->values);
    change([&] {
      knob.setSliderDown(false);
      QTest::mouseRelease(&knob, Qt::LeftButton);
    });
    EXPECT_NEAR(*number_of(steps()[0].params.values().at("snr")), knob.number(), 1e-3);
    WAIT_FOR(shown() != nullptr && shown() != followed && shown()->width == scan_.columns);
    QVERIFY(shown()->values == followed->values);
  }

  /// Without its tick a step keeps its numbers and does nothing.
  void aStepIsSwitchedOff() {
    add("rings");
    auto& box = *panel().findChild<QCheckBox*>(QStringLiteral("correctionOn"));
    QVERIFY(box.isChecked());
    change([&] { box.click(); });
    EXPECT_NEAR(height(), 0.1, 1e-5);
    QCOMPARE(keys(), QStringList{"rings"});
    QVERIFY(steps()[0].off);
    QVERIFY(w_->controller().data()->description.find("corrected") == std::string::npos);
    auto* form = panel().findChild<ParameterForm*>();
    QVERIFY(form != nullptr && !form->isEnabled());
    change([&] { box.click(); });
    QVERIFY(std::abs(height()) < 0.02);
    QVERIFY(form->isEnabled());
    change([&] { w_->model().undoStack().undo(); });
    QVERIFY(steps()[0].off && !box.isChecked());
    EXPECT_NEAR(height(), 0.1, 1e-5);
  }

  /// What was added is in sight, although the list is below all that tells how files are read.
  void whatWasAddedIsSeen() {
    w_->window->resize(1280, 800);
    w_->window->panels().open(QStringLiteral("data"));
    for (int step = 0; step < 6; ++step) {
      add("rings");
      const auto is_seen = [this] {
        const QFrame* card = nullptr;  // the last one that is shown
        for (const auto* one : panel().findChildren<QFrame*>(QStringLiteral("correctionCard")))
          if (one->isVisible()) card = one;
        return card != nullptr && card->visibleRegion().boundingRect() == card->rect();
      };
      WAIT_FOR(is_seen());
    }
  }

  void oneOfAUnitIsSingular() {
    w_->model().edit(QStringLiteral("Add"), [](Experiment& e) {
      e.corrections = {{"metal_nmar", {}}};
    });
    auto* margin = panel().findChild<QSpinBox*>(QStringLiteral("param_margin"));
    QVERIFY(margin != nullptr);
    QCOMPARE(margin->text(), QStringLiteral("1 column"));
    margin->setValue(2);
    QCOMPARE(margin->text(), QStringLiteral("2 columns"));
    w_->model().undoStack().undo();
    QCOMPARE(margin->text(), QStringLiteral("1 column"));
  }

  void parametersAreEdited() {
    add("scale");
    auto* factor = panel().findChild<QDoubleSpinBox*>(QStringLiteral("param_factor"));
    QVERIFY(factor != nullptr);
    change([&] { factor->setValue(2); });
    QCOMPARE(steps().front().params.real("factor"), 2.0);
    EXPECT_NEAR(w_->controller().data()->line_integrals.at(scan_.index(5, 0, 128)),
                2 * clean_.at(scan_.index(5, 0, 128)), 1e-5);
  }

  void stepsAreMovedAndRemoved() {
    add("scale");
    add("bad_cells");
    add("rings");
    QVERIFY(!button("correctionEarlier", 0).isEnabled());
    QVERIFY(!button("correctionLater", 2).isEnabled());
    change([&] { button("correctionEarlier", 2).click(); });
    QCOMPARE(keys(), (QStringList{"scale", "rings", "bad_cells"}));
    change([&] { button("correctionLater", 0).click(); });
    QCOMPARE(keys(), (QStringList{"rings", "scale", "bad_cells"}));
    change([&] { button("correctionRemove", 1).click(); });
    QCOMPARE(keys(), (QStringList{"rings", "bad_cells"}));
    for (const char* name : {"correctionEarlier", "correctionLater", "correctionRemove"})
      QVERIFY(!button(name, 0).accessibleName().isEmpty());
  }

  /// The sweep is that of the step whose button is pressed, also after steps were moved.
  void numbersAskForSweeps() {
    add("scale");
    add("rings");
    const auto* listed = w_->window->sweep().findChild<QComboBox*>(QStringLiteral("sweepParam"));
    auto* sweep = panel().findChild<QToolButton*>(QStringLiteral("sweep_factor"));
    QVERIFY(sweep != nullptr && !sweep->accessibleName().isEmpty());
    sweep->click();
    QVERIFY(w_->window->sweep().isVisible());
    QCOMPARE(listed->currentData().toString(), QStringLiteral("correction:0:factor"));
    w_->window->applyLayout(WindowLayout::data);
    change([&] { button("correctionLater", 0).click(); });
    for (auto* one : panel().findChildren<QToolButton*>(QStringLiteral("sweep_factor")))
      if (one->isVisible()) one->click();
    QCOMPARE(listed->currentData().toString(), QStringLiteral("correction:1:factor"));
  }

  void simulatedDataOfferNone() {
    QVERIFY(panel().isVisibleTo(panel().parentWidget()));
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    QVERIFY(!panel().isVisibleTo(panel().parentWidget()));
  }
};

GANTRY_TEST(TestCorrections)
#include "test_corrections.moc"
