// Texts over a slice: letters at the middles of the edges, names beside their lines.
#include "charts/painting/recording_painter.hpp"
#include "gui/render/painting/window_texts.hpp"
#include "gui/render/slice_decoration.hpp"
#include "gui/render/slice_scene.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <array>
#include <cmath>
#include <map>
#include <string>

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

/// Returns the mean place of the pixels that differ.
PointPx centreOfChange(const RgbImage& before, const RgbImage& after) {
  PointPx sum;
  int changed = 0;
  for (int y = 0; y < after.height; ++y)
    for (int x = 0; x < after.width; ++x) {
      if (after.at(x, y) == before.at(x, y)) continue;
      sum.x += x + 0.5;
      sum.y += y + 0.5;
      ++changed;
    }
  return {sum.x / changed, sum.y / changed};
}

/// Returns a view of 400 x 400 pixels of 200 x 200 mm about 0.
SliceTransform drawnTransform() { return {{0, 0, 0.5}, {0, 0, 400, 400}}; }

/// Returns the places of the names of marks, in the order in which they are drawn.
std::vector<RectPx> drawnNames(const SliceDecoration& d, const SliceTransform& transform) {
  class Noting final : public RecordingPainter {
   public:
    using RecordingPainter::RecordingPainter;
    RectPx text(double x, double y, const std::string& text, const TextStyle& style, AlignX ax,
                AlignY ay) override {
      const RectPx place = RecordingPainter::text(x, y, text, style, ax, ay);
      if (text.find("region") == 0 || text.find("at") != std::string::npos) names.push_back(place);
      return place;
    }
    std::vector<RectPx> names;
  };
  Noting painter(400, 400, windowRuler(1));
  drawSliceDecoration(painter, layoutSlice(400, 400, 1, d), d, transform, Theme::on(rgb(0x000000)));
  return painter.names;
}

}  // namespace

class TestSliceMarks : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { NEEDS_DISPLAY(); }

  /// The notice over a picture leaves the letter above it free, also with the texts of a lecture.
  void theNoticeLeavesTheUpperLetterFree() {
    class Noting final : public RecordingPainter {
     public:
      using RecordingPainter::RecordingPainter;
      RectPx text(double x, double y, const std::string& text, const TextStyle& style, AlignX ax,
                  AlignY ay) override {
        const RectPx place = RecordingPainter::text(x, y, text, style, ax, ay);
        places[text] = place;
        return place;
      }
      std::map<std::string, RectPx> places;
    };
    SliceDecoration d;
    d.title = "SART";
    d.status = "not started";
    d.letters = {"-x", "+x", "+y", "-y"};
    d.notice = "Preview";
    for (const double scale : {1.0, 16 / 9.0}) {
      setTextScale(scale);
      Noting painter(400, 400, windowRuler(1));
      drawSliceDecoration(painter, layoutSlice(400, 400, 1, d), d, drawnTransform(),
                          Theme::on(rgb(0x000000)));
      setTextScale(1);
      const RectPx letter = painter.places.at("+y"), notice = painter.places.at("Preview");
      QVERIFY2(notice.y >= letter.bottom(), qPrintable(QString::number(scale)));
    }
  }

  /// Each letter stands at the middle of its edge, also where the object fills the view.
  void lettersStandAtTheMiddlesOfTheEdges() {
    const EdgeLetters none;
    const std::array letters = {EdgeLetters{"-x", "", "", ""}, EdgeLetters{"", "+x", "", ""},
                                EdgeLetters{"", "", "+y", ""}, EdgeLetters{"", "", "", "-y"}};
    for (const auto& [width, height] : {std::pair{300, 300}, {180, 160}, {700, 300}}) {
      SliceScene scene;
      scene.setImage(constantSlice(100, 100, 1, 1, 0.5F));
      scene.setObject(ObjectBox{0, 99, 0, 99});
      scene.setTitle("SART");
      scene.fit();
      scene.setEdgeLetters(none);
      const RgbImage without = renderOffscreen(scene, width, height);
      const double header = scene.layout().header.bottom();
      const std::array<PointPx, 4> places = {{{15, height / 2.0},
                                              {width - 15.0, height / 2.0},
                                              {width / 2.0, header + 13},
                                              {width / 2.0, height - 13.0}}};
      for (std::size_t i = 0; i < letters.size(); ++i) {
        scene.setEdgeLetters(letters[i]);
        const PointPx at = centreOfChange(without, renderOffscreen(scene, width, height));
        QVERIFY2(std::abs(at.x - places[i].x) < 6 && std::abs(at.y - places[i].y) < 6,
                 qPrintable(QStringLiteral("letter %1 at %2, %3 of %4 x %5")
                                .arg(i)
                                .arg(at.x)
                                .arg(at.y)
                                .arg(width)
                                .arg(height)));
      }
    }
  }

  /// The right letter stands above the unit of the colour bar, the upper one below a long status.
  void lettersKeepClearOfOtherTexts() {
    SliceScene scene;
    scene.setImage(constantSlice(100, 100, 1, 1, 0.5F));
    scene.setTitle("SART");
    scene.setStatus("it 14 of 50, 0.31 s, 12.5 it/s");
    scene.setColourBar(true, "1/mm");
    const auto changed = [&](const EdgeLetters& letters) {
      scene.setEdgeLetters({});
      const RgbImage without = renderOffscreen(scene, 210, 150);
      scene.setEdgeLetters(letters);
      return centreOfChange(without, renderOffscreen(scene, 210, 150));
    };
    QVERIFY(changed({"", "+x", "", ""}).y < 150 / 2.0 - 5);
    QVERIFY(changed({"", "", "+y", ""}).y > scene.layout().header.bottom() + 25);
    scene.setColourBar(false, "");
    EXPECT_NEAR(changed({"", "+x", "", ""}).y, 150 / 2.0, 5);
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

  /// Names of regions and lines that lie on each other cover neither each other nor the header, and
  /// stay in the picture; a name alone stands above its region.
  void namesCoverNoOtherNames() {
    SliceDecoration d;
    d.title = "SART";
    d.scale_bar = false;
    for (int i = 0; i < 4; ++i)
      d.regions.push_back({i + 1, Region::circle(0, 0, 20.0 + i), "region " + std::to_string(i)});
    d.regions.push_back({5, Region::circle(0, 95, 20), "at the top"});
    for (const int v : {60, 62, 64})
      d.rulers.push_back({{{-40.0, 1.0 * v}, {40.0, 1.0 * v}}, "at " + std::to_string(v)});
    const SliceTransform transform = drawnTransform();
    const auto places = drawnNames(d, transform);
    QCOMPARE(places.size(), d.regions.size() + d.rulers.size());
    const RectPx header = layoutSlice(400, 400, 1, d).header;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const RectPx& place = places[i];
      QVERIFY(place.x >= 0 && place.right() <= 400 && place.bottom() <= 400);
      QVERIFY(place.y >= header.bottom());
      for (std::size_t j = 0; j < i; ++j)
        QVERIFY2(!place.overlaps(places[j]), qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
    }
    // Nor does a name lie on the scale bar, whose own text stands above it.
    SliceDecoration bar;
    bar.title = "SART";
    bar.slice = {0, 0, 400, 400};
    const auto scale = scaleBarFor(layoutSlice(400, 400, 1, bar), 0.5);
    QVERIFY(scale.has_value());
    for (const double above : {0.0, 8.0, 16.0}) {
      const double y = scale->line.y - above;
      const auto world = [&](double x) { return PointMm{0.5 * (x - 200), 0.5 * (200 - y)}; };
      bar.rulers = {{{world(scale->line.x), world(scale->line.right())}, "at the bar", false}};
      const RectPx name = drawnNames(bar, transform).front();
      QVERIFY(!name.overlaps(scale->line.grown(2)) && name.bottom() <= 400);
    }
    d.regions.resize(1);
    d.rulers.clear();
    const PointPx top = transform.toDisplay(0, 20);
    const RectPx alone = drawnNames(d, transform).front();
    EXPECT_NEAR(alone.bottom(), top.y - 3, 1e-9);
    EXPECT_NEAR(alone.centre().x, top.x, 1e-9);
  }
};

GANTRY_TEST(TestSliceMarks)
#include "test_slice_marks.moc"
