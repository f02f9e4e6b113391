// Scans and grids of half the resolution: the same rays and the same region.
#include "core/geometry/coarsening.hpp"
#include "core/geometry/poses.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCoarsening : public QObject {
  Q_OBJECT

  static void expect_near(const Vec3& a, const Vec3& b) {
    EXPECT_NEAR(a.x, b.x, 1e-9);
    EXPECT_NEAR(a.y, b.y, 1e-9);
    EXPECT_NEAR(a.z, b.z, 1e-9);
  }

 private slots:
  /// The middle of a binned cell is the middle of its group, on every kind of scan.
  void aBinnedCellIsItsGroup() {
    ScanSpec arc = fan_spec(5, 24, 4);
    arc.detector = DetectorShape::arc;
    ScanSpec cone = cone_spec();
    cone.central_column += 1.3;
    cone.central_row -= 0.4;
    for (const ScanSpec& spec : {fan_spec(5, 24, 4), arc, cone, as_poses(cone)}) {
      const CellBinning binning = binning_for_double_voxels(spec);
      QCOMPARE(binning, (CellBinning{2, spec.beam == Beam::cone ? 2 : 1}));
      const ScanGeometry fine(spec), binned(with_binned_cells(spec, binning));
      QCOMPARE(binned.columns(), fine.columns() / 2);
      QCOMPARE(binned.rows(), fine.rows() / binning.rows);
      for (const int view : {0, 2})
        for (int row = 0; row < binned.rows(); ++row)
          for (const int column : {0, 3, binned.columns() - 1})
            expect_near(ViewRays(binned, view).detector_point_mm(column, row),
                        ViewRays(fine, view)
                            .detector_point_mm(2 * column + 0.5, binning.rows * (row + 0.5) - 0.5));
    }
  }

  void oddNumbersOfCellsRemain() {
    ScanSpec spec = cone_spec();
    spec.detector_columns = 21;
    QCOMPARE(binning_for_double_voxels(spec), (CellBinning{1, 2}));
    spec.detector_rows = 1;
    const CellBinning none = binning_for_double_voxels(spec);
    QCOMPARE(none, (CellBinning{1, 1}));
    QCOMPARE(with_binned_cells(spec, none), spec);
  }

  void valuesAreMeansOfGroups() {
    ScanSpec spec = cone_spec();
    spec.detector_columns = 4;
    spec.detector_rows = 2;
    const std::vector<float> values = {0, 1,  2,  3,  10, 11, 12, 13,    // view 0: two rows
                                       4, 40, 60, 80, 0,  0,  -4, 100};  // view 1
    const std::vector<float> both = {5.5, 7.5, 11, 59},
                             columns = {0.5, 2.5, 10.5, 12.5, 22, 70, 0, 48};
    QCOMPARE(bin_cells(values, spec, {2, 2}), both);
    QCOMPARE(bin_cells(values, spec, {2, 1}), columns);
    QCOMPARE(bin_cells(values, spec, {1, 1}), values);
  }

  void doubleVoxelsSpanTheGrid() {
    VolumeGrid grid = VolumeGrid::centered(16, 24, 6, {2, 3, 5});
    grid.origin_mm.x += 7;
    const VolumeGrid even = with_double_voxels(grid, true);
    QCOMPARE(even.nx, 8);
    QCOMPARE(even.ny, 12);
    QCOMPARE(even.nz, 3);
    expect_near(even.lower_corner_mm(), grid.lower_corner_mm());
    expect_near(even.upper_corner_mm(), grid.upper_corner_mm());
    const VolumeGrid stack = with_double_voxels(grid, false);
    QCOMPARE(stack.nz, 6);
    EXPECT_NEAR(stack.spacing_mm.z, 5, 0);
    grid.nx = 15;
    const VolumeGrid odd = with_double_voxels(grid, true);
    QCOMPARE(odd.nx, 8);
    expect_near(odd.lower_corner_mm(), grid.lower_corner_mm());
    EXPECT_NEAR(odd.upper_corner_mm().x, grid.upper_corner_mm().x + 2, 1e-9);
    grid.nz = 1;
    EXPECT_NEAR(with_double_voxels(grid, true).spacing_mm.z, 5, 0);
  }
};

GANTRY_TEST(TestCoarsening)
#include "test_coarsening.moc"
