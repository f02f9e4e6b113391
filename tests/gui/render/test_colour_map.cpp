#include "charts/run_colours.hpp"
#include "charts/theme.hpp"
#include "gui/render/colour_map.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;

class TestColourMap : public QObject {
  Q_OBJECT

 private slots:
  void greyIsLinear() {
    QCOMPARE(colourAt(ColourMap::grey, 0), rgb(0x000000));
    QCOMPARE(colourAt(ColourMap::grey, 1), rgb(0xFFFFFF));
    QCOMPARE(colourAt(ColourMap::grey, 0.2), rgb(0x333333));
    QCOMPARE(colourAt(ColourMap::grey, -3), rgb(0x000000));
    QCOMPARE(colourAt(ColourMap::grey, 7), rgb(0xFFFFFF));
  }

  void divergingIsWhiteInTheMiddleAndBlueBelow() {
    QCOMPARE(colourAt(ColourMap::diverging, 0.5), rgb(0xFFFFFF));
    QCOMPARE(colourTable(ColourMap::diverging)[colour_table_size / 2], rgb(0xFFFFFF));
    const Rgb low = colourAt(ColourMap::diverging, 0), high = colourAt(ColourMap::diverging, 1);
    QVERIFY(low.b > low.r + 100);
    QVERIFY(high.r > high.b + 100);
  }

  void lightnessRunsEvenlyWhereItShould() {
    double before = -1;
    for (int i = 0; i <= 64; ++i) {
      const double now = luminance(colourAt(ColourMap::viridis, i / 64.0));
      QVERIFY(now > before);
      before = now;
    }
    for (int i = 1; i <= 32; ++i) {  // both arms of the diverging map darken from the middle, alike
      const double blue = luminance(colourAt(ColourMap::diverging, 0.5 - i / 64.0));
      const double red = luminance(colourAt(ColourMap::diverging, 0.5 + i / 64.0));
      QVERIFY(blue < luminance(colourAt(ColourMap::diverging, 0.5 - (i - 1) / 64.0)));
      QVERIFY(red < luminance(colourAt(ColourMap::diverging, 0.5 + (i - 1) / 64.0)));
      EXPECT_NEAR(std::cbrt(blue), std::cbrt(red), 0.09);
    }
  }

  void runColoursShowOnLightAndDark() {
    for (std::size_t i = 0; i < run_palette.size(); ++i) {
      QVERIFY(contrast(readableOn(runColour(i), rgb(0xFFFFFF)), rgb(0xFFFFFF)) >= 2.2);
      QVERIFY(contrast(readableOn(runColour(i), rgb(0x1E1E1E)), rgb(0x1E1E1E)) >= 2.2);
      for (std::size_t j = 0; j < i; ++j) QVERIFY(runColour(i) != runColour(j));
    }
    QCOMPARE(runColour(run_palette.size()), runColour(0));
  }

  void themesReadOnTheirBackground() {
    for (const Rgb background : {rgb(0x000000), rgb(0x1E1E1E), rgb(0x3A3A3A), rgb(0xB0B0B0),
                                 rgb(0xEFEFEF), rgb(0xFFFFFF)}) {
      const Theme theme = Theme::on(background);
      QVERIFY(contrast(theme.text, background) >= 7);
      QVERIFY(contrast(theme.muted, background) >= 3);
    }
  }
};

GANTRY_TEST(TestColourMap)
#include "test_colour_map.moc"
