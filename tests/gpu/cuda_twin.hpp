#pragma once

// What the CUDA twin of a projector promises, on every scan that the CPU's takes: the CPU's
// products, those of the single weights in float64, and a pair. Skipped without a device.
#include "core/backend/backend_list.hpp"
#include "core/catalog.hpp"
#include "gpu/catalog_gpu.hpp"
#include "tests/gpu/host_model.hpp"

namespace gantry::test {

class CudaTwin {
 public:
  explicit CudaTwin(std::string key) : key_(std::move(key)) {
    add_core(catalog);
    add_gpu(catalog, backends_);
    for (const ScanCase& c : scan_cases()) add(c);
    for (const ScanCase& c : pose_cases()) add(c);
  }

  /// Null where there is no device.
  Backend* device() {
    for (const auto& entry : backends_.entries())
      if (entry.key == "cuda" && entry.backend != nullptr) return entry.backend.get();
    return nullptr;
  }
  std::unique_ptr<Projector> on_cpu(const ScanCase& c) {
    return catalog.projectors.make(key_, "cpu", cpu, c.geometry, c.grid, {});
  }
  std::unique_ptr<Projector> on_device(const ScanCase& c) {
    return catalog.projectors.make(key_, "cuda", *device(), c.geometry, c.grid, {});
  }

  /// Rays along grid planes may count in either neighbour.
  static bool ambiguous(const ScanCase& c) { return c.name.find("diagonals") != std::string::npos; }

  void agreesWithTheCpu(const ScanCase& c, double tolerance) {
    const auto A = on_cpu(c), B = on_device(c);
    const auto x = random_values(A->domain_size(), 21), y = random_values(A->range_size(), 22);
    Array Ax(cpu, A->range_size()), Aty(cpu, A->domain_size());
    Array Bx = Array::filled(*device(), A->range_size(), std::nanf("")),
          Bty = Array::filled(*device(), A->domain_size(), std::nanf(""));
    A->forward(Array::from(cpu, x), Ax);
    A->adjoint(Array::from(cpu, y), Aty);
    B->forward(Array::from(*device(), x), Bx);
    B->adjoint(Array::from(*device(), y), Bty);
    if (ambiguous(c)) return;
    const double rays = relative_rms(Bx.to_host(), Ax.host()),
                 image = relative_rms(Bty.to_host(), Aty.host());
    QVERIFY2(rays <= tolerance, qPrintable(QStringLiteral("rays off by %1").arg(rays)));
    QVERIFY2(image <= tolerance, qPrintable(QStringLiteral("image off by %1").arg(image)));
  }

  void agreesWithTheSingleWeights(const ScanCase& c) {
    const auto B = on_device(c);
    if (B->row_source() == nullptr || ambiguous(c)) return;
    const auto x = random_values(B->domain_size(), 23);
    Array Bx(*device(), B->range_size());
    B->forward(Array::from(*device(), x), Bx);
    std::vector<float> expected;
    RowWeights weights;
    for (int v = 0; v < B->views(); ++v) {
      const auto view = B->row_source()->view_rows(v);
      for (int row = 0; row < B->geometry().rows(); ++row)
        for (int column = 0; column < B->geometry().columns(); ++column) {
          view->weights(column, row, weights);
          double sum = 0;
          for (std::size_t k = 0; k < weights.size(); ++k)
            sum += weights.weight[k] * static_cast<double>(x[weights.voxel[k]]);
          expected.push_back(static_cast<float>(sum));
        }
    }
    const double off = relative_rms(Bx.to_host(), expected);
    QVERIFY2(off <= 1e-5, qPrintable(QString::number(off)));
  }

  void isAPair(const ScanCase& c) {
    const auto B = on_device(c);
    if (!B->matched()) return;
    const Array x = Array::from(*device(), random_values(B->domain_size(), 24)),
                y = Array::from(*device(), random_values(B->range_size(), 25));
    Array Bx(*device(), B->range_size()), Bty(*device(), B->domain_size());
    B->forward(x, Bx);
    B->adjoint(y, Bty);
    const double scale = std::sqrt(device()->dot(Bx, Bx)) * std::sqrt(device()->dot(y, y));
    EXPECT_NEAR(device()->dot(Bx, y), device()->dot(x, Bty), 1e-6 * scale);
  }

  void subsetsMakeUpTheWhole(const ScanCase& c) {
    const auto B = on_device(c);
    const Array x = Array::from(*device(), random_values(B->domain_size(), 26)),
                y = Array::from(*device(), random_values(B->range_size(), 27));
    Array whole(*device(), B->range_size()), whole_image(*device(), B->domain_size());
    Array parts = Array::filled(*device(), B->range_size(), -7), part(*device(), B->domain_size()),
          sum = Array::filled(*device(), B->domain_size(), 0);
    B->forward(x, whole);
    B->adjoint(y, whole_image);
    const int subsets = std::min(3, B->views());
    for (int s = 0; s < subsets; ++s) {
      const ViewSubset views = ViewSubset::interleaved(s, subsets, B->views());
      B->forward(x, parts, views);
      B->adjoint(y, part, views);
      device()->axpby(1, part, 1, sum);
    }
    QVERIFY(relative_rms(parts.to_host(), whole.to_host()) <= 1e-6);
    QVERIFY(relative_rms(sum.to_host(), whole_image.to_host()) <= 2e-6);
  }

  std::vector<ScanCase> cases;
  CpuBackend cpu;
  Catalog catalog;

 private:
  /// The scans that the CPU's takes.
  void add(const ScanCase& c) {
    try {
      on_cpu(c);
      cases.push_back(c);
    } catch (const UsageError&) {
    }
  }

  std::string key_;
  BackendList backends_;
};

}  // namespace gantry::test
