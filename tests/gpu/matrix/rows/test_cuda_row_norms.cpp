// The norms of rows that a device computes, against those of the single weights on the host.
#include "core/operator/row_norms.hpp"
#include "gpu/matrix/rows/row_norms.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaRowNorms : public QObject {
  Q_OBJECT
  CudaTwins twins_;
  std::vector<ScanCase> cases_ = scan_cases();

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
    const std::vector<ScanCase> more = odd_sizes();
    cases_.insert(cases_.end(), more.begin(), more.end());
  }

  /// Squared row norms of listed views, and of all views of a scan whose views are images of each
  /// other; the device computes the latter in the plane and takes them from the host in space.
  void areThoseOfTheSingleWeights_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const char* key : {"siddon", "distance_driven", "area_integral", "joseph"})
      for (std::size_t i = 0; i < cases_.size(); ++i)
        if (twins_.takes(twins_.device(), key, cases_[i]))
          QTest::addRow("%s, %s", key, cases_[i].name.c_str()) << key << static_cast<int>(i);
  }
  void areThoseOfTheSingleWeights() {
    QFETCH(QString, key);
    QFETCH(int, scan);
    const auto A = twins_.on_device(key.toStdString(), cases_[static_cast<std::size_t>(scan)]);
    std::vector<int> views{A->views() - 1};
    for (int v = 0; v < A->views(); v += 3) views.push_back(v);
    const std::vector<float> found = squared_row_norms_on_device(*A, views),
                             expected = squared_row_norms_on_host(*A, views);
    QCOMPARE(found.size(), views.size() * A->cells_per_view());
    const float largest = std::ranges::max(expected);
    for (std::size_t i = 0; i < found.size(); ++i)
      QVERIFY2(std::abs(found[i] - expected[i]) <= 1e-6F * (expected[i] + 1e-3F * largest),
               qPrintable(QStringLiteral("%1: %2, %3").arg(i).arg(found[i]).arg(expected[i])));
    const Array inverse = inverse_squared_row_norms_by(*A, squared_row_norms_on_device);
    QVERIFY(relative_rms(inverse.to_host(), inverse_squared_row_norms(*A).to_host()) <= 1e-6);
  }
};

GANTRY_TEST(TestCudaRowNorms)
#include "test_cuda_row_norms.moc"
