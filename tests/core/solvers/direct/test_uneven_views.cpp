// FBP and FDK of a cylinder with exact line integrals, whose views lie at uneven angles: its value,
// what each view stands for, what is said of gaps, and how they are filled.
#include "core/backend/cpu_backend.hpp"
#include "core/geometry/scan_coverage.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/direct/ray_redundancy.hpp"
#include "core/solvers/run.hpp"
#include "tests/core/solvers/direct/cylinder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <random>

using namespace gantry;
using namespace gantry::test;

namespace {

using Angles = std::vector<double>;  // degrees

Angles steps(double first, double step, int count) {
  Angles angles;
  for (int v = 0; v < count; ++v) angles.push_back(first + v * step);
  return angles;
}

Angles joined(Angles one, const Angles& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// Returns the angles without those of the numbers for which `lost` is true.
Angles without(const Angles& angles, const std::function<bool(int)>& lost) {
  Angles rest;
  for (int v = 0; v < static_cast<int>(angles.size()); ++v)
    if (!lost(v)) rest.push_back(angles[static_cast<std::size_t>(v)]);
  return rest;
}

/// Uneven views of a full turn.
const std::map<std::string, Angles>& patterns() {
  static const std::map<std::string, Angles> all = [] {
    std::mt19937 random(5);
    std::map<std::string, Angles> made;
    const Angles even = steps(0, 2, 180);
    made["two of six lost"] = without(even, [](int v) { return v % 6 < 2; });
    made["a third lost at random"] = without(even, [&](int) { return random() % 3 == 0; });
    made["two lost in a row"] = without(even, [](int v) { return v == 40 || v == 41; });
    made["steps of 3, then of 1"] = joined(steps(0, 3, 60), steps(180, 1, 180));
    made["golden angle"] = steps(0, 222.49223594, 160);
    for (int v = 0; v < 250; ++v)
      made["random"].push_back(360.0 / 4294967296.0 * static_cast<double>(random()));
    made["interlaced"] = joined(steps(0, 4, 90), steps(362, 4, 90));
    made["a third twice"] = joined(even, steps(0, 2, 60));
    made["two turns backwards"] = steps(7, -2, 360);
    return made;
  }();
  return all;
}

constexpr double cylinder_mu = 0.02;
constexpr Cylinder cylinder{6, -9, 45, cylinder_mu};

/// A scan with cells of 1 mm at the axis, which lies in the middle or, for half fans, 15 columns
/// from the detector's end.
ScanSpec scan(Beam beam, bool half, const Angles& angles) {
  ScanSpec spec;
  spec.beam = beam;
  if (beam != Beam::parallel) {
    spec.source_to_isocenter_mm = 300;
    spec.source_to_detector_mm = 600;
  }
  spec.column_pitch_mm = spec.row_pitch_mm = beam == Beam::parallel ? 1 : 2;
  spec.detector_columns = half ? 80 : 128;
  spec.central_column = half ? 15.25 : 63.5;
  if (beam == Beam::cone) {
    spec.detector_rows = 3;
    spec.central_row = 1;
  }
  for (const double angle : angles) spec.view_angles_rad.push_back(radians(angle));
  return spec;
}

}  // namespace

class TestUnevenViews : public QObject {
  Q_OBJECT
  CpuBackend backend_;
  std::vector<std::string> notes_;  // of the last reconstruction

  std::vector<float> reconstruct(const ScanSpec& spec, const VolumeGrid& grid,
                                 bool interpolate_gaps = true) {
    const auto geometry = share(spec);
    const auto A = make_siddon(backend_, geometry, grid, {});
    const Array b = Array::from(backend_, cylinder.line_integrals(*geometry));
    Params params;
    params.set("interpolate_gaps", interpolate_gaps);
    const auto solver = spec.beam == Beam::cone
                            ? make_fdk(resolve_params(params, fdk_params(), "fdk"))
                            : make_fbp(resolve_params(params, fbp_params(), "fbp"));
    run(*solver, {A.get(), &b, nullptr}, {1, 0}, {});
    notes_ = solver->notes();
    return solver->solution().to_host();
  }

  /// Returns the root of the squared differences of an image from the cylinder.
  double error(const ScanSpec& spec, bool interpolate_gaps) {
    const VolumeGrid grid = VolumeGrid::centered(120, 120, 1, {1, 1, 1});
    const std::vector<float> x = reconstruct(spec, grid, interpolate_gaps);
    double sum = 0;
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const double r = std::hypot(grid.origin_mm.x + ix * grid.spacing_mm.x - cylinder.x0,
                                    grid.origin_mm.y + iy * grid.spacing_mm.y - cylinder.y0);
        if (std::abs(r - cylinder.radius) < 2) continue;  // blurred by the cells
        const double off = x[static_cast<std::size_t>(iy * grid.nx + ix)] -
                           (r < cylinder.radius ? cylinder_mu : 0);
        sum += off * off;
      }
    return std::sqrt(sum);
  }

 private slots:
  void theCylinderHasItsValue_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<bool>("half");
    QTest::addColumn<Angles>("angles");
    for (const auto& [name, angles] : patterns()) {
      const auto add = [&, pattern = name](const char* scanned, Beam beam, bool half,
                                           const Angles& views) {
        QTest::addRow("%s, %s", scanned, pattern.c_str())
            << static_cast<int>(beam) << half << views;
      };
      Angles half_turn = angles, short_scan;
      for (double& angle : half_turn) angle /= 2;
      std::ranges::copy_if(angles, std::back_inserter(short_scan), [](double angle) {
        const double rest = std::fmod(angle + 720, 360);
        return rest < 218;
      });
      add("parallel", Beam::parallel, false, name == "golden angle" ? angles : half_turn);
      add("parallel, full turn", Beam::parallel, false, angles);
      add("parallel, axis near the end", Beam::parallel, true, angles);
      add("fan", Beam::fan, false, angles);
      add("fan, short scan", Beam::fan, false, short_scan);
      add("half fan", Beam::fan, true, angles);
      add("cone", Beam::cone, false, angles);
      add("half cone", Beam::cone, true, angles);
    }
  }
  void theCylinderHasItsValue() {
    QFETCH(int, beam);
    QFETCH(bool, half);
    QFETCH(Angles, angles);
    const ScanSpec spec = scan(static_cast<Beam>(beam), half, angles);
    for (const Vec3 middle : {Vec3{0, 0, 0}, Vec3{18, -12, 0}, Vec3{-14, 8, 0}}) {
      VolumeGrid grid = VolumeGrid::centered(9, 9, 1, {1, 1, 1});
      grid.origin_mm = grid.origin_mm + middle;
      const std::vector<float> x = reconstruct(spec, grid);
      const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
      EXPECT_NEAR(mean / cylinder_mu, 1, 0.01);
    }
    QVERIFY(coverage_note(*share(spec)).empty());
  }

  /// The trapezoidal rule on a circle.
  void viewsStandForHalfTheGapsBesideThem() {
    for (const auto& [name, degrees_of] : patterns()) {
      if (name == "two lost in a row") continue;
      const ScanSpec spec = scan(Beam::fan, true, degrees_of);
      const RayRedundancy redundancy(*share(spec));
      QVERIFY2(redundancy.coverage().complete(), name.c_str());
      const std::vector<double>& widths = redundancy.coverage().view_widths_rad();
      for (std::size_t v = 0; v < widths.size(); ++v) {
        double before = -360, after = 360;
        for (std::size_t other = 0; other < widths.size(); ++other) {
          if (other == v) continue;
          const double turn = std::remainder(degrees_of[other] - degrees_of[v], 360);
          (turn < -1e-9 ? before : after) = turn < -1e-9  ? std::max(before, turn)
                                            : turn > 1e-9 ? std::min(after, turn)
                                                          : after;
        }
        // Views at the same angle share what one would stand for.
        double together = 0;
        for (std::size_t other = 0; other < widths.size(); ++other)
          if (std::abs(std::remainder(degrees_of[other] - degrees_of[v], 360)) < 1e-9)
            together += widths[other];
        EXPECT_NEAR(degrees(together), (after - before) / 2, 1e-6);
      }
    }
  }

  /// The views opposite a gap measured its lines: nothing is made up.
  void opposedGapsOfAFanAreLeftOut() {
    const Angles angles = without(steps(0, 1, 360), [](int v) { return v >= 40 && v < 46; });
    const auto geometry = share(scan(Beam::fan, false, angles));
    const RayRedundancy redundancy(*geometry);
    QCOMPARE(redundancy.coverage().holes_rad().size(), 1U);
    for (const double width : redundancy.coverage().view_widths_rad())
      EXPECT_NEAR(width, radians(1), 1e-9);
    EXPECT_NEAR(redundancy.weight(radians(42.5 + 180), 0), 1, 1e-12);
    // Of a half fan they measured only the lines near the axis.
    const RayRedundancy half(*share(scan(Beam::fan, true, angles)));
    QVERIFY(half.coverage().complete());
    EXPECT_NEAR(half.coverage().view_widths_rad()[39], radians(4), 1e-9);
  }

  void wideHolesAreNoted() {
    const auto note = [](Beam beam, const Angles& angles) {
      return coverage_note(*share(scan(beam, false, angles)));
    };
    const auto lost = [](int first, int second) {
      return
          [=](int v) { return (v >= first && v < first + 30) || (v >= second && v < second + 30); };
    };
    const std::string wedge = note(Beam::parallel, without(steps(0, 1, 180), lost(50, 50)));
    QVERIFY2(wedge.find("cover 150 degrees, a complete image takes 180") != std::string::npos,
             wedge.c_str());
    for (const Beam beam : {Beam::fan, Beam::cone}) {
      QCOMPARE(note(beam, without(steps(0, 1, 360), lost(50, 50))), std::string());
      QCOMPARE(note(beam, without(steps(0, 1, 360), lost(50, 130))), std::string());
      const std::string opposed = note(beam, without(steps(0, 1, 360), lost(50, 240)));
      QVERIFY2(opposed.find("300 degrees in 2 arcs, with holes of up to 30 degrees") !=
                   std::string::npos,
               opposed.c_str());
    }
  }

  /// FDK says what FBP says.
  void wideGapsAreNoted() {
    const VolumeGrid grid = VolumeGrid::centered(3, 3, 1, {1, 1, 1});
    const Angles angles = without(steps(0, 1, 360), [](int v) { return v % 90 < 7; });
    for (const Beam beam : {Beam::fan, Beam::cone}) {
      for (const bool interpolate : {false, true}) {  // such narrow gaps are not filled
        reconstruct(scan(beam, false, angles), grid, interpolate);
        QCOMPARE(notes_.size(), 1U);
        QVERIFY2(notes_[0].starts_with("up to 8 degrees lie between two views, 8 times the usual"),
                 notes_[0].c_str());
      }
      reconstruct(scan(beam, false, without(steps(0, 1, 360), [](int v) { return v % 90 < 30; })),
                  grid);
      QCOMPARE(notes_.size(), 1U);
      QVERIFY2(notes_[0].starts_with("4 gaps, the widest of 31 degrees between views"),
               notes_[0].c_str());
      reconstruct(scan(beam, false, steps(0, 1, 360)), grid);
      QVERIFY(notes_.empty());
    }
  }

  void gapsAreFilled_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<bool>("half");
    QTest::addColumn<Angles>("angles");
    const auto add = [](const char* name, Beam beam, bool half, const Angles& angles) {
      QTest::addRow("%s", name) << static_cast<int>(beam) << half << angles;
    };
    const auto lost = [](const Angles& angles, double first, double second) {
      return without(angles, [=, &angles](int v) {
        const double angle = angles[static_cast<std::size_t>(v)];
        return (angle >= first && angle < first + 30) || (angle >= second && angle < second + 30);
      });
    };
    const Angles half_turn = steps(0, 1, 180), turn = steps(0, 1, 360);
    add("parallel", Beam::parallel, false, lost(half_turn, 50, 50));
    add("parallel, the last views", Beam::parallel, false, lost(half_turn, 150, 150));
    add("parallel, both sides", Beam::parallel, false, lost(turn, 50, 230));
    add("parallel, backwards", Beam::parallel, false, lost(steps(0, -1, 180), -80, -80));
    add("fan", Beam::fan, false, lost(turn, 50, 240));
    add("fan, short scan", Beam::fan, false, lost(steps(0, 1, 218), 90, 90));
    add("half fan", Beam::fan, true, lost(turn, 50, 50));
    add("cone", Beam::cone, false, lost(turn, 50, 240));
    add("cone, across 0", Beam::cone, false, lost(steps(-170, 1, 360), -15, 170));
  }
  /// Interpolated views of a cylinder off the axis are better than none: the error of the whole
  /// image falls, and nothing is drawn where no ray touches the cylinder.
  void gapsAreFilled() {
    QFETCH(int, beam);
    QFETCH(bool, half);
    QFETCH(Angles, angles);
    const ScanSpec spec = scan(static_cast<Beam>(beam), half, angles);
    const double filled = error(spec, true);
    QVERIFY2(
        notes_.size() == 1 && notes_[0].find("filled with interpolated views") != std::string::npos,
        notes_.empty() ? "no note" : notes_[0].c_str());
    const double left_out = error(spec, false);
    QVERIFY2(filled < 0.6 * left_out,
             qPrintable(QString("%1 filled, %2 left out").arg(filled).arg(left_out)));
  }

  void measuredLinesAreKept_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<double>("aside");  // of the axis, columns
    QTest::addColumn<Angles>("angles");
    const auto add = [](const char* name, Beam beam, double aside, const Angles& angles) {
      QTest::addRow("%s", name) << static_cast<int>(beam) << aside << angles;
    };
    const Angles turn = steps(0, 1, 360);
    const Angles gap = without(turn, [](int v) { return v >= 40 && v < 70; });
    const auto lost = [](int v, int first, int count) { return v >= first && v < first + count; };
    const Angles frames = without(turn, [=](int v) { return lost(v, 40, 30) || lost(v, 235, 2); });
    const Angles facing = without(turn, [=](int v) { return lost(v, 41, 2) || lost(v, 221, 2); });
    const Angles quarters = without(turn, [](int v) { return v % 90 < 7; });
    const Angles more_frames =
        without(turn, [=](int v) { return lost(v, 40, 30) || lost(v, 220, 6); });
    const Angles coarse =
        without(steps(0, 4, 90), [=](int v) { return lost(v, 10, 4) || lost(v, 55, 4); });
    // Three frames at each of twelve places, of which two each face each other.
    const Angles bursts = without(turn, [=](int v) {
      return std::ranges::any_of(std::array{11, 47, 83, 101, 140, 163},
                                 [=](int first) { return lost(v % 180, first, 3); });
    });
    add("parallel, axis aside", Beam::parallel, 0.1, gap);
    add("parallel, axis further aside", Beam::parallel, 3, gap);
    add("parallel, no end", Beam::parallel, 0.3, steps(0, 1, 330));
    add("fan, axis aside", Beam::fan, 6, gap);
    add("cone, axis aside", Beam::cone, 6, gap);
    add("fan, two frames lost opposite", Beam::fan, 0, frames);
    add("cone, two frames lost opposite", Beam::cone, 0, frames);
    add("fan, six frames lost opposite", Beam::fan, 0, more_frames);
    add("fan, frames lost on both sides", Beam::fan, 0, facing);
    add("cone, frames lost on both sides", Beam::cone, 0, facing);
    add("fan, frames lost in four places", Beam::fan, 0, quarters);
    add("fan, frames lost in many places", Beam::fan, 0, bursts);
    add("fan, few views, gaps on both sides", Beam::fan, 0, coarse);
  }
  /// Where views from the other side measured the lines of a gap, these count, not interpolated
  /// ones: the image is hardly worse than without them.
  void measuredLinesAreKept() {
    QFETCH(int, beam);
    QFETCH(double, aside);
    QFETCH(Angles, angles);
    ScanSpec spec = scan(static_cast<Beam>(beam), false, angles);
    spec.central_column += aside;
    const double filled = error(spec, true), left_out = error(spec, false);
    QVERIFY2(filled < 1.02 * left_out,
             qPrintable(QString("%1 filled, %2 left out").arg(filled).arg(left_out)));
  }

  /// The gaps between groups of exposures are usual.
  void groupsOfViewsAreNotFilled() {
    std::mt19937 random(7);
    Angles angles;
    for (int position = 0; position < 120; ++position)
      for (int exposure = 0; exposure < 3; ++exposure)
        angles.push_back(3 * position + 0.02 * static_cast<double>(random()) / 4294967296.0);
    const ScanSpec spec = scan(Beam::fan, true, angles);
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 1, {2, 2, 2});
    QCOMPARE(reconstruct(spec, grid, true), reconstruct(spec, grid, false));
  }

  /// Views opposite a gap are measured, and a wedge that is too wide is not made up.
  void otherGapsAreNotFilled() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 1, {2, 2, 2});
    const Angles opposed = without(steps(0, 1, 360), [](int v) { return v >= 40 && v < 70; }),
                 wedge = without(steps(0, 1, 180), [](int v) { return v >= 40 && v < 90; });
    for (const ScanSpec& spec :
         {scan(Beam::fan, false, opposed), scan(Beam::cone, false, opposed),
          scan(Beam::parallel, false, wedge), scan(Beam::fan, false, steps(0, 1, 120))}) {
      const std::vector<float> filled = reconstruct(spec, grid);
      QVERIFY(notes_.empty());
      QCOMPARE(filled, reconstruct(spec, grid, false));
    }
  }
};

GANTRY_TEST(TestUnevenViews)
#include "test_uneven_views.moc"
