// Every CUDA projector that has a twin on the CPU: the twin's products, those of the single weights
// in float64, and a pair; on the scans of the contracts and on sizes that no block divides.
#include "tests/gpu/cuda_twin.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaTwins : public QObject {
  Q_OBJECT
  CudaTwins twins_;
  std::vector<ScanCase> cases_ = scan_cases();
  static constexpr double tolerance = 1e-5;

  std::vector<std::string> keys() {
    std::vector<std::string> keys;
    for (const auto* entry : twins_.bench.catalog.projectors.on(twins_.bench.key))
      if (twins_.bench.catalog.projectors.has(entry->key, "cpu")) keys.push_back(entry->key);
    return keys;
  }
  /// Every projector on every scan that the CPU's takes.
  void rows(const auto& wanted) {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const std::string& key : keys()) {
      const auto& entry = twins_.bench.catalog.projectors.at(key);
      for (std::size_t i = 0; i < cases_.size(); ++i)
        if (twins_.takes(twins_.cpu, key, cases_[i]) &&
            wanted(entry.traits_on(twins_.bench.key), cases_[i]))
          QTest::addRow("%s, %s", key.c_str(), cases_[i].name.c_str())
              << QString::fromStdString(key) << static_cast<int>(i);
    }
  }
  void rows() {
    rows([](const ProjectorTraits&, const ScanCase&) { return true; });
  }
  std::string key() {
    QFETCH(QString, key);
    return key.toStdString();
  }
  const ScanCase& scan() {
    QFETCH(int, scan);
    return cases_[static_cast<std::size_t>(scan)];
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
    for (const auto& more : {pose_cases(), odd_sizes()})
      cases_.insert(cases_.end(), more.begin(), more.end());
    QVERIFY(keys().size() >= 6);
  }

  void bothTakeTheSameScans() {
    for (const std::string& key : keys())
      for (const ScanCase& c : cases_)
        QVERIFY2(twins_.takes(twins_.device(), key, c) == twins_.takes(twins_.cpu, key, c),
                 (key + ", " + c.name).c_str());
  }

  void productsAreThoseOfTheCpu_data() { rows(); }
  void productsAreThoseOfTheCpu() {
    const auto here = twins_.on_cpu(key(), scan()), there = twins_.on_device(key(), scan());
    QCOMPARE(there->matched(), here->matched());
    // A ray along a plane of the grid may count on either side of it: equal there.
    const float low = is_ambiguous(scan()) ? 1.0F : 0.0F;
    const std::vector<float> image = random_values(here->domain_size(), 51, low, 1),
                             rays = random_values(here->range_size(), 52, low, 1);
    for (const ViewSubset views : some_subsets(*here)) {
      // Each may be off by the tolerance, to either side.
      EXPECT_NEAR(relative_rms(forward_of(*there, image, views), forward_of(*here, image, views)),
                  0, 2 * tolerance);
      const std::vector<float> spread = adjoint_of(*there, rays, views);
      if (is_ambiguous(scan())) continue;  // either neighbour
      EXPECT_NEAR(relative_rms(spread, adjoint_of(*here, rays, views)), 0, 2 * tolerance);
    }
  }

  void productsAreThoseOfTheSingleWeights_data() {
    rows([](const ProjectorTraits& traits, const ScanCase& c) {
      return traits.has_single_weights && !is_ambiguous(c);
    });
  }
  void productsAreThoseOfTheSingleWeights() {
    const auto A = twins_.on_device(key(), scan());
    const std::vector<float> x = random_values(A->domain_size(), 23),
                             y = random_values(A->range_size(), 28);
    std::vector<float> expected;
    std::vector<double> spread(A->domain_size());
    RowWeights weights;
    for (int v = 0; v < A->views(); ++v) {
      const auto view = A->row_source()->view_rows(v);
      for (int row = 0; row < A->geometry().rows(); ++row)
        for (int column = 0; column < A->geometry().columns(); ++column) {
          view->weights(column, row, weights);
          double sum = 0;
          for (std::size_t k = 0; k < weights.size(); ++k)
            sum += weights.weight[k] * static_cast<double>(x[weights.voxel[k]]);
          for (std::size_t k = 0; k < weights.size(); ++k)
            spread[weights.voxel[k]] += weights.weight[k] * static_cast<double>(y[expected.size()]);
          expected.push_back(static_cast<float>(sum));
        }
    }
    EXPECT_NEAR(relative_rms(forward_of(*A, x, A->all()), expected), 0, tolerance);
    if (!A->matched()) return;  // the weights are those of the forward product alone
    const std::vector<float> image(spread.begin(), spread.end());
    EXPECT_NEAR(relative_rms(adjoint_of(*A, y, A->all()), image), 0, tolerance);
  }

  void isAPair_data() {
    rows([](const ProjectorTraits& traits, const ScanCase&) { return traits.is_exact_pair; });
  }
  void isAPair() {
    const auto A = twins_.on_device(key(), scan());
    const std::vector<float> x = random_values(A->domain_size(), 24),
                             y = random_values(A->range_size(), 25),
                             Ax = forward_of(*A, x, A->all()), Aty = adjoint_of(*A, y, A->all());
    EXPECT_NEAR(dot(Ax, y), dot(x, Aty), 1e-6 * std::sqrt(dot(Ax, Ax) * dot(y, y)));
  }

  void subsetsMakeUpTheWhole_data() { rows(); }
  void subsetsMakeUpTheWhole() {
    const auto A = twins_.on_device(key(), scan());
    Backend& device = twins_.device();
    const std::vector<float> rays = random_values(A->range_size(), 27);
    const Array x = Array::from(device, random_values(A->domain_size(), 26)),
                y = Array::from(device, rays);
    Array whole(device, A->range_size()), part(device, A->domain_size()),
        parts = Array::filled(device, A->range_size(), -7),
        sum = Array::filled(device, A->domain_size(), 0);
    A->forward(x, whole);
    const int subsets = std::min(3, A->views());
    for (int s = 0; s < subsets; ++s) {
      const ViewSubset views = ViewSubset::interleaved(s, subsets, A->views());
      A->forward(x, parts, views);
      A->adjoint(y, part, views);
      device.axpby(1, part, 1, sum);
    }
    QVERIFY(relative_rms(parts.to_host(), whole.to_host()) <= 1e-6);
    EXPECT_NEAR(relative_rms(sum.to_host(), adjoint_of(*A, rays, A->all())), 0, 2 * A->rounding());
  }
};

GANTRY_TEST(TestCudaTwins)
#include "test_cuda_twins.moc"
