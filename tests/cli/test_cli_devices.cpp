// Which commands start a device. The device is made of host memory and counts how often it is made.
#include "app/cli/command_line.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/cli/bad_input.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <memory>
#include <sstream>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A program with a device that has Siddon's projector.
struct Bench {
  Program program;
  int looked_for = 0, made = 0;

  Bench() {
    add_core(program.catalog);
    program.backends.add("cpu", std::make_unique<CpuBackend>());
    program.add_devices = [this](Catalog& catalog, BackendList& backends) {
      ++looked_for;
      backends.add_lazily("cuda", BackendKind::cuda, "a board", [this] {
        ++made;
        return std::make_unique<MeasuredBackend>(BackendKind::cuda);
      });
      catalog.projectors.also_on("cuda", "siddon", "cpu");
    };
  }

  /// Throws what the command throws.
  int run(const QString& arguments) {
    std::vector<QByteArray> words{"gantry-cli"};
    for (const QString& word : arguments.split(' ')) words.push_back(word.toUtf8());
    std::vector<const char*> argv;
    for (const QByteArray& word : words) argv.push_back(word.constData());
    return cli::run_command_line(static_cast<int>(argv.size()), argv.data(), program);
  }
};

const QString reconstruct =
    "reconstruct s.scan.json --solver sirt --grid 16,16 --voxel 3 --iterations 1 --out o.mha ";

}  // namespace

class TestCliDevices : public QObject {
  Q_OBJECT
  std::unique_ptr<Desk> desk_;
  QString home_;

 private slots:
  void init() {
    desk_ = std::make_unique<Desk>();
    home_ = QDir::currentPath();
    QDir::setCurrent(desk_->path());
  }
  void cleanup() {
    QDir::setCurrent(home_);
    qunsetenv("GANTRY_DEVICE_MEMORY");
  }

  void whatComputesNothingLooksForNoDevice_data() {
    QTest::addColumn<QString>("arguments");
    for (const char* arguments :
         {"--version", "--help", "reconstruct --help", "info s.scan.json", "info v.mha",
          "convert v.mha o.mha", "compare v.mha v.mhd",
          "simulate --phantom shepp_logan --geometry s.scan.json --out o.scan.json"})
      QTest::newRow(arguments) << QString(arguments);
  }
  void whatComputesNothingLooksForNoDevice() {
    QFETCH(QString, arguments);
    Bench bench;
    QCOMPARE(bench.run(arguments), 0);
    QCOMPARE(bench.looked_for, 0);
    QCOMPARE(bench.made, 0);
  }

  void whatNamesDevicesStartsNone_data() {
    QTest::addColumn<QString>("arguments");
    for (const QString& arguments :
         {QString("list"), QString("list backends"), QString("info e.json"),
          reconstruct + "--backend cpu --projector siddon", reconstruct + "--projector joseph"})
      QTest::newRow(qPrintable(arguments)) << arguments;
  }
  void whatNamesDevicesStartsNone() {
    QFETCH(QString, arguments);
    Bench bench;
    QCOMPARE(bench.run(arguments), 0);
    QCOMPARE(bench.looked_for, 1);
    QCOMPARE(bench.made, 0);
  }

  void aRunOnTheDeviceStartsItOnce() {
    Bench bench;
    QCOMPARE(bench.run(reconstruct + "--projector siddon"), 0);
    QCOMPARE(bench.made, 1);
    Bench asked;
    QCOMPARE(asked.run(reconstruct + "--projector siddon --backend cuda"), 0);
    QCOMPARE(asked.made, 1);
  }

  void aLimitThatIsNoneIsAnErrorForAuto() {
    qputenv("GANTRY_DEVICE_MEMORY", "plenty");
    Bench bench;
    for (const char* backend : {"auto", "cuda"})
      EXPECT_THROWS(UsageError, bench.run(reconstruct + "--projector siddon --backend " + backend),
                    "GANTRY_DEVICE_MEMORY: ");
    QCOMPARE(bench.made, 0);
    // Also where nothing asks a device for its memory: no device, or none that is wanted.
    EXPECT_THROWS(UsageError, bench.run(reconstruct + "--projector siddon --backend cpu"),
                  "GANTRY_DEVICE_MEMORY: ");
    for (const char* limit : {"-1", "nan", "12XB"}) {
      qputenv("GANTRY_DEVICE_MEMORY", limit);
      Bench without;
      without.program.add_devices = nullptr;
      for (const char* arguments : {"run e.json", "bench operators --case A --repeats 1"})
        EXPECT_THROWS(UsageError, without.run(arguments), "GANTRY_DEVICE_MEMORY: ");
      EXPECT_THROWS(UsageError, without.run(reconstruct.trimmed()), "GANTRY_DEVICE_MEMORY: ");
      QCOMPARE(without.run("info v.mha"), 0);
    }
    // The option stands above the variable.
    QCOMPARE(bench.run(reconstruct + "--projector siddon --device-memory 1GiB"), 0);
    QCOMPARE(bench.made, 1);
  }

  /// A run that no device and no host can hold is refused before its data are made.
  void anImpossibleSizeIsRefusedAtOnce() {
    Bench bench;
    const auto side = static_cast<int>(std::cbrt(
        0.5 * static_cast<double>(CpuBackend().free_bytes())));  // the mask alone would fit
    const QString grid = QString("--grid %1,%1,%1 --voxel 0.1 ").arg(side);
    EXPECT_THROWS(OutOfMemory,
                  bench.run("reconstruct s.scan.json --solver sirt --projector siddon " + grid +
                            "--out o.mha"),
                  "this run needs ");
  }
};

GANTRY_TEST(TestCliDevices)
#include "test_cli_devices.moc"
