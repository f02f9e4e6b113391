#include "tests/gpu/cuda_twin.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaSiddon : public QObject {
  Q_OBJECT

  CudaTwin twin_{"siddon"};
  const ScanCase& scan() {
    QFETCH(int, scan);
    return twin_.cases[static_cast<std::size_t>(scan)];
  }

 private slots:
  void initTestCase() {
    if (twin_.device() == nullptr) QSKIP("no CUDA device");
  }
  void agreesWithTheCpu_data() { add_scan_rows(twin_.cases); }
  void agreesWithTheCpu() { twin_.agreesWithTheCpu(scan(), 1e-5); }
  void agreesWithTheSingleWeights_data() { add_scan_rows(twin_.cases); }
  void agreesWithTheSingleWeights() { twin_.agreesWithTheSingleWeights(scan()); }
  void isAPair_data() { add_scan_rows(twin_.cases); }
  void isAPair() { twin_.isAPair(scan()); }
  void subsetsMakeUpTheWhole_data() { add_scan_rows(twin_.cases); }
  void subsetsMakeUpTheWhole() { twin_.subsetsMakeUpTheWhole(scan()); }
};

QTEST_APPLESS_MAIN(TestCudaSiddon)
#include "test_cuda_siddon.moc"
