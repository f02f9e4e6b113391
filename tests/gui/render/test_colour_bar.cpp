#include "gui/render/slice_scene.hpp"
#include "tests/gui/render/small_slices.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestColourBar : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { NEEDS_DISPLAY(); }

  void colourBarShowsTheScale() {
    SliceScene scene;
    scene.setColourBar(true, "1/mm");
    scene.setImage(constantSlice(64, 64, 1, 1, 0));
    scene.setWindowLevel(0.04, 0.02);
    for (const double scale : {1.0, 2.0}) {
      const int side = static_cast<int>(300 * scale);
      const RgbImage image = renderOffscreen(scene, side, side, scale);
      scene.resize(side, side, scale);
      const RectPx bar = *scene.layout().colour_bar;
      const int x = static_cast<int>(bar.centre().x * scale);
      for (const double t : {0.1, 0.5, 0.9})
        EXPECT_COLOUR(image, x, static_cast<int>((bar.bottom() - t * bar.height) * scale),
                      grey(static_cast<int>(255 * t)), 6);
    }
  }

  /// A bar that is too low for round ticks says where it begins and ends: texts stand at its ends.
  void aLowColourBarSaysItsEnds() {
    SliceScene scene;
    scene.setColourBar(true, "1/mm");
    scene.setImage(constantSlice(64, 64, 1, 1, 0));
    scene.setWindowLevel(0.0378, 0);
    scene.setColourMap(ColourMap::diverging);
    scene.resize(150, 160, 1);
    const RectPx bar = *scene.layout().colour_bar;
    const RgbImage image = renderOffscreen(scene, 150, 160);
    for (const double y : {bar.y, bar.bottom()}) {
      int inked = 0;
      for (int dx = 8; dx < 50; ++dx)
        for (int dy = -5; dy <= 5; ++dy) {
          const int at_x = static_cast<int>(bar.x) - dx, at_y = static_cast<int>(y) + dy;
          if (at_x < 0 || at_y < 0 || at_y >= 160) continue;
          inked += colourDistance(image.at(at_x, at_y), image.at(5, 80)) > 200 ? 1 : 0;
        }
      QVERIFY2(inked > 15, qPrintable(QString::number(inked)));
    }
  }
};

GANTRY_TEST(TestColourBar)
#include "test_colour_bar.moc"
