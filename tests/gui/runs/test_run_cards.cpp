// The cards and the form of runs: names, iterations, pins, and views that follow the selection.
#include "gui/panels/rail.hpp"
#include "gui/runs/run_card.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/track/sinogram_panel.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestRunCards : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  RunCard& card(int id) { return *window().runs().card(id); }
  QString iterationsOn(int id) {
    return card(id).findChild<QLabel*>(QStringLiteral("cardIteration"))->text();
  }
  QSpinBox& iterations() { return *window().findChild<QSpinBox*>(QStringLiteral("iterations")); }
  void finish(int id) {
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
  }

 private slots:
  void init() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 3;
    w_->model().reset(few, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
  }
  void cleanup() { w_.reset(); }

  /// The eye of a card takes the run off the stage, where the other tiles take its space.
  void theEyeHidesARunOnTheStage() {
    SliceBoard& board = window().board();
    SliceTile *hidden = board.tile(w_->run(0)), *other = board.tile(w_->run(1));
    const auto area = [](const QWidget& part) { return part.width() * part.height(); };
    // Two tiles fill the board; three leave a gap or are smaller.
    const auto twoFillTheBoard = [&] {
      int sum = 0;
      for (const SliceTile* tile : board.tiles()) sum += tile->isVisible() ? area(*tile) : 0;
      return hidden->isHidden() && other->isVisible() && sum > area(board) * 9 / 10;
    };
    auto* eye = card(w_->run(0)).findChild<QToolButton*>(QStringLiteral("cardEye"));
    QVERIFY(eye->isChecked() && hidden->isVisible());
    eye->click();
    WAIT_FOR(twoFillTheBoard());
    const int of_two = area(*other);
    QVERIFY(!eye->isChecked() && !board.isShown(w_->run(0)));
    finish(w_->run(0));  // computes all the same
    QVERIFY(hidden->isHidden());
    board.toggleFocus(w_->run(0));  // unless it is to be seen alone
    QVERIFY(hidden->isVisible() && other->isHidden());
    board.toggleFocus(w_->run(0));
    eye->click();
    WAIT_FOR(hidden->isVisible() && area(*other) < of_two * 9 / 10);
  }

  /// The buttons over a tile pin and save the estimate of its run.
  void aTileOffersToPinAndToSave() {
    const auto button = [this](int id, const QString& name) -> QToolButton* {
      for (auto* one : window().board().tile(id)->findChildren<QToolButton*>())
        if (one->accessibleName() == name) return one;
      return nullptr;
    };
    const int id = w_->run(1);
    auto* pin = button(id, QStringLiteral("Pin as reference"));
    auto* save = button(id, QStringLiteral("Save volume"));
    QVERIFY(!pin->isEnabled() && !save->isEnabled());
    finish(id);
    QVERIFY(pin->isEnabled() && save->isEnabled());
    pin->click();
    WAIT_FOR(w_->controller().pinnedRun() == id);
    QVERIFY(pin->isChecked());
    pin->click();
    WAIT_FOR(w_->controller().pinnedRun() < 0);
    QVERIFY(!pin->isChecked());
    int asked = 0;  // where to save
    QTimer answers;
    connect(&answers, &QTimer::timeout, this, [&asked] {
      if (auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
        ++asked;
        files->reject();
      }
    });
    answers.start(5);
    save->click();
    WAIT_FOR(asked == 1);
    QCOMPARE(window().runs().selectedRun(), id);
    QVERIFY(button(SliceTile::referenceId, QStringLiteral("Save volume"))->isHidden());
  }

  /// A small error is written with its exponent, and no part of the number is cut.
  void aSmallMetricKeepsItsOrderOfMagnitude() {
    const int id = w_->run(0);
    finish(id);
    w_->controller().pinReference(id);
    WAIT_FOR(w_->controller().pinnedRun() == id);
    w_->controller().extend(id, 1);
    WAIT_FOR(w_->state(id) == RunState::finished && w_->iterations(id) == 4);
    const double value = w_->metric(id, "rmse");
    QVERIFY2(value > 0 && value < 1e-3, qPrintable(QString::number(value)));
    const auto& metric =
        *static_cast<ElidingLabel*>(card(id).findChild<QLabel*>(QStringLiteral("runMetric")));
    const QString number = metric.text().section(QLatin1Char(' '), -1);
    QVERIFY2(number.contains(QStringLiteral("e-")) && !number.contains(QStringLiteral("e-0")),
             qPrintable(number));
    QVERIFY(std::abs(number.toDouble() - value) <= 0.005 * value);
    for (const int width : {40, 60, 90})
      QVERIFY2(metric.linesFor(width).front().endsWith(number), qPrintable(number));
    QVERIFY(metric.width() >= metric.fontMetrics().horizontalAdvance(number));
  }

  /// A card says what its solver does in one line of plain words; the tool tip has the formula.
  void aCardSaysTheIdeaOfItsSolver() {
    const int id = w_->run(0);
    auto& idea =
        *static_cast<ElidingLabel*>(card(id).findChild<QLabel*>(QStringLiteral("cardIdea")));
    QCOMPARE(window().findChild<Rail*>()->width(), Rail::width_px);
    for (const auto& solver : window().catalog().solvers.entries()) {
      w_->model().editRun(id, QStringLiteral("solver"), [&](RunSpec& run) {
        run = RunSpec{};
        run.solver = solver.key;
      });
      const QString said = QString::fromStdString(solver.idea);
      const QStringList lines = idea.linesFor(idea.contentsRect().width());
      QVERIFY2(lines == QStringList{said},
               qPrintable(QStringLiteral("\"%1\" at %2").arg(said).arg(idea.width())));
      QCOMPARE(idea.toolTip(), QString::fromStdString(solver.help()));
    }
  }

  /// Two runs that are alike have two names, wherever they are shown.
  void addedRunsHaveNamesOfTheirOwn() {
    auto* add = window().findChild<QToolButton*>(QStringLiteral("addRun"));
    add->click();
    add->click();
    QStringList names;
    for (const int id : w_->model().runIds()) {
      names << card(id).name();
      QCOMPARE(window().board().tile(id)->title(), card(id).name());
    }
    QCOMPARE(names.size(), 4);
    names.removeDuplicates();
    QCOMPARE(names.size(), 4);
    QCOMPARE(card(w_->run(3)).name(), card(w_->run(1)).name() + QStringLiteral(" (3)"));
    // The number is of the name alone: the run stays without a name of its own.
    QVERIFY(w_->model().run(w_->run(3))->name.empty());
  }

  /// A direct method has one step: another one changes neither the image nor the numbers.
  void aDirectMethodMakesOneStep() {
    const int id = w_->run(0);
    w_->model().editRun(id, QStringLiteral("fbp"), [](RunSpec& run) {
      run.solver = "fbp";
      run.solver_params = {};
    });
    window().runs().selectRun(id);
    QVERIFY(!iterations().isEnabled() && iterations().toolTip().contains(QStringLiteral("direct")));
    finish(id);
    QCOMPARE(iterationsOn(id), QStringLiteral("1 / 1"));
    w_->controller().stepSubset(id);
    w_->controller().stepIteration(id);
    w_->controller().extend(id, 10);
    finish(w_->run(1));  // so that the worker has done all of this
    QVERIFY(w_->state(id) == RunState::finished);
    QCOMPARE(w_->iterations(id), 1);
    QCOMPARE(iterationsOn(id), QStringLiteral("1 / 1"));
    QCOMPARE(w_->controller().status(id).snapshot->planned_iterations, 1);
  }

  /// A step past the end is an iteration more on the card and in the form.
  void aStepPastTheEndIsInTheForm() {
    const int id = w_->run(1);
    window().runs().selectRun(id);
    finish(id);
    QCOMPARE(iterations().value(), 3);
    w_->controller().stepIteration(id);
    WAIT_FOR(w_->iterations(id) == 4 && iterations().value() == 4);
    QCOMPARE(iterationsOn(id), QStringLiteral("4 / 4"));
    w_->controller().extend(id, 5);
    WAIT_FOR(w_->iterations(id) == 9 && w_->state(id) == RunState::finished);
    QCOMPARE(iterations().value(), 9);
    QVERIFY(w_->controller().isCurrent(id));
  }

  void onlyThePinnedRunLooksPinned() {
    const auto pin = [this](int id) -> QToolButton& {
      return *card(id).findChild<QToolButton*>(QStringLiteral("cardPin"));
    };
    const int sart = w_->run(0), sirt = w_->run(1);
    QVERIFY(!pin(sart).isChecked() && !pin(sart).isEnabled());
    QVERIFY(pin(sart).toolTip().contains(QStringLiteral("Start this run")));
    finish(sirt);
    pin(sirt).click();
    WAIT_FOR(w_->controller().pinnedRun() == sirt);
    QVERIFY(pin(sirt).isChecked() && !pin(sart).isChecked());
    w_->controller().discard(sirt);
    QVERIFY(!pin(sirt).isChecked());
    w_->model().undoStack().undo();
    QVERIFY(pin(sirt).isEnabled());
  }

  void singleShowsTheSelectedRun() {
    window().runs().selectRun(w_->run(1));
    window().applyLayout(WindowLayout::single);
    QCOMPARE(window().board().focusedTile(), w_->run(1));
    window().runs().selectRun(w_->run(0));
    QCOMPARE(window().board().focusedTile(), w_->run(0));
    window().applyLayout(WindowLayout::compare);
    QCOMPARE(window().board().focusedTile(), -1);
    QCOMPARE(window().board().activeTile()->id(), w_->run(0));
  }

  /// What the sinogram says follows the run: no estimate, being projected, there.
  void theSinogramSaysWhyItIsEmpty() {
    const int id = w_->run(1);
    window().runs().selectRun(id);
    auto& panel = *window().findChild<SinogramPanel*>();
    auto& dock = *window().findChild<QDockWidget*>(QStringLiteral("sinogram"));
    dock.show();
    dock.raise();
    WAIT_FOR(panel.isVisible());
    panel.findChild<QComboBox*>(QStringLiteral("sinogramMode"))->setCurrentIndex(1);
    const auto said = [&] { return panel.view().accessibleDescription(); };
    QVERIFY2(said().contains(QStringLiteral("available when")), qPrintable(said()));
    finish(id);
    WAIT_FOR(!said().contains(QStringLiteral("available when")));
    WAIT_FOR(said().isEmpty());
  }
};

GANTRY_TEST(TestRunCards)
#include "test_run_cards.moc"
