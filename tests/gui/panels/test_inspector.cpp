// What the inspector says of the selected run: its formula and what it needs; and the notes.
#include "core/base/error.hpp"
#include "gui/help/formula_panel.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/plan_panel.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/region_table.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTreeWidget>

using namespace gantry;
using namespace gantry::test;

class TestInspector : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  template <class Widget>
  Widget* find(const char* name) {
    return window().findChild<Widget*>(QLatin1String(name));
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSmall();
    WAIT_FOR(w_->isReady());
  }
  void cleanup() { w_.reset(); }

  /// The page of every method shows its formula and every parameter with its present value.
  void everyMethodHasAPage() {
    auto* panel = window().findChild<FormulaPanel*>();
    const int id = w_->run(0);
    for (const auto& solver : window().catalog().solvers.entries()) {
      w_->model().editRun(id, QStringLiteral("solver"), [&](RunSpec& run) {
        run = RunSpec{};
        run.solver = solver.key;
      });
      const QString page = panel->page(id);
      QVERIFY2(page.contains(QString::fromStdString(solver.label)), solver.key.c_str());
      QVERIFY2(page.contains(typeset(QString::fromStdString(solver.formula))), solver.key.c_str());
      for (const ParamSpec& spec : solver.params)
        QVERIFY2(page.contains(QString::fromStdString(spec.label).toHtmlEscaped()),
                 (solver.key + " " + spec.key).c_str());
    }
  }

  /// The window keeps its size while one goes from workspace to workspace and back.
  void noWorkspaceMakesTheWindowLarger_data() {
    QTest::addColumn<QString>("inspector");
    for (const char* key : {"measure", "notes", "formula", "plan"}) QTest::newRow(key) << key;
  }
  void noWorkspaceMakesTheWindowLarger() {
    QFETCH(const QString, inspector);
    const QSize usual(1280, 800);
    window().resize(usual);
    window().panels().open(inspector);
    QTest::qWait(50);
    for (const WindowLayout other : {WindowLayout::sweep, WindowLayout::space, WindowLayout::data})
      for (const WindowLayout layout : {other, WindowLayout::compare}) {
        window().applyLayout(layout);
        QTest::qWait(50);
        QVERIFY2(window().size() == usual,
                 qPrintable(QStringLiteral("%1 x %2 in workspace %3 from %4")
                                .arg(window().width())
                                .arg(window().height())
                                .arg(static_cast<int>(layout))
                                .arg(static_cast<int>(other))));
      }
    QVERIFY(window().findChild<QDockWidget*>(inspector)->isVisible());
  }

  /// At 1280 x 800 the table of regions shows all its columns, their numbers whole, also with a
  /// scroll bar; names give way.
  void everyColumnOfTheRegionsIsInSight() {
    window().resize(1280, 800);
    for (const int id : w_->model().runIds()) {
      w_->model().editRun(id, QStringLiteral("name"),
                          [](RunSpec& run) { run.name = "a run with a name of many words"; });
      w_->controller().start(id);
    }
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    window().panels().open(QStringLiteral("measure"));
    Measurements& all = window().board().measurements();
    for (const double x_mm : {-30.0, -15.0, 0.0, 15.0, 30.0})
      all.addRegion(Region::circle(x_mm, 20, 25));
    auto* table = window().findChild<RegionTable*>();
    WAIT_FOR(table->topLevelItemCount() == 15 && table->verticalScrollBar()->isVisible());
    QVERIFY(!table->topLevelItem(0)->text(7).isEmpty());  // the contrast
    const auto in_sight = [&](int column) {
      return table->columnViewportPosition(column) + table->columnWidth(column) <=
             table->viewport()->width();
    };
    QCOMPARE(window().size(), QSize(1280, 800));
    WAIT_FOR(in_sight(7));
    const QFontMetrics letters(table->font());
    for (int column = 2; column < 8; ++column)
      for (int row = 0; row < 15; ++row) {
        const QString text = table->topLevelItem(row)->text(column);
        QVERIFY2(letters.horizontalAdvance(text) < table->columnWidth(column), qPrintable(text));
      }
    for (int column = 0; column < 2; ++column)
      QVERIFY(table->columnWidth(column) > 4 * letters.averageCharWidth());
    // Where there is room, letters are as wide as elsewhere.
    table->resize(900, table->height());
    WAIT_FOR(table->font().stretch() == window().font().stretch() && in_sight(7));
  }

  void theFormulaFollowsRunAndValues() {
    window().panels().open(QStringLiteral("formula"));
    auto* panel = window().findChild<FormulaPanel*>();
    const int sart = w_->run(0);
    window().runs().selectRun(sart);
    // SART's formula is that of SIRT: both are shown
    QVERIFY(panel->toPlainText().contains(QStringLiteral("SIRT's formula, view after view.")));
    QVERIFY(panel->toPlainText().contains(QStringLiteral("x ← max(x + λ C Aᵀ R (b − A x), 0)")));
    QVERIFY(panel->toPlainText().contains(QStringLiteral("3840 rays, 4096 voxels")));
    const QString text = panel->toPlainText();
    QVERIFY(text.contains(QStringLiteral("the measured line integrals")));
    QVERIFY(text.contains(QStringLiteral("the inverse sums of A's columns")));
    QVERIFY(text.contains(QStringLiteral("the inverse sums of A's rows")));
    QVERIFY(!text.contains(QStringLiteral("line integrals, corrected")));  // p is not in it
    w_->model().editRun(sart, QStringLiteral("relax"),
                        [](RunSpec& run) { run.solver_params.set("relaxation", 0.375); });
    QVERIFY(panel->toPlainText().contains(QStringLiteral("0.375")));
  }

  void subscriptsAreTypeset() {
    QCOMPARE(typeset(QStringLiteral("‖A x‖²_W < x_j")),
             QStringLiteral("‖A x‖²<sub>W</sub> &lt; x<sub>j</sub>"));
  }

  /// The parts are what is needed, and the estimate is one image of them.
  void thePlanNamesTheMemory() {
    window().panels().open(QStringLiteral("plan"));
    auto* memory = find<QTreeWidget>("planMemory");
    WAIT_FOR(memory->topLevelItemCount() > 3);
    const RunEstimates::Answer* answer = w_->controller().memoryOf(*w_->model().run(w_->run(0)));
    QVERIFY(answer != nullptr && answer->memory);
    std::size_t sum = 0;
    for (const MemoryPart& part : answer->memory->parts) sum += part.bytes;
    QCOMPARE(sum, answer->memory->needed_bytes);
    QVERIFY(answer->memory->parts.front().bytes >= 64 * 64 * sizeof(float));
    const QTreeWidgetItem* total = memory->topLevelItem(memory->topLevelItemCount() - 2);
    QCOMPARE(total->text(2), QString::fromStdString(format_bytes(sum)));
    QVERIFY(find<QLabel>("planTime")->text().startsWith(QStringLiteral("50 iterations")));
    w_->controller().start(w_->run(0));
    WAIT_FOR(find<QLabel>("planTime")->text().startsWith(QStringLiteral("50 of 50 iterations in")));
  }

  void notesAreWritten() {
    window().panels().open(QStringLiteral("notes"));
    auto* panel = window().findChild<NotesPanel*>();
    auto* text = find<QPlainTextEdit>("notesText");
    QTest::keyClicks(text, QStringLiteral("dls"));  // no keys of the window
    QCOMPARE(panel->text(), QStringLiteral("dls"));
    QVERIFY(!window().viewState().profileMode());
    panel->setText(QStringLiteral("from a session"));
    QCOMPARE(text->toPlainText(), QStringLiteral("from a session"));
    w_->openSmall();  // the notes belong to what was open
    QVERIFY(panel->text().isEmpty());
  }
};

GANTRY_TEST(TestInspector)
#include "test_inspector.moc"
