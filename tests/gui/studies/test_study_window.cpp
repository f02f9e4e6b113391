// A computed study opens from the Help menu, with its tables beside the printed values.
#include "core/base/error.hpp"
#include "gui/studies/report_window.hpp"
#include "gui/studies/study_window.hpp"
#include "gui/views/chart_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>

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

  /// The report of studies is written from the window, with its progress; what cannot be written is
  /// said in one line.
  void theReportIsWritten() {
    WindowFixture w;
    QAction* chosen = nullptr;
    for (QAction* action : w.window->findChildren<QAction*>())
      if (action->text().startsWith(QStringLiteral("Report of all studies"))) chosen = action;
    QVERIFY(chosen != nullptr);
    chosen->trigger();
    auto* window = w.window->findChild<ReportWindow*>();
    QVERIFY(window != nullptr && window->isVisible() && !window->isComputing());  // it asks first
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.html"));
    QSignalSpy finished(window, &ReportWindow::finished);
    window->start(path, {"symmetry", "nonzeros"});
    QVERIFY(window->isComputing());
    WAIT_FOR(finished.count() == 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    QVERIFY(page.contains(QStringLiteral("Gantry test")));
    QVERIFY(page.contains(QStringLiteral("Views that need storing")) &&
            page.contains(QStringLiteral("Nonzeros and sizes")));
    auto* text = window->findChild<QLabel*>(QStringLiteral("reportText"));
    QVERIFY2(text->text().contains(path), qPrintable(text->text()));
    window->start(folder.filePath(QStringLiteral("none/report.html")), {"symmetry"});
    WAIT_FOR(finished.count() == 2);
    QVERIFY2(!text->text().contains(QStringLiteral("is written")), qPrintable(text->text()));
  }
};

GANTRY_TEST(TestStudyWindow)
#include "test_study_window.moc"
