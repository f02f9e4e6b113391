// Which device is used, and what is said where there is none. Needs no device.
#include "core/backend/cpu_backend.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"
#include "gpu/catalog_gpu.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/study_choices.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;

class TestCudaDevices : public QObject {
  Q_OBJECT
  CudaDevices two_ = {{{0, "first", 9, 0, 1}, {1, "second", 9, 0, 1}}, {}};

 private slots:
  void cleanup() { qunsetenv("GANTRY_CUDA_DEVICE"); }

  void theEnvironmentChooses() {
    qputenv("GANTRY_CUDA_DEVICE", "1");
    QCOMPARE(ChosenCudaDevice(two_).index(), 1);
    qputenv("GANTRY_CUDA_DEVICE", "0");
    QCOMPARE(ChosenCudaDevice(two_).index(), 0);
    for (const char* wrong : {"2", "-1", "1x", "first"}) {
      qputenv("GANTRY_CUDA_DEVICE", wrong);
      EXPECT_THROWS(DeviceError, ChosenCudaDevice{two_}, "names no GPU; use 0 to 1");
    }
  }

  /// Which of several will be used is looked for when it is needed: until then all are named.
  void theChosenDeviceIsNamed() {
    QCOMPARE(ChosenCudaDevice(two_).name(), std::string("first or second"));
    qputenv("GANTRY_CUDA_DEVICE", "1");
    ChosenCudaDevice second(two_);
    QCOMPARE(second.name(), std::string("second"));
    QVERIFY((second.chosen_first() == std::vector{1, 0}));
  }

  void choicesForStudiesAreChoicesAndNoFallbacks() {
    Catalog catalog;
    add_core(catalog);
    BackendList backends;
    backends.add("cpu", std::make_unique<CpuBackend>());
    add_gpu(catalog, backends);
    if (backends.devices().empty()) QSKIP("no CUDA device");
    QCOMPARE(test::wrong_study_choices(catalog), std::string());
  }

  /// What the program has of devices is made when it is needed, not when it is listed.
  void aDeviceThatNobodyNeedsIsNotStarted() {
    Catalog catalog;
    add_core(catalog);
    BackendList backends;
    backends.add("cpu", std::make_unique<CpuBackend>());
    add_gpu(catalog, backends);
    if (backends.devices().empty()) QSKIP("no CUDA device");
    for (const auto& entry : backends.entries())
      QCOMPARE(entry.backend->made(), entry.key == "cpu");
    backends.resolve("cuda");
    for (const auto& entry : backends.entries())
      QCOMPARE(entry.backend->made(), entry.key == "cpu" || entry.key == "cuda");
  }

  void aSingleDeviceIsTaken() {
    CudaDevices one = two_;
    one.devices.pop_back();
    QCOMPARE(ChosenCudaDevice(one).index(), 0);
    EXPECT_THROWS(DeviceError, (ChosenCudaDevice{{{}, "no CUDA driver is installed"}}),
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
    QVERIFY(!backends.entries().back().available());
    QVERIFY(!backends.entries().back().backend->unavailable_because().empty());
    QCOMPARE(backends.resolved_key("auto"), std::string("cpu"));
    EXPECT_THROWS(UsageError, backends.resolve("cuda"), "is not available");
  }
};

GANTRY_TEST(TestCudaDevices)
#include "test_cuda_devices.moc"
