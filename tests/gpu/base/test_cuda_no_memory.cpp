// Each allocation of a run on a device is refused in turn: the run comes to the same result all the
// same, or fails with one message, gives all memory back, and the next run is as if nothing had
// been. A dozen allocations of each method are tried, evenly spread.
#include "gpu/base/allocation.hpp"
#include "gpu/catalog_gpu.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <atomic>

using namespace gantry;
using namespace gantry::test;

namespace {

std::atomic<long> allocations = 0, refused_number = 0;

bool refuses() { return ++allocations == refused_number; }

/// The allocations are counted, and the one of this number is refused (0: none).
class Refusal {
 public:
  explicit Refusal(long number) {
    allocations = 0;
    refused_number = number;
    set_allocation_filter(refuses);
  }
  ~Refusal() { set_allocation_filter(nullptr); }
  Refusal(const Refusal&) = delete;
  Refusal& operator=(const Refusal&) = delete;
};

}  // namespace

class TestCudaNoMemory : public QObject {
  Q_OBJECT
  Workshop workshop_;
  CudaBackend* cuda_ = nullptr;
  std::shared_ptr<const ExperimentData> plane_, cone_, data_;

  std::vector<float> solve(const RunSpec& run) {
    ReconstructionJob job(run, data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    finish(job);
    return job.solution();
  }
  std::size_t used() {
    cuda_->synchronize();
    return cuda_->used_bytes();
  }
  template <class Product, class... Args>
  void addRows(const Registry<Product, Args...>& registry,
               const std::function<RunSpec(std::string)>& run) {
    for (const auto* entry : registry.on("cuda"))
      runs_.push_back({registry.kind() + " " + entry->key, run(entry->key)});
  }
  std::vector<std::pair<std::string, RunSpec>> runs_;

 private slots:
  void init() { data_ = plane_; }
  void initTestCase() {
    plane_ = small_data(workshop_);
    auto cone = std::make_shared<ExperimentData>();
    cone->geometry = share(cone_spec(12));
    cone->grid = VolumeGrid::centered(16, 16, 6, {3, 3, 3});
    cone->line_integrals = random_values(cone->geometry->rays(), 3, 0.5F, 1.5F);
    cone_ = std::move(cone);
    add_gpu(workshop_.catalog, workshop_.backends);
    for (const auto& entry : workshop_.backends.entries())
      if (entry.key == "cuda") cuda_ = dynamic_cast<CudaBackend*>(entry.backend->get());
    if (cuda_ == nullptr) QSKIP("no CUDA device");
  }

  void everyRefusalIsSurvived_data() {
    QTest::addColumn<int>("index");
    const auto of = [](const std::string& solver, const std::string& projector) {
      RunSpec run = run_spec(solver, 2, projector);
      run.backend = "cuda";
      return run;
    };
    addRows(workshop_.catalog.solvers, [&](const std::string& key) {
      return of(key, key == "fbp" || key == "fdk" ? "voxel_driven" : "siddon");
    });
    addRows(workshop_.catalog.projectors, [&](const std::string& key) { return of("sirt", key); });
    addRows(workshop_.catalog.matrix_formats, [&](const std::string& key) {
      RunSpec run = of("sirt", "area_integral");
      run.format = key;
      return run;
    });
    for (std::size_t i = 0; i < runs_.size(); ++i)
      QTest::newRow(runs_[i].first.c_str()) << static_cast<int>(i);
  }
  void everyRefusalIsSurvived() {
    QFETCH(int, index);
    const RunSpec& run = runs_[static_cast<std::size_t>(index)].second;
    std::vector<float> expected;
    try {
      expected = solve(run);  // also loads what is loaded once
    } catch (const UsageError&) {
      data_ = cone_;  // a method for cone beams alone
      expected = solve(run);
    }
    const std::size_t at_rest = used();
    std::vector<float> again;
    long count = 0;
    {
      const Refusal none(0);
      again = solve(run);
      count = allocations;
    }
    QVERIFY2(count > 2, "the filter was not asked");
    // Updates of some methods collide and are added in any order, so that two runs may also be
    // equal by chance; all others give the same bits.
    const SolverTraits& traits = workshop_.catalog.solvers.make(run.solver, "cuda", {})->traits();
    const bool collides = traits.needs_rows || traits.needs_columns || again != expected;
    const double most_apart = collides ? 1e-2 * norm(expected) : 0;
    const auto areAlike = [&](const std::vector<float>& a) {
      return a.size() == expected.size() && distance(a, expected) <= most_apart;
    };
    QVERIFY(areAlike(again));

    constexpr long most = 12;
    const long tried = std::min(most, count);
    long failed = 0;
    for (long i = 0; i < tried; ++i) {
      const long number = count - count * i / tried;
      std::vector<float> found = expected;
      try {
        const Refusal one(number);
        found = solve(run);
      } catch (const Error& error) {
        ++failed;
        const std::string words = error.what();
        QVERIFY2(!words.empty() && words.find('\n') == std::string::npos, words.c_str());
      }
      const std::string at = "allocation " + std::to_string(number);
      QVERIFY2(areAlike(found), at.c_str());
      QVERIFY2(used() == at_rest, at.c_str());
    }
    QVERIFY(failed > 0);
    QVERIFY(areAlike(solve(run)));
  }

  /// Another program, here another backend, takes nearly all memory of the device.
  void aDeviceWithoutRoomIsSurvived() {
    RunSpec run = run_spec("sirt", 1);
    run.backend = "cuda";
    const std::vector<float> expected = solve(run);
    const auto small = data_;
    auto large = std::make_shared<ExperimentData>(*small);
    large->grid = VolumeGrid::centered(8192, 8192, 1, {0.005, 0.005, 3});  // 268 MB an image
    large->reference = {};
    {
      CudaBackend other(cuda_->device());
      std::vector<void*> hog;
      for (std::size_t piece = std::size_t{16} << 30U; piece >= std::size_t{32} << 20U;) {
        try {
          hog.push_back(other.allocate_bytes(piece, "the memory of another program"));
        } catch (const OutOfMemory&) {
          piece /= 2;
        }
      }
      data_ = large;
      std::string words;
      try {
        solve(run);
      } catch (const Error& error) {
        words = error.what();
      }
      QVERIFY2(!words.empty() && words.find('\n') == std::string::npos, words.c_str());
      QVERIFY2(words.find("free") != std::string::npos, words.c_str());
      for (void* memory : hog) other.release_bytes(memory);
    }
    QVERIFY(!cuda_->lost());
    QCOMPARE(solve(run).size(), large->grid.voxels());
    data_ = small;
    QVERIFY(solve(run) == expected);
  }
};

GANTRY_TEST(TestCudaNoMemory)
#include "test_cuda_no_memory.moc"
