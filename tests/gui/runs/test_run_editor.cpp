// The form of a run: the row of the prior, which depends on the solver.
#include "gui/runs/runs_panel.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>

using namespace gantry;
using namespace gantry::test;

class TestRunEditor : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  QComboBox& box(const char* name) { return *window().findChild<QComboBox*>(QLatin1String(name)); }
  const RunSpec& run() { return *w_->model().run(w_->run(0)); }
  bool isShown(const QWidget& widget) { return widget.isVisibleTo(&window()); }
  /// The label in front of the prior's box.
  QLabel& title() {
    for (auto* label : box("prior").parentWidget()->findChildren<QLabel*>())
      if (label->buddy() == &box("prior")) return *label;
    qFatal("the prior has no label");
  }
  QStringList offered() {
    QStringList keys;
    for (int i = 0; i < box("prior").count(); ++i) keys << box("prior").itemData(i).toString();
    return keys;
  }
  /// The priors of the catalogue that the solver can work with, in the catalogue's order.
  QStringList suitable(const std::string& solver) {
    QStringList keys;
    for (const auto& prior : w_->program.catalog.priors.entries())
      if (w_->program.catalog.solvers.at(solver).traits.takes(prior.traits))
        keys << QString::fromStdString(prior.key);
    return keys;
  }
  /// As the user chooses: whatever is not offered cannot be chosen.
  void choose(const char* name, const char* key) {
    QComboBox& choice = box(name);
    const int index = choice.findData(QString::fromLatin1(key));
    QVERIFY2(index >= 0, key);
    choice.setCurrentIndex(index);
    emit choice.activated(index);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSmall();
    window().runs().selectRun(w_->run(0));
  }
  void cleanup() { w_.reset(); }

  /// A method that cannot reconstruct the scan is disabled and says why.
  void unsuitableMethodsCannotBeChosen() {
    WAIT_FOR(w_->isReady());
    const auto isEnabled = [&](const char* key) {
      const int row = box("solver").findData(QLatin1String(key));
      return box("solver")
          .model()
          ->flags(box("solver").model()->index(row, 0))
          .testFlag(Qt::ItemIsEnabled);
    };
    const auto tip = [&](const char* key) {
      return box("solver")
          .itemData(box("solver").findData(QLatin1String(key)), Qt::ToolTipRole)
          .toString();
    };
    QVERIFY(!isEnabled("fdk") && isEnabled("fbp") && isEnabled("sirt"));
    QVERIFY2(tip("fdk").contains(QStringLiteral("needs a cone beam")), qPrintable(tip("fdk")));
    w_->model().edit(QStringLiteral("cone"), [](Experiment& e) {
      e.source.phantom = "forbild_head_3d";
      e.geometry = default_scan(128, 40, 16);
      e.grid = VolumeGrid::centered(16, 16, 4, {16, 16, 10});
    });
    w_->controller().prepareData();
    WAIT_FOR(!w_->controller().isPreparing());
    WAIT_FOR(isEnabled("fdk") && !isEnabled("fbp"));
    QVERIFY(!tip("fdk").contains(QStringLiteral("Not for this scan")));
  }

  /// Methods stand under the heading of their family, which cannot be chosen.
  void methodsStandUnderTheirFamily() {
    QString heading;
    QStringList headings;
    int methods = 0;
    for (int i = 0; i < box("solver").count(); ++i) {
      const QString key = box("solver").itemData(i).toString();
      if (key.isEmpty()) {
        const Qt::ItemFlags flags = box("solver").model()->index(i, 0).flags();
        QVERIFY(!flags.testFlag(Qt::ItemIsEnabled));
        heading = box("solver").itemText(i);
        QVERIFY2(!headings.contains(heading), qPrintable(heading));
        headings << heading;
        continue;
      }
      const auto& entry = w_->program.catalog.solvers.at(key.toStdString());
      const std::string_view family = describe(entry.traits.family).label;
      QVERIFY2(heading.startsWith(QLatin1String(family)), qPrintable(key));
      ++methods;
    }
    QVERIFY(methods >= 18);
    QCOMPARE(headings.size(), 6);
  }

  /// The iterations on coarser grids are asked for only where there are such grids.
  void coarserGridsAreChosen() {
    auto& levels = *window().findChild<QSpinBox*>(QStringLiteral("coarseLevels"));
    auto& iterations = *window().findChild<QSpinBox*>(QStringLiteral("coarseIterations"));
    const auto run = [&] { return *w_->model().run(w_->run(0)); };
    QVERIFY(!levels.isVisible());  // folded away
    window().findChild<QToolButton*>(QStringLiteral("showAdvanced"))->click();
    QVERIFY(levels.isVisible() && !isShown(iterations));
    levels.setValue(2);
    QVERIFY(isShown(iterations));
    QCOMPARE(run().coarse_levels, 2);
    iterations.setValue(7);
    QCOMPARE(run().coarse_iterations, 7);
    w_->model().editRun(w_->run(0), QStringLiteral("none"),
                        [](RunSpec& r) { r.coarse_levels = 0; });
    QCOMPARE(levels.value(), 0);
    QVERIFY(!isShown(iterations));
  }

  /// For every solver there is, by what its traits say.
  void solversThatTakeAPriorHaveItsRow() {
    int with = 0;
    for (const auto& entry : w_->program.catalog.solvers.entries()) {
      w_->model().editRun(w_->run(0), QStringLiteral("solver"),
                          [&](RunSpec& r) { r.solver = entry.key; });
      const bool takes = entry.traits.prior != PriorUse::none;
      with += takes;
      QVERIFY2(isShown(box("prior")) == takes && isShown(title()) == takes, entry.key.c_str());
    }
    QVERIFY(with >= 2);
  }

  /// The sharpness belongs to the automatic weight, and the number of the weight to the others.
  void numbersWithoutEffectAreNotShown() {
    choose("solver", "fista");
    const auto shows = [&](const char* name) {
      return isShown(*window().findChild<QWidget*>(QLatin1String(name)));
    };
    QVERIFY(shows("param_weight") && shows("sweep_weight"));
    QVERIFY(!shows("param_sharpness") && !shows("sweep_sharpness"));
    box("param_scale").setCurrentText(QStringLiteral("automatic"));
    emit box("param_scale").textActivated(QStringLiteral("automatic"));
    QVERIFY(!shows("param_weight") && !shows("sweep_weight"));
    QVERIFY(shows("param_sharpness") && shows("sweep_sharpness"));
  }

  void onlySuitablePriorsAreOffered_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<QString>("usual");
    // FISTA needs a proximal map, preconditioned conjugate gradients a gradient.
    QTest::newRow("fista") << "fista"
                           << "tv";
    QTest::newRow("wls_pcg") << "wls_pcg"
                             << "qggmrf";
  }
  void onlySuitablePriorsAreOffered() {
    QFETCH(QString, solver);
    QFETCH(QString, usual);
    QVERIFY(!isShown(box("prior")));  // SART
    choose("solver", solver.toUtf8().constData());
    QVERIFY(isShown(box("prior")) && isShown(title()));
    QVERIFY(!offered().isEmpty());
    QCOMPARE(offered(), suitable(solver.toStdString()));
    if (solver == QStringLiteral("fista"))
      QVERIFY(offered().size() <
              static_cast<qsizetype>(w_->program.catalog.priors.entries().size()));
    QCOMPARE(box("prior").currentData().toString(), usual);
    QVERIFY(run().prior.empty());  // the usual prior is the solver's, and not a setting of the run
    choose("solver", "sirt");
    QVERIFY(!isShown(box("prior")) && !isShown(title()));
  }

  void anUnsuitablePriorIsDropped() {
    choose("solver", "wls_pcg");
    choose("prior", "tikhonov");
    QCOMPARE(run().prior, std::string("tikhonov"));
    choose("solver", "fista");
    QVERIFY(run().prior.empty() && run().prior_params.values().empty());
    QCOMPARE(box("prior").currentData().toString(), QStringLiteral("tv"));
    QCOMPARE(offered(), suitable("fista"));
  }

  void aSuitablePriorStaysWithItsParameters() {
    choose("solver", "fista");
    choose("prior", "huber");
    const auto& params = w_->program.catalog.priors.at("huber").params;
    QVERIFY(!params.empty());
    w_->model().editRun(w_->run(0), QStringLiteral("prior"), [&](RunSpec& r) {
      r.prior_params.set(params.front().key, 2 * std::get<double>(params.front().fallback));
    });
    const Params before = run().prior_params;
    choose("solver", "wls_pcg");
    QCOMPARE(run().prior, std::string("huber"));
    QVERIFY(run().prior_params == before);
    // A solver without a prior takes the prior and its parameters away; undo brings them back.
    choose("solver", "cgls");
    QVERIFY(run().prior.empty() && run().prior_params.values().empty());
    QVERIFY(!isShown(box("prior")));
    w_->model().undoStack().undo();
    QCOMPARE(run().prior, std::string("huber"));
    QVERIFY(run().prior_params == before && isShown(box("prior")));
  }

  /// A file may name a prior that its solver cannot work with: the form shows it, so that it can be
  /// changed.
  void anUnsuitablePriorOfAFileIsShown() {
    w_->model().editRun(w_->run(0), QStringLiteral("file"), [](RunSpec& r) {
      r.solver = "fista";
      r.prior = "tikhonov";
    });
    QCOMPARE(box("prior").currentData().toString(), QStringLiteral("tikhonov"));
    choose("prior", "huber");
    QCOMPARE(run().prior, std::string("huber"));
    QCOMPARE(offered(), suitable("fista"));
  }
};

GANTRY_TEST(TestRunEditor)
#include "test_run_editor.moc"
