// The process that reads foreign files: what happens to it costs the file that it happened on.
#include "core/base/error.hpp"
#include "core/io/dicom/decoder/dicom_wire.hpp"
#include "core/io/dicom/series/dicom_images.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/files/decoder/decoder_process.hpp"
#include "tests/support/child_processes.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace gantry;
using namespace gantry::test;

namespace {

std::vector<int> descriptors_of(int pid) {
  std::vector<int> numbers;
  const QDir folder("/proc/" + QString::number(pid) + "/fd");
  for (const QString& name : folder.entryList(QDir::AllEntries | QDir::System))
    if (name != "." && name != "..") numbers.push_back(name.toInt());
  return numbers;
}

}  // namespace

class TestDicomDecoder : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::string folder() const { return folder_->path().toStdString(); }
  std::string save(const TinyDicom& image, const std::string& name) const {
    const std::string path = folder() + "/" + name;
    image.save(QString::fromStdString(path));
    return path;
  }
  void save_good() const {
    for (int i = 0; i < 3; ++i) save(TinyDicom().at(2 * i, i), "good" + std::to_string(i));
  }

 private slots:
  void initTestCase() {
    qputenv("GANTRY_DECODER_FAILS", "1");  // on files named so
    QVERIFY2(DecoderProcess::start() != nullptr, "gantry-decoder was not found or does not start");
    QVERIFY(child_processes().empty());  // it ended with its object
  }
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  void aSeriesIsReadByOneProcess() {
    save_good();
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 3);
    EXPECT_NEAR(hu_at(v, 3, 1, 2), 13 - 1000, 1e-3);
    const std::vector<int> first = child_processes();
    QCOMPARE(first.size(), std::size_t{1});
    load_dicom(folder());
    QCOMPARE(child_processes(), first);
  }

  void aBrokenDecoderCostsOneFile_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    QTest::newRow("crash") << "crash_here"
                           << "the decoder crashed while reading it (signal 11, Segmentation";
    QTest::newRow("exit") << "exit_here"
                          << "the decoder crashed while reading it (exit status 7)";
    QTest::newRow("memory") << "exhaust_here"
                            << "needs more memory than is allowed for a file of its size";
    QTest::newRow("time") << "spin_here"
                          << "takes too long to read for its size";
  }
  void aBrokenDecoderCostsOneFile() {
    QFETCH(QString, name);
    QFETCH(QString, message);
    const std::string bad = save(TinyDicom(), name.toStdString() + ".dcm");
    EXPECT_THROWS(InputError, load_dicom(bad), message.toStdString());
    EXPECT_THROWS(InputError, load_dicom(bad), name.toStdString() + ".dcm: ");
    EXPECT_THROWS(InputError, DicomImages(bad).format(), message.toStdString());
    save_good();
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 3);
    QVERIFY(has_note(v, message.toStdString()));
    QVERIFY(child_processes().size() <= 1);  // and none that waits to be noticed
  }

  void aDecoderThatWasKilledMeanwhileIsReplaced() {
    save_good();
    load_dicom(folder());
    kill_children();
    QCOMPARE(load_dicom(folder()).grid.nz, 3);
    QCOMPARE(child_processes().size(), std::size_t{1});
  }

  void severalThreadsReadAtOnce() {
    save_good();
    std::atomic<int> slices = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 5; ++k) slices += load_dicom(folder()).grid.nz;
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(slices.load(), 60);
    QVERIFY(child_processes().size() <= 1);  // only one is kept
  }

  void nothingElseIsInherited() {
    const int inheritable = open("/dev/null", O_RDONLY);  // as a library may leave it
    QVERIFY(inheritable > wire::results_fd);
    kill_children();
    const auto process = DecoderProcess::start();
    ::close(inheritable);
    QVERIFY(process != nullptr);
    bool seen = false;
    for (const int pid : child_processes()) {
      std::vector<int> numbers = descriptors_of(pid);
      std::ranges::sort(numbers);
      seen |= numbers == std::vector<int>{0, 1, 2, wire::socket_fd, wire::results_fd};
    }
    QVERIFY(seen);
  }

  void aWriterWithoutReaderIsNoSignal() {
    std::signal(SIGPIPE, SIG_DFL);
    const auto process = DecoderProcess::start();
    QVERIFY(process != nullptr);
    const std::string bad = save(TinyDicom(), "crash_here.dcm");
    for (int i = 0; i < 2; ++i)  // the second time nobody is there
      EXPECT_THROWS(InputError, process->ask({wire::What::dicom_header, bad, 0, 0, bad, 1}),
                    "the decoder crashed while reading it");
    QVERIFY(!process->alive());
  }

  void withoutTheProgramFilesAreReadHere() {
    save_good();
    kill_children();
    qputenv("GANTRY_DECODER", "none");
    const LoadedVolume v = load_dicom(folder());
    qunsetenv("GANTRY_DECODER");
    QCOMPARE(v.grid.nz, 3);
    QVERIFY(child_processes().empty());
  }

  void bothWaysReadTheSame() {
    NEED_DATA("ct_philips_phantom_axial");
    const std::string series = data_path("ct_philips_phantom_axial");
    const LoadedVolume apart = load_dicom(series);
    kill_children();
    qputenv("GANTRY_DECODER", "none");
    const LoadedVolume here = load_dicom(series);
    qunsetenv("GANTRY_DECODER");
    QCOMPARE(apart.mu, here.mu);
    QCOMPARE(apart.grid, here.grid);
    QCOMPARE(apart.notes, here.notes);
    QCOMPARE(apart.study->attributes, here.study->attributes);
  }

  void headersSurviveTheWay() {
    DicomHeader header{"path", {}, {}};
    header.meta.values[0x00020010] = "1.2";
    header.data.values[0x00100010] = std::string("M\xc3\xbcller\0x", 9);
    header.data.sequences[0x00081140].resize(2);
    header.data.sequences[0x00081140][1].values[1] = "";
    const std::string bytes = wire::pack(header);
    const DicomHeader back = wire::unpack_header(bytes);
    QCOMPARE(back.path, header.path);
    QCOMPARE(back.data.values, header.data.values);
    QCOMPARE(back.data.sequences.at(0x00081140).size(), std::size_t{2});
    QCOMPARE(wire::pack(back), bytes);
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_THROWS(InputError, wire::unpack_header(bytes.substr(0, length)),
                    "the decoder's answer cannot be understood");
  }
};

GANTRY_TEST(TestDicomDecoder)
#include "test_dicom_decoder.moc"
