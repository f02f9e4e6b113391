// The single rows and columns that the GPU's projectors give (gpu/access), computed on the host by
// the same functions: against the CPU's single weights.
#include "core/backend/cpu_backend.hpp"
#include "core/projectors/separable_footprint/sf_rows.hpp"
#include "core/projectors/siddon_joseph/joseph_trace.hpp"
#include "core/projectors/siddon_joseph/siddon_trace.hpp"
#include "core/projectors/siddon_joseph/traced.hpp"
#include "gpu/projectors/separable_footprint/sf_tables.hpp"
#include "gpu/projectors/siddon_joseph/trace_tables.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace gantry;
using namespace gantry::test;

namespace {

using Weights = std::map<std::pair<std::size_t, std::size_t>, double>;  // by ray and voxel

Weights weights_of(const RowSource& rows, const ScanCase& c) {
  Weights weights;
  RowWeights row;
  std::size_t ray = 0;
  for (int v = 0; v < c.geometry->views(); ++v) {
    const auto view = rows.view_rows(v);
    for (int r = 0; r < c.geometry->rows(); ++r)
      for (int column = 0; column < c.geometry->columns(); ++column, ++ray) {
        view->weights(column, r, row);
        for (std::size_t k = 0; k < row.size(); ++k) weights[{ray, row.voxel[k]}] += row.weight[k];
      }
  }
  return weights;
}

/// Checks the root mean square of the differences, relative to that of the weights.
void compare(const Weights& found, const Weights& expected) {
  double difference = 0, size = 0;
  for (const auto& [place, weight] : expected) {
    const auto other = found.find(place);
    const double d = weight - (other == found.end() ? 0 : other->second);
    difference += d * d;
    size += weight * weight;
  }
  for (const auto& [place, weight] : found)
    if (!expected.contains(place)) difference += weight * weight;
  const double relative = size > 0 ? std::sqrt(difference / size) : std::sqrt(difference);
  QVERIFY2(relative <= 2e-5, qPrintable(QString::number(relative)));
}

/// Rows and columns of a model, with the rows' layers divided among one lane or several.
template <class Model>
void check(const Model& model, const RowSource& source, const ScanCase& c) {
  const Weights expected = weights_of(source, c);
  for (const int lanes : {1, 5}) {
    Weights rows;
    for (std::size_t ray = 0; ray < c.geometry->rays(); ++ray)
      for (int lane = 0; lane < lanes; ++lane)
        model.visit_row(static_cast<std::uint32_t>(ray), lane, lanes,
                        [&](std::size_t voxel, float weight) {
                          rows[{ray, voxel}] += static_cast<double>(weight);
                        });
    compare(rows, expected);
  }
  Weights columns;
  QCOMPARE(model.views(), c.geometry->views());
  constexpr int deep = 3;
  for (int v = 0; v < model.views(); ++v)
    for (int first = 0; first < c.grid.nz; first += 2 * deep)
      for (int iz = first; iz < std::min(c.grid.nz, first + 2); ++iz)  // every second voxel
        for (int iy = 0; iy < c.grid.ny; ++iy)
          for (int ix = 0; ix < c.grid.nx; ++ix) {
            const int count = std::min(deep, (c.grid.nz - iz + 1) / 2);
            model.template visit_columns<deep>(
                ix, iy, iz, 2, count, v, [&](int k, std::size_t ray, float weight) {
                  columns[{ray, c.grid.index(ix, iy, iz + 2 * k)}] += static_cast<double>(weight);
                });
          }
  compare(columns, expected);
}

std::vector<ScanCase> all_cases() {
  std::vector<ScanCase> cases = scan_cases(), free = pose_cases();
  cases.insert(cases.end(), free.begin(), free.end());
  return cases;
}

}  // namespace

class TestWeightModels : public QObject {
  Q_OBJECT
  std::vector<ScanCase> cases_ = all_cases();

  /// Where rays run along the faces of voxels, rounding assigns them to either side.
  void rows(bool poses) {
    QTest::addColumn<int>("scan");
    for (std::size_t i = 0; i < cases_.size(); ++i)
      if ((poses || cases_[i].geometry->rotates()) &&
          cases_[i].name.find("diagonals") == std::string::npos)
        QTest::addRow("%s", cases_[i].name.c_str()) << static_cast<int>(i);
  }
  const ScanCase& scan() {
    QFETCH(int, scan);
    return cases_[static_cast<std::size_t>(scan)];
  }

 private slots:
  void separableFootprint_data() { rows(false); }
  void separableFootprint() {
    const ScanCase& c = scan();
    const SfTables tables(*c.geometry, c.grid);
    check(device::SfWeights{tables.scan, tables.planar ? 1 : 0}, *make_sf_rows(c.geometry, c.grid),
          c);
  }

  void siddon_data() { rows(true); }
  void siddon() {
    const ScanCase& c = scan();
    const TraceTables tables(*c.geometry, c.grid);
    check(device::TraceWeights<device::RayWeighting::crossing>{tables.scan},
          TracedRows<SiddonTrace>(c.geometry, c.grid), c);
  }

  void joseph_data() { rows(true); }
  void joseph() {
    const ScanCase& c = scan();
    const TraceTables tables(*c.geometry, c.grid);
    check(device::TraceWeights<device::RayWeighting::interpolated>{tables.scan},
          TracedRows<JosephTrace>(c.geometry, c.grid), c);
  }
};

GANTRY_TEST(TestWeightModels)
#include "test_weight_models.moc"
