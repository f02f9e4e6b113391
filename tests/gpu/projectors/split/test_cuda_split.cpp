// A projector whose views are shared out, against the one that takes them all: among the GPUs of
// the host, and among three backends of one GPU, which take the same way but for the wire.
#include "gpu/projectors/split/split_projector.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaSplit : public QObject {
  Q_OBJECT
  CudaTwins twins_;
  std::vector<ScanCase> cases_ = scan_cases();
  std::vector<std::shared_ptr<const CudaGroup>> groups_;

  std::unique_ptr<Projector> split(const std::shared_ptr<const CudaGroup>& group,
                                   const std::string& key, const ScanCase& c) {
    constexpr std::int64_t most = 64;  // GPUs
    return make_split_projector(twins_.device(), c.geometry, c.grid, group, most,
                                [&](Backend& device) { return twins_.make(device, key, c); });
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
    for (const ScanCase& c : pose_cases()) cases_.push_back(c);
    const int own = cuda_backend(twins_.device()).device();
    groups_.push_back(std::make_shared<const CudaGroup>(std::vector{own, own}));
    std::vector<int> others;
    for (const CudaDevice& device : find_cuda_devices().devices)
      if (device.index != own) others.push_back(device.index);
    if (!others.empty()) groups_.push_back(std::make_shared<const CudaGroup>(others));
  }

  void productsAreThoseOfOneGpu_data() { add_scan_rows(cases_); }
  void productsAreThoseOfOneGpu() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    int compared = 0;
    for (const std::string key : {"distance_driven", "siddon", "voxel_driven"}) {
      if (!twins_.takes(twins_.cpu, key, c)) continue;
      ++compared;
      const auto one = twins_.on_device(key, c);
      const std::vector<float> x = random_values(one->domain_size(), 61),
                               y = random_values(one->range_size(), 62);
      std::vector<ViewSubset> wanted = some_subsets(*one);
      wanted.push_back({one->views() - 1, 1, 1});  // fewer views than GPUs
      for (const auto& group : groups_) {
        const auto all = split(group, key, c);
        QCOMPARE(all->matched(), one->matched());
        QCOMPARE(all->row_source() == nullptr, one->row_source() == nullptr);
        for (const ViewSubset views : wanted) {
          EXPECT_NEAR(relative_rms(forward_of(*all, x, views), forward_of(*one, x, views)), 0,
                      1e-6);
          EXPECT_NEAR(relative_rms(adjoint_of(*all, y, views), adjoint_of(*one, y, views)), 0,
                      2e-6);
        }
      }
    }
    QVERIFY(compared > 0);
  }

  void aRaisedInterruptIsHonoured() {
    const auto all = split(groups_.front(), "distance_driven", cases_.front());
    Array x = Array::filled(twins_.device(), all->domain_size(), 1),
          y(twins_.device(), all->range_size());
    Interrupt interrupt;
    all->set_interrupt(&interrupt);
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, all->forward(x, y));
    QVERIFY_THROWS_EXCEPTION(Interrupted, all->adjoint(y, x));
  }
};

GANTRY_TEST(TestCudaSplit)
#include "test_cuda_split.moc"
