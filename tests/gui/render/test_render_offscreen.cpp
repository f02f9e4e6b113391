#include "core/base/error.hpp"
#include "gui/render/overlay_prop.hpp"
#include "gui/render/render_offscreen.hpp"
#include "gui/render/scene.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <QImage>
#include <QTemporaryDir>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

using namespace gantry;

namespace {

/// A scene that draws what a test tells it to.
class DrawnScene : public Scene {
 public:
  explicit DrawnScene(OverlayProp::Draw draw) {
    prop_->setDraw(std::move(draw));
    renderer()->AddViewProp(prop_);
  }
  ~DrawnScene() override { detach(); }
  void prepare() override { prop_->setScale(scale()); }

 private:
  vtkNew<OverlayProp> prop_;
};

}  // namespace

class TestRenderOffscreen : public QObject {
  Q_OBJECT

  static RgbImage stripes(int width, int height) {
    RgbImage image{width, height, {}};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        image.pixels.insert(image.pixels.end(),
                            {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 200});
    return image;
  }

 private slots:
  void rowsRunDownwards() {
    NEEDS_DISPLAY();
    DrawnScene scene([](Painter& p) { p.fill({0, 0, 10, 5}, rgb(0xFF0000)); });
    const RgbImage image = renderOffscreen(scene, 40, 30);
    QCOMPARE(image.width, 40);
    QCOMPARE(image.height, 30);
    EXPECT_COLOUR(image, 0, 0, rgb(0xFF0000), 0);
    EXPECT_COLOUR(image, 9, 4, rgb(0xFF0000), 0);
    EXPECT_COLOUR(image, 10, 4, scene.theme().background, 1);
    EXPECT_COLOUR(image, 9, 5, scene.theme().background, 1);
  }

  void scaleMultipliesEverything() {
    NEEDS_DISPLAY();
    DrawnScene scene([](Painter& p) {
      p.fill({4, 6, 10, 5}, rgb(0xFF0000));
      p.line({30, 0}, {30, 20}, 2, rgb(0x00FF00));
    });
    const RgbImage image = renderOffscreen(scene, 120, 90, 3);
    QCOMPARE(countNear(image, rgb(0xFF0000), 0), 30 * 15);
    EXPECT_COLOUR(image, 12, 18, rgb(0xFF0000), 0);
    QCOMPARE(countNear(image, rgb(0x00FF00), 0), 6 * 60);
  }

  void slantedLinesAreSmooth() {
    NEEDS_DISPLAY();
    DrawnScene scene([](Painter& p) { p.line({5, 5}, {95, 40}, 2, rgb(0xFFFFFF)); });
    scene.setBackground(rgb(0x000000));
    const RgbImage image = renderOffscreen(scene, 100, 50);
    int between = 0;
    double light = 0;
    for (int y = 0; y < 50; ++y)
      for (int x = 0; x < 100; ++x) {
        const int value = image.at(x, y).g;
        light += value / 255.0;
        between += value > 20 && value < 235 ? 1 : 0;
      }
    QVERIFY(between > 80);
    EXPECT_NEAR(light, 2 * std::hypot(90, 35), 12);  // area of the line
  }

  void textIsWhereItWasMeasured() {
    NEEDS_DISPLAY();
    const std::string words = "mu = 0.0204 \u03bb \u00b5 \u2026";
    const TextStyle style{rgb(0xFFFFFF), 14};
    RectPx box;
    DrawnScene scene(
        [&](Painter& p) { box = p.text(60, 20, words, style, AlignX::centre, AlignY::middle); });
    scene.setBackground(rgb(0x000000));
    for (const double scale : {1.0, 2.0}) {
      const RgbImage image = renderOffscreen(scene, static_cast<int>(200 * scale),
                                             static_cast<int>(40 * scale), scale);
      const auto device = [&](double px) { return static_cast<int>(std::lround(px * scale)); };
      const int inside = countNear(image, rgb(0xFFFFFF), 120, device(box.x), device(box.y),
                                   device(box.right()) + 1, device(box.bottom()) + 1);
      QVERIFY(inside > 60);
      QCOMPARE(countNear(image, rgb(0xFFFFFF), 250) -
                   countNear(image, rgb(0xFFFFFF), 250, device(box.x), device(box.y),
                             device(box.right()) + 1, device(box.bottom()) + 1),
               0);
    }
  }

  void manyTextsDoNotRunOutOfRoom() {
    NEEDS_DISPLAY();
    int frame = 0;
    DrawnScene scene([&](Painter& p) {
      for (int i = 0; i < 120; ++i)
        p.text(4 + 90 * (i % 6), 4 + 18 * (i / 6), "entry " + std::to_string(1000 * frame + i),
               {rgb(0xFFFFFF), 16});
    });
    scene.setBackground(rgb(0x000000));
    vtkNew<vtkRenderWindow> window;
    window->SetOffScreenRendering(1);
    window->SetSize(560, 380);
    scene.attach(window);
    scene.resize(560, 380, 1);
    int first = 0;
    for (frame = 0; frame < 12; ++frame) {
      scene.prepare();
      window->Render();
      const int lit = countNear(readPixels(*window), rgb(0xFFFFFF), 100);
      if (frame == 0) first = lit;
      QVERIFY2(lit > first * 3 / 4, qPrintable(QString::number(lit)));
    }
    scene.detach();
  }

  void sceneReturnsToItsWindow() {
    NEEDS_DISPLAY();
    DrawnScene scene([](Painter& p) { p.fill({0, 0, 10, 10}, rgb(0x3060C0)); });
    vtkNew<vtkRenderWindow> window;
    window->SetOffScreenRendering(1);
    window->SetSize(50, 50);
    scene.attach(window);
    scene.resize(50, 50, 1);
    scene.prepare();
    window->Render();
    const RgbImage before = readPixels(*window);
    QCOMPARE(renderOffscreen(scene, 200, 200, 4).at(39, 39), rgb(0x3060C0));
    QCOMPARE(scene.renderWindow(), window.Get());
    QCOMPARE(scene.deviceWidth(), 50);
    scene.prepare();
    window->Render();
    QCOMPARE(readPixels(*window).pixels, before.pixels);
    scene.detach();
  }

  void pngHoldsThePicture() {
    QTemporaryDir folder;
    const std::filesystem::path path =
        std::filesystem::path(folder.path().toStdString()) / "picture.png";
    const RgbImage image = stripes(37, 23);
    writePng(image, path);
    const QImage read(QString::fromStdString(path.string()));  // an independent reader
    QCOMPARE(read.size(), QSize(37, 23));
    for (int y = 0; y < 23; ++y)
      for (int x = 0; x < 37; ++x) QCOMPARE(read.pixelColor(x, y), QColor(x, y, 200));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);  // nothing temporary is left
  }

  void failedPngLeavesWhatWasThere() {
    QTemporaryDir folder;
    const std::filesystem::path nowhere =
        std::filesystem::path(folder.path().toStdString()) / "no" / "such.png";
    EXPECT_THROWS(OutputError, writePng(stripes(3, 3), nowhere), "such.png");
    const std::filesystem::path taken =
        std::filesystem::path(folder.path().toStdString()) / "taken.png";
    std::filesystem::create_directory(taken);  // cannot be replaced by a file
    std::filesystem::create_directory(taken / "inside");
    EXPECT_THROWS(OutputError, writePng(stripes(3, 3), taken), "taken.png");
    QVERIFY(std::filesystem::is_directory(taken / "inside"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 0);
  }

  void withoutADisplayItSaysSo() {
    const QByteArray display = qgetenv("DISPLAY");
    qunsetenv("DISPLAY");
    DrawnScene scene([](Painter&) {});
    EXPECT_THROWS(OutputError, renderOffscreen(scene, 10, 10), "xvfb-run");
    if (!display.isEmpty()) qputenv("DISPLAY", display);
  }
};

GANTRY_TEST(TestRenderOffscreen)
#include "test_render_offscreen.moc"
