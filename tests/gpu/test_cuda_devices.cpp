// Which device is used, and what is said where there is none. Needs no device.
#include "core/backend/cpu_backend.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"
#include "gpu/catalog_gpu.hpp"
#include "tests/support/expect.hpp"

using namespace gantry;

class TestCudaDevices : public QObject {
  Q_OBJECT
  CudaDevices two_ = {{{0, "first", 9, 0, 1}, {1, "second", 9, 0, 1}}, {}};

 private slots:
  void cleanup() { qunsetenv("GANTRY_CUDA_DEVICE"); }

  void theEnvironmentChooses() {
    qputenv("GANTRY_CUDA_DEVICE", "1");
    QCOMPARE(choose_cuda_device(two_), 1);
    qputenv("GANTRY_CUDA_DEVICE", "0");
    QCOMPARE(choose_cuda_device(two_), 0);
    for (const char* wrong : {"2", "-1", "1x", "first"}) {
      qputenv("GANTRY_CUDA_DEVICE", wrong);
      EXPECT_THROWS(DeviceError, choose_cuda_device(two_), "names no GPU; use 0 to 1");
    }
  }

  void aSingleDeviceIsTaken() {
    CudaDevices one = two_;
    one.devices.pop_back();
    QCOMPARE(choose_cuda_device(one), 0);
    EXPECT_THROWS(DeviceError, choose_cuda_device({{}, "no CUDA driver is installed"}),
                  "no CUDA driver is installed; use backend cpu");
  }

  void aDeviceThatIsNotThereIsSaid() {
    EXPECT_THROWS(DeviceError, CudaBackend(1000), "backend cuda");
    EXPECT_THROWS(DeviceError, CudaBackend(-1), "use backend cpu");
  }

  void theProgramLivesWithoutADevice() {
    Catalog catalog;
    add_core(catalog);
    BackendList backends;
    backends.add("cpu", std::make_unique<CpuBackend>());
    qputenv("GANTRY_CUDA_DEVICE", "1000");  // where there are devices, this one is not
    add_gpu(catalog, backends);
    QVERIFY(catalog.projectors.on("cuda").empty());
    QVERIFY(backends.entries().back().backend == nullptr);
    QVERIFY(!backends.entries().back().unavailable_because.empty());
    QCOMPARE(backends.resolved_key("auto"), std::string("cpu"));
    EXPECT_THROWS(UsageError, backends.resolve("cuda"), "is not available");
  }

  void twinsHaveTheLabelAndParametersOfTheirCpuVariant() {
    Catalog catalog;
    add_core(catalog);
    BackendList backends;
    add_gpu(catalog, backends);
    const auto compare = [](const auto& registry) {
      for (const auto& entry : registry.entries()) {
        if (entry.backend != "cuda" || !registry.has(entry.key, "cpu")) continue;
        const auto& twin = registry.at(entry.key, "cpu");
        QCOMPARE(entry.label, twin.label);
        QCOMPARE(entry.params.size(), twin.params.size());
        for (std::size_t i = 0; i < twin.params.size(); ++i) {
          QCOMPARE(entry.params[i].key, twin.params[i].key);
          QCOMPARE(entry.params[i].choices, twin.params[i].choices);
        }
      }
    };
    compare(catalog.projectors);
    compare(catalog.matrix_formats);
  }
};

QTEST_APPLESS_MAIN(TestCudaDevices)
#include "test_cuda_devices.moc"
