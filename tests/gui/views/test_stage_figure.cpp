// Figures of one tile and of all, and the tile that keys and menus are about.
#include "core/base/nice_numbers.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/stage/stage_figure.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/views/drawing_output.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/test_program.hpp"

#include <QPainter>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace gantry;
using namespace gantry::test;

namespace {

/// What an SVG file holds.
struct Svg {
  QStringList texts;
  int images = 0, shapes = 0;
  QString error;

  explicit Svg(const QByteArray& bytes) {
    QXmlStreamReader xml(bytes);
    while (!xml.atEnd()) {
      xml.readNext();
      if (!xml.isStartElement()) continue;
      images += xml.name() == QLatin1String("image") ? 1 : 0;
      for (const char* shape : {"polygon", "polyline", "circle"})
        shapes += xml.name() == QLatin1String(shape) ? 1 : 0;
      if (xml.name() == QLatin1String("text")) texts << xml.readElementText();
    }
    error = xml.errorString();
  }
};

}  // namespace

class TestStageFigure : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  MainWindow& window() { return *w_->window; }
  SliceBoard& board() { return window().board(); }
  SliceTile& tile(int run) { return *board().tile(w_->run(run)); }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    Experiment experiment = WindowFixture::small();
    for (RunSpec& run : experiment.runs) run.iterations = 2;
    w_->model().reset(experiment, {});
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    window().runs().selectRun(w_->run(0));
    WAIT_FOR(tile(0).view().slice().image() != nullptr &&
             tile(1).view().slice().image() != nullptr);
  }
  void cleanup() { w_.reset(); }

  /// In a workspace of its own views a figure shows these, not the tiles of Compare behind them.
  void everyWorkspaceExportsWhatItShows() {
    w_->openSpatial();
    WAIT_FOR(w_->isReady());
    const QSize tiles = window().figureOfAllViews().picture.size();
    for (const WindowLayout layout :
         {WindowLayout::space, WindowLayout::data, WindowLayout::sweep}) {
      window().applyLayout(layout);
      QTest::qWait(50);
      const QWidget* page = layout == WindowLayout::space ? static_cast<QWidget*>(&window().space())
                            : layout == WindowLayout::data ? static_cast<QWidget*>(&window().data())
                                                           : &window().sweep();
      const PanelFigure all = window().figureOfAllViews(), one = window().figureOfActiveView();
      const QSize shown = figureScale * page->size();
      QVERIFY2(all.picture.width() > 0.9 * shown.width() &&
                   all.picture.height() > 0.2 * shown.height() &&
                   all.picture.width() <= shown.width(),
               qPrintable(QStringLiteral("%1 x %2, tiles %3")
                              .arg(all.picture.width())
                              .arg(all.picture.height())
                              .arg(tiles.width())));
      QVERIFY(one.picture.width() > 300 && one.picture.width() <= all.picture.width());
      QVERIFY(!all.drawing.items.empty() && !one.drawing.items.empty());
    }
    window().applyLayout(WindowLayout::space);
    SliceView& coronal = window().space().plane(Axis::coronal);
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    coronal.setFocus();
    const PanelFigure figure = window().figureOfActiveView();
    QCOMPARE(figure.picture.size(), (figureScale * QSizeF(coronal.size())).toSize());
    QVERIFY2(figure.caption.contains(QStringLiteral("Coronal, ")), qPrintable(figure.caption));
    QVERIFY2(figure.caption.contains(QStringLiteral("; grey from ")), qPrintable(figure.caption));
    QVERIFY(window().figureOfAllViews().caption.contains(QStringLiteral("Sagittal, ")));
  }

  /// The mark of the pointer and the frame of the selection are no part of a picture.
  void aFigureHoldsThePictureAlone() {
    SliceView& view = tile(0).view();
    view.setCursor(std::optional<PointMm>{});
    view.setSelected(false);
    const QImage plain = figure_picture(view, 1);
    view.setCursor(PointMm{3, 4});
    view.setSelected(true);
    QVERIFY(figure_picture(view, 1) == plain);
    QVERIFY(view.grabImage(1) != plain);  // both are on the screen
    QVERIFY(view.slice().cursor().has_value() && view.slice().isSelected());
  }

  void theWholeStageIsOneFigure() {
    const PanelFigure figure = figure_of_stage(board(), window().viewState());
    QRect all;
    for (const SliceTile* one : board().tiles()) all |= one->geometry();
    QVERIFY(figure.picture.width() > figureScale * all.width());
    QCOMPARE(figure.picture.height(), qRound(figureScale * all.height()));
    for (SliceTile* one : board().tiles()) {
      QVERIFY(figure.caption.contains(one->title()));
      // Its middle is that of the tile.
      const QImage alone = figure_picture(one->view(), figureScale);
      const QPoint middle(alone.width() / 2, alone.height() / 2);
      const QPoint corner = (one->pos() + one->view().pos() - all.topLeft()) * figureScale;
      QCOMPARE(figure.picture.pixel(corner + middle), alone.pixel(middle));
    }
    QVERIFY(figure.caption.contains(QStringLiteral("grey from")));
    // The bar of grey values runs from white to black.
    int white = 0, black = 0;
    const int x = qRound(figureScale * (all.width() + 12 + 7));
    for (int y = 0; y < figure.picture.height(); ++y) {
      const int grey = qGray(figure.picture.pixel(x, y));
      white += grey > 240 ? 1 : 0;
      black += grey < 15 ? 1 : 0;
    }
    QVERIFY(white > 5 && black > 5);
  }

  /// In a file that can be enlarged the picture alone has pixels: title, status, letters, scale bar
  /// and caption are texts and shapes.
  void textsOfAFigureAreTexts() {
    const QTemporaryDir folder;
    const auto written = [&](const PanelFigure& figure, const char* name) {
      QFile file(save_figure(figure, folder.filePath(QLatin1String(name))));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    SliceTile& one = tile(0);
    const SliceScene& scene = one.view().slice();
    const PanelFigure alone = figure_of(one), all = figure_of_stage(board(), window().viewState());
    const QString length =
        QString::fromStdString(length_text(scene.scaleBar()->length_mm, scene.lengthsAreKnown()));
    const Svg view(written(alone, "view.svg"));
    QCOMPARE(view.error, QString());
    for (const QString& text :
         {one.title(), one.status(), length, QStringLiteral("−x"), QStringLiteral("+y")})
      QVERIFY2(view.texts.contains(text), qPrintable(text + view.texts.join(QLatin1Char('|'))));
    QVERIFY(view.texts.join(QLatin1Char(' ')).contains(alone.caption));
    QCOMPARE(view.images, 1);
    QVERIFY(view.shapes > 4);  // the header, its dot, and the scale bar with its ends
    const Svg stage(written(all, "stage.svg"));
    QCOMPARE(stage.error, QString());
    QCOMPARE(stage.images, 3);
    QCOMPARE(stage.texts.count(length), 1);
    for (SliceTile* tile : board().tiles()) QVERIFY(stage.texts.contains(tile->title()));
    QVERIFY(stage.texts.contains(window().viewState().muUnit()));  // over the bar of grey values
    QVERIFY(stage.texts.join(QLatin1Char(' ')).contains(QStringLiteral("grey from")));
    // The same drawing is in the PDF, where texts have fonts.
    QVERIFY(written(all, "stage.pdf").contains("/FontDescriptor"));
  }

  /// What the drawing shows is what the view shows: pixels differ by the edges of letters alone.
  void theDrawingIsThePicture() {
    SliceView& view = tile(1).view();
    const QImage pixels = figure_picture(view, 2);
    const PanelFigure figure = figure_of(tile(1));
    QImage drawn(pixels.size(), QImage::Format_RGB32);
    drawn.setDevicePixelRatio(2);
    QPainter painter(&drawn);
    paint(painter, figure.drawing);
    painter.end();
    double difference = 0;
    for (int y = 0; y < pixels.height(); ++y)
      for (int x = 0; x < pixels.width(); ++x)
        difference += std::abs(qGray(pixels.pixel(x, y)) - qGray(drawn.pixel(x, y)));
    difference /= 1.0 * pixels.width() * pixels.height();
    QVERIFY2(difference < 2, qPrintable(QString::number(difference)));
    QVERIFY(view.grabImage(2) != QImage());  // and the view has its texts again
    QVERIFY(figure_picture(view, 2) == pixels);
  }

  /// Tiles of one scale have one scale bar, in the first; another scale has its own.
  void theStageHasOneScaleBar() {
    const auto bars = [this] {
      const QImage stage = stage_picture(board(), window().viewState(), 1);
      QRect all;
      for (const SliceTile* one : board().tiles()) all |= one->geometry();
      int count = 0;
      for (SliceTile* one : board().tiles()) {
        const QImage with = figure_picture(one->view(), 1);
        const QRect place(one->pos() + one->view().pos() - all.topLeft(), with.size());
        const QRect corner(0, with.height() - 40, with.width() / 2, 40);
        if (stage.copy(place).copy(corner) == with.copy(corner).convertToFormat(stage.format()))
          ++count;
      }
      return count;
    };
    QCOMPARE(bars(), 1);
  }

  void filesAreNamedAfterTheFigure_data() {
    QTest::addColumn<QString>("caption");
    QTest::addColumn<QString>("name");
    QTest::addRow("run") << QStringLiteral("SART, λ 0.05; grey from 0 to 1") << "SART-0.05";
    QTest::addRow("path") << QStringLiteral("../a/b; c") << "a-b";
    QTest::addRow("long") << QString(79, QLatin1Char('a')) + QStringLiteral(" b")
                          << QString(79, QLatin1Char('a'));
    QTest::addRow("nothing") << QStringLiteral("; grey") << "figure";
  }
  void filesAreNamedAfterTheFigure() {
    QFETCH(QString, caption);
    QFETCH(QString, name);
    QCOMPARE(figure_name(caption), name);
  }

  /// Card and tile are one selection: the pointer over another tile does not change what keys and
  /// menus are about. The reference, which has no card, is chosen by a press.
  void keysAreAboutTheSelectedTile() {
    hover(tile(1).view(), tile(1).view().rect().center());
    QCOMPARE(board().activeTile(), &tile(0));
    window().runs().selectRun(w_->run(1));
    QCOMPARE(board().activeTile(), &tile(1));
    SliceTile& reference = *board().tile(SliceTile::referenceId);
    QTest::mouseClick(&reference.view(), Qt::LeftButton);
    QCOMPARE(board().activeTile(), &reference);
    QVERIFY(reference.view().slice().isSelected() && !tile(1).view().slice().isSelected());
    QTest::mouseClick(&tile(1).view(), Qt::LeftButton);
    QCOMPARE(board().activeTile(), &tile(1));
    QTest::mouseClick(&tile(0).view(), Qt::LeftButton);
    QCOMPARE(window().runs().selectedRun(), w_->run(0));
  }
};

GANTRY_TEST(TestStageFigure)
#include "test_stage_figure.moc"
