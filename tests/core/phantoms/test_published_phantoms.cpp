// Heads and bodies whose tables are published: what the tables say of them.
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestPublishedPhantoms : public QObject {
  Q_OBJECT

 private slots:
  void threeSheppLogansDiffer() {
    const Params unit = {{"size_mm", 2.0}, {"mu_scale", 1.0}};
    const auto ks = phantom("shepp_logan_ks", unit), yyw = phantom("shepp_logan_yyw", unit),
               ts = phantom("shepp_logan_ts", unit);
    expect_values_at(*ks, 1,
                     {{{0, .9, 0}, 2},
                      {{0, 0, .89}, 2},
                      {{0, 0, .5}, 1.02},
                      {{.22, 0, -.25}, 1.0},
                      {{-.22, 0, -.25}, 1.0},
                      {{0, .35, -.25}, 1.04},
                      {{-.08, -.65, -.25}, 1.03},
                      {{.06, -.65 + .04, -.25}, 1.03},  // turned by 90 degrees: tall
                      {{.06 + .04, -.65, -.25}, 1.02},
                      {{-.08 + .04, -.65, -.25}, 1.03},
                      {{.06, -.105 + .05, .625}, 1.04},
                      {{0, .1, .625}, 1.0},
                      {{0, 0, .91}, 0}});
    expect_values_at(*yyw, 1,
                     {{{0, .9, 0}, 1},
                      {{0, 0, .5}, .2},
                      {{.22, 0, -.25}, 0},
                      {{0, .35, -.25}, .4},
                      {{-.08, -.65, -.25}, .3},
                      {{0, .1, .625}, 0}});
    // 3 leans over by 108 degrees from x: its lower end is on the right
    const double c = std::cos(radians(108)), s = std::sin(radians(108));
    expect_values_at(
        *ks, 1, {{{-.22 - .4 * c, -.4 * s, -.25}, 1.0}, {{-.22 + .4 * c, -.4 * s, -.25}, 1.02}});
    expect_values_at(*ts, 1,
                     {{{0, .9, 0}, 1},
                      {{0, 0, .79}, 1},
                      {{0, 0, .7}, .2},
                      {{0, 0, .82}, 0},
                      {{0, .45, -.15}, .3},
                      {{0, .1, .25}, .3},
                      {{0, -.606, 0}, .3}});
    // nothing but whole ellipsoids: sum of 4/3 pi a b c value
    const double volumes = 2 * .69 * .92 * .9 - .98 * .6624 * .874 * .88 - .02 * .41 * .16 * .21 -
                           .02 * .31 * .11 * .22 + .02 * .21 * .25 * .5 + .02 * .046 * .046 * .046 +
                           .01 * 2 * .046 * .023 * .02 + .02 * (.056 * .04 - .056 * .056) * .1;
    const std::vector<float> mu =
        draw(*ks, VolumeGrid::centered(100, 100, 100, {.02, .02, .02}), 3);
    EXPECT_NEAR(sum(mu) * 8e-6 / (4.0 / 3 * pi * volumes), 1, 1e-4);
  }

  /// phantom3d turns the centres with the axes, by -8 and 28 degrees.
  void toftSchabelCentres() {
    for (const bool turned : {true, false}) {
      const auto ts =
          phantom("shepp_logan_ts", {{"size_mm", 2.0},
                                     {"mu_scale", 1.0},
                                     {"centres", std::string(turned ? "turned" : "fixed")}});
      for (const double side : {1.0, -1.0}) {
        const double angle = radians(side > 0 ? -8 : 28), a = side > 0 ? .11 : .16,
                     b = side > 0 ? .31 : .41;
        const Vec3 along{std::cos(angle), std::sin(angle), 0}, up{-along.y, along.x, 0};
        const Vec3 centre = turned ? side * .22 * along : Vec3{side * .22, 0, 0};
        // where no other ellipsoid is: ventricles are 0 in a brain of 0.2
        expect_values_at(*ts, 1,
                         {{centre + .97 * side * a * along, 0},
                          {centre + 1.03 * side * a * along, .2},
                          {centre - .98 * b * up, 0},
                          {centre - 1.02 * b * up, .2}});
      }
    }
  }

  /// Published: 58 of 1000 x 1000 pixels, all on edges; with the cones upside down 538.
  void forbildHead3dIsThe2dTableInItsMiddle() {
    const auto space = densities("forbild_head_3d"), plane = densities("forbild_head");
    int different = 0;
    for (int iy = 0; iy < 1000; ++iy)
      for (int ix = 0; ix < 1000; ++ix) {
        const Vec3 p{0.256 * (ix - 499.5), 0.256 * (iy - 499.5), 0};
        different += std::abs(space->mu_at(p) - plane->mu_at(p)) > 1e-6;
      }
    QVERIFY2(different <= 58, qPrintable(QString::number(different)));
    QVERIFY(different > 0);
  }

  void forbildHead3dAwayFromItsMiddle() {
    const auto head = densities("forbild_head_3d"),
               plain = densities("forbild_head_3d", {{"ear", false}}),
               pattern = densities("forbild_head_3d", {{"resolution", true}});
    expect_values_at(*head, 10,
                     {{{0, 0, 12.2}, 1.8},
                      {{0, 0, 11.8}, 1.05},
                      {{4.7, 4.3, 2.8}, 1.06},
                      {{4.7, 4.3, -1.2}, 1.05},
                      {{0, -3.6, 3.5}, 1.045},
                      {{4.3, 6.8, -2.9}, 1.8},  // the bones beside the eyes reach down
                      {{4.3, 6.8, 1.1}, 1.05},
                      {{0, -11, .6}, 1.05},
                      {{0, -11.8, .65}, 1.8},
                      {{0, -10.5, .4}, 1.8},
                      {{0, -10.5, .45}, 1.05},
                      {{8.6, 0, .2 * std::sqrt(3.)}, 0},
                      {{8.8, .2 * std::sqrt(3.), .2 * std::sqrt(3.)}, 0},
                      {{6.6, 0, -.6 * std::sqrt(3.)}, 0},
                      {{6.2, 0, -.6 * std::sqrt(3.)}, 1.8},
                      {{7.6, -.6 * std::sqrt(3.), .6 * std::sqrt(3.)}, 0},
                      {{8.6, .6 * std::sqrt(3.), .4 * std::sqrt(3.)}, 0},
                      {{6.0, 0, .4 * std::sqrt(3.)}, 0}});
    expect_values_at(*plain, 10, {{{8.6, 0, .2 * std::sqrt(3.)}, 1.05}});
    expect_values_at(*pattern, 10,
                     {{{-7, -1, 0}, 1.8},
                      {{-7, -1, 3.2}, 1.8},
                      {{-7, -1, .4}, 1.05},
                      {{-7 + .24, -1 + 1.44 + .2, 0}, 1.8},
                      {{-7 + .24, -1 + 1.44, .4}, 1.8}});
  }

  void forbildThoraxHasItsOrgans() {
    const auto thorax = densities("forbild_thorax");
    expect_values_at(*thorax, 10,
                     {{{23, 1, 20}, 1},
                      {{23, 1, 5}, 0},  // arms begin at z = 10
                      {{10.5, 0, 0}, .26},
                      {{-10.5, 2, 10}, .26},
                      {{0, 9, 10}, .98},
                      {{1.1, 9, 10}, 1.25},
                      {{0, 4, 2}, 1.05},
                      {{-2.5, -2.5, -10}, 1.05},
                      {{0, -5, 9}, 1.18},
                      {{1.6, -5, 9}, 1.92},
                      {{0, -5, 10.5}, 1},       // between two vertebrae
                      {{3.6, -7.37, 9}, 1.92},  // transverse process
                      {{0, -6.9, 9}, 1.92},
                      {{1, -7.3, 9}, 1},     // between arch and spine
                      {{0, -8.5, 9}, 1.92},  // spinous process
                      {{0, -9.3, 9}, 1.92},
                      {{18.5, 0, 3}, .98},
                      {{18.5 + .45, 0, 3}, 1.41},
                      {{-18.5 - .45, 0, -6}, 1.41},
                      {{5.716814, 8.559509, -5.230811 + 6}, .98},
                      {{-14.966814, -5.290067, 3.232819 - 3}, .98},
                      {{-10, 5.5, 16}, .98},
                      {{-10, 5.5, 16.45}, 1.46},
                      {{12, -5, 12}, .98},
                      {{12, -5, 15.2}, 1},  // cut at z = 15
                      {{22, 0, 15}, .98},
                      {{22, 0, 17.3}, 1.46},
                      {{-16.5, 2.3, 15}, 1.46}});
    // The outer end of a rib is the plane (1.983271, -0.155425, 0.094982) / norm at 1.953178.
    const Vec3 normal = normalized({1.983271, -0.155425, 0.094982});
    const Vec3 along = normalized({17.594546, -2.781153, 1.699593});
    const Vec3 centre{5.716814, 8.559509, -5.230811};
    const double end = (1.953178 - dot(normal, centre)) / dot(normal, along);
    expect_values_at(*thorax, 10,
                     {{centre + (end + 1e-4) * along, .98}, {centre + (end - 1e-4) * along, 1}});
    // mitres are watertight: marrow all the way along the axis of the pieces
    for (double f = 74.8; f > -75; f -= 0.5) {
      const double piece = 18 * std::round(f / 18), t = std::tan(radians(piece - f));
      const double c = std::cos(radians(piece)), s = std::sin(radians(piece));
      expect_values_at(*thorax, 10,
                       {{Vec3{18.5 * (c + t * s), 9 * (s - t * c), 5.5 * (t * c - s)}, .98}});
    }
  }

  void forbildAbdomenHasItsOrgans() {
    const auto abdomen = densities("forbild_abdomen");
    expect_values_at(*abdomen, 10,
                     {{{15, 5, 14}, 1},
                      {{15, 5, 15.5}, 0},
                      {{-10, 3, 0}, 1.06},
                      {{-14, 1.2, 0}, 1.05},
                      {{-12.4, -6, 3}, 1.05},
                      {{-12.2, -6, 3}, 1.06},
                      {{-10 + 3.9, 6.7, 0}, 1.06},  // the liver's long axis: 60 degrees
                      {{-10 - 3.9, 6.7, 0}, 1},
                      {{0, 6, 0}, 1.06},
                      {{0, 7, 0}, 0},
                      {{0, 7, 10.5}, 1},
                      {{0, -7, 5}, 1.18},
                      {{0, -7, 7.5}, 1},
                      {{18, 0, 0}, 2},
                      {{18, 3, 1.732}, 2},
                      {{18, 3, -1.732}, 1},
                      {{12, 1, 0}, 2},
                      {{12.05, 1, 0}, 1},
                      {{12.1, 1, 0}, 2},
                      {{14 + .25, 1, .9}, 2},
                      {{12, -1.3, 0}, 2},
                      {{12, -1.25, 0}, 1},
                      {{14, -.75, 0}, 2}});
    const auto published = densities("forbild_abdomen", {{"length_mm", 1000.0}});
    expect_values_at(*published, 10, {{{15, 5, 49}, 1}});
    QCOMPARE(published->half_extent_mm(), (Vec3{200, 120, 500}));
  }

  void forbildHipAndJawHaveTheirBones() {
    expect_values_at(*densities("forbild_hip"), 10,
                     {{{15, 3, -7}, 1},
                      {{0, 5, -7}, 0},  // between the legs
                      {{0, 5, 0}, 1},
                      {{-10, 0, -5}, .98},
                      {{-11.2, 0, -5}, 1.43},
                      {{10, 0, -5}, 1.43},
                      {{10, .7, -5}, .98},
                      {{5 - 3.5, 3.5, 2.25}, .98},
                      {{-5 + 3.5, 3.5, 2.25}, .98},
                      {{0, -5, 5}, 1.92},
                      {{7.5, 0, 4.75}, 1.43}});
    expect_values_at(*densities("forbild_jaw"), 10,
                     {{{5, -3, -4}, 1},
                      {{5, 4, -4}, 0},  // below the chin
                      {{1.5, -4, 0}, 1.92},
                      {{0, -4.5, 0}, .98},
                      {{3, 2.5, .475}, 2.5},
                      {{-.4, 7.6, 1.525}, 2.5},
                      {{3.2, 3, -1}, 1.92},
                      {{0, 3, -1}, 1.1},
                      {{0, .75, -3}, 0},
                      {{0, 4, 2.5}, 0},
                      {{0, 4, 3.75}, 1.61}});
  }
};

GANTRY_TEST(TestPublishedPhantoms)
#include "test_published_phantoms.moc"
