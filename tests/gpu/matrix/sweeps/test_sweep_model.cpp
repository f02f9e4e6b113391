// The arithmetic of a device's SART sweeps over stored weights, run on the host, against the
// solvers of the CPU.
#include "core/catalog/catalog.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "core/solvers/view_order.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

struct HostCsr {
  std::vector<std::int64_t> start{0};
  std::vector<int> index;
  std::vector<float> weight;

  device::CsrSweepRows lines() const { return {{start.data(), index.data(), weight.data()}}; }
};

HostCsr rows_of(const Projector& A) {
  HostCsr rows;
  for (int v = 0; v < A.views(); ++v) {
    const ViewCsr view = view_csr(A, v);
    for (std::size_t cell = 0; cell < A.cells_per_view(); ++cell)
      rows.start.push_back(rows.start.back() + view.row_start[cell + 1] - view.row_start[cell]);
    rows.index.insert(rows.index.end(), view.column.begin(), view.column.end());
    rows.weight.insert(rows.weight.end(), view.weight.begin(), view.weight.end());
  }
  return rows;
}

HostCsr transposed(const HostCsr& rows, std::size_t columns) {
  std::vector<std::vector<std::pair<int, float>>> lists(columns);
  for (std::size_t i = 0; i + 1 < rows.start.size(); ++i)
    for (auto p = static_cast<std::size_t>(rows.start[i]);
         p < static_cast<std::size_t>(rows.start[i + 1]); ++p)
      lists[static_cast<std::size_t>(rows.index[p])].emplace_back(static_cast<int>(i),
                                                                  rows.weight[p]);
  HostCsr out;
  for (const auto& list : lists) {
    for (const auto& [row, weight] : list) {
      out.index.push_back(row);
      out.weight.push_back(weight);
    }
    out.start.push_back(static_cast<std::int64_t>(out.index.size()));
  }
  return out;
}

/// SART as the kernels make it, one thread after the other.
class HostSweep {
 public:
  HostSweep(const Projector& A, const Array& b)
      : views_(A.views()),
        cells_(static_cast<int>(A.cells_per_view())),
        voxels_(static_cast<std::int64_t>(A.domain_size())),
        rows_(rows_of(A)),
        columns_(transposed(rows_, A.domain_size())),
        first_(static_cast<std::size_t>(voxels_) * static_cast<std::size_t>(views_ + 1), 12345),
        b_(b.to_host()),
        r_(b_.size()),
        x(A.domain_size()) {
    for (std::int64_t place = 0; place < voxels_; ++place)
      device::find_view_starts(columns_.lines(), place, voxels_, views_, cells_, first_.data());
    double total = 0;
    for (const float weight : rows_.weight) total += weight;
    for (std::size_t i = 0; i < r_.size(); ++i) {
      double sum = 0;
      for (auto p = static_cast<std::size_t>(rows_.start[i]);
           p < static_cast<std::size_t>(rows_.start[i + 1]); ++p)
        sum += rows_.weight[p];
      row_weight_.push_back(
          sum > 1e-5 * total / static_cast<double>(r_.size()) ? static_cast<float>(1 / sum) : 0);
    }
    mean_column_sum_ = total / static_cast<double>(voxels_);
  }

  UpdateNorms step(int index, int subsets, float relaxation, float low) {
    const ViewSubset subset = ViewSubset::interleaved(index, subsets, views_);
    const device::ViewRange views{subset.first, subset.stride, subset.count, cells_};
    const device::SweepData data{x.data(),
                                 b_.data(),
                                 row_weight_.data(),
                                 r_.data(),
                                 relaxation,
                                 low,
                                 static_cast<float>(1e-5 * mean_column_sum_ / subsets),
                                 0};
    UpdateNorms norms;
    for (std::int64_t nth = 0; nth < views.rows(); ++nth) {
      const auto line = rows_.lines().line(views.row(nth));
      float sum = 0;
      for (int e = 0; e < line.length; ++e)
        sum += line.entry(e).weight * x[static_cast<std::size_t>(line.entry(e).index)];
      norms.residual_square +=
          device::store_residual(data, line.row, device::swept_ray(data, line.row), sum);
    }
    for (std::int64_t place = 0; place < voxels_; ++place)
      norms.update_square += device::sweep_voxel(data, columns_.lines().line(place), first_.data(),
                                                 place, voxels_, views, [] {});
    return norms;
  }

 private:
  int views_, cells_;
  std::int64_t voxels_;
  HostCsr rows_, columns_;
  std::vector<device::ViewStart> first_;
  std::vector<float> row_weight_, b_, r_;
  double mean_column_sum_ = 0;

 public:
  std::vector<float> x;
};

}  // namespace

class TestSweepModel : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  std::vector<ScanCase> cases_ = planar_of({scan_cases(), odd_sizes()});

 private slots:
  void initTestCase() { add_core(catalog_); }

  void sweepsAsTheCpusSolvers_data() {
    add_scan_rows(cases_, [](const ScanCase& c) { return c.geometry->views() >= 2; });
  }
  void sweepsAsTheCpusSolvers() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto weights =
        catalog_.projectors.make("distance_driven", "cpu", backend_, c.geometry, c.grid, {});
    const StoredMatrix A(
        catalog_.projectors.make("distance_driven", "cpu", backend_, c.geometry, c.grid, {}),
        catalog_.matrix_formats.make("csr", "cpu", {}));
    const Array b = Array::from(backend_, random_values(A.range_size(), 91, -1, 3));
    const double length = std::sqrt(backend_.dot(b, b));
    for (const int subsets : {A.views(), std::max(2, A.views() / 4)}) {
      for (const bool nonnegative : {true, false}) {
        const auto solver = catalog_.solvers.make("os_sart", "cpu",
                                                  {{"subsets", std::int64_t{subsets}},
                                                   {"order", std::string("random")},
                                                   {"nonnegative", nonnegative},
                                                   {"relaxation", 0.8}});
        solver->init({&A, &b, nullptr});
        HostSweep sweep(*weights, b);
        const float low = nonnegative ? 0 : -std::numeric_limits<float>::infinity();
        for (int iteration = 0; iteration < 3; ++iteration)
          for (const int index : visiting_order(ViewOrder::random, subsets, 1, iteration)) {
            const StepReport report = solver->step();
            const UpdateNorms norms = sweep.step(index, subsets, 0.8F, low);
            const double of_image = std::sqrt(dot(sweep.x, sweep.x));
            EXPECT_NEAR(std::sqrt(norms.residual_square), report.residual_norm,
                        1e-5 * report.residual_norm + 1e-6 * length);
            EXPECT_NEAR(std::sqrt(norms.update_square), report.update_norm,
                        1e-4 * report.update_norm + 1e-6 * of_image);
          }
        const double error = relative_rms(sweep.x, solver->solution().host());
        QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
      }
    }
  }
};

GANTRY_TEST(TestSweepModel)
#include "test_sweep_model.moc"
