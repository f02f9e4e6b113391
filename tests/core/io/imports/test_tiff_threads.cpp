// TIFF files are read through decoders, one for each thread; what happens to these is told apart
// from damage.
#include "core/io/files/decoder/decoder_process.hpp"
#include "core/io/imports/tiff_frames.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/child_processes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <atomic>
#include <thread>

using namespace gantry;
using namespace gantry::test;

class TestTiffThreads : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::string path(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }

 private slots:
  /// A decoder that is killed says nothing about the file, which is not left out.
  void aKilledDecoderIsNoDamage() {
    std::vector<std::string> files, notes;
    for (int i = 0; i < 3; ++i) {
      files.push_back(path("k_" + std::to_string(i) + ".tif"));
      write_pages(files.back(), {CountedFrames::projection(i)}, CountedFrames::columns);
    }
    files.push_back(path("killed_here.tif"));
    write_pages(files.back(), {CountedFrames::projection(0)}, CountedFrames::columns);
    qputenv("GANTRY_DECODER_FAILS", "1");  // on files named so
    EXPECT_THROWS(DecoderUnavailable, tiff_frames_of(files, notes, nullptr, true),
                  "killed_here.tif: the decoder was killed while reading it");
    qunsetenv("GANTRY_DECODER_FAILS");
    QVERIFY(notes.empty());
  }

  /// Waiting for a decoder that never answers ends when the import is interrupted.
  void anInterruptEndsTheWaiting() {
    const std::string waiting = path("sleep_here.tif");
    write_pages(waiting, {CountedFrames::projection(0)}, CountedFrames::columns);
    std::vector<std::string> notes;
    Interrupt interrupt;
    qputenv("GANTRY_DECODER_FAILS", "1");  // on files named so
    std::thread user([&] {
      while (child_processes().empty()) std::this_thread::yield();
      interrupt.raise();
    });
    QVERIFY_THROWS_EXCEPTION(Interrupted,
                             tiff_frames_of({waiting}, notes, nullptr, false, &interrupt));
    user.join();
    qunsetenv("GANTRY_DECODER_FAILS");
    QVERIFY(child_processes().empty());
  }

  /// Each thread goes on with a decoder that is idle. The decoders end with the frames.
  void threadsReadFramesThroughDecodersThatStay() {
    constexpr int frames = 40;
    std::vector<Page> pages(frames);
    for (int i = 0; i < frames; ++i) {
      pages[static_cast<std::size_t>(i)] = CountedFrames::projection(i % 5);
      write_pages(path("p_" + std::to_string(i) + ".tif"), {pages[static_cast<std::size_t>(i)]},
                  CountedFrames::columns);
    }
    write_pages(path("all.tif"), pages, CountedFrames::columns);
    std::vector<std::string> files, notes;
    for (int i = 0; i < frames; ++i) files.push_back(path("p_" + std::to_string(i) + ".tif"));
    for (const auto& paths : {files, std::vector<std::string>{path("all.tif")}}) {
      const auto source = tiff_frames_of(paths, notes);
      QCOMPARE(child_processes().size(), 1);
      constexpr int threads = 3;
      std::vector<std::thread> readers;
      std::atomic<int> right = 0;
      for (int thread = 0; thread < threads; ++thread)
        readers.emplace_back([&, thread] {
          std::vector<float> values(pages[0].size());
          for (int i = thread; i < frames; i += threads) {
            source->read(i, values);
            right += std::ranges::equal(values, pages[static_cast<std::size_t>(i)]) ? 1 : 0;
          }
        });
      for (std::thread& reader : readers) reader.join();
      QCOMPARE(right.load(), frames);
      QVERIFY(child_processes().size() <= threads);
    }
    QVERIFY(child_processes().empty());
  }
};

GANTRY_TEST(TestTiffThreads)
#include "test_tiff_threads.moc"
