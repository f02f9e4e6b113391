// Which run reaches a common level when: computed, and in the window.
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestLevelRace : public QObject {
  Q_OBJECT

 private slots:
  void theFirstValueAtTheLevelCounts() {
    const std::vector<LevelCurve> curves = {{"slow", {1, 2, 3}, {8, 5, 4.2}},
                                            {"never", {1, 2}, {9, 8}},
                                            {"fast", {0.5, 1, 1.5}, {6, 4.1, 4}},
                                            {"unmeasured", {1}, {std::nan("")}},
                                            {"empty", {}, {}}};
    const auto race = race_to_level(curves, true, 0.05);
    QVERIFY(race.has_value());
    EXPECT_NEAR(race->level, 4.2, 1e-12);
    QCOMPARE(race->arrivals.size(), curves.size());
    QCOMPARE(race->arrivals[0].curve, std::size_t{2});
    EXPECT_NEAR(*race->arrivals[0].x, 1, 0);
    QCOMPARE(race->arrivals[1].curve, std::size_t{0});
    EXPECT_NEAR(*race->arrivals[1].x, 3, 0);
    for (std::size_t i = 2; i < 5; ++i) QVERIFY(!race->arrivals[i].x);
  }

  void largerMayBeBetter() {
    const std::vector<LevelCurve> curves = {{"a", {1, 2}, {0.5, 0.94}}, {"b", {1, 2}, {0.8, 0.9}}};
    const auto race = race_to_level(curves, false, 0.05);
    QVERIFY(race.has_value());
    EXPECT_NEAR(race->level, 0.94 / 1.05, 1e-12);
    EXPECT_NEAR(*race->arrivals[0].x, 2, 0);
    EXPECT_NEAR(*race->arrivals[1].x, 2, 0);
    QCOMPARE(race->arrivals[0].curve, std::size_t{0});  // at the same time: in the runs' order
  }

  void nothingHasNoLevel() {
    QVERIFY(!race_to_level({}, true, 0.05));
    QVERIFY(!race_to_level({{"a", {1}, {std::nan("")}}}, true, 0.05));
    QVERIFY(!race_to_level({{"a", {1}, {-2.0}}}, false, 0.05));
  }

  void theChartNamesTheOrder() {
    WindowFixture w;
    w.openSmall();
    WAIT_FOR(w.isReady());
    auto* same_level = w.window->findChild<QCheckBox*>(QStringLiteral("sameLevel"));
    const auto* race = w.window->findChild<QLabel*>(QStringLiteral("race"));
    const ChartModel& chart = w.window->convergence().chart().chart().model();
    same_level->setChecked(true);
    QVERIFY(race->isHidden() && chart.find("level") == nullptr);  // nothing has run yet
    const int sart = w.run(0), sirt = w.run(1);
    for (const int id : {sart, sirt}) {
      w.model().editRun(id, QStringLiteral("fewer"), [](RunSpec& run) { run.iterations = 8; });
      w.controller().start(id);
    }
    WAIT_FOR(w.state(sart) == RunState::finished && w.state(sirt) == RunState::finished);
    double least = w.metric(sart, "rmse");
    for (const HistoryEntry& entry : w.controller().status(sart).history)
      least = std::min(least, entry.metrics.at("rmse"));
    QVERIFY(least < 0.8 * w.metric(sirt, "rmse"));
    WAIT_FOR(race->text().contains(QStringLiteral("not reached by SIRT")));
    QVERIFY2(race->text().startsWith(QStringLiteral("RMSE %1 ").arg(1.05 * least, 0, 'g', 3)) &&
                 race->text().contains(QStringLiteral("of the best: SART")) &&
                 race->text().contains(QStringLiteral("iteration")),
             qPrintable(race->text()));
    QVERIFY(w.window->convergence().caption().contains(race->text()));
    EXPECT_NEAR(chart.find("level")->ys.front(), 1.05 * least, 1e-9);
    QCOMPARE(chart.find(std::to_string(sart))->marks.size(), std::size_t{1});
    QVERIFY(chart.find(std::to_string(sirt))->marks.empty());
    w.window->findChild<QComboBox*>(QStringLiteral("xAxis"))->setCurrentIndex(2);
    QVERIFY2(race->text().contains(QStringLiteral(" s; not reached by SIRT")),
             qPrintable(race->text()));
    same_level->setChecked(false);
    QVERIFY(race->isHidden() && chart.find("level") == nullptr);
    QVERIFY(chart.find(std::to_string(sart))->marks.empty());
  }
};

GANTRY_TEST(TestLevelRace)
#include "test_level_race.moc"
