// Convex solids: their lines against bisection of their points, their voxels against their volumes,
// and both ways to overlap.
#include "core/base/error.hpp"
#include "core/phantoms/solid_phantom.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/phantom_lines.hpp"
#include "tests/support/test_program.hpp"

#include <numeric>
#include <random>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 in_cube(double half) {
    const double x = between(-half, half), y = between(-half, half), z = between(-half, half);
    return {x, y, z};
  }
  Axes axes() {
    const Vec3 z = normalized(in_cube(1)), aside = in_cube(1);
    return axes_from_zx(z, cross(z, aside));
  }
  /// A ray from far away through a point of the cube.
  Ray ray(double half) {
    const Vec3 direction = normalized(in_cube(1));
    return {in_cube(half) - 500.0 * direction, direction};
  }
  Solid solid(int kind, double half) {
    const Vec3 c = in_cube(half), h{between(3, 20), between(3, 20), between(3, 20)};
    const Axes turn = axes();
    const double mu = between(0.5, 2);
    switch (kind) {
      case 0:
        return ellipsoid(c, h, mu, turn);
      case 1:
        return cylinder(c, h.x, h.y, 2 * h.z, mu, turn);
      case 2:
        return cone(c, h.x, between(0, 1) < 0.2 ? 0 : h.y, 2 * h.z, mu, turn);
      default:
        return box(c, 2.0 * h, mu, turn);
    }
  }

 private:
  std::mt19937 random_;
};

SolidPhantom alone(const Solid& solid) { return {{solid}, Overlap::add, {100, 100, 100}}; }

double voxel_mass(const Phantom& phantom, double side_mm, int n) {
  const double d = side_mm / n;
  const VolumeGrid grid = VolumeGrid::centered(n, n, n, {d, d, d});
  std::vector<float> mu(grid.voxels());
  voxelise(phantom, grid, 2, mu);
  return std::accumulate(mu.begin(), mu.end(), 0.0) * d * d * d;
}

}  // namespace

class TestSolidPhantom : public QObject {
  Q_OBJECT
 private slots:
  void linesCrossSolidsWhereTheirPointsAre_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("clip");
    for (const bool clip : {false, true}) {
      QTest::newRow(clip ? "ellipsoid, cut" : "ellipsoid") << 0 << clip;
      QTest::newRow(clip ? "cylinder, cut" : "cylinder") << 1 << clip;
      QTest::newRow(clip ? "cone, cut" : "cone") << 2 << clip;
      QTest::newRow(clip ? "box, cut" : "box") << 3 << clip;
    }
  }
  void linesCrossSolidsWhereTheirPointsAre() {
    QFETCH(int, kind);
    QFETCH(bool, clip);
    Dice dice(static_cast<unsigned>(kind) + 11);
    int hits = 0;
    for (int i = 0; i < 40; ++i) {
      Solid solid = dice.solid(kind, 15);
      if (clip)
        solid = clipped(solid, {below(dice.in_cube(1), dice.between(-5, 20)),
                                above(dice.in_cube(1), dice.between(-20, 5))});
      const SolidPhantom phantom = alone(solid);
      for (int j = 0; j < 20; ++j) {
        const Ray ray = dice.ray(20);
        const double exact = phantom.line_integral(ray), step = 0.5;
        const double expected = integral_by_bisection(phantom, ray, 80, step);
        hits += expected > 0;
        if (expected == 0)
          QVERIFY(exact <= step * solid.mu);
        else
          EXPECT_NEAR(exact, expected, 1e-6);
      }
    }
    QVERIFY(hits > (clip ? 60 : 150));
  }

  void closedFormsOfWholeSolids() {
    const Ray x{{-500, 0, 0}, {1, 0, 0}}, z{{0, 0, -500}, {0, 0, 1}};
    EXPECT_NEAR(alone(ellipsoid({}, {3, 4, 5}, 2)).line_integral(x), 12, 1e-12);
    EXPECT_NEAR(alone(ellipsoid({}, {3, 4, 5}, 2)).line_integral(z), 20, 1e-12);
    EXPECT_NEAR(alone(cylinder({}, 3, 4, 10, 2)).line_integral(z), 20, 1e-12);  // along the axis
    EXPECT_NEAR(alone(cylinder({5, 0, 0}, 3, 4, 10, 2)).line_integral(z), 0, 0);
    EXPECT_NEAR(alone(cylinder({}, 3, 4, 10, 2)).line_integral(x), 12, 1e-12);
    EXPECT_NEAR(alone(cone({}, 4, 2, 10, 1)).line_integral(x), 6, 1e-12);  // 3 halfway up
    EXPECT_NEAR(alone(cone({}, 4, 0, 10, 1)).line_integral(z), 10, 1e-12);
    EXPECT_NEAR(alone(box({}, {3, 4, 5}, 2)).line_integral(x), 6, 1e-12);
    // the wide end is the one at -z
    const Ray low{{-500, 0, -4}, {1, 0, 0}};
    EXPECT_NEAR(alone(cone({}, 4, 2, 10, 1)).line_integral(low), 2 * 3.8, 1e-12);
    // along the mantle of a cone, inside and outside: the surface is at x = 2 - 2 z / 5
    const Vec3 along = normalized({-4, 0, 10});
    EXPECT_NEAR(alone(cone({}, 4, 0, 10, 1)).line_integral({{2.001, 0, 0}, along}), 0, 1e-9);
    const double inside = alone(cone({}, 4, 0, 10, 1)).line_integral({{1, 0, 0}, along});
    const auto reference =
        integral_by_bisection(alone(cone({}, 4, 0, 10, 1)), {{1, 0, 0}, along}, 40, 0.1);
    EXPECT_NEAR(inside, reference, 1e-6);
    QVERIFY(inside > 4);
    // a tiny ball seen from far away keeps its chord
    const Vec3 c{88.3, -3.4641, 6.9282};
    const Ray far{c - 1000.0 * normalized({1, 2, 0.5}) + Vec3{0, 0, 0.1}, normalized({1, 2, 0.5})};
    const double away = norm(cross(far.origin_mm - c, far.direction));
    EXPECT_NEAR(alone(sphere(c, 0.125, 1)).line_integral(far),
                2 * std::sqrt(0.125 * 0.125 - away * away), 1e-9);
  }

  void overlappingSolidsAddOrReplace_data() {
    QTest::addColumn<bool>("add");
    QTest::newRow("add") << true;
    QTest::newRow("replace") << false;
  }
  void overlappingSolidsAddOrReplace() {
    QFETCH(bool, add);
    Dice dice(5);
    std::vector<Solid> solids = {sphere({}, 60, 1)};
    for (int i = 0; i < 120; ++i) solids.push_back(dice.solid(i % 4, 35));
    const SolidPhantom phantom(solids, add ? Overlap::add : Overlap::replace, {90, 90, 90});
    // the rule itself, at points
    for (int i = 0; i < 2000; ++i) {
      const Vec3 p = dice.in_cube(60);
      double expected = 0;
      for (const Solid& solid : solids)
        if (const double mu = alone(solid).mu_at(p); mu > 0) expected = add ? expected + mu : mu;
      EXPECT_NEAR(phantom.mu_at(p), expected, 1e-12);
    }
    int close = 0;
    for (int i = 0; i < 150; ++i) {
      const Ray ray = dice.ray(40);
      const double exact = phantom.line_integral(ray);
      const double expected = integral_by_bisection(phantom, ray, 110, 0.05);
      EXPECT_NEAR(exact, expected, 0.2);  // a sliver may be overlooked
      close += std::abs(exact - expected) < 1e-6;
    }
    QVERIFY2(close > 130, qPrintable(QString::number(close)));
  }

  void hundredsOfBallsAddUp() {
    Dice dice(6);
    std::vector<Solid> solids;
    for (int i = 0; i < 700; ++i)
      solids.push_back(sphere(dice.in_cube(70), dice.between(0.2, 6), dice.between(-1, 1)));
    const SolidPhantom phantom(solids, Overlap::add, {80, 80, 80});
    for (int i = 0; i < 300; ++i) {
      const Ray ray = dice.ray(60);
      double expected = 0;
      for (const Solid& ball : solids) {
        const double away = norm(cross(ball.center - ray.origin_mm, ray.direction));
        const double square = ball.half.x * ball.half.x - away * away;
        if (square > 0) expected += 2 * ball.mu * std::sqrt(square);
      }
      EXPECT_NEAR(phantom.line_integral(ray), expected, 1e-6);
    }
  }

  void voxelsHoldTheVolumes() {
    const Axes turn = axes_from_zx({1, 2, 2}, {2, 1, -2});
    const struct {
      Solid solid;
      double volume;
    } cases[] = {
        {ellipsoid({2, -3, 1}, {20, 12, 30}, 1, turn), 4.0 / 3 * pi * 20 * 12 * 30},
        {cylinder({2, -3, 1}, 20, 12, 30, 1, turn), pi * 20 * 12 * 30},
        {cone({2, -3, 1}, 20, 5, 30, 1, turn), pi * 30 / 3 * (20 * 20 + 20 * 5 + 5 * 5)},
        {box({2, -3, 1}, {40, 12, 30}, 1, turn), 40 * 12 * 30},
        // a cap of height h of a ball, its face between two rows of samples: pi h^2 (3 r - h) / 3
        {clipped(sphere({2, -3, 1}, 20, 1), {above({0, 0, 3}, 11.25)}),
         pi * 9.75 * 9.75 * (60 - 9.75) / 3},
    };
    for (const auto& [solid, volume] : cases)
      EXPECT_NEAR(voxel_mass(alone(solid), 80, 64), volume, 1e-3 * volume);
    const SolidPhantom shells({sphere({}, 30, 1), sphere({}, 20, 0), sphere({}, 10, 3)},
                              Overlap::replace, {30, 30, 30});
    EXPECT_NEAR(voxel_mass(shells, 80, 64) / (4.0 / 3 * pi * (27000 - 8000 + 3000)), 1, 1e-3);
    // a chord's length is exact, so that half a voxel is half a voxel
    const VolumeGrid grid = VolumeGrid::centered(4, 1, 1, {1, 1, 1});
    std::vector<float> mu(4);
    voxelise(alone(box({0.1, 0, 0}, {2.5, 9, 9}, 1)), grid, 1, mu);
    const std::vector<float> expected = {0.15F, 1, 1, 0.35F};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(mu[i], expected[i], 1e-6);
  }

  void aSectionIsThePlaneThroughTheMiddle() {
    const std::vector<Solid> solids = {sphere({0, 0, 3}, 5, 1), box({0, 20, 0}, {4, 4, 1}, 2)};
    const SolidPhantom section(solids, Overlap::replace, {30, 30, 0});
    const SolidPhantom space(solids, Overlap::replace, {30, 30, 30});
    QVERIFY(section.is_section() && !space.is_section());
    EXPECT_NEAR(section.mu_at({3.9, 0, 1e6}), 1, 0);  // radius 4 at z = 0
    EXPECT_NEAR(section.mu_at({4.1, 0, 3}), 0, 0);
    EXPECT_NEAR(section.line_integral({{-100, 0, 77}, {1, 0, 0}}), 8, 1e-12);
    EXPECT_NEAR(section.line_integral({{-100, 20, -60}, normalized({1, 0, 0.75})}), 8 * 1.25,
                1e-12);
    EXPECT_NEAR(section.line_integral({{0, 0, -10}, {0, 0, 1}}), 0, 0);
    EXPECT_NEAR(space.line_integral({{-100, 0, 3}, {1, 0, 0}}), 10, 1e-12);
    std::vector<double> row(9, 0.0), flat(9, 0.0);
    space.add_row({-8, 0, 0}, 2, 4, row);
    section.add_row({-8, 0, 55}, 2, 4, flat);
    QCOMPARE(row, flat);
    EXPECT_NEAR(2 * std::accumulate(row.begin(), row.end(), 0.0), 8, 1e-12);
  }

  void misuseIsSaid() {
    const auto refused = [](const Solid& solid) {
      EXPECT_THROWS(UsageError, alone(solid), "positive sizes");
    };
    refused(sphere({}, 0, 1));
    refused(box({}, {1, -1, 1}, 1));
    refused(sphere({0, std::nan(""), 0}, 1, 1));
    refused(box({}, {1, 1, 1}, 1, axes_from_xy({1, 0, 0}, {1, 1, 0})));
    refused(cone({}, 1, -1, 2, 1));
    EXPECT_THROWS(UsageError,
                  SolidPhantom(std::vector<Solid>(1025, sphere({}, 1, 1)), Overlap::replace, {}),
                  "1025 solids are too many");
  }
};

GANTRY_TEST(TestSolidPhantom)
#include "test_solid_phantom.moc"
