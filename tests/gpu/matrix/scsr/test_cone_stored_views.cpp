// The stored stored views of a symmetric scan in space, its maps and runs made and followed on the
// host: products through them are those with all rows.
#include "core/base/error.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "gpu/matrix/scsr/cone_stored_views.hpp"
#include "tests/gpu/host_matrix.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/gpu/matrix/scsr/cone_symmetry_scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

struct Entry {
  std::uint32_t place;
  unsigned element;
  double weight;
};

/// As a device stores a line: sorted by element and place, cut into runs, and back.
std::vector<Entry> through_runs(std::vector<Entry> line) {
  std::ranges::sort(line, {}, [](const Entry& e) { return std::pair(e.element, e.place); });
  device::RunCutter cutter;
  std::vector<std::uint32_t> heads;
  std::vector<Entry> found;
  for (const Entry& e : line) {
    if (cutter.add(e.place, e.element)) heads.push_back(cutter.head);
    const std::uint32_t head = heads[static_cast<std::size_t>(cutter.runs) - 1];
    const auto step = static_cast<std::uint16_t>(e.place - (head >> 4U));
    found.push_back({(head >> 4U) + step, head & 15U, e.weight});
  }
  return found;
}

}  // namespace

class TestConeStoredViews : public QObject {
  Q_OBJECT

  std::vector<ConeScan> cones_ = cone_symmetry_scans();
  CpuBackend backend_;

  const ConeScan& cone() {
    QFETCH(int, scan);
    return cones_[static_cast<std::size_t>(scan)];
  }
  static ConeStoredViews stored_views_of(const ScanCase& c) {
    return {ScanSymmetry(*c.geometry, c.grid), *c.geometry, c.grid};
  }
  void add_cones() {
    std::vector<ScanCase> cases;
    for (const ConeScan& c : cones_) cases.push_back(c.scan);
    add_scan_rows(cases);
  }

 private slots:
  void everyRayIsMadeOnce_data() { add_cones(); }
  void everyRayIsMadeOnce() {
    const ScanCase& c = cone().scan;
    const ConeStoredViews stored = stored_views_of(c);
    QCOMPARE(stored.elements(), cone().elements);
    std::vector<int> times(c.geometry->cells() * static_cast<std::size_t>(c.geometry->views()), 0);
    for (std::int64_t r = 0; r < stored.rays.count(); ++r) {
      const auto [view, row, column] = stored.rays.place(r);
      QCOMPARE(stored.rays.number(view, row, column), r);
      QCOMPARE(stored.rays.block_of(r), view / device::views_of_block);
      for (int h = 0; h < stored.in_plane; ++h)
        for (const bool mirror : {false, true}) {
          const std::int64_t at = stored.rays.target(
              stored.image[static_cast<std::size_t>(8 * view + h)], row, column, mirror);
          if (at >= 0 && (stored.mirrored || !mirror)) ++times[static_cast<std::size_t>(at)];
        }
    }
    QCOMPARE(std::ranges::count(times, 1), std::ssize(times));
    // A sixteenth, and what is its own mirror.
    QVERIFY(stored.rays.count() * stored.elements() >= std::ssize(times));
  }

  void everyVoxelHasItsOrbit_data() { add_cones(); }
  void everyVoxelHasItsOrbit() {
    const ScanCase& c = cone().scan;
    const ConeStoredViews stored = stored_views_of(c);
    std::set<int> seen;
    bool fixed = false;
    for (std::int64_t orbit = 0; orbit < stored.orbits(); ++orbit)
      for (int e = 0; e < stored.elements(); ++e) {
        const int j = stored.voxel[static_cast<std::size_t>(orbit * stored.elements() + e)];
        QCOMPARE(std::int64_t{stored.code[static_cast<std::size_t>(j)] >> 4U}, orbit);
        if (!seen.insert(j).second) fixed = true;
      }
    QCOMPARE(seen.size(), c.grid.voxels());
    QCOMPARE(stored.has_fixed_voxels, fixed);
  }

  /// Both products by the formulas of scsr_cone_model.hpp.
  void isTheWholeMatrix_data() { add_cones(); }
  void isTheWholeMatrix() {
    const ScanCase& c = cone().scan;
    const auto A = make_distance_driven(backend_, c.geometry, c.grid, {});
    const ConeStoredViews stored = stored_views_of(c);
    const HostMatrix W(*A);
    const auto x = random_values(A->domain_size(), 1), y = random_values(A->range_size(), 2);
    const int mirrors = stored.mirrored ? 2 : 1;
    std::vector<double> rays(A->range_size(), 0), image(A->domain_size(), 0);
    std::vector<std::vector<Entry>> of_orbit(static_cast<std::size_t>(stored.orbits()));
    /// Value h e of what an orbit or a ray has.
    const auto product = [&](int h, unsigned e, int mirror) {
      const unsigned in_plane =
          device::product_of(stored.times[static_cast<std::size_t>(h)], e >> 1U);
      return static_cast<std::size_t>(in_plane) * static_cast<std::size_t>(mirrors) +
             ((static_cast<unsigned>(mirror) ^ e) & 1U);
    };
    const auto target = [&](std::int64_t r, int h, int mirror) {
      const auto [view, row, column] = stored.rays.place(r);
      return stored.rays.target(stored.image[static_cast<std::size_t>(8 * view + h)], row, column,
                                mirror == 1);
    };
    const auto voxels = static_cast<std::size_t>(stored.elements());
    for (std::int64_t r = 0; r < stored.rays.count(); ++r) {
      const auto [view, row, column] = stored.rays.place(r);
      const ViewCsr& rows =
          W.views[static_cast<std::size_t>(stored.views[static_cast<std::size_t>(view)])];
      const auto cell = static_cast<std::size_t>(row * stored.rays.columns + column);
      std::vector<Entry> line;
      for (auto k = rows.row_start[cell]; k < rows.row_start[cell + 1]; ++k) {
        const std::uint32_t code = stored.code[rows.column[k]];
        line.push_back({code >> 4U, code & 15U, rows.weight[k]});
      }
      for (const Entry& e : through_runs(line)) {
        of_orbit[e.place].push_back({static_cast<std::uint32_t>(r),
                                     stored.inverse[e.element >> 1U] << 1U | (e.element & 1U),
                                     e.weight});
        for (int h = 0; h < stored.in_plane; ++h)
          for (int mirror = 0; mirror < mirrors; ++mirror)
            if (const std::int64_t at = target(r, h, mirror); at >= 0)
              rays[static_cast<std::size_t>(at)] +=
                  e.weight * x[static_cast<std::size_t>(
                                 stored.voxel[e.place * voxels + product(h, e.element, mirror)])];
      }
    }
    for (std::size_t orbit = 0; orbit < of_orbit.size(); ++orbit)
      for (const Entry& e : through_runs(of_orbit[orbit]))
        for (int h = 0; h < stored.in_plane; ++h)
          for (int mirror = 0; mirror < mirrors; ++mirror) {
            const std::size_t from = product(h, e.element, mirror);
            const std::int64_t at =
                target(e.place, static_cast<int>(from) / mirrors, static_cast<int>(from) % mirrors);
            const std::size_t to = orbit * voxels + static_cast<std::size_t>(h * mirrors + mirror);
            if (at >= 0)
              image[static_cast<std::size_t>(stored.voxel[to])] +=
                  e.weight * y[static_cast<std::size_t>(at)];
          }
    const std::vector<float> found_rays(rays.begin(), rays.end()),
        found_image(image.begin(), image.end());
    QVERIFY(relative_rms(found_rays, W.forward(x, A->all())) < 1e-6);
    QVERIFY(relative_rms(found_image, W.adjoint(y, A->all())) < 1e-6);
  }

  void runsHoldWhatTheySay() {
    std::vector<Entry> line;
    for (std::uint32_t i = 0; i < 40; ++i) line.push_back({i * i * 173, i % 3, 1.0 + i});
    line.push_back({(1U << 28U) - 1, 15, 50});
    const auto found = through_runs(line);
    for (const Entry& e : line)
      QVERIFY(std::ranges::any_of(found, [&](const Entry& f) {
        return f.place == e.place && f.element == e.element && f.weight == e.weight;
      }));
    // A new one after 8 entries, for another element, and beyond 16 bits.
    device::RunCutter cutter;
    for (std::uint32_t i = 0; i < 8; ++i) QCOMPARE(cutter.add(5 + i, 2), i == 0);
    QVERIFY(cutter.add(13, 2) && cutter.add(13, 3) && !cutter.add(13 + 65535, 3));
    QVERIFY(cutter.add(14 + 65535, 3));
  }
};

GANTRY_TEST(TestConeStoredViews)
#include "test_cone_stored_views.moc"
