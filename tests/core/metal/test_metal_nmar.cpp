// Metal in a polychromatic scan, whose line integrals through each material are known exactly.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/apply_corrections.hpp"
#include "core/catalog/catalog.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/metal/metal_images.hpp"
#include "core/metal/metal_nmar.hpp"
#include "core/metal/trace_bridge.hpp"
#include "core/metal/value_classes.hpp"
#include "core/phantoms/solid_phantom.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

#include <array>
#include <cmath>
#include <random>
#include <ranges>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr double metal_radius_mm = 5;
constexpr std::array<std::array<double, 2>, 2> metal_centres_mm = {{{-42, -6}, {38, -2}}};

/// Attenuation of water, bone and titanium, 1/mm, at 40, 60 and 90 keV, and the part of the
/// detector's signal (after NIST's tables).
struct Energy {
  double part, water, bone, metal;
};
constexpr std::array<Energy, 3> spectrum = {
    {{0.3, 0.0268, 0.1277, 0.996}, {0.4, 0.0206, 0.0604, 0.345}, {0.3, 0.0177, 0.0385, 0.149}}};

/// Returns the paths in mm through solids; in the plane z = 0 where the scan is no cone beam.
std::vector<float> paths(const std::vector<Solid>& solids, const ScanGeometry& scan) {
  const double half_z = scan.beam() == Beam::cone ? 40 : 0;
  std::vector<float> result(scan.rays());
  project_exactly(SolidPhantom(solids, Overlap::add, {105, 105, half_z}), scan, 2, result);
  return result;
}

/// A body of water with bones, and two balls of titanium or, instead, of water.
std::vector<float> measured(const ScanGeometry& scan, bool has_metal, double photons) {
  std::vector<Solid> balls;
  for (const auto& [x, y] : metal_centres_mm)
    balls.push_back(sphere({x, y, 0}, metal_radius_mm, 1));
  const auto body = paths({ellipsoid({}, {100, 75, 38}, 1)}, scan),
             bone = paths(
                 {ellipsoid({0, 45, 0}, {14, 9, 15}, 1), ellipsoid({2, -30, 0}, {8, 15, 20}, 1)},
                 scan),
             ball = paths(balls, scan);
  std::vector<float> values(scan.rays());
  std::mt19937 engine(5);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double metal = has_metal ? ball[i] : 0;
    double transmission = 0;
    for (const Energy& e : spectrum)
      transmission += e.part * std::exp(-e.water * (body[i] - bone[i] - metal) - e.bone * bone[i] -
                                        e.metal * metal);
    std::poisson_distribution<int> counts(transmission * photons);
    values[i] = static_cast<float>(-std::log(std::max(counts(engine), 1) / photons));
  }
  return values;
}

ScanSpec fan_scan() {
  ScanSpec spec = default_scan(105, 0, 180);
  spec.view_angles_rad = angles_from_degrees(0, 1.5, 240);
  return spec;
}

ScanSpec parallel_scan() {
  ScanSpec spec = fan_scan();
  spec.beam = Beam::parallel;
  spec.column_pitch_mm = spec.row_pitch_mm = 1.2;
  spec.view_angles_rad = angles_from_degrees(0, 1, 180);
  return spec;
}

ScanSpec cone_scan() {
  ScanSpec spec = default_scan(105, 50, 100);
  spec.view_angles_rad = angles_from_degrees(0, 3, 120);
  return spec;
}

/// A detector that sees 15 columns on one side of the axis and all of the other side.
ScanSpec half_fan_scan() {
  ScanSpec spec = fan_scan();
  const double left = spec.central_column - 15.5;
  spec.detector_columns -= static_cast<int>(left);
  spec.central_column -= left;
  return spec;
}

/// A detector on which the body, but not its metal, reaches beyond both ends.
ScanSpec truncated_scan() {
  ScanSpec spec = fan_scan();
  spec.detector_columns -= 50;
  spec.central_column -= 25;
  return spec;
}

ScanSpec scan_of(const QString& beam) {
  if (beam == "truncated fan") return truncated_scan();
  if (beam == "half fan") return half_fan_scan();
  return beam == "fan" ? fan_scan() : beam == "parallel" ? parallel_scan() : cone_scan();
}

std::vector<float> image_of(const ScanGeometry& scan, const std::vector<float>& data) {
  MetalImages images(scan, metal_grid(scan, 512), nullptr);
  std::ranges::copy(data, images.rays().begin());
  images.reconstruct();
  return {images.mu().begin(), images.mu().end()};
}

/// Root mean square of the difference of two images in the body at z = 0, 3 mm and more beside
/// metal, 5 mm and more from the rim of the field of view.
double error(const ScanGeometry& scan, const std::vector<float>& image,
             const std::vector<float>& reference) {
  const VolumeGrid grid = metal_grid(scan, 512);
  double sum = 0;
  int count = 0;
  const int iz = grid.nz / 2;
  for (int iy = 0; iy < grid.ny; ++iy)
    for (int ix = 0; ix < grid.nx; ++ix) {
      const Vec3 at = grid.voxel_center_mm(ix, iy, 0);
      bool inside = std::hypot(at.x / 97, at.y / 72) < 1 &&
                    std::hypot(at.x, at.y) < grid.upper_corner_mm().x - 5;
      for (const auto& [x, y] : metal_centres_mm)
        inside = inside && std::hypot(at.x - x, at.y - y) > metal_radius_mm + 3;
      if (!inside) continue;
      const double difference = image[grid.index(ix, iy, iz)] - reference[grid.index(ix, iy, iz)];
      sum += difference * difference;
      ++count;
    }
  return std::sqrt(sum / count);
}

Params params(Params given = {}) {
  return resolve_params(given, metal_nmar_params(), "metal_nmar");
}

std::vector<float> corrected(const ScanGeometry& scan, std::vector<float> data,
                             const Params& given) {
  for (const std::string& note : make_metal_nmar(scan, params(given))->apply(data))
    qInfo("%s", note.c_str());
  return data;
}

}  // namespace

class TestMetalNmar : public QObject {
  Q_OBJECT

 private slots:
  /// The error against a scan in which the metal is water falls, and further than by bridging the
  /// shadow alone, which leaves out the bone in it.
  void streaksVanish_data() {
    QTest::addColumn<QString>("beam");
    QTest::addColumn<double>("photons");
    QTest::addRow("fan, hardly any noise") << "fan" << 1e8;
    QTest::addRow("fan") << "fan" << 2e5;
    QTest::addRow("parallel") << "parallel" << 2e5;
    QTest::addRow("half fan") << "half fan" << 2e5;
    QTest::addRow("truncated fan") << "truncated fan" << 2e5;
    QTest::addRow("cone") << "cone" << 2e5;
  }
  void streaksVanish() {
    QFETCH(QString, beam);
    QFETCH(double, photons);
    const ScanGeometry scan(scan_of(beam));
    const auto data = measured(scan, true, photons),
               reference = image_of(scan, measured(scan, false, photons)),
               bridged = corrected(scan, data, {{"interpolation", "linear"}}),
               normalised = corrected(scan, data, {});
    const double before = error(scan, image_of(scan, data), reference),
                 linear = error(scan, image_of(scan, bridged), reference),
                 after = error(scan, image_of(scan, normalised), reference);
    qInfo("%.3g 1/mm before, %.3g after linear and %.3g after normalised interpolation", before,
          linear, after);
    QVERIFY(after < before / 2.5);
    QVERIFY(after < linear / 2);
    const auto replaced = std::ranges::count_if(std::views::iota(std::size_t{0}, data.size()),
                                                [&](auto i) { return normalised[i] != data[i]; });
    QVERIFY(replaced > 0 && replaced < static_cast<std::ptrdiff_t>(data.size() / 5));
  }

  /// A disc with a rod, whose streaks reach far beyond the values of air and of the disc: noiseless
  /// and with noise, the rod is found without a threshold, and the disc beside it gets better.
  void anOrdinaryRodIsFound_data() {
    QTest::addColumn<double>("radius");
    QTest::addColumn<double>("attenuation");
    QTest::addColumn<double>("photons");
    QTest::addRow("4 mm") << 2.0 << 0.5 << 1e9;
    QTest::addRow("4 mm, 1e4 photons") << 2.0 << 0.5 << 1e4;
    QTest::addRow("6 mm") << 3.0 << 0.3 << 1e9;
    QTest::addRow("1.2 mm") << 0.6 << 0.5 << 1e9;
  }
  void anOrdinaryRodIsFound() {
    QFETCH(double, radius);
    QFETCH(double, attenuation);
    QFETCH(double, photons);
    ScanSpec spec = parallel_scan();
    spec.detector_columns = 96;
    spec.column_pitch_mm = spec.row_pitch_mm = 0.8;
    spec.central_column = 47.5;
    const ScanGeometry scan(spec);
    const auto disc = paths({ellipsoid({}, {28, 24, 20}, 1)}, scan),
               rod = paths({ellipsoid({10, 2, 0}, {radius, radius, 20}, 1)}, scan);
    std::vector<float> data(scan.rays());
    std::mt19937_64 engine(7);
    for (std::size_t i = 0; i < data.size(); ++i) {
      std::poisson_distribution<long> counts(photons *
                                             std::exp(-0.02 * disc[i] - attenuation * rod[i]));
      data[i] = static_cast<float>(
          -std::log(static_cast<double>(std::max(counts(engine), 1L)) / photons));
    }
    const auto error_in_disc = [&](const std::vector<float>& values) {
      const VolumeGrid grid = metal_grid(scan, 512);
      const std::vector<float> image = image_of(scan, values);
      double square = 0;
      int count = 0;
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix) {
          const Vec3 at = grid.voxel_center_mm(ix, iy, 0);
          if (std::hypot(at.x / 25, at.y / 21) > 1 || std::hypot(at.x - 10, at.y - 2) < radius + 2)
            continue;
          square += std::pow(image[grid.index(ix, iy, 0)] - 0.02, 2);
          ++count;
        }
      return std::sqrt(square / count);
    };
    const double before = error_in_disc(data), after = error_in_disc(corrected(scan, data, {}));
    qInfo("%.3g 1/mm before, %.3g after", before, after);
    QVERIFY(after < 0.5 * before);
  }

  void dataWithoutMetalStay_data() {
    QTest::addColumn<QString>("beam");
    for (const char* beam : {"fan", "parallel", "cone"}) QTest::addRow("%s", beam) << beam;
  }
  void dataWithoutMetalStay() {
    QFETCH(QString, beam);
    const ScanGeometry scan(scan_of(beam));
    const auto data = measured(scan, false, 2e4);
    auto values = data;
    const auto notes = make_metal_nmar(scan, params())->apply(values);
    QVERIFY(values == data);
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY2(notes[0].starts_with("no metal above "), notes[0].c_str());
  }

  /// Metal by a given threshold, on coarse voxels; the program finds the correction by its key.
  void settingsAreTaken() {
    Catalog catalog;
    add_core(catalog);
    const ScanGeometry scan(fan_scan());
    const CpuBackend cpu;
    std::vector<std::string> notes;
    auto values = measured(scan, true, 2e5);
    const Params given = {
        {"threshold", 0.05}, {"air", 0.01}, {"bone", 0.03}, {"across", std::int64_t{90}}};
    QCOMPARE(apply_corrections({{"metal_nmar", given}}, catalog, scan, values, cpu, notes, true),
             std::string(", corrected: metal_nmar"));
    QVERIFY2(notes.at(0).starts_with("Metal (NMAR): ") && notes[0].find("0.05 1/mm") < 200,
             notes[0].c_str());
    QVERIFY2(notes.at(1).find("air below 0.01 1/mm") < 200, notes[1].c_str());
    QVERIFY2(notes[1].find("bone from 0.03 1/mm") < 200, notes[1].c_str());
  }

  void scansWithoutAnImageAreRefused() {
    ScanSpec helix = cone_scan();
    helix.trajectory = Trajectory::helical;
    helix.helical_feed_mm_per_turn = 20;
    EXPECT_THROWS(UsageError, make_metal_nmar(ScanGeometry(helix), params()), "helix");
  }

  void interruptIsHeard() {
    const ScanGeometry scan(fan_scan());
    auto values = measured(scan, true, 2e5);
    for (const int check : {1, 8, 20}) {
      InterruptAtCheck interrupt;
      interrupt.set(check);
      QVERIFY_THROWS_EXCEPTION(Interrupted,
                               make_metal_nmar(scan, params())->apply(values, &interrupt));
    }
  }

  /// A row of 2 4 . . 10 with a prior of 1 2 4 4 5, by hand.
  void gapsAreBridged() {
    const std::vector<float> measured = {2, 4, 90, 90, 10}, prior = {1, 2, 4, 4, 5};
    const std::vector<std::uint8_t> gap = {0, 0, 1, 1, 0};
    auto row = measured;
    QCOMPARE(bridge_trace(row, gap, {}, 0), std::size_t{2});
    QCOMPARE(row, (std::vector<float>{2, 4, 6, 8, 10}));
    row = measured;
    bridge_trace(row, gap, prior, 0.1F);
    QCOMPARE(row, (std::vector<float>{2, 4, 8, 8, 10}));
    row = measured;
    bridge_trace(row, std::vector<std::uint8_t>{1, 0, 0, 0, 1}, prior, 0.1F);
    QCOMPARE(row, (std::vector<float>{2, 4, 90, 90, 112.5F}));
    row = measured;
    bridge_trace(row, std::vector<std::uint8_t>(5, 1), prior, 0.1F);
    QCOMPARE(row, prior);
    std::vector<std::uint8_t> trace = {0, 0, 1, 0, 0, 0, 0, 1};
    widen_trace(trace, 1);
    QCOMPARE(trace, (std::vector<std::uint8_t>{0, 1, 1, 1, 0, 0, 1, 1}));
  }

  /// Air, soft and dense values in shares that the first split alone would part elsewhere.
  void classesAreFound_data() {
    QTest::addColumn<int>("dense");
    QTest::addColumn<double>("value");
    QTest::addRow("none") << 0 << 1.0;
    QTest::addRow("bone") << 3000 << 2.2;
    QTest::addRow("much bone") << 9000 << 2.5;
    QTest::addRow("metal") << 300 << 15.0;
    QTest::addRow("very dense metal") << 300 << 80.0;
  }
  void classesAreFound() {
    QFETCH(int, dense);
    QFETCH(double, value);
    ValueHistogram histogram(-1, 90);
    std::mt19937 engine(3);
    std::normal_distribution<float> normal(0, 0.08F);
    for (int i = 0; i < 20000; ++i) histogram.add(normal(engine));
    for (int i = 0; i < 12000; ++i) histogram.add(1 + normal(engine));
    for (int i = 0; i < dense; ++i) histogram.add(static_cast<float>(value) + normal(engine));
    const ValueClasses classes = classes_of(histogram);
    qInfo("%g %g %g", classes.air_below, classes.soft, classes.dense_above);
    EXPECT_NEAR(classes.air_below, 0.5, 0.02);
    EXPECT_NEAR(classes.soft, 1, 0.03);
    if (dense > 0) QVERIFY(classes.dense_above > 1.3 && classes.dense_above < value - 0.3);
  }
};

GANTRY_TEST(TestMetalNmar)
#include "test_metal_nmar.moc"
