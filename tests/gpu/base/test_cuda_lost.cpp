// A kernel that fails costs the device and nothing else. A program of its own: CUDA does not answer
// again in this one.
#include "core/job/reconstruction_job.hpp"
#include "gpu/base/device_buffer.hpp"
#include "tests/gpu/base/device_code.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaLost : public QObject {
  Q_OBJECT
  Workshop workshop_;

 private slots:
  void aFailedKernelLosesTheDeviceAlone() {
    CudaDeviceOrWhy device;
    if (device.backend == nullptr) QSKIP(device.absent.c_str());
    workshop_.backends.add("cuda", std::move(device.backend));
    auto& cuda = dynamic_cast<CudaBackend&>(workshop_.backends.resolve("cuda"));
    add_hosted(workshop_.catalog, "siddon", "cuda");
    auto& projectors = workshop_.catalog.projectors;
    projectors.add_on("cuda", "siddon", projectors.at("hosted_siddon").maker("cuda")->make);
    const auto data = small_data(workshop_);
    const RunSpec spec = run_spec("sirt", 3);

    ReconstructionJob on_device(spec, data, {}, workshop_.catalog, workshop_.backends, nullptr);
    QCOMPARE(on_device.device(), cuda.name());
    on_device.advance();
    Array x = Array::filled(cuda, 1000, 1);
    const DeviceBuffer<int> table(cuda, 10);
    QVERIFY(!cuda.lost());

    launch_trap(cuda.stream());
    EXPECT_THROWS(DeviceError, cuda.synchronize(), "was lost");
    QVERIFY(cuda.lost());
    const char* words = "restart the program to use the GPU again";
    EXPECT_THROWS(DeviceError, cuda.synchronize(), words);
    EXPECT_THROWS(DeviceError, cuda.fill(x, 2), words);
    EXPECT_THROWS(DeviceError, cuda.dot(x, x), words);
    EXPECT_THROWS(DeviceError, x.to_host(), words);
    EXPECT_THROWS(DeviceError, Array(cuda, 5), words);
    EXPECT_THROWS(DeviceError, cuda.free_bytes(), words);
    EXPECT_THROWS(DeviceError, on_device.advance(), words);

    ReconstructionJob on_cpu(spec, data, {}, workshop_.catalog, workshop_.backends, nullptr);
    QVERIFY(on_cpu.device() != cuda.name());
    QVERIFY2(on_cpu.because().find("failed with an error") != std::string::npos,
             on_cpu.because().c_str());
    QCOMPARE(finish(on_cpu).size(), std::size_t{3});
  }  // what lay on the device goes without a word
};

GANTRY_TEST(TestCudaLost)
#include "test_cuda_lost.moc"
