// A computed study opens from the Help menu, with its tables beside the printed values.
#include "core/base/error.hpp"
#include "gui/studies/report_window.hpp"
#include "gui/studies/study_window.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/figure.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QMenu>
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
    QCOMPARE(window.pages().currentIndex(), 1);  // the last table is the summary
    auto* chart = qobject_cast<ChartView*>(window.pages().widget(0));
    QVERIFY(chart != nullptr);
    chart->edit([](ChartScene& scene) { QVERIFY(scene.model().logX() && scene.model().logY()); });
    // As in the report: with its title, and with the legend below.
    window.findChild<QTabWidget*>()->setCurrentWidget(chart);
    WAIT_FOR(chart->isVisible() && chart->chart().layout().titles);
    QCOMPARE(chart->chart().layout().title_lines, std::vector<std::string>{"A"});
    QVERIFY(chart->chart().layout().legend.y > chart->chart().plotRect().bottom());
    const auto* table = qobject_cast<QTableWidget*>(window.pages().widget(1));
    QVERIFY(table != nullptr);
    QCOMPARE(table->horizontalHeaderItem(1)->text(), QStringLiteral("size\n(mm)"));
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("0.5"));
  }

  /// A chart of a study is copied as a picture and as a table, and is written as shapes.
  void chartsAreCopied() {
    WindowFixture w;
    QAction* chosen = nullptr;
    for (QAction* action : w.window->findChildren<QAction*>())
      if (action->text().contains(QStringLiteral("Nonzeros and sizes"))) chosen = action;
    QVERIFY(chosen != nullptr);
    chosen->trigger();
    auto* window = w.window->findChild<StudyWindow*>();
    QVERIFY(window != nullptr);
    WAIT_FOR(!window->isComputing());
    ChartView* chart = window->findChildren<ChartView*>().value(0);
    QVERIFY(chart != nullptr);
    window->findChild<QTabWidget*>()->setCurrentWidget(chart);
    WAIT_FOR(chart->isVisible());
    const auto choose = [&](const char* entry) {
      emit chart->menuAsked(chart->mapToGlobal(QPoint(20, 20)));
      auto* menu = w.window->findChild<QMenu*>(QStringLiteral("chartMenu"));
      QVERIFY(menu != nullptr);
      menu->findChild<QAction*>(QLatin1String(entry))->trigger();
      menu->close();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    };
    choose("copyTable");
    const QString title = QString::fromStdString(chart->chart().layout().title_lines.front());
    QVERIFY2(QApplication::clipboard()->text().startsWith(QStringLiteral("# ") + title),
             qPrintable(QApplication::clipboard()->text().left(100)));
    QApplication::clipboard()->clear();
    choose("copyChart");
    QVERIFY(!QApplication::clipboard()->image().isNull());
    const QTemporaryDir folder;
    QFile file(save_figure({chart->grabImage(1), title, chart->drawing(1)},
                           folder.filePath(QStringLiteral("chart.svg"))));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(file.readAll());
    QVERIFY(svg.contains(QStringLiteral("<polyline")) && !svg.contains(QStringLiteral("<image")));
    QVERIFY(svg.contains(title.toHtmlEscaped()));
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
