// More than 2^31 voxels and rays: what lies behind that number is computed as it is alone, directly
// and streamed. Takes some 40 GB of a GPU and 30 GB of the host; skips where they are not.
#include "core/streaming/scan_parts.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr std::size_t many = std::size_t{1} << 31U;

ScanSpec cone(int views, int columns, int rows, double pitch_mm) {
  ScanSpec spec = fan_spec(views, columns, pitch_mm);
  spec.beam = Beam::cone;
  spec.detector_rows = rows;
  spec.row_pitch_mm = pitch_mm;
  spec.central_row = 0.5 * (rows - 1) + 0.25;
  return spec;
}

}  // namespace

class TestCudaCounts : public QObject {
  Q_OBJECT
  Catalog catalog_;
  BackendList backends_;
  CudaBackend* cuda_ = nullptr;
  Backend* host_ = nullptr;

  std::unique_ptr<Projector> make(const std::string& key, std::shared_ptr<const ScanGeometry> scan,
                                  const VolumeGrid& grid) {
    return catalog_.projectors.make(key, "cuda", *cuda_, std::move(scan), grid, {});
  }
  std::vector<float> read(const Array& array, std::size_t first, std::size_t count) const {
    std::vector<float> values(count);
    cuda_->download(array.data() + first, values.data(), count);
    return values;
  }
  void rows() {
    QTest::addColumn<QString>("key");
    for (const char* key : {"distance_driven", "separable_footprint", "joseph", "siddon"})
      if (catalog_.projectors.has(key, "cuda")) QTest::addRow("%s", key) << QString(key);
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    backends_.add("cpu", std::make_unique<CpuBackend>());
    add_gpu(catalog_, backends_);
    for (const auto& entry : backends_.entries()) {
      if (entry.key == "cuda") cuda_ = dynamic_cast<CudaBackend*>(entry.backend->get());
      if (entry.key == "cuda-stream") host_ = entry.backend->get();
    }
    if (cuda_ == nullptr) QSKIP("no CUDA device");
    if (cuda_->free_bytes() < 45'000'000'000) QSKIP("not enough memory on the GPU");
    if (host_->free_bytes() < 32'000'000'000) QSKIP("not enough memory on the host");
  }
  void cleanup() {
    if (cuda_ != nullptr) cuda_->limit_memory(std::numeric_limits<std::size_t>::max());
  }

  void manyVoxels_data() { rows(); }
  void manyVoxels() {
    QFETCH(QString, key);
    const auto scan = share(cone(4, 96, 640, 0.5));
    // The top 50 slices lie behind voxel 2^31.
    const VolumeGrid grid = VolumeGrid::centered(1200, 1200, 1560, {0.05, 0.05, 0.05});
    VolumeGrid top = grid;
    top.nz = 50;
    top.origin_mm.z += (grid.nz - top.nz) * grid.spacing_mm.z;
    const std::size_t first = grid.voxels() - top.voxels();
    QVERIFY(first > many);
    const auto A = make(key.toStdString(), scan, grid), B = make(key.toStdString(), scan, top);
    const std::vector<float> values = random_values(top.voxels(), 71);
    std::vector<float> whole, alone;
    {
      Array x = Array::filled(*cuda_, grid.voxels(), 0), y(*cuda_, scan->rays());
      cuda_->upload(values.data(), x.data() + first, values.size());
      A->forward(x, y);
      whole = y.to_host();
      B->forward(Array::from(*cuda_, values), y);
      alone = y.to_host();
    }
    QVERIFY(relative_rms(whole, std::vector<float>(whole.size(), 0)) > 0);
    EXPECT_NEAR(relative_rms(whole, alone), 0, 1e-4);
    const Array y = Array::from(*cuda_, random_values(scan->rays(), 72));
    Array x(*cuda_, grid.voxels()), part(*cuda_, top.voxels());
    A->adjoint(y, x);
    B->adjoint(y, part);
    // Places among 1560 slices are rounded to a ten thousandth of one.
    EXPECT_NEAR(relative_rms(read(x, first, top.voxels()), part.to_host()), 0, 3e-4);
  }

  void manyRays_data() { rows(); }
  void manyRays() {
    QFETCH(QString, key);
    try {
      compareManyRays(key.toStdString());
    } catch (const std::exception& error) {
      QFAIL(error.what());
    }
  }
  void compareManyRays(const std::string& key) {
    const ScanSpec spec = cone(540, 2048, 2048, 0.05);
    const auto scan = share(spec);
    const VolumeGrid grid = VolumeGrid::centered(64, 60, 68, {0.45, 0.45, 0.45});
    const int last = scan->views() - 1;
    const std::size_t first = static_cast<std::size_t>(last) * scan->cells();
    QVERIFY(first > many);
    const std::vector<int> views{last};
    const auto one = part_of_scan(*scan, views, {0, scan->rows()});
    const auto A = make(key, scan, grid), B = make(key, one, grid);
    const Array x = Array::from(*cuda_, random_values(grid.voxels(), 73));
    Array y(*cuda_, scan->rays()), z(*cuda_, one->rays());
    A->forward(x, y);
    B->forward(x, z);
    EXPECT_NEAR(relative_rms(read(y, first, one->rays()), z.to_host()), 0, 1e-4);
    const std::vector<float> values = random_values(one->rays(), 74);
    cuda_->fill(y, 0);
    cuda_->upload(values.data(), y.data() + first, values.size());
    Array whole(*cuda_, grid.voxels()), alone(*cuda_, grid.voxels());
    A->adjoint(y, whole);
    B->adjoint(Array::from(*cuda_, values), alone);
    EXPECT_NEAR(relative_rms(whole.to_host(), alone.to_host()), 0, 1e-4);
  }

  /// Volume on the host, a part of it on the device at a time, against all of it there.
  void manyVoxelsStreamed() {
    const auto scan = share(cone(12, 96, 640, 0.5));
    const VolumeGrid grid = VolumeGrid::centered(1200, 1200, 1560, {0.05, 0.05, 0.05});
    std::vector<float> direct(scan->rays());
    const auto A = make("distance_driven", scan, grid);
    Array x(*host_, grid.voxels());
    const std::vector<float> pattern = random_values(std::size_t{1} << 20U, 75);
    for (std::size_t i = 0; i < x.size(); i += pattern.size())
      std::copy_n(pattern.data(), std::min(pattern.size(), x.size() - i), x.data() + i);
    Array x_there(*cuda_, grid.voxels()), y_there(*cuda_, scan->rays());
    cuda_->upload(x.data(), x_there.data(), x.size());
    A->forward(x_there, y_there);
    direct = y_there.to_host();
    A->adjoint(y_there, x_there);
    cuda_->limit_memory(cuda_->used_bytes() + (std::size_t{4} << 30U));
    const auto B =
        catalog_.projectors.make("distance_driven", "cuda-stream", *host_, scan, grid, {});
    Array y(*host_, scan->rays());
    B->forward(x, y);
    QVERIFY2(relative_rms(y.to_host(), direct) <= 1e-5, B->note().c_str());
    B->adjoint(Array::from(*host_, direct), x);
    const std::size_t last = grid.voxels() - pattern.size();
    for (const std::size_t first : {std::size_t{0}, many - pattern.size() / 2, last}) {
      const std::vector<float> found(x.data() + first, x.data() + first + pattern.size());
      QVERIFY2(relative_rms(found, read(x_there, first, pattern.size())) <= 1e-5,
               B->note().c_str());
    }
  }
};

GANTRY_TEST(TestCudaCounts)
#include "test_cuda_counts.moc"
