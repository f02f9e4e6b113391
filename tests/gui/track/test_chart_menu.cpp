// The menu of a chart, its values as a table, and what it is called with a pinned reference.
#include "gui/panels/panel_docks.hpp"
#include "gui/track/chart_csv.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "gui/widgets/figure.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QXmlStreamReader>

using namespace gantry;
using namespace gantry::test;

class TestChartMenu : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  ChartView& chart() { return window().convergence().chart(); }
  /// Chooses an entry of the menu that a chart opens.
  void choose(ChartView& view, const char* entry) {
    emit view.menuAsked(view.mapToGlobal(QPoint(20, 20)));
    auto* menu = window().findChild<QMenu*>(QStringLiteral("chartMenu"));
    QVERIFY(menu != nullptr);
    auto* action = menu->findChild<QAction*>(QLatin1String(entry));
    QVERIFY2(action != nullptr, entry);
    action->trigger();
    menu->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSmall();
    const int id = w_->run(1);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    WAIT_FOR(!chart().chart().model().empty());
  }
  void cleanup() { w_.reset(); }

  void valuesAreATable() {
    choose(chart(), "copyTable");
    const QStringList lines = QApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
    QVERIFY2(lines[0].startsWith(QStringLiteral("# RMSE over iterations")), qPrintable(lines[0]));
    QCOMPARE(lines[1], QStringLiteral("\"curve\",\"iterations\",\"RMSE (1/mm)\""));
    QCOMPARE(lines.size(), 2 + 50);
    QCOMPARE(lines.back().section(QLatin1Char(','), -1).toDouble(),
             QString::number(w_->metric(w_->run(1), "rmse"), 'g', 9).toDouble());
  }

  void theMenuShowsAllDataAgain() {
    chart().edit([](ChartScene& c) { c.setRange({1, 2, 1, 2}); });
    QVERIFY(!chart().chart().followsData());
    choose(chart(), "showAllData");
    QVERIFY(chart().chart().followsData());
    QApplication::clipboard()->clear();
    choose(chart(), "copyChart");
    QVERIFY(!QApplication::clipboard()->image().isNull());
  }

  void aHistogramSaysWhoseItIsInTheTableToo() {
    w_->controller().start(w_->run(0));  // that of the tile that is active
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    window().panels().open(QStringLiteral("histogram"));
    ChartView& histogram = window().findChild<HistogramPanel*>()->chart();
    WAIT_FOR(!histogram.chart().model().empty());
    choose(histogram, "copyTable");
    const QString title = window().board().activeTile()->title();
    QVERIFY2(QApplication::clipboard()->text().startsWith(
                 QStringLiteral("# Histogram of %1").arg(title)),
             qPrintable(QApplication::clipboard()->text().left(100)));
  }

  /// As PNG, PDF and SVG, with the caption, which stays text in the last two.
  void figuresAreWritten() {
    QTemporaryDir folder;
    const QImage picture = chart().grabImage(1);
    const QString caption = QStringLiteral("RMSE < 1 & more");
    const auto bytes = [&](const QString& name) {
      QFile file(save_figure({picture, caption}, folder.filePath(name)));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(bytes(QStringLiteral("a")).startsWith("\x89PNG"));  // a.png
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("a.png"))));
    QVERIFY(bytes(QStringLiteral("a.pdf")).startsWith("%PDF-1."));
    const QByteArray svg = bytes(QStringLiteral("a.SVG"));
    QXmlStreamReader xml(svg);
    QString text;
    QImage within;
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isCharacters()) text += xml.text();
      if (xml.isStartElement() && xml.name() == QLatin1String("image")) {
        const auto data = xml.attributes().value(QLatin1String("xlink:href")).toLatin1();
        within.loadFromData(QByteArray::fromBase64(data.mid(data.indexOf(',') + 1)), "PNG");
      }
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QVERIFY(text.contains(caption));
    QCOMPARE(within.size(), picture.size());
  }

  void aPinnedReferenceIsNamed() {
    w_->controller().pinReference(w_->run(1));
    WAIT_FOR(w_->controller().referenceIsPinned());
    const std::string label = w_->controller().reference()->label;
    WAIT_FOR(chart().chart().titleY().name == "RMSE against " + label);
    QVERIFY(window().convergence().caption().startsWith(
        QStringLiteral("RMSE against %1").arg(QString::fromStdString(label))));
    w_->controller().pinReference(-1);
    WAIT_FOR(chart().chart().titleY().name == "RMSE");
  }

  /// A curve has values against the present reference alone, and cards name it.
  void aCurveHasOneReference() {
    auto& controller = w_->controller();
    const int id = w_->run(0);
    controller.start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const auto points = [&] { return chart().chart().model().series().front().ys; };
    const auto card = [&] { return window().findChild<QLabel*>(QStringLiteral("runMetric")); };
    const auto against_truth = points();
    QVERIFY(!against_truth.empty() && card()->text().startsWith(QStringLiteral("RMSE ")));
    const QString truth_text = card()->text();
    controller.pinReference(w_->run(1));
    WAIT_FOR(controller.referenceIsPinned());
    WAIT_FOR(points().size() == against_truth.size());  // all iterates are kept
    QVERIFY(points() != against_truth);
    QCOMPARE(points().back(), w_->metric(id, "rmse"));
    WAIT_FOR(card()->text().startsWith(QStringLiteral("RMSE against ")));
    // Where there is no room for all of it, the number stays.
    const auto* metric = static_cast<ElidingLabel*>(card());
    const QString shown = metric->linesFor(90).front(), all = card()->text();
    QVERIFY2(shown.contains(QStringLiteral("…")) && shown.right(4) == all.right(4),
             qPrintable(shown));
    QCOMPARE(card()->toolTip(), all);
    controller.pinReference(-1);
    WAIT_FOR(points() == against_truth);
    QCOMPARE(card()->text(), truth_text);
  }

  /// A mask is no part of the data: results stay, and are measured again.
  void anotherMaskMeasuresAgain() {
    auto& controller = w_->controller();
    const int id = w_->run(0);
    controller.start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const auto points = [&] { return chart().chart().model().series().front().ys; };
    const auto in_circle = points();
    const auto data = controller.data();
    auto& mask = w_->part<QComboBox>("mask");
    const auto choose = [&](int index) {
      mask.setCurrentIndex(index);
      emit mask.activated(index);
    };
    choose(0);
    QCOMPARE(controller.data(), data);
    QVERIFY(controller.isCurrent(id) && w_->part<QWidget>("pendingBar").isHidden());
    WAIT_FOR(points().size() == in_circle.size() && points() != in_circle);
    QVERIFY(window().convergence().caption().contains(QStringLiteral("all voxels")));
    // As a run that is measured so from its beginning.
    const auto on_all = points();
    controller.start(id);
    WAIT_FOR(w_->state(id) == RunState::finished && points() == on_all);
    choose(2);  // there is no region
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("there is none")));
    QVERIFY(points() == on_all);
    while (w_->model().undoStack().canUndo()) w_->model().undoStack().undo();
    WAIT_FOR(points() == in_circle);
    QVERIFY(w_->bannerTexts().isEmpty());
  }

  /// A mask is offered for metrics against a reference alone.
  void aResidualHasNoMask() {
    auto* quantity = window().findChild<QComboBox*>(QStringLiteral("quantity"));
    auto* mask = window().findChild<QComboBox*>(QStringLiteral("mask"));
    QVERIFY(mask->isVisible());
    quantity->setCurrentIndex(quantity->findText(QStringLiteral("Residual")));
    QVERIFY(!mask->isVisible());
    quantity->setCurrentIndex(quantity->findText(QStringLiteral("RMSE")));
    QVERIFY(mask->isVisible());
  }
};

GANTRY_TEST(TestChartMenu)
#include "test_chart_menu.moc"
