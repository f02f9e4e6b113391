// Objects of one material: their attenuation and beam hardening are found, limited angles are
// segmented better than by total variation alone, and other objects are told apart.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/penalised/homogeneous.hpp"
#include "core/solvers/penalised/one_material.hpp"
#include "core/solvers/run.hpp"
#include "tests/core/solvers/penalised/segmentation.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupted_steps.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <sstream>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A disc or, if `part` is -1, a hole in one; with another value, of another material.
struct Disc {
  double x, y, radius, part;
};

/// A plate of one material with round holes, by `size` times its size in mm.
std::vector<Disc> plate(double size) {
  return {{0, 0, 30 * size, 1},
          {10 * size, 8 * size, 6 * size, -1},
          {-12 * size, 4 * size, 5 * size, -1},
          {-2 * size, -14 * size, 7 * size, -1},
          {14 * size, -11 * size, 3.5 * size, -1}};
}

/// The parts times the lengths of a ray's chords through discs, in closed form, mm.
double path_mm(const std::vector<Disc>& discs, const Ray& ray) {
  double sum = 0;
  for (const Disc& disc : discs) {
    const double x = disc.x - ray.origin_mm.x, y = disc.y - ray.origin_mm.y;
    const double distance = x * ray.direction.y - y * ray.direction.x;
    const double square = disc.radius * disc.radius - distance * distance;
    if (square > 0) sum += 2 * disc.part * std::sqrt(square);
  }
  return sum;
}

struct PolychromaticBeam {
  double attenuation = 0.04, curvature = 0, noise = 0;
};

/// b = p - curvature p^2 + noise, in the middle of each cell.
std::vector<float> measured(const ScanGeometry& geometry, const std::vector<Disc>& discs,
                            const PolychromaticBeam& beam) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 1);
  std::vector<float> b;
  for (int view = 0; view < geometry.views(); ++view)
    for (int column = 0; column < geometry.columns(); ++column) {
      const double p = beam.attenuation * path_mm(discs, geometry.ray(view, column, 0));
      b.push_back(static_cast<float>(p - beam.curvature * p * p + beam.noise * normal(random)));
    }
  return b;
}

/// Where a grid's pixels have their centres in the material.
std::vector<bool> mask_of(const VolumeGrid& grid, const std::vector<Disc>& discs) {
  std::vector<bool> inside(grid.voxels());
  for (int iy = 0; iy < grid.ny; ++iy)
    for (int ix = 0; ix < grid.nx; ++ix) {
      const Vec3 at = grid.voxel_center_mm(ix, iy, 0);
      double part = 0;
      for (const Disc& disc : discs)
        if (std::hypot(at.x - disc.x, at.y - disc.y) < disc.radius) part += disc.part;
      inside[grid.index(ix, iy, 0)] = part > 0.5;
    }
  return inside;
}

/// Views from 0 to `arc` degrees on a detector that sees 40 mm times `size` on each side of the
/// axis.
ScanSpec arc_spec(int views, double arc, double size = 1) {
  ScanSpec spec = fan_spec(views, 200, 0.6 * size);
  spec.source_to_isocenter_mm *= size;
  spec.source_to_detector_mm *= size;
  spec.view_angles_rad = angles_from_degrees(0, arc / views, views);
  return spec;
}

bool says(const Solver& solver, const std::string& words) {
  for (const std::string& note : solver.notes())
    if (note.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

class TestHomogeneous : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  Penalties penalties_{catalog_, "cpu"};

  static VolumeGrid square(double size = 1) {
    return VolumeGrid::centered(100, 100, 1, {0.7 * size, 0.7 * size, 0.7 * size});
  }
  std::unique_ptr<Projector> projector(const ScanSpec& spec, const VolumeGrid& grid) {
    return catalog_.projectors.make("distance_driven", "cpu", backend_, share(spec), grid, {});
  }
  std::unique_ptr<Solver> solver(const Params& params = {}) {
    return catalog_.solvers.make("homogeneous", "cpu", params);
  }
  OneMaterial found(const ScanSpec& spec, const std::vector<Disc>& discs,
                    const PolychromaticBeam& beam, double size = 1) {
    const auto A = projector(spec, square(size));
    const Array b = Array::from(backend_, measured(A->geometry(), discs, beam));
    Array x(backend_, A->domain_size());
    return find_one_material(*A, b, static_cast<std::size_t>(spec.detector_columns),
                             *penalties_.make("tv", *A).prior, 16, {}, x);
  }
  double agreement(const std::string& key, const Params& params, const Projector& A, const Array& b,
                   int iterations, const std::vector<bool>& truth) {
    const auto s = catalog_.solvers.make(key, "cpu", params);
    run(*s, {.A = &A, .b = &b, .penalty = penalties_.make("tv", A)}, {iterations, 0}, {});
    return matthews_correlation(object_of(s->solution().host()), truth);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// Herman's curve and its inverse.
  void theCurveIsInverted() {
    const OneMaterialCurve curve{.offset = 0.01, .curvature = 0.09};
    for (const double p : {0.0, 0.3, 1.0, 2.5, 5.0})
      EXPECT_NEAR(curve.linear(curve.measured(p)), p, 1e-9);
    // Data above the curve's maximum, by noise, have the p of the maximum.
    EXPECT_NEAR(curve.linear(10), 1 / (2 * 0.09), 1e-9);
    EXPECT_NEAR((OneMaterialCurve{.offset = 0.01}.linear(0.51)), 0.5, 1e-9);
  }

  void noiseIsThatOfTheData() {
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 0.02F);
    std::vector<float> data;
    for (int row = 0; row < 40; ++row)
      for (int i = 0; i < 100; ++i)
        data.push_back((i < 20 ? 0.0F : 2 + 0.01F * static_cast<float>(i)) + normal(random));
    EXPECT_NEAR(line_integral_noise(data, 100), 0.02, 0.0015);
  }

  void airIsTheOuterColumns() {
    std::vector<float> data(300, 1.5F);
    for (std::size_t row = 0; row < 3; ++row) {
      data[row * 100] = data[row * 100 + 99] = 0.02F;
    }
    EXPECT_NEAR(air_offset(data, 100), 0.02, 1e-7);
    QCOMPARE(air_offset(std::vector<float>(300, 1.5F), 100), 0.0);  // no air in sight
  }

  void theMaterialIsFound_data() {
    QTest::addColumn<double>("arc");
    QTest::addColumn<double>("attenuation");
    QTest::addColumn<double>("curvature");
    QTest::addColumn<double>("noise");
    QTest::addColumn<double>("size");
    QTest::newRow("all around") << 360.0 << 0.04 << 0.08 << 0.01 << 1.0;
    QTest::newRow("60 degrees") << 60.0 << 0.04 << 0.08 << 0.01 << 1.0;
    QTest::newRow("twice as large, water") << 360.0 << 0.02 << 0.05 << 0.01 << 2.0;
    QTest::newRow("monochromatic") << 360.0 << 0.04 << 0.0 << 0.01 << 1.0;
    QTest::newRow("without noise") << 360.0 << 0.04 << 0.06 << 0.0 << 1.0;
    QTest::newRow("a fifth as large, metal") << 360.0 << 0.3 << 0.06 << 0.02 << 0.2;
  }
  void theMaterialIsFound() {
    QFETCH(double, arc);
    QFETCH(double, attenuation);
    QFETCH(double, curvature);
    QFETCH(double, noise);
    QFETCH(double, size);
    const OneMaterial one =
        found(arc_spec(30, arc, size), plate(size), {attenuation, curvature, noise}, size);
    qInfo("c %g of %g, curvature %g of %g, noise %g", one.attenuation, attenuation,
          one.curve.curvature, curvature, one.noise);
    EXPECT_NEAR(one.attenuation, attenuation, (arc < 180 ? 0.12 : 0.07) * attenuation);
    EXPECT_NEAR(one.curve.curvature, curvature, 0.03);
  }

  void aLimitedAngleIsSegmentedBetterThanByTotalVariation_data() {
    QTest::addColumn<double>("curvature");
    QTest::addColumn<double>("noise");
    QTest::addColumn<double>("size");
    QTest::newRow("beam hardening") << 0.08 << 0.01 << 1.0;
    QTest::newRow("monochromatic, without noise") << 0.0 << 0.0 << 1.0;
    QTest::newRow("twice as large") << 0.08 << 0.01 << 2.0;
  }
  void aLimitedAngleIsSegmentedBetterThanByTotalVariation() {
    QFETCH(double, curvature);
    QFETCH(double, noise);
    QFETCH(double, size);
    const std::vector<Disc> object = plate(size);
    const auto A = projector(arc_spec(60, 60, size), square(size));
    const PolychromaticBeam beam{0.04 / size, curvature, noise};
    const Array b = Array::from(backend_, measured(A->geometry(), object, beam));
    const std::vector<bool> truth = mask_of(A->grid(), object);
    const double by_tv = agreement("fista", {}, *A, b, 300, truth),
                 by_model = agreement("homogeneous", {}, *A, b, 450, truth);
    qInfo("Matthews correlation: FISTA-TV %.4f, homogeneous %.4f", by_tv, by_model);
    QVERIFY(by_model > 0.96);
    QVERIFY(by_model > by_tv + 0.04);
  }

  void valuesAreZeroOrTheMaterial() {
    const auto A = projector(arc_spec(20, 360), square());
    const Array b = Array::from(backend_, measured(A->geometry(), plate(1), {0.04, 0.08, 0.01}));
    const auto s = solver();
    run(*s, {.A = A.get(), .b = &b, .penalty = penalties_.make("tv", *A)}, {450, 0}, {});
    int between = 0;
    const float top = std::ranges::max(s->solution().host());
    EXPECT_NEAR(top, 0.04, 0.003);
    for (const float value : s->solution().host()) {
      QVERIFY(value >= 0);
      between += value > 0.1F * top && value < 0.9F * top ? 1 : 0;
    }
    QVERIFY2(between < 500, qPrintable(QString::number(between)));  // 5 %: the edges
    QVERIFY(says(*s, "the model of one material fits"));
  }

  void objectsOfTwoMaterialsDoNotFit() {
    std::vector<Disc> object = plate(1);
    object.push_back({0, 20, 6, 1});  // twice as dense
    object.push_back({-18, -10, 5, 1});
    const auto A = projector(arc_spec(60, 360), square());
    const Array b = Array::from(backend_, measured(A->geometry(), object, {0.03, 0, 0.005}));
    const auto s = solver();
    run(*s, {.A = A.get(), .b = &b, .penalty = penalties_.make("tv", *A)}, {450, 0}, {});
    QVERIFY(says(*s, "the model of one material does not fit"));
  }

  void givenValuesAreUsed() {
    const auto A = projector(arc_spec(12, 360), square());
    const Array b = Array::from(backend_, measured(A->geometry(), plate(1), {0.04, 0.08, 0.01}));
    const auto s = solver({{"attenuation", 0.035}, {"beam_hardening", false}});
    run(*s, {.A = A.get(), .b = &b, .penalty = penalties_.make("tv", *A)}, {20, 0}, {});
    QVERIFY(says(*s, "one material of 0.035 1/mm, as given"));
    QVERIFY(says(*s, "− 0 p²"));
    QVERIFY(says(*s, "the image lies between them"));
    QVERIFY(std::ranges::max(s->solution().host()) <= 0.035F);
  }

  void aVolumeIsReconstructed() {
    ScanSpec spec = fan_spec(16, 40, 3);
    spec.beam = Beam::cone;
    spec.detector_rows = 30;
    spec.central_row = 14.5;
    spec.row_pitch_mm = 3;
    const VolumeGrid grid = VolumeGrid::centered(30, 30, 20, {2, 2, 2});
    const auto A = projector(spec, grid);
    std::vector<float> ball(grid.voxels());
    std::vector<bool> truth(grid.voxels());
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix) {
          const Vec3 at = grid.voxel_center_mm(ix, iy, iz);
          const bool inside =
              std::hypot(at.x, at.y, at.z) < 17 && std::hypot(at.x - 5, at.y, at.z - 3) > 5;
          truth[grid.index(ix, iy, iz)] = inside;
          ball[grid.index(ix, iy, iz)] = inside ? 0.05F : 0.0F;
        }
    Array b(backend_, A->range_size());
    A->forward(Array::from(backend_, ball), b);
    for (float& value : b.host()) value -= 0.05F * value * value;
    QVERIFY(agreement("homogeneous", {}, *A, b, 450, truth) > 0.99);
  }

  void withoutAPriorItIsLeastSquares() {
    const auto A = projector(fan_spec(20, 24, 3), VolumeGrid::centered(12, 12, 1, {4, 4, 4}));
    const Array truth = Array::from(backend_, random_values(A->domain_size(), 5, 0, 0.05F));
    Array b(backend_, A->range_size());
    A->forward(truth, b);
    const auto s = solver();
    run(*s, {A.get(), &b, nullptr}, {4000, 0}, {});
    for (std::size_t j = 0; j < truth.size(); ++j)
      EXPECT_NEAR(s->solution().host()[j], truth.host()[j], 1e-3);
    QVERIFY(says(*s, "without a prior"));
  }

  /// With weights the image is that of the normal equations A^T W (A x - b) = 0, which here has no
  /// voxel at the bound, whatever the rays of weight 0 say; without them it is another image.
  void weightsCountInTheMinimum() {
    const auto A = projector(fan_spec(20, 24, 3), VolumeGrid::centered(12, 12, 1, {4, 4, 4}));
    const Array truth = Array::from(backend_, random_values(A->domain_size(), 5, 0.04F, 0.05F));
    Array b(backend_, A->range_size());
    A->forward(truth, b);
    std::vector<float> weights = random_values(b.size(), 6, 0.2F, 1),
                       noise = random_values(b.size(), 7);
    for (std::size_t i = 0; i < b.size(); ++i) {
      b.host()[i] += 0.02F * (noise[i] - 0.5F);
      if (i % 7 != 0) continue;
      weights[i] = 0;
      b.host()[i] = 9;
    }
    const Array w = Array::from(backend_, weights);
    const auto gradient_norm = [&](const Array* weighted) {
      const auto s = solver();
      run(*s, {A.get(), &b, nullptr, weighted}, {4000, 0}, {});
      Array residual(backend_, b.size()), gradient(backend_, A->domain_size());
      A->forward(s->solution(), residual);
      backend_.axpby(-1, b, 1, residual);
      backend_.multiply(w, residual);
      A->adjoint(residual, gradient);
      return std::sqrt(backend_.dot(gradient, gradient));
    };
    const double with = gradient_norm(&w), without = gradient_norm(nullptr);
    QVERIFY2(with < 1e-3 * without, qPrintable(QString("%1 and %2").arg(with).arg(without)));
  }

  /// 1/2 ||A x - b||^2 and lambda R(x) + m sum x (c - x), computed anew from the image.
  void theObjectiveIsThatOfTheFormula() {
    const auto A = projector(arc_spec(12, 360), square());
    const Array b = Array::from(backend_, measured(A->geometry(), plate(1), {0.04, 0, 0}));
    constexpr double lambda = 0.3;
    const Penalty tv =
        penalties_.make("tv", *A, {{"weight", lambda}, {"scale", std::string("absolute")}});
    for (const double two_level : {0.0, 1.0}) {
      const auto s =
          solver({{"attenuation", 0.04}, {"beam_hardening", false}, {"two_level", two_level}});
      run(*s, {.A = A.get(), .b = &b, .penalty = tv}, {30, 0}, {});
      Array product(backend_, A->range_size());
      A->forward(s->solution(), product);
      double data = 0, between = 0;
      for (std::size_t i = 0; i < b.size(); ++i)
        data += 0.5 * std::pow(double{b.host()[i]} - product.host()[i], 2);
      for (const float value : s->solution().host()) between += value * (0.04 - value);
      const double R = tv.prior->value(s->solution());
      QVERIFY(R > 0 && between > 0);
      EXPECT_NEAR(s->objective()->data, data, 1e-5 * data);
      const double of_levels = s->objective()->penalty - lambda * R;
      if (two_level == 0) {
        EXPECT_NEAR(of_levels, 0, 1e-6 * lambda * R);
        continue;
      }
      std::ostringstream m;  // as the note says it, with four digits
      m.precision(4);
      m << of_levels / between;
      QVERIFY2(says(*s, "the two levels count with " + m.str() + " mm²"), m.str().c_str());
    }
  }

  void interruptedStepsAreRepeatable() {
    const auto A = projector(arc_spec(8, 360), VolumeGrid::centered(20, 20, 1, {3.5, 3.5, 3.5}));
    const Array b = Array::from(backend_, measured(A->geometry(), plate(1), {0.04, 0.08, 0.01}));
    const auto calm = solver(), harried = solver();
    const Problem problem{.A = A.get(), .b = &b, .penalty = penalties_.make("tv", *A)};
    calm->init(problem);
    harried->init(problem);
    expect_repeatable_steps(*A, *calm, *harried, 3, 10);
  }

  /// Of 200 columns two at each end are taken for air.
  void theOffsetIsThatOfTheOuterColumns() {
    constexpr std::size_t columns = 200;
    std::vector<float> b;
    for (int row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        b.push_back(column < 2 ? 0.01F : column < columns - 2 ? 1.0F : 0.03F);
    EXPECT_NEAR(air_offset(b, columns), 0.03, 1e-6);  // the upper one of the two middle values
    std::ranges::fill(b, 1.0F);
    EXPECT_NEAR(air_offset(b, columns), 0, 1e-12);  // no air
  }

  void theShortestRampIsOneIteration() {
    const auto with = [](std::int64_t ramp) {
      return resolve_params({{"ramp", ramp}}, homogeneous_params(), "homogeneous");
    };
    QVERIFY(with(1).contains("ramp"));
    EXPECT_THROWS(UsageError, with(0), "ramp");
  }

  void aSavedRunGoesOnToTheBit() {
    const auto A = projector(arc_spec(8, 360), VolumeGrid::centered(20, 20, 1, {3.5, 3.5, 3.5}));
    const Array b = Array::from(backend_, measured(A->geometry(), plate(1), {0.04, 0.08, 0.01}));
    const Params short_ramp{{"ramp", std::int64_t{20}}};
    const auto whole = solver(short_ramp), resumed = solver(short_ramp);
    Problem problem{.A = A.get(), .b = &b, .penalty = penalties_.make("tv", *A)};
    whole->init(problem);
    for (int i = 0; i < 12; ++i) whole->step();
    const SolverState state = save_state(*whole);
    const Array iterate = whole->solution().clone();
    problem.x0 = &iterate;
    resumed->init(problem);
    restore_state(state, *resumed);
    for (int i = 0; i < 12; ++i) {
      whole->step();
      resumed->step();
    }
    QCOMPARE(resumed->solution().to_host(), whole->solution().to_host());
    QVERIFY(resumed->notes() == whole->notes());
  }
};

GANTRY_TEST(TestHomogeneous)
#include "test_homogeneous.moc"
