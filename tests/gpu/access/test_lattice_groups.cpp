// The groups of threads of a lattice hold every voxel of the lattice once, whatever its size.
#include "gpu/access/lattice.hpp"
#include "tests/support/test_program.hpp"

#include <QTest>

#include <vector>

using namespace gantry;

class TestLatticeGroups : public QObject {
  Q_OBJECT

  template <int Deep>
  static void check(const VolumeGrid& grid, const VoxelLattice& voxels, int tile_across) {
    const device::Lattice lattice = lattice_on(voxels, grid, tile_across);
    std::vector<int> visits(grid.voxels());
    const std::int64_t groups = device::lattice_groups<Deep>(lattice);
    QCOMPARE(groups % device::groups_of_tile, 0);
    for (std::int64_t group = 0; group < groups; ++group) {
      const device::LatticeVoxels held = device::lattice_voxels<Deep>(lattice, group);
      QVERIFY(held.count <= Deep);
      for (int k = 0; k < held.count; ++k) {
        QCOMPARE(held.index(k), grid.index(held.ix, held.iy, held.iz + k * held.step));
        ++visits[held.index(k)];
      }
    }
    for (int z = 0; z < grid.nz; ++z)
      for (int y = 0; y < grid.ny; ++y)
        for (int x = 0; x < grid.nx; ++x) {
          const auto is_on = [&](std::size_t axis, int i) {
            return i >= voxels.first[axis] && (i - voxels.first[axis]) % voxels.stride[axis] == 0;
          };
          QCOMPARE(visits[grid.index(x, y, z)], is_on(0, x) && is_on(1, y) && is_on(2, z) ? 1 : 0);
        }
    // Beyond the last tile there is nothing, for the threads that fill up a block.
    QCOMPARE(device::lattice_voxels<Deep>(lattice, groups).count, 0);
  }

 private slots:
  void everyVoxelOnce_data() {
    QTest::addColumn<int>("tile_across");
    QTest::newRow("blocks") << device::block_tile;
    QTest::newRow("rows") << device::row_tile;
  }
  void everyVoxelOnce() {
    QFETCH(int, tile_across);
    const VoxelLattice all, even{{0, 0, 0}, {2, 2, 2}}, odd{{1, 2, 0}, {3, 3, 1}},
        last{{4, 0, 2}, {5, 1, 7}};
    for (const VolumeGrid& grid :
         {VolumeGrid::centered(16, 8, 4, {1, 1, 1}), VolumeGrid::centered(37, 11, 9, {1, 1, 1}),
          VolumeGrid::centered(5, 3, 1, {1, 1, 1}), VolumeGrid::centered(1, 70, 33, {1, 1, 1})})
      for (const VoxelLattice& voxels : {all, even, odd, last}) {
        if (voxels.voxels(grid) == 0) continue;  // nothing is launched
        check<1>(grid, voxels, tile_across);
        check<4>(grid, voxels, tile_across);
        check<16>(grid, voxels, tile_across);
      }
  }
};

GANTRY_TEST(TestLatticeGroups)
#include "test_lattice_groups.moc"
