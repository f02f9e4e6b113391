// The maps of symmetry.hpp against the weights of Siddon's method: A[g(r), g(j)] = A[r, j].
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/operator/row_source.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

/// All rows of a scan's matrix, row (view, row, column) by voxel.
class Weights {
 public:
  Weights(const ScanGeometry& geometry, const VolumeGrid& grid) : geometry_(geometry), grid_(grid) {
    const auto A = make_siddon(backend_, share(geometry.spec()), grid, {});
    for (int v = 0; v < geometry.views(); ++v) {
      const auto view = A->row_source()->view_rows(v);
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 0; column < geometry.columns(); ++column) {
          RowWeights weights;
          view->weights(column, row, weights);
          auto& line = rows_.emplace_back();
          for (std::size_t i = 0; i < weights.size(); ++i)
            line[weights.voxel[i]] = weights.weight[i];
        }
    }
  }

  const std::map<std::size_t, double>& at(RayIndex r) const {
    const int rows = geometry_.rows(), columns = geometry_.columns();
    return rows_[static_cast<std::size_t>((r.view * rows + r.row) * columns + r.column)];
  }

  /// A ray in the plane between two layers of voxels: which of them it counts in is rounding's.
  bool undecided(RayIndex r, bool along_axis) const {
    const Ray ray = geometry_.ray(r.view, r.column, r.row);
    const Vec3 low = grid_.lower_corner_mm(), d = ray.direction, o = ray.origin_mm;
    const auto between = [](double direction, double place) {
      return std::abs(direction) < 1e-12 && std::abs(place - std::round(place)) < 1e-9;
    };
    return between(d.x, (o.x - low.x) / grid_.spacing_mm.x) ||
           between(d.y, (o.y - low.y) / grid_.spacing_mm.y) ||
           (along_axis && grid_.nz > 1 && between(d.z, (o.z - low.z) / grid_.spacing_mm.z));
  }

  /// Largest |A[g(r), g(j)] - A[r, j]|, mm.
  double defect(const ScanSymmetry& symmetry, const SymmetryElement& g, int* skipped) const {
    double worst = 0;
    for (int v = 0; v < geometry_.views(); ++v)
      for (int row = 0; row < geometry_.rows(); ++row)
        for (int column = 0; column < geometry_.columns(); ++column) {
          const RayIndex r{v, column, row};
          if (undecided(r, g.mirror_z)) {
            ++*skipped;
            continue;
          }
          worst = std::max(worst, difference(moved(symmetry, g, at(r)), at(symmetry.ray(g, r))));
        }
    return worst;
  }

  std::map<std::size_t, double> moved(const ScanSymmetry& symmetry, const SymmetryElement& g,
                                      const std::map<std::size_t, double>& line) const {
    std::map<std::size_t, double> result;
    for (const auto& [voxel, weight] : line) {
      const int j = static_cast<int>(voxel), plane = grid_.nx * grid_.ny;
      const VoxelIndex to = symmetry.voxel(g, {j % grid_.nx, j % plane / grid_.nx, j / plane});
      result[grid_.index(to.x, to.y, to.z)] = weight;
    }
    return result;
  }

  static double difference(std::map<std::size_t, double> a,
                           const std::map<std::size_t, double>& b) {
    for (const auto& [voxel, weight] : b) a[voxel] -= weight;
    double worst = 0;
    for (const auto& [voxel, weight] : a) worst = std::max(worst, std::abs(weight));
    return worst;
  }

 private:
  CpuBackend backend_;
  const ScanGeometry& geometry_;
  VolumeGrid grid_;
  std::vector<std::map<std::size_t, double>> rows_;
};

struct Kind {
  const char* name;
  Beam beam;
  DetectorShape detector;
  double turn_deg;
};
const Kind kinds[] = {{"fan flat", Beam::fan, DetectorShape::flat, 360},
                      {"fan arc", Beam::fan, DetectorShape::arc, 360},
                      {"parallel 360", Beam::parallel, DetectorShape::flat, 360},
                      {"parallel 180", Beam::parallel, DetectorShape::flat, 180},
                      {"cone flat", Beam::cone, DetectorShape::flat, 360},
                      {"cone arc", Beam::cone, DetectorShape::arc, 360}};

/// `start` in steps between views.
ScanSpec symmetric_spec(const Kind& kind, int views, int columns, int rows, double start) {
  ScanSpec spec;
  spec.beam = kind.beam;
  spec.detector = kind.detector;
  spec.source_to_isocenter_mm = 30;
  spec.source_to_detector_mm = 45;
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.column_pitch_mm = kind.beam == Beam::parallel ? 1.37 : 1.93;
  spec.row_pitch_mm = 2.1;
  spec.central_column = 0.5 * (columns - 1);
  spec.central_row = 0.5 * (rows - 1);
  const double step = kind.turn_deg / views;
  spec.view_angles_rad = angles_from_degrees(start * step, step, views);
  return spec;
}

VolumeGrid square(int side, int slices) {
  return VolumeGrid::centered(side, side, slices, {1.7, 1.7, 1.1});
}

/// Orbits of the rays by following every element from every ray.
std::size_t ray_orbits(const ScanSymmetry& symmetry, const ScanGeometry& g) {
  std::set<std::array<int, 3>> seen;
  std::size_t orbits = 0;
  for (int v = 0; v < g.views(); ++v)
    for (int row = 0; row < g.rows(); ++row)
      for (int column = 0; column < g.columns(); ++column) {
        if (seen.contains({v, column, row})) continue;
        ++orbits;
        for (const SymmetryElement& e : symmetry.elements()) {
          const RayIndex to = symmetry.ray(e, {v, column, row});
          seen.insert({to.view, to.column, to.row});
        }
      }
  return orbits;
}

}  // namespace

class TestSymmetry : public QObject {
  Q_OBJECT

  void expectAllHold(const ScanSpec& spec, const VolumeGrid& grid, int elements) {
    const ScanGeometry geometry(spec);
    const ScanSymmetry symmetry = analyse_symmetry(geometry, grid);
    QCOMPARE(static_cast<int>(symmetry.elements().size()), elements);
    const Weights weights(geometry, grid);
    for (const SymmetryElement& g : symmetry.elements()) {
      int skipped = 0;
      EXPECT_NEAR(weights.defect(symmetry, g, &skipped), 0, 1e-11);
      QVERIFY(static_cast<std::size_t>(skipped) < geometry.rays() / 2);
    }
    QCOMPARE(symmetry.stored_rays(), ray_orbits(symmetry, geometry));
  }

 private slots:
  // For the program's own frame: row 0 of the image at the bottom.
  void weightsAreMapped_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("start");
    for (int kind = 0; kind < static_cast<int>(std::size(kinds)); ++kind)
      for (const int views : {8, 12, 16, 20})
        for (const double start : {0.0, 0.5})
          QTest::addRow("%s, %d views from %g", kinds[kind].name, views, start)
              << kind << views << start;
  }
  void weightsAreMapped() {
    QFETCH(int, kind);
    QFETCH(int, views);
    QFETCH(double, start);
    const bool cone = kinds[kind].beam == Beam::cone;
    for (const int side : {6, 7})
      for (const int columns : {8, 9})
        for (const int rows : {3, 4}) {
          if (!cone && rows == 4) continue;
          expectAllHold(symmetric_spec(kinds[kind], views, columns, cone ? rows : 1, start),
                        square(side, cone ? side - 2 : 1), cone ? 16 : 8);
        }
  }

  void stacksMirrorAlongTheAxis() {
    for (const Kind& kind : {kinds[0], kinds[2], kinds[3]})
      expectAllHold(symmetric_spec(kind, 8, 9, 4, 0.5), square(6, 5), 16);
  }

  /// The order of the views does not matter, nor whole turns, nor the sense of turning.
  void viewsMayComeInAnyOrder() {
    for (const Kind& kind : {kinds[1], kinds[3]}) {
      ScanSpec spec = symmetric_spec(kind, 12, 8, 1, 0.5);
      std::shuffle(spec.view_angles_rad.begin(), spec.view_angles_rad.end(), std::mt19937(3));
      spec.view_angles_rad[5] += 4 * pi;
      expectAllHold(spec, square(7, 1), 8);
      std::ranges::sort(spec.view_angles_rad, std::greater<>());
      expectAllHold(spec, square(6, 1), 8);
    }
  }

  // With a quarter of a cell's offset the turns still hold and the mirrors fail.
  void offsetsBreakMirrors() {
    for (const Kind& kind : {kinds[0], kinds[1], kinds[2]}) {
      ScanSpec spec = symmetric_spec(kind, 12, 9, 1, 0.5);
      const ScanGeometry twin(spec);
      const ScanSymmetry maps = analyse_symmetry(twin, square(7, 1));
      spec.central_column -= 0.25;
      const ScanGeometry geometry(spec);
      const Weights weights(geometry, square(7, 1));
      int skipped = 0;
      for (const SymmetryElement& g : maps.elements()) {
        const double defect = weights.defect(maps, g, &skipped);
        QVERIFY2(g.mirror ? defect > 1e-3 : defect < 1e-11, describe(g).c_str());
      }
      const ScanSymmetry found = analyse_symmetry(geometry, square(7, 1));
      QCOMPARE(found.elements().size(), std::size_t{4});
      for (const auto& failure : found.failures())
        QCOMPARE(failure.reason,
                 std::string("the detector is offset by 0.25 cells: mirrors do not map rays onto "
                             "rays"));
    }
  }

  // The number of stored views, with the first view on the axis and half a step beside it.
  void orbitsAreCounted() {
    const struct {
      int views, on_axis, half_step;
    } table[] = {{720, 91, 90}, {984, 124, 123}, {360, 46, 45}, {12, 2, 2}, {20, 3, 3}};
    for (const auto& line : table)
      for (const bool half : {false, true}) {
        const ScanGeometry geometry(symmetric_spec(kinds[1], line.views, 16, 1, half ? 0.5 : 0.0));
        const ScanSymmetry symmetry = analyse_symmetry(geometry, square(8, 1));
        QCOMPARE(static_cast<int>(symmetry.stored_views().size()),
                 half ? line.half_step : line.on_axis);
        // The smallest of each orbit: the first eighth of the turn.
        QCOMPARE(symmetry.stored_views().back(),
                 static_cast<int>(symmetry.stored_views().size()) - 1);
        // Counted in rays it is an eighth exactly, but where V / 8 leaves half a view.
        QCOMPARE(symmetry.stored_rays(), static_cast<std::size_t>(line.views) * 16 / 8);
      }
    // Half a turn of a parallel beam: V / 4, one more on the axis, (V / 2 + 1) / 2 in between.
    for (const auto& [views, on_axis, half_step] :
         {std::array{180, 46, 45}, {16, 5, 4}, {18, 5, 5}}) {
      QCOMPARE(
          static_cast<int>(
              analyse_symmetry(ScanGeometry(symmetric_spec(kinds[3], views, 4, 1, 0)), square(8, 1))
                  .stored_views()
                  .size()),
          on_axis);
      QCOMPARE(static_cast<int>(
                   analyse_symmetry(ScanGeometry(symmetric_spec(kinds[3], views, 4, 1, 0.5)),
                                    square(8, 1))
                       .stored_views()
                       .size()),
               half_step);
    }
  }

  void elementsFormAGroup() {
    for (const Kind& kind : {kinds[1], kinds[3], kinds[5]}) {
      const bool cone = kind.beam == Beam::cone;
      const ScanGeometry geometry(symmetric_spec(kind, 12, 5, cone ? 4 : 1, 0.5));
      const VolumeGrid grid = square(5, cone ? 4 : 1);
      const ScanSymmetry symmetry = analyse_symmetry(geometry, grid);
      for (const SymmetryElement& a : symmetry.elements()) {
        QVERIFY(compose(a, inverse(a)) == SymmetryElement{});
        QVERIFY(compose(inverse(a), a) == SymmetryElement{});
        for (const SymmetryElement& b : symmetry.elements()) {
          const SymmetryElement ab = compose(a, b);
          QVERIFY(symmetry.holds(ab));
          for (int iz = 0; iz < grid.nz; ++iz)
            for (int iy = 0; iy < grid.ny; ++iy)
              for (int ix = 0; ix < grid.nx; ++ix)
                QVERIFY(symmetry.voxel(ab, {ix, iy, iz}) ==
                        symmetry.voxel(a, symmetry.voxel(b, {ix, iy, iz})));
          for (int v = 0; v < geometry.views(); ++v)
            for (int row = 0; row < geometry.rows(); ++row)
              for (int column = 0; column < geometry.columns(); ++column)
                QVERIFY(symmetry.ray(ab, {v, column, row}) ==
                        symmetry.ray(a, symmetry.ray(b, {v, column, row})));
        }
      }
      QVERIFY(symmetry.elements().front() == SymmetryElement{});
    }
  }

  // With images() every view is made once, of the stored one that its element names.
  void imagesMakeEveryViewOnce() {
    for (const double start : {0.0, 0.5}) {
      const ScanGeometry geometry(symmetric_spec(kinds[0], 16, 6, 1, start));
      const ScanSymmetry symmetry = analyse_symmetry(geometry, square(6, 1));
      QCOMPARE(symmetry.images().size(), std::size_t{16});
      for (int v = 0; v < 16; ++v) {
        const ScanSymmetry::Image& image = symmetry.images()[static_cast<std::size_t>(v)];
        QVERIFY(std::ranges::binary_search(symmetry.stored_views(), image.stored_view));
        QCOMPARE(symmetry.view(image.element, image.stored_view), v);
      }
      for (const int v : symmetry.stored_views())
        QVERIFY(symmetry.images()[static_cast<std::size_t>(v)].element == SymmetryElement{});
    }
  }

  void reasonsAreNamed_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<int>("elements");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* change, int elements, const char* reason) {
      QTest::addRow("%s", change) << change << elements << reason;
    };
    row("not square", 4,
        "the image has 6 x 5 pixels: a rotation by 90° does not map it onto itself");
    row("not square pixels", 4,
        "pixels of 1.7 x 1.8 mm are not square: a rotation by 90° does not map them onto pixels");
    row("off the axis", 1, "the grid's centre lies at x = 0.3, y = 0.2 mm, not on the axis");
    row("off the axis along x", 2, "the grid's centre lies at x = 0.3, y = 0 mm, not on the axis");
    row("a third of a step", 4,
        "the first view stands 0.3333 steps beside the axis: mirrors need "
        "0 or 0.5");
    row("ten views", 4, "a rotation by 90° takes 2.5 steps between views, no whole number");
    row("short scan", 1, "the views do not divide a whole turn into equal steps");
    row("one angle is off", 1, "the views do not divide a whole turn into equal steps");
    row("a view twice", 1, "the views do not divide a whole turn into equal steps");
    row("offset over half a turn", 1,
        "the detector is offset by -1.25 cells: rays taken from the other side do not fall onto "
        "rays");
    row("rows offset", 8,
        "the detector is offset by 0.5 cells along the axis: its mirror image does not fall onto "
        "rows");
    row("grid lifted", 8, "the grid's centre lies 2 mm along the axis from the source");
    row("helical", 1, "the source climbs 3 mm a turn: views do not map onto views");
    row("short scan, along the axis", 2, "the views do not divide a whole turn into equal steps");
  }
  void reasonsAreNamed() {
    QFETCH(QString, change);
    QFETCH(int, elements);
    QFETCH(QString, reason);
    ScanSpec fan = symmetric_spec(kinds[0], 12, 8, 1, 0.5),
             cone = symmetric_spec(kinds[4], 12, 8, 4, 0.5);
    VolumeGrid grid = square(6, 1), volume = square(6, 4);
    bool spatial = false;
    if (change == "not square") grid = VolumeGrid::centered(6, 5, 1, {1.7, 1.7, 1});
    if (change == "not square pixels") grid = VolumeGrid::centered(6, 6, 1, {1.7, 1.8, 1});
    if (change == "off the axis") grid.origin_mm = grid.origin_mm + Vec3{0.3, 0.2, 0};
    if (change == "off the axis along x") grid.origin_mm.x += 0.3;
    if (change == "a third of a step") fan = symmetric_spec(kinds[0], 12, 8, 1, 1.0 / 3);
    if (change == "ten views") fan = symmetric_spec(kinds[0], 10, 8, 1, 0.5);
    if (change.startsWith("short scan"))
      fan.view_angles_rad = cone.view_angles_rad = angles_from_degrees(0, 10, 21);
    if (change == "one angle is off") fan.view_angles_rad[4] += 1e-5;
    if (change == "a view twice") fan.view_angles_rad[4] = fan.view_angles_rad[3];
    if (change == "offset over half a turn") {
      fan = symmetric_spec(kinds[3], 12, 8, 1, 0.5);
      fan.central_column += 1.25;
    }
    if (change == "rows offset") cone.central_row -= 0.5, spatial = true;
    if (change == "grid lifted") volume.origin_mm.z += 2, spatial = true;
    if (change == "helical") {
      cone.trajectory = Trajectory::helical;
      cone.helical_feed_mm_per_turn = 3;
      spatial = true;
    }
    if (change == "short scan, along the axis") spatial = true;
    const ScanGeometry geometry(spatial ? cone : fan);
    const VolumeGrid& box = spatial ? volume : grid;
    const ScanSymmetry symmetry = analyse_symmetry(geometry, box);
    QCOMPARE(static_cast<int>(symmetry.elements().size()), elements);
    QCOMPARE(static_cast<int>(symmetry.elements().size() + symmetry.failures().size()),
             spatial ? 16 : 8);
    QVERIFY(std::ranges::any_of(symmetry.failures(), [&](const ScanSymmetry::Failure& failure) {
      return QString::fromStdString(failure.reason) == reason;
    }));
    // What is said to hold does hold.
    const Weights weights(geometry, box);
    int skipped = 0;
    for (const SymmetryElement& g : symmetry.elements())
      EXPECT_NEAR(weights.defect(symmetry, g, &skipped), 0, 1e-11);
  }

  void itIsSaidInALine() {
    const ScanGeometry geometry(symmetric_spec(kinds[1], 720, 8, 1, 0.5));
    QCOMPARE(describe(analyse_symmetry(geometry, square(8, 1))),
             std::string("8 of 8 elements hold; 90 of 720 views need storing"));
    QCOMPARE(describe(SymmetryElement{3, true, true}),
             std::string("mirror about y = x and along the axis"));
  }
};

GANTRY_TEST(TestSymmetry)
#include "test_symmetry.moc"
