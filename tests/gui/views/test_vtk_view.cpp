#include "gui/views/chart_view.hpp"
#include "gui/views/geometry_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/vtk_view.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <QDockWidget>
#include <QMainWindow>
#include <QScreen>
#include <QStackedWidget>
#include <QTabWidget>

using namespace gantry;

/// Everything here holds for both ways of bringing pixels to the screen.
class TestVtkView : public QObject {
  Q_OBJECT

  static std::shared_ptr<const SliceImage> quadrants() {
    // White in the upper left (low iu, high iv), black elsewhere.
    auto s = std::make_shared<SliceImage>();
    s->width = s->height = 64;
    s->values.assign(64 * 64, 0.0F);
    for (int iv = 32; iv < 64; ++iv)
      for (int iu = 0; iu < 32; ++iu) s->values[static_cast<std::size_t>(iv * 64 + iu)] = 1.0F;
    return s;
  }

  static std::unique_ptr<SliceView> sliceView() {
    auto view = std::make_unique<SliceView>();
    view->setScaleBar(false);
    view->setImage(quadrants());
    view->setWindowLevel(1, 0.5);
    return view;
  }

  static bool showsQuadrants(const QImage& picture) {
    const int w = picture.width(), h = picture.height(), side = std::min(w, h);
    const QPoint c(w / 2, h / 2);
    const auto grey = [&](double x, double y) {
      return qGray(
          picture.pixel(c.x() + static_cast<int>(x * side), c.y() + static_cast<int>(y * side)));
    };
    return grey(-0.25, -0.25) > 250 && grey(0.25, -0.25) < 5 && grey(-0.25, 0.25) < 5 &&
           grey(0.25, 0.25) < 5;
  }
  static bool showsQuadrants(QWidget& view) { return showsQuadrants(view.grab().toImage()); }

  void surfaces() {
    QTest::addColumn<VtkView::Surface>("surface");
    QTest::newRow("painted") << VtkView::Surface::painted;
    QTest::newRow("composited") << VtkView::Surface::composited;
  }

 private slots:
  void init() {
    NEEDS_DISPLAY();
    QFETCH(VtkView::Surface, surface);
    VtkView::setSurface(surface);
  }
  void cleanup() { VtkView::setSurface(VtkView::Surface::automatic); }

  void reachesTheScreen_data() { surfaces(); }
  void reachesTheScreen() {
    const auto view = sliceView();
    view->setGeometry(60, 40, 300, 300);
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    QTRY_VERIFY(view->paintCount() > 0);
    QTRY_VERIFY(
        showsQuadrants(view->screen()->grabWindow(view->winId()).toImage()));  // what the user sees
    QVERIFY(showsQuadrants(*view));
    QVERIFY(view->lastPaintMs() > 0);
  }

  void manyRequestsCostOneFrame_data() { surfaces(); }
  void manyRequestsCostOneFrame() {
    const auto view = sliceView();
    view->resize(200, 200);
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    QTRY_VERIFY(view->paintCount() > 0);
    QTest::qWait(50);
    const int before = view->paintCount();
    for (int i = 1; i < 50; ++i) view->setWindowLevel(i, 0);
    QTRY_VERIFY(view->paintCount() > before);
    QTest::qWait(50);
    QVERIFY2(view->paintCount() <= before + 2,
             qPrintable(QString::number(view->paintCount() - before)));
  }

  void dockingAndFloatingKeepDrawing_data() { surfaces(); }
  void dockingAndFloatingKeepDrawing() {
    QMainWindow window;
    window.resize(700, 400);
    window.setCentralWidget(new QWidget);
    auto* dock = new QDockWidget(QStringLiteral("slice"));
    auto* view = sliceView().release();
    dock->setWidget(view);
    window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTRY_VERIFY(view->paintCount() > 0);
    QVERIFY(showsQuadrants(*view));
    for (int round = 0; round < 3; ++round) {
      dock->setFloating(true);
      dock->resize(320, 300);
      QTest::qWait(60);
      view->setStatus("floating");
      QTRY_VERIFY(showsQuadrants(*view));
      dock->setFloating(false);
      window.addDockWidget(round % 2 ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, dock);
      QTest::qWait(60);
      QTRY_VERIFY(showsQuadrants(*view));
    }
    QTabWidget tabs;  // a new parent in another window altogether
    tabs.resize(300, 300);
    tabs.addTab(view, QStringLiteral("slice"));
    tabs.addTab(new QWidget, QStringLiteral("other"));
    tabs.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tabs));
    QTRY_VERIFY(showsQuadrants(*view));
    tabs.setCurrentIndex(1);
    QTest::qWait(30);
    view->setWindowLevel(2, 1);  // while it is hidden: white becomes mid grey
    tabs.setCurrentIndex(0);
    QTRY_COMPARE(qGray(view->grab().toImage().pixel(view->width() / 4,
                                                    view->height() / 2 - view->width() / 4)),
                 128);
  }

  void hidingAndShowingKeepsDrawing_data() { surfaces(); }
  void hidingAndShowingKeepsDrawing() {
    const auto view = sliceView();
    view->resize(240, 240);
    for (int round = 0; round < 3; ++round) {
      view->show();
      QVERIFY(QTest::qWaitForWindowExposed(view.get()));
      QTRY_VERIFY(showsQuadrants(*view));
      view->hide();
      view->setStatus("hidden " + std::to_string(round));
      QTest::qWait(20);
    }
  }

  void anySizeWillDo_data() { surfaces(); }
  void anySizeWillDo() {
    const auto view = sliceView();
    view->setTitle("SART", rgb(0x0072B2));
    view->setStatus("it 3");
    view->setColourBar(true, "1/mm");
    view->setProfile(LineSegment{0, 0, 40, 40});
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    for (const QSize size :
         {QSize(1, 1), QSize(20, 300), QSize(300, 12), QSize(160, 160), QSize(1000, 700)}) {
      view->resize(size);
      view->scheduleRender();
      QTest::qWait(30);
      QCOMPARE(view->grab().size(), view->size() * view->devicePixelRatio());
    }
  }

  void grabIsFinerThanTheScreen_data() { surfaces(); }
  void grabIsFinerThanTheScreen() {
    const auto view = sliceView();
    view->resize(200, 150);
    const QImage unseen = view->grabImage(2);  // never shown
    QCOMPARE(unseen.size(), QSize(400, 300));
    QVERIFY(showsQuadrants(unseen));
    view->show();
    QVERIFY(QTest::qWaitForWindowExposed(view.get()));
    QTRY_VERIFY(view->paintCount() > 0);
    const QImage picture = view->grabImage(3);
    QCOMPARE(picture.size(), QSize(600, 450));
    QVERIFY(showsQuadrants(picture));
    QTRY_VERIFY(showsQuadrants(*view));  // and the view is as before
    QCOMPARE(view->slice().widthPx(), 200.0);
  }

  void followsThePalette_data() { surfaces(); }
  void followsThePalette() {
    ChartView chart;
    chart.resize(200, 120);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    QPalette palette;
    palette.setColor(QPalette::Base, QColor(12, 34, 56));
    chart.setPalette(palette);
    QVERIFY(chart.chart().theme().dark);
    QTRY_COMPARE(chart.grab().toImage().pixelColor(5, 5), QColor(12, 34, 56));
    chart.setBackground(QColor(250, 250, 240));
    QTRY_COMPARE(chart.grab().toImage().pixelColor(5, 5), QColor(250, 250, 240));
    palette.setColor(QPalette::Base, QColor(0, 0, 0));
    chart.setPalette(palette);
    QTest::qWait(20);
    QCOMPARE(chart.grab().toImage().pixelColor(5, 5), QColor(250, 250, 240));
  }

  void manyViewsInOneWindow_data() { surfaces(); }
  void manyViewsInOneWindow() {
    QWidget window;
    window.resize(900, 300);
    SliceView* slice = sliceView().release();
    auto* chart = new ChartView;
    auto* geometry = new GeometryView;
    int x = 0;
    for (QWidget* view : {static_cast<QWidget*>(slice), static_cast<QWidget*>(chart),
                          static_cast<QWidget*>(geometry)}) {
      view->setParent(&window);
      view->setGeometry(x, 0, 300, 300);
      x += 300;
    }
    chart->edit([](ChartScene& c) {
      c.setSeries("a", {"run", rgb(0x00FF00), LineStyle::solid, 3});
      c.setData("a", {0, 1, 2}, {1, 2, 1.5});
    });
    geometry->setHint("no scan");
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto greens = [](const QImage& picture) {
      int count = 0;
      for (int i = 0; i < picture.width(); ++i)
        for (int j = 0; j < picture.height(); ++j) {
          const QColor c = picture.pixelColor(i, j);
          count += c.green() > 200 && c.red() < 90 && c.blue() < 90 ? 1 : 0;
        }
      return count;
    };
    for (int round = 0; round < 3; ++round) {  // each draws again without spoiling the others
      QTRY_VERIFY(showsQuadrants(*slice));
      QTRY_VERIFY(greens(chart->grab().toImage()) > 200);
      QCOMPARE(greens(geometry->grab().toImage()), 0);
      slice->scheduleRender();
      if (round > 0) chart->scheduleRender();
      if (round > 1) geometry->scheduleRender();
      QTest::qWait(40);
    }
    delete slice;
    QTRY_VERIFY(greens(chart->grab().toImage()) > 200);
  }
};

GANTRY_TEST(TestVtkView)
#include "test_vtk_view.moc"
