// A computed study opens from the Help menu, with its tables beside the printed values.
#include "core/base/error.hpp"
#include "gui/studies/study_window.hpp"
#include "gui/views/chart_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QLabel>
#include <QTabWidget>
#include <QTableWidget>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

using namespace gantry;
using namespace gantry::test;

class TestStudyWindow : public QObject {
  Q_OBJECT

 private slots:
  void aStudyOpensWithItsTables() {
    WindowFixture w;
    w.openSmall();
    QAction* chosen = nullptr;
    for (QAction* action : w.window->findChildren<QAction*>())
      if (action->text().contains(QStringLiteral("Views that need storing"))) chosen = action;
    QVERIFY(chosen != nullptr);
    chosen->trigger();
    auto* study = w.window->findChild<StudyWindow*>(QStringLiteral("study symmetry"));
    QVERIFY(study != nullptr && study->isVisible());
    WAIT_FOR(!study->isComputing());
    QVERIFY(study->pages().count() >= 1);
    const auto* table = qobject_cast<QTableWidget*>(study->pages().currentWidget());
    QVERIFY(table != nullptr && table->rowCount() > 0);
    QStringList cells;
    for (int r = 0; r < table->rowCount(); ++r)
      for (int c = 0; c < table->columnCount(); ++c)
        if (table->item(r, c) != nullptr) cells << table->item(r, c)->text();
    QVERIFY(cells.contains(QStringLiteral("90")));  // of 720 views, as printed
    chosen->trigger();
    QCOMPARE(w.window->findChildren<StudyWindow*>().size(), 1);
  }

  void everyChartHasItsPage() {
    StudyResult result;
    result.charts.push_back({.key = "a",
                             .title = "A",
                             .x_label = "x",
                             .y_label = "y",
                             .log_x = true,
                             .log_y = true,
                             .curves = {{"one", {1, 2, 3}, {1, 0, 100}}}});
    result.tables.push_back({.key = "t",
                             .title = "T",
                             .columns = {{"what", ""}, {"size", "mm"}},
                             .rows = {{StudyCell("pixel"), StudyCell(0.5)}}});
    StudyWindow window({"made", "Made", [&](const StudyOptions&) { return result; }});
    window.show();
    WAIT_FOR(!window.isComputing());
    QCOMPARE(window.pages().count(), 2);
    auto* chart = qobject_cast<ChartView*>(window.pages().widget(0));
    QVERIFY(chart != nullptr);
    chart->edit([](ChartScene& scene) { QVERIFY(scene.model().logX() && scene.model().logY()); });
    const auto* table = qobject_cast<QTableWidget*>(window.pages().currentWidget());
    QVERIFY(table != nullptr);
    QCOMPARE(table->horizontalHeaderItem(1)->text(), QStringLiteral("size\n(mm)"));
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("0.5"));
  }

  void progressIsShownAndTheEndIsHeard() {
    std::atomic<bool> interrupted = false;
    std::optional<StudyWindow> window;
    window.emplace(Study{"long", "Long", [&](const StudyOptions& options) -> StudyResult {
                           options.progress(0.25, "half of the half");
                           try {
                             while (true) {
                               options.interrupt->check();
                               std::this_thread::sleep_for(std::chrono::milliseconds(1));
                             }
                           } catch (const Interrupted&) {
                             interrupted = true;
                             throw;
                           }
                         }});
    WAIT_FOR(
        window->findChild<QLabel*>()->text().contains(QStringLiteral("25 %: half of the half")));
    QVERIFY(window->isComputing() && !interrupted);
    window.reset();
    QVERIFY(interrupted);
  }

  void whatFailsIsSaid() {
    StudyWindow window({"bad", "Bad", [](const StudyOptions&) -> StudyResult {
                          throw UsageError("no room", "study", "make some");
                        }});
    WAIT_FOR(!window.isComputing());
    QCOMPARE(window.pages().count(), 0);
    QVERIFY(window.findChild<QLabel*>()->text().contains(QStringLiteral("no room")));
  }
};

GANTRY_TEST(TestStudyWindow)
#include "test_study_window.moc"
