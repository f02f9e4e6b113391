// Rows and columns of matrices as a device builds them, their arithmetic run on the host, against
// the single weights of the CPU's projectors.
#include "core/projectors/area/area_integral.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "gpu/matrix/rows/row_tables.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/gpu/symmetric_scans.hpp"
#include "tests/support/test_program.hpp"

#include <limits>
#include <map>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

using Row = std::map<std::size_t, double>;

/// In pixels' diagonals. Weights below it may be in one of two rows alone.
constexpr double negligible = 1e-9;

std::vector<int> every_view(const ScanCase& c) {
  std::vector<int> views(static_cast<std::size_t>(c.geometry->views()));
  std::iota(views.begin(), views.end(), 0);
  return views;
}

/// How far two rows are apart at most; a weight that is not positive counts as infinitely far.
double farthest(const Row& found, const Row& expected, double unit) {
  double most = 0;
  const auto compare = [&](const Row& row, const Row& other) {
    for (const auto& [j, weight] : row) {
      const auto entry = other.find(j);
      const double there = entry == other.end() ? 0.0 : entry->second;
      most = std::max(most, std::abs(weight - there) / unit);
      if (!(weight > 0)) most = std::numeric_limits<double>::infinity();
    }
  };
  compare(found, expected);
  compare(expected, found);
  return most;
}

template <class Model>
void compare_rows(const Model& model, const Projector& A, double unit) {
  RowWeights weights;
  for (int v = 0; v < A.views(); ++v) {
    const auto rows = A.row_source()->view_rows(v);
    for (int c = 0; c < A.geometry().columns(); ++c) {
      rows->weights(c, 0, weights);
      Row expected, found;
      for (std::size_t k = 0; k < weights.size(); ++k)
        expected[weights.voxel[k]] = weights.weight[k];
      device::visit_block(model.row(v, c), 0, A.grid().nx - 1, 0, A.grid().ny - 1,
                          [&](int x, int y, double w) { found[A.grid().index(x, y, 0)] += w; });
      const double difference = farthest(found, expected, unit);
      if (difference <= negligible) continue;
      QFAIL(qPrintable(QString::number(difference)));
    }
  }
}

using Entries = std::vector<std::pair<std::size_t, double>>;

/// What blocks and columns have is what the rows have, to the bit.
template <class Model>
void compare_parts(const Model& model, const VolumeGrid& grid) {
  const int columns = model.scan.columns(), rays = model.scan.views * columns;
  std::vector<Entries> rows(static_cast<std::size_t>(rays)), blocks(rows), turned(rows),
      paired(rows);
  const auto into = [&](std::vector<Entries>& list, int ray) {
    return [&list, &grid, ray](int x, int y, double w) {
      list[static_cast<std::size_t>(ray)].emplace_back(grid.index(x, y, 0), w);
    };
  };
  for (int ray = 0; ray < rays; ++ray)
    device::visit_block(model.row(ray / columns, ray % columns), 0, grid.nx - 1, 0, grid.ny - 1,
                        into(rows, ray));
  constexpr int size = 7;
  for (int y = 0; y < grid.ny; y += size)
    for (int x = 0; x < grid.nx; x += size)
      for (int v = 0; v < model.scan.views; ++v) {
        const int right = std::min(x + size, grid.nx) - 1, top = std::min(y + size, grid.ny) - 1;
        const device::ColumnRange seen = model.scan.seen_by(v, x, right, y, top);
        for (int c = seen.first; c <= seen.last; ++c)
          device::visit_block(model.row(v, c), x, right, y, top, into(blocks, v * columns + c));
      }
  bool ascend = true;
  for (int y = 0; y < grid.ny; ++y)
    for (int x = 0; x < grid.nx; ++x) {
      int before = -1;
      device::visit_pixel(model, x, y, [&](int ray, double w) {
        ascend = ascend && ray > before;
        before = ray;
        into(turned, ray)(x, y, w);
      });
    }
  for (int y = 0; y + 1 < grid.ny; y += 2)
    for (int x = 0; x < grid.nx; ++x) {
      int before = -1;
      device::visit_pair(model, {x, y, x, y + 1}, [&](int ray, double w, double next) {
        ascend = ascend && ray > before;
        before = ray;
        if (w > 0) into(paired, ray)(x, y, w);
        if (next > 0) into(paired, ray)(x, y + 1, next);
      });
    }
  if (grid.ny % 2 == 1)  // the last line has no next
    for (int x = 0; x < grid.nx; ++x)
      device::visit_pixel(model, x, grid.ny - 1,
                          [&](int ray, double w) { into(paired, ray)(x, grid.ny - 1, w); });
  for (auto* list : {&rows, &blocks, &turned, &paired})
    for (Entries& row : *list) std::ranges::sort(row);
  QVERIFY2(ascend, "rows of a column do not ascend");
  QVERIFY(blocks == rows);
  QVERIFY(turned == rows);
  QVERIFY(paired == rows);
}

}  // namespace

class TestRowModels : public QObject {
  Q_OBJECT

  std::vector<ScanCase> cases_ = planar_of({scan_cases(), odd_sizes(), symmetric_cases()});
  CpuBackend backend_;

  template <class Model>
  void compare(const Model& model, const Projector& A, double unit, const ScanCase& c) {
    compare_rows(model, A, unit);
    if (!QTest::currentTestFailed()) compare_parts(model, c.grid);
  }

 private slots:
  void isTheAreaIntegral_data() { add_scan_rows(cases_); }
  void isTheAreaIntegral() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    for (const bool area : {false, true}) {
      Params params;
      params.set("normalisation", std::string(area ? "area" : "length"));
      const auto A = make_area_integral(backend_, c.geometry, c.grid, params);
      QCOMPARE(definition_of(*A->row_source()),
               area ? RowDefinition::area : RowDefinition::area_length);
      const AreaRowTables tables(*c.geometry, c.grid, every_view(c),
                                 area ? AreaWeights::area : AreaWeights::length);
      compare(tables.model, *A, area ? 1 : norm(c.grid.spacing_mm), c);
    }
  }

  void isSiddons_data() { add_scan_rows(cases_); }
  void isSiddons() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto A = make_siddon(backend_, c.geometry, c.grid, {});
    QCOMPARE(definition_of(*A->row_source()), RowDefinition::siddon);
    const IntervalRowTables tables(*c.geometry, c.grid, every_view(c), RowDefinition::siddon);
    compare(tables.model, *A, norm(c.grid.spacing_mm), c);
  }

  void isDistanceDriven_data() { add_scan_rows(cases_); }
  void isDistanceDriven() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto A = make_distance_driven(backend_, c.geometry, c.grid, {});
    QCOMPARE(definition_of(*A->row_source()), RowDefinition::distance_driven);
    const IntervalRowTables tables(*c.geometry, c.grid, every_view(c),
                                   RowDefinition::distance_driven);
    compare(tables.model, *A, norm(c.grid.spacing_mm), c);
  }
};

GANTRY_TEST(TestRowModels)
#include "test_row_models.moc"
