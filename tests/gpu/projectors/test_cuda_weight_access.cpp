// The single rows and columns of the projectors on a CUDA device: the cases of tests/contract.
#include "tests/contract/weight_access_contract.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/test_program.hpp"

class TestCudaWeightAccess : public gantry::test::WeightAccessContract {
  Q_OBJECT
 public:
  TestCudaWeightAccess() : WeightAccessContract(gantry::test::cuda_bench()) {}

 private slots:
  /// The cases take their projectors from the traits: one that lost its weights would have no rows.
  void theseProjectorsGiveTheirWeights_data() {
    QTest::addColumn<QString>("key");
    for (const char* key :
         {"area_integral", "distance_driven", "joseph", "separable_footprint", "siddon"})
      QTest::addRow("%s", key) << key;
  }
  void theseProjectorsGiveTheirWeights() {
    QFETCH(QString, key);
    const gantry::ProjectorTraits& traits =
        catalog_.projectors.at(key.toStdString(), on_).traits_on(on_);
    QVERIFY(traits.has_rows && traits.has_columns);
  }
};

GANTRY_TEST(TestCudaWeightAccess)
#include "test_cuda_weight_access.moc"
