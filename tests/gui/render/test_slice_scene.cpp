#include "gui/render/painting/window_texts.hpp"
#include "gui/render/slice_prop.hpp"
#include "gui/render/slice_scene.hpp"
#include "tests/gui/render/small_slices.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <vtkNew.h>
#include <vtkRenderWindow.h>

#include <cmath>
#include <limits>
#include <set>

using namespace gantry;
using namespace gantry::test;

class TestSliceScene : public QObject {
  Q_OBJECT

  static constexpr Rgb outside = rgb(0x203040);

 private slots:
  void initTestCase() { NEEDS_DISPLAY(); }

  void pictureIsNeitherFlippedNorTransposed() {
    // 4 x 3 pixels, each of its own grey: 0 .. 11 from (iu, iv) = (0, 0).
    std::vector<float> values(12);
    for (int i = 0; i < 12; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i) / 11;
    SliceScene scene;
    bare(scene);
    scene.setInterpolation(Interpolation::nearest);
    scene.setWindowLevel(1, 0.5);
    scene.setImage(makeSlice(4, 3, 1, 1, values));
    for (const bool v_up : {true, false}) {
      scene.setVUp(v_up);
      const RgbImage image = renderOffscreen(scene, 400, 300);
      for (int iv = 0; iv < 3; ++iv)
        for (int iu = 0; iu < 4; ++iu) {
          const int y = v_up ? 250 - 100 * iv : 50 + 100 * iv;
          EXPECT_COLOUR(image, 50 + 100 * iu, y,
                        grey(static_cast<int>(std::lround(255.0 * (4 * iv + iu) / 11))), 1);
          EXPECT_COLOUR(image, 3 + 100 * iu, y + 46,
                        grey(static_cast<int>(std::lround(255.0 * (4 * iv + iu) / 11))), 1);
        }
    }
  }

  void pixelsThatAreNotSquareKeepTheirShape() {
    SliceScene scene;
    bare(scene);
    scene.setBackground(outside);
    scene.setWindowLevel(1, 0.5);
    scene.setImage(constantSlice(20, 10, 1, 4, 1));  // 20 mm wide, 40 mm tall
    const RgbImage image = renderOffscreen(scene, 400, 400);
    QCOMPARE(countNear(image, rgb(0xFFFFFF), 2, 0, 200, 400, 201), 200);
    QCOMPARE(countNear(image, rgb(0xFFFFFF), 2, 200, 0, 201, 400), 400);
    EXPECT_COLOUR(image, 99, 200, outside, 1);
    EXPECT_COLOUR(image, 300, 200, outside, 1);
  }

  void windowAndLevelMapKnownValues() {
    SliceScene scene;
    bare(scene);
    scene.setInterpolation(Interpolation::nearest);
    // HU-like numbers: window 400 about 40 shows -160 .. 240.
    const std::vector<float> values{-1000, -160, -60, 40, 140, 240, 3000};
    scene.setImage(makeSlice(7, 1, 1, 1, values));
    scene.setWindowLevel(400, 40);
    const RgbImage image = renderOffscreen(scene, 700, 100);
    const int expected[7] = {0, 0, 64, 128, 191, 255, 255};
    for (int i = 0; i < 7; ++i) EXPECT_COLOUR(image, 50 + 100 * i, 50, grey(expected[i]), 1);
  }

  void uselessWindowsAreIgnored() {
    SliceScene scene;
    scene.setWindowLevel(0.04, 0.02);
    scene.setWindowLevel(0, 1);
    scene.setWindowLevel(-1, 1);
    scene.setWindowLevel(std::nan(""), 1);
    scene.setWindowLevel(1, std::numeric_limits<double>::infinity());
    QCOMPARE(scene.window(), 0.04);
    QCOMPARE(scene.level(), 0.02);
  }

  void divergingMapIsWhiteAtZeroWhateverTheLevel() {
    SliceScene scene;
    bare(scene);
    scene.setInterpolation(Interpolation::nearest);
    scene.setImage(makeSlice(5, 1, 1, 1, {-2, -0.5, 0, 0.5, 2}));
    scene.setColourMap(ColourMap::diverging);
    scene.setWindowLevel(2, 0.7);
    QCOMPARE(scene.level(), 0.0);
    const RgbImage image = renderOffscreen(scene, 500, 100);
    EXPECT_COLOUR(image, 250, 50, rgb(0xFFFFFF), 0);
    EXPECT_COLOUR(image, 50, 50, colourAt(ColourMap::diverging, 0), 1);
    EXPECT_COLOUR(image, 150, 50, colourAt(ColourMap::diverging, 0.25), 2);
    EXPECT_COLOUR(image, 350, 50, colourAt(ColourMap::diverging, 0.75), 2);
    EXPECT_COLOUR(image, 450, 50, colourAt(ColourMap::diverging, 1), 1);
    scene.setColourMap(ColourMap::grey);
    QCOMPARE(scene.level(), 0.7);
  }

  void valuesThatAreNotNumbersStandOut() {
    SliceScene scene;
    bare(scene);
    scene.setInterpolation(Interpolation::nearest);
    scene.setWindowLevel(1, 0.5);
    scene.setImage(makeSlice(2, 1, 1, 1, {std::numeric_limits<float>::quiet_NaN(), 0.5F}));
    const RgbImage image = renderOffscreen(scene, 200, 100);
    const Rgb marked = image.at(50, 50);
    QVERIFY(marked.r > 180 && marked.b > 180 && marked.g < 90);
    EXPECT_COLOUR(image, 150, 50, grey(128), 1);
  }

  void interpolationMixesValues() {
    SliceScene scene;
    bare(scene);
    scene.setWindowLevel(1, 0.5);
    scene.setImage(makeSlice(2, 1, 1, 1, {0, 1}));
    const RgbImage smooth = renderOffscreen(scene, 400, 200);
    EXPECT_COLOUR(smooth, 50, 100, grey(0), 1);
    EXPECT_COLOUR(smooth, 150, 100, grey(64), 3);
    EXPECT_COLOUR(smooth, 200, 100, grey(128), 3);
    EXPECT_COLOUR(smooth, 350, 100, grey(255), 1);
    scene.setInterpolation(Interpolation::nearest);
    const RgbImage sharp = renderOffscreen(scene, 400, 200);
    EXPECT_COLOUR(sharp, 198, 100, grey(0), 0);
    EXPECT_COLOUR(sharp, 201, 100, grey(255), 0);
  }

  void smallPicturesShowMeans() {
    // A checkerboard of single pixels, shrunk fourfold, is an even grey and no moire.
    std::vector<float> values;
    for (int i = 0; i < 400 * 400; ++i) values.push_back(static_cast<float>((i + i / 400) % 2));
    SliceScene scene;
    bare(scene);
    scene.setWindowLevel(1, 0.5);
    scene.setInterpolation(Interpolation::nearest);
    scene.setImage(makeSlice(400, 400, 1, 1, values));
    const RgbImage image = renderOffscreen(scene, 100, 100);
    QVERIFY(countNear(image, grey(128), 8, 5, 5, 95, 95) > 90 * 90 * 95 / 100);
  }

  void onlyAnotherSizeTakesNewMemory() {
    SliceScene scene;
    vtkNew<vtkRenderWindow> window;
    window->SetOffScreenRendering(1);
    window->SetSize(120, 120);
    scene.attach(window);
    scene.resize(120, 120, 1);
    const auto show = [&] {
      scene.prepare();
      window->Render();
    };
    scene.setImage(constantSlice(32, 32, 1, 1, 0));
    show();
    scene.setImage(constantSlice(32, 32, 1, 1, 1));
    show();
    QCOMPARE(scene.picture().uploads(), 2);
    QCOMPARE(scene.picture().allocations(), 1);
    EXPECT_COLOUR(readPixels(*window), 60, 30, grey(255), 1);
    for (int i = 1; i < 5; ++i) {
      scene.setWindowLevel(i, 0.1 * i);
      scene.setView({20, 10, 0.1 * i});
      show();
    }
    QCOMPARE(scene.picture().uploads(),
             2);  // window, level and camera cost a repaint and nothing else
    scene.setImage(constantSlice(16, 32, 1, 1, 1));
    show();
    QCOMPARE(scene.picture().allocations(), 2);
    scene.detach();
  }

  void displayAndWorldInvertEachOther() {
    for (const double scale : {1.0, 2.0})
      for (const bool v_up : {true, false}) {
        SliceScene scene;
        scene.setTitle("run", rgb(0x0072B2));
        scene.resize(static_cast<int>(300 * scale), static_cast<int>(200 * scale), scale);
        scene.setVUp(v_up);
        scene.setView({12.5, -40, 0.35});
        for (const auto& [x, y] : {std::pair{0.0, 0.0}, {17.5, 160.25}, {299.0, 42.0}}) {
          const PointMm world = scene.displayToWorld(x, y);
          const PointPx back = scene.worldToDisplay(world.u, world.v);
          EXPECT_NEAR(back.x, x, 1e-9);
          EXPECT_NEAR(back.y, y, 1e-9);
        }
        const PointPx middle = scene.pictureRect().centre();
        const PointMm centre = scene.displayToWorld(middle.x, middle.y);
        EXPECT_NEAR(centre.u, 12.5, 1e-9);
        EXPECT_NEAR(centre.v, -40, 1e-9);
        EXPECT_NEAR(scene.displayToWorld(middle.x + 10, middle.y).u, 12.5 + 3.5, 1e-9);
        EXPECT_NEAR(scene.displayToWorld(middle.x, middle.y + 10).v, -40 + (v_up ? -3.5 : 3.5),
                    1e-9);
      }
  }

  void drawnPixelsAgreeWithWorldToDisplay() {
    std::vector<float> values(9 * 7, 0.0F);
    values[5 * 9 + 2] = 1;  // pixel (2, 5)
    for (const bool v_up : {true, false})
      for (const double scale : {1.0, 2.0}) {
        SliceScene scene;
        bare(scene);
        scene.setTitle("SART", rgb(0xE69F00));
        scene.setInterpolation(Interpolation::nearest);
        scene.setWindowLevel(1, 0.5);
        scene.setVUp(v_up);
        const auto slice = makeSlice(9, 7, 2.0, 3.0, values);
        scene.setImage(slice);
        scene.setView({8, 3, 0.17});
        const RgbImage image = renderOffscreen(scene, static_cast<int>(260 * scale),
                                               static_cast<int>(240 * scale), scale);
        scene.resize(static_cast<int>(260 * scale), static_cast<int>(240 * scale), scale);
        const PointPx p = scene.worldToDisplay(slice->u0_mm + 2 * 2.0, slice->v0_mm + 5 * 3.0);
        const auto at = [&](double dx, double dy) {
          return image.at(static_cast<int>((p.x + dx) * scale),
                          static_cast<int>((p.y + dy) * scale));
        };
        const double half_u = 1.0 / 0.17, half_v = 1.5 / 0.17;
        QCOMPARE(at(0, 0), grey(255));
        QCOMPARE(at(half_u - 1.5, half_v - 1.5), grey(255));
        QCOMPARE(at(-half_u + 1.5, -half_v + 1.5), grey(255));
        QCOMPARE(at(half_u + 1.5, 0), grey(0));
        QCOMPARE(at(0, -half_v - 1.5), grey(0));
      }
  }

  void scaleBarIsAsLongAsItSays() {
    for (const double scale : {1.0, 2.0})
      for (const double mm_per_pixel : {0.03, 0.31, 1.7, 12.0}) {
        SliceScene scene;
        scene.setBackground(outside);
        const int side = static_cast<int>(400 * scale);
        scene.resize(side, side, scale);
        QVERIFY(!scene.scaleBar());  // of nothing there is no scale
        scene.setImage(constantSlice(4, 4, 1, 1, 0));
        scene.setView({0, 0, mm_per_pixel});
        const RgbImage image = renderOffscreen(scene, side, side, scale);
        scene.resize(side, side, scale);
        const std::optional<ScaleBar> bar = scene.scaleBar();
        QVERIFY(bar.has_value());
        EXPECT_NEAR(roundLengthMantissa(bar->length_mm),
                    std::round(roundLengthMantissa(bar->length_mm)), 1e-9);
        const int y = static_cast<int>((bar->line.y + 1) * scale);
        const int white = countNear(image, rgb(0xFFFFFF), 4, 0, y, side, y + 1);
        EXPECT_NEAR(white / scale * mm_per_pixel, bar->length_mm, 1.01 * mm_per_pixel);
      }
  }

  void figuresAtTwiceTheScaleAreTheSamePicture() {
    SliceScene scene;
    std::vector<float> values;
    for (int i = 0; i < 64 * 64; ++i)
      values.push_back(static_cast<float>(std::sin(0.1 * i) * std::cos(0.002 * i)));
    scene.setImage(makeSlice(64, 64, 1, 1, values));
    scene.setWindowLevel(2, 0);
    scene.setTitle("SIRT", rgb(0xE69F00));
    scene.setStatus("it 3");
    scene.setEdgeLetters({"R", "L", "A", "P"});
    scene.setProfile(LineSegment{10, 10, 50, 30});
    const RgbImage once = renderOffscreen(scene, 300, 260, 1),
                   twice = renderOffscreen(scene, 600, 520, 2);
    double difference = 0;
    for (int y = 0; y < 260; ++y)
      for (int x = 0; x < 300; ++x) {
        int mean = 0;
        for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}})
          mean += twice.at(2 * x + i, 2 * y + j).g;
        difference += std::abs(mean / 4.0 - once.at(x, y).g);
      }
    EXPECT_NEAR(difference / (300 * 260), 0, 4);
  }

  void fitFollowsTheViewUntilItIsMoved() {
    SliceScene scene;
    scene.setImage(constantSlice(100, 50, 1, 1, 1));
    scene.resize(200, 200, 1);
    EXPECT_NEAR(scene.view().mm_per_pixel, 0.5, 1e-9);
    EXPECT_NEAR(scene.view().center_u_mm, 3 + 49.5, 1e-9);
    scene.resize(400, 400, 1);
    EXPECT_NEAR(scene.view().mm_per_pixel, 0.25, 1e-9);
    scene.setView({1, 2, 0.125});
    scene.resize(800, 800, 1);
    QCOMPARE(scene.view(), (SliceCamera{1, 2, 0.125}));
    scene.setImage(constantSlice(10, 10, 1, 1, 1));
    QCOMPARE(scene.view(), (SliceCamera{1, 2, 0.125}));
    scene.fit();
    EXPECT_NEAR(scene.view().mm_per_pixel, 10.0 / 800, 1e-9);
  }

  /// The object fills the view, in the middle of what the header leaves of it.
  void fitShowsTheObject() {
    SliceScene scene;
    scene.setImage(constantSlice(100, 100, 1, 1, 1));
    scene.setObject(ObjectBox{20, 60, 10, 40});
    scene.resize(400, 400, 1);
    EXPECT_NEAR(scene.view().mm_per_pixel, 0.1, 1e-9);
    EXPECT_NEAR(scene.view().center_u_mm, 40, 1e-9);
    EXPECT_NEAR(scene.view().center_v_mm, 25, 1e-9);
    scene.setTitle("SART");
    scene.resize(800, 352, 1);
    const double header = scene.layout().header.height;
    QVERIFY(header > 0);
    EXPECT_NEAR(scene.view().mm_per_pixel, 30 / (352 - header), 1e-9);
    for (const bool up : {true, false}) {
      scene.setVUp(up);
      EXPECT_NEAR(scene.worldToDisplay(40, up ? 40 : 10).y, header, 1e-6);
      EXPECT_NEAR(scene.worldToDisplay(40, up ? 10 : 40).y, 352, 1e-6);
    }
    scene.setObject(std::nullopt);
    EXPECT_NEAR(scene.view().mm_per_pixel, 100 / (352 - header), 1e-9);
  }

  /// Of several forms of a title the header shows the longest that it has room for.
  void titlesAreShortened() {
    SliceScene scene;
    const std::vector<std::string> forms = {"FISTA, weight 0.015 …", "… weight 0.015"};
    scene.setTitle("FISTA, Huber, weight 0.015", std::nullopt, forms);
    const auto shown_at = [&](int width) {
      scene.resize(width, 200, 1);
      return scene.layout().title;
    };
    QCOMPARE(shown_at(400), scene.title());
    std::set<std::string> shown;
    for (int width = 400; width > 100; --width) shown.insert(shown_at(width));
    QVERIFY(shown.contains(forms[0]) && shown.contains(forms[1]));
    // Each appears as soon as it fits: one pixel wider, the header shows the form before it.
    const auto width_of = [](const std::string& text) {
      return measureText(text, {{}, 12, true}, 1).width;
    };
    const auto widest = [&](const std::string& form) {
      int width = 400;
      while (shown_at(width) != form) --width;
      return width;
    };
    EXPECT_NEAR(widest(forms[0]) - widest(forms[1]), width_of(scene.title()) - width_of(forms[0]),
                1.01);
    // Where none fits, the last is cut.
    QVERIFY(shown_at(90).starts_with("… wei"));
  }

  void profileHandlesAreWhereTheyAreDrawn() {
    SliceScene scene;
    bare(scene);
    scene.setImage(constantSlice(100, 100, 1, 1, 0));
    scene.setProfile(LineSegment{20, 10, 80, 60});
    const RgbImage image = renderOffscreen(scene, 300, 300);
    scene.resize(300, 300, 1);
    const PointPx a = scene.worldToDisplay(20, 10), b = scene.worldToDisplay(80, 60);
    EXPECT_COLOUR(image, static_cast<int>(a.x), static_cast<int>(a.y), rgb(0xFFD23F), 10);
    EXPECT_COLOUR(image, static_cast<int>((a.x + b.x) / 2), static_cast<int>((a.y + b.y) / 2),
                  rgb(0xFFD23F), 60);
    QCOMPARE(scene.profilePartAt(a.x + 5, a.y - 3), ProfilePart::start);
    QCOMPARE(scene.profilePartAt(b.x, b.y + 4), ProfilePart::end);
    QCOMPARE(scene.profilePartAt((a.x + b.x) / 2, (a.y + b.y) / 2 + 4), ProfilePart::body);
    QCOMPARE(scene.profilePartAt(b.x + 40, b.y - 40), ProfilePart::none);
    scene.setProfile(std::nullopt);
    QCOMPARE(scene.profilePartAt(a.x, a.y), ProfilePart::none);
  }

  void frameAndHeaderCarryTheRunsColour() {
    SliceScene scene;
    scene.setTitle("SART", rgb(0xD55E00));
    scene.setBackground(rgb(0x1E1E1E));
    EXPECT_COLOUR(renderOffscreen(scene, 300, 240), 0, 120, rgb(0x1E1E1E), 0);  // no frame
    scene.setSelected(true);
    const RgbImage image = renderOffscreen(scene, 300, 240);
    for (const auto& [x, y] : {std::pair{0, 120}, {1, 120}, {299, 120}, {150, 0}, {150, 239}})
      EXPECT_COLOUR(image, x, y, rgb(0xD55E00), 0);
    EXPECT_COLOUR(image, 8 + 4, 13, rgb(0xD55E00), 2);  // the dot before the title
    QVERIFY(countNear(image, rgb(0xFFFFFF), 40, 20, 4, 90, 22) > 20);
  }

  void partsDropOutInOrder() {
    SliceScene scene;
    scene.setImage(constantSlice(64, 64, 1, 1, 0));
    scene.setTitle("OS-SART, lambda 0.5, 10 subsets", rgb(0x0072B2));
    scene.setStatus("it 14  0.31 s");
    scene.setColourBar(true, "1/mm");
    scene.resize(400, 400, 1);
    QVERIFY(scene.layout().letters && scene.layout().colour_bar && scene.layout().status_in_header);
    scene.resize(160, 160, 1);
    QVERIFY(!scene.layout().letters);
    QVERIFY(scene.layout().colour_bar);  // a difference without a scale says nothing
    scene.resize(110, 160, 1);
    QVERIFY(!scene.layout().colour_bar);
    scene.resize(160, 160, 1);
    QVERIFY(scene.layout().status_in_picture);
    QVERIFY(scene.scaleBar());
    scene.resize(100, 60, 1);
    QVERIFY(!scene.scaleBar());
    QVERIFY(!scene.layout().status_in_picture);
    QVERIFY(scene.layout().header.height == 0);
    scene.resize(1, 1, 1);
    scene.prepare();
    QVERIFY(scene.pictureRect().width >= 0);
  }

  void noTextTouchesTheEdgeOfASmallView() {
    SliceScene scene;
    const Rgb background = rgb(0x102030);
    scene.setBackground(background);
    scene.setTitle("OS-SART, lambda 0.5, 10 subsets");
    scene.setStatus("it 14  0.31 s  12.5 it/s");
    scene.setNotice("window unlocked");
    scene.setEdgeLetters({"R", "L", "A", "P"});
    scene.setColourBar(true, "1/mm");
    for (const int side : {160, 190, 240}) {
      const RgbImage image = renderOffscreen(scene, side, side);
      for (int i = 0; i < side; ++i) {
        const Rgb header =
            mix(background, rgb(0x000000), 0.62);  // of which the picture shows through
        for (const auto& [x, y] : {std::pair{0, i}, {side - 1, i}, {i, 0}, {i, side - 1}}) {
          const Rgb c = image.at(x, y);
          QVERIFY2(colourDistance(c, background) <= 1 || colourDistance(c, header) <= 1,
                   qPrintable(QStringLiteral("side %1 at (%2, %3)").arg(side).arg(x).arg(y)));
        }
      }
    }
  }

  void statusDoesNotMoveThePicture() {
    SliceScene scene;
    scene.setTitle("SART", rgb(0x0072B2));
    scene.setImage(constantSlice(64, 64, 1, 1, 1));
    scene.resize(220, 220, 1);
    const RectPx before = scene.pictureRect();
    for (const char* status :
         {"it 1", "it 100  0.31 s", "it 100000  0.31 s  stopped: residual below tolerance"}) {
      scene.setStatus(status);
      QCOMPARE(scene.pictureRect().y, before.y);
      QCOMPARE(scene.pictureRect().height, before.height);
    }
  }

  void cursorAndNoticeAreDrawn() {
    SliceScene scene;
    bare(scene);
    scene.setImage(constantSlice(100, 100, 1, 1, 0));
    const RgbImage plain = renderOffscreen(scene, 300, 300);
    scene.setCursor(PointMm{40, 20});
    const RgbImage crossed = renderOffscreen(scene, 300, 300);
    scene.resize(300, 300, 1);
    const PointPx p = scene.worldToDisplay(40, 20);
    QVERIFY(colourDistance(crossed.at(10, static_cast<int>(std::lround(p.y - 0.5))),
                           plain.at(10, 10)) > 100);
    EXPECT_COLOUR(crossed, static_cast<int>(p.x), static_cast<int>(p.y), plain.at(10, 10),
                  1);  // the spot itself stays free
    scene.setCursor(std::nullopt);
    scene.setNotice("window unlocked");
    QVERIFY(countNear(renderOffscreen(scene, 300, 300), scene.theme().notice, 24) > 500);
  }

  void survivesAnotherWindow() {
    SliceScene scene;
    scene.setImage(constantSlice(32, 32, 1, 1, 1));
    scene.setTitle("SART", rgb(0x0072B2));
    const RgbImage first = renderOffscreen(scene, 200, 200);
    const RgbImage second = renderOffscreen(scene, 200, 200);
    QCOMPARE(first.pixels, second.pixels);
  }

  void withoutAnImageItIsEmpty() {
    SliceScene scene;
    bare(scene);
    scene.setBackground(outside);
    scene.setImage(constantSlice(8, 8, 1, 1, 1));
    scene.setImage(nullptr);
    const RgbImage image = renderOffscreen(scene, 100, 100);
    QCOMPARE(countNear(image, outside, 1), 100 * 100);
    scene.setImage(std::make_shared<SliceImage>());  // a frame without values
    QCOMPARE(countNear(renderOffscreen(scene, 100, 100), outside, 1), 100 * 100);
  }

 private:
  /// 1, 2 or 5 for a round length.
  static double roundLengthMantissa(double x) {
    const double mantissa = x / std::pow(10.0, std::floor(std::log10(x) + 1e-9));
    for (const double m : {1.0, 2.0, 5.0})
      if (std::abs(mantissa - m) < 1e-6) return m;
    return 0.5;
  }
};

GANTRY_TEST(TestSliceScene)
#include "test_slice_scene.moc"
