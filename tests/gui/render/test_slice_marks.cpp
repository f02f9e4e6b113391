// Texts over a slice: letters of the edges beside the object, names beside their lines.
#include "gui/render/slice_scene.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

std::shared_ptr<SliceImage> constantSlice(int width, int height, double du, double dv,
                                          float value) {
  auto slice = std::make_shared<SliceImage>();
  slice->width = width;
  slice->height = height;
  slice->du_mm = du;
  slice->dv_mm = dv;
  slice->values.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), value);
  return slice;
}

}  // namespace

class TestSliceMarks : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { NEEDS_DISPLAY(); }

  /// Where the object reaches the edges, the letters stand at the corners.
  void lettersKeepClearOfTheObject() {
    SliceScene scene;
    scene.setImage(constantSlice(100, 100, 1, 1, 0.5F));
    scene.setScaleBar(false);
    scene.setObject(ObjectBox{0, 99, 0, 99});
    scene.fit();
    const RgbImage without = renderOffscreen(scene, 300, 300);
    scene.setEdgeLetters({"R", "L", "A", "P"});
    const RgbImage with = renderOffscreen(scene, 300, 300);
    int changed = 0;
    for (int y = 0; y < 300; ++y)
      for (int x = 0; x < 300; ++x) {
        const bool differs = !(with.at(x, y) == without.at(x, y));
        changed += differs ? 1 : 0;
        QVERIFY2(!differs || y < 60 || y > 270, "a letter is over the middle of the object");
      }
    QVERIFY(changed > 100);
  }

  /// The name of an edge stands at the same small distance from a line of any direction.
  void namesStandBesideTheirLines() {
    for (const double angle : {0.0, 0.5, 1.2, 1.5707, 2.2, 3.0}) {
      SliceScene scene;
      scene.setImage(constantSlice(100, 100, 1, 1, 0));
      scene.setScaleBar(false);
      const double u = 40 * std::cos(angle), v = 40 * std::sin(angle);
      scene.setEdge(LineSegment{50 - u, 50 - v, 50 + u, 50 + v});
      const RgbImage image = renderOffscreen(scene, 300, 300);
      scene.resize(300, 300, 1);
      const PointPx middle = scene.worldToDisplay(50, 50);
      int beside = 0, far = 0;  // pixels in the colour of the edge
      for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 300; ++x) {
          const Rgb pixel = image.at(x, y), ink = edgeColour();
          if (std::abs(pixel.r - ink.r) + std::abs(pixel.g - ink.g) + std::abs(pixel.b - ink.b) >
              90)
            continue;
          const double dx = x - middle.x, dy = y - middle.y;
          const double off = std::abs(-dx * std::sin(angle) - dy * std::cos(angle));
          if (off < 3) continue;  // the line itself
          (std::hypot(dx, dy) < 45 ? beside : far) += 1;
        }
      QVERIFY2(beside > 8, qPrintable(QString::number(angle)));
      QCOMPARE(far, 0);
    }
  }
};

GANTRY_TEST(TestSliceMarks)
#include "test_slice_marks.moc"
