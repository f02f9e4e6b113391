// HDF5 that another process reads: the same numbers as in this one, and what happens to the process
// costs the file alone.
#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/files/containers/hdf5_reader.hpp"
#include "core/io/files/decoder/decoder_process.hpp"
#include "core/io/imports/import_scan.hpp"
#include "tests/core/io/files/containers/counted_unpackings.hpp"
#include "tests/support/child_processes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <chrono>
#include <functional>
#include <hdf5.h>
#include <limits>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr hsize_t frames = 5, rows = 6, columns = 7;

/// Sets how a data set is stored.
using Layout = std::function<void(hid_t properties)>;

void in_one_piece(hid_t) {}
void compact(hid_t properties) { H5Pset_layout(properties, H5D_COMPACT); }
void in_chunks(hid_t properties) {
  const hsize_t chunk[] = {2, 4, 7};
  H5Pset_chunk(properties, 3, chunk);
}
void packed(hid_t properties) {
  in_chunks(properties);
  H5Pset_shuffle(properties);
  H5Pset_deflate(properties, 6);
}

double value_at(hsize_t frame, hsize_t place) {
  return static_cast<double>(25 * frame + place % 25);  // fits into seven bits
}

/// An HDF5 file that is being written.
class Writer {
 public:
  explicit Writer(const std::string& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
        groups_(H5Pcreate(H5P_LINK_CREATE)) {
    H5Pset_create_intermediate_group(groups_, 1);
  }
  ~Writer() {
    H5Pclose(groups_);
    H5Fclose(file_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Adds frames of numbers that are stored as `type`, with a unit.
  void add(const char* path, hid_t type, const Layout& layout, double sign = 1) const {
    std::vector<double> values;
    for (hsize_t i = 0; i < frames * rows * columns; ++i)
      values.push_back(sign * value_at(i / (rows * columns), i % (rows * columns)));
    add(path, {frames, rows, columns}, values, type, layout);
  }
  void add(const char* path, const std::vector<hsize_t>& size, const std::vector<double>& values,
           hid_t type = H5T_IEEE_F64LE, const Layout& layout = in_one_piece) const {
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                properties = H5Pcreate(H5P_DATASET_CREATE), scalar = H5Screate(H5S_SCALAR),
                text = H5Tcopy(H5T_C_S1);
    layout(properties);
    const hid_t data = H5Dcreate2(file_, path, type, space, groups_, properties, H5P_DEFAULT);
    if (!values.empty() &&
        H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      qFatal("cannot write %s", path);
    H5Tset_size(text, 4);
    const hid_t units = H5Acreate2(data, "units", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(units, text, "deg");
    H5Aclose(units);
    H5Dclose(data);
    H5Tclose(text);
    H5Sclose(scalar);
    H5Pclose(properties);
    H5Sclose(space);
  }
  /// Adds a further path to an object.
  void link(const char* path, const char* object) const {
    H5Lcreate_soft(object, file_, path, groups_, H5P_DEFAULT);
  }

 private:
  hid_t file_, groups_;
};

std::vector<float> frame_of(const auto& file, const Hdf5Dataset& dataset, std::uint64_t index) {
  constexpr float unread = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> values(dataset.elements(1), unread);
  file.read_frame(dataset, index, std::span<float>(values));
  return values;
}
std::vector<float> frame_of(const Hdf5File& file, const char* path, std::uint64_t index) {
  return frame_of(file, *file.find(path), index);
}

std::vector<float> expected_frame(hsize_t index, double sign = 1) {
  std::vector<float> values;
  for (hsize_t i = 0; i < rows * columns; ++i)
    values.push_back(static_cast<float>(sign * value_at(index, i)));
  return values;
}

/// Calls a function a little later, on another thread.
class Later {
 public:
  explicit Later(std::function<void()> act)
      : thread_([act = std::move(act)] {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          act();
        }) {}
  ~Later() { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace

class TestHdf5File : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const char* name) const {
    return folder_->filePath(QLatin1String(name)).toStdString();
  }
  /// Writes a data set that is read by the other process, and one that is not.
  std::string write(const char* name, const char* in_other_process = "/packed") const {
    const Writer file(path(name));
    file.add(in_other_process, H5T_STD_U16LE, packed);
    file.add("/plain", H5T_STD_U16LE, in_one_piece);
    file.add("/angles", {3}, {0, 90, 180});
    return path(name);
  }

 private slots:
  void initTestCase() {
    qputenv("GANTRY_DECODER_FAILS", "1");  // on files and data sets named so
    QVERIFY2(!DecoderProcess::program().empty(), "gantry-decoder was not found");
  }
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() {
    qunsetenv("GANTRY_DECODER");
    folder_.reset();
    QVERIFY(child_processes().empty());  // each process ends with its file
  }

  void numbersAreRead_data() {
    QTest::addColumn<qint64>("type");
    QTest::addColumn<bool>("lies_as_it_is");
    const auto row = [](const char* name, hid_t type, bool lies_as_it_is) {
      QTest::newRow(name) << static_cast<qint64>(type) << lies_as_it_is;
    };
    row("int8", H5T_STD_I8LE, true);
    row("uint8", H5T_STD_U8LE, true);
    row("int16", H5T_STD_I16LE, true);
    row("uint16", H5T_STD_U16BE, true);
    row("int32", H5T_STD_I32BE, true);
    row("uint32", H5T_STD_U32LE, true);
    row("int64", H5T_STD_I64LE, true);
    row("uint64", H5T_STD_U64BE, true);
    row("float32", H5T_IEEE_F32LE, true);
    row("swapped float32", H5T_IEEE_F32BE, true);
    row("float64", H5T_IEEE_F64LE, true);
    const hid_t twelve_bits = H5Tcopy(H5T_STD_U16LE), three_bytes = H5Tcopy(H5T_STD_I32LE);
    H5Tset_precision(twelve_bits, 12);
    H5Tset_size(three_bytes, 3);
    row("12 bits", twelve_bits, false);
    row("3 bytes", three_bytes, false);
  }
  /// All ways lead to the numbers that were written: by libhdf5 here and in the other process, and
  /// without it.
  void numbersAreRead() {
    QFETCH(qint64, type);
    QFETCH(bool, lies_as_it_is);
    const double sign = H5Tget_sign(type) == H5T_SGN_NONE ? 1 : -1;
    {
      const Writer file(path("n.h5"));
      file.add("/group/piece", type, in_one_piece, sign);
      file.add("/compact", type, compact, sign);
      file.add("/chunks", type, in_chunks, sign);
      file.add("/packed", type, packed, sign);
    }
    const Hdf5File apart(path("n.h5"));
    const Hdf5Reader here(path("n.h5"));
    QCOMPARE(apart.datasets(), here.listing().datasets);
    QCOMPARE(apart.datasets().size(), std::size_t{4});
    for (const Hdf5Dataset& one : apart.datasets()) {
      QCOMPARE(one.piece.has_value(), lies_as_it_is && one.path == "/group/piece");
      for (const hsize_t frame : {hsize_t{0}, frames - 1}) {
        QCOMPARE(frame_of(apart, one, frame), expected_frame(frame, sign));
        QCOMPARE(frame_of(here, one, frame), expected_frame(frame, sign));
      }
      QCOMPARE(apart.numbers(one), here.numbers(one));
      QCOMPARE(apart.numbers(one).back(), sign * value_at(frames - 1, rows * columns - 1));
      QCOMPARE(apart.text_attribute(one, "units"), std::optional<std::string>("deg"));
      QCOMPARE(apart.text_attribute(one, "none"), std::optional<std::string>());
      QCOMPARE(apart.text(one), std::optional<std::string>());
      QVERIFY(apart.has_attribute(one.path, "units"));
      QVERIFY(!apart.has_attribute(one.path, "none"));
    }
  }

  /// Every second frame of some, and every third column, as far as they are packed in chunks.
  void elementsOfABoxAreRead() {
    {
      const Writer file(path("box.h5"));
      file.add("/packed", H5T_STD_U16BE, packed);
      file.add("/piece", H5T_STD_U16BE, in_one_piece);
    }
    const Hdf5File file(path("box.h5"));
    QVERIFY(file.find("/piece")->chunk.empty());
    const Hdf5Dataset& data = *file.find("/packed");
    QCOMPARE(data.chunk, (std::vector<std::uint64_t>{2, 4, 7}));
    std::vector<float> values(2 * 3 * 2), expected;
    file.read_box(data, {{1, 2, 2}, {2, 3}, {3, 2, 3}}, values);
    for (const hsize_t frame : {1, 3})
      for (hsize_t row = 2; row < 5; ++row)
        for (const hsize_t column : {3, 6})
          expected.push_back(static_cast<float>(value_at(frame, row * columns + column)));
    QCOMPARE(values, expected);
    EXPECT_THROWS(InputError, file.read_box(data, {{4, 2}, {2, 3}, {3, 2}}, values),
                  "box.h5: /packed cannot be read");
  }

  /// All frames of this data set take 2 GB, eight times what the process may have for the file.
  void aFrameIsReadWithoutTheOthers() {
    {
      const Writer file(path("large.h5"));
      file.add("/many", {2000, 512, 512}, {}, H5T_IEEE_F32LE, [](hid_t properties) {
        const hsize_t chunk[] = {1, 512, 512};
        H5Pset_chunk(properties, 3, chunk);
      });
    }
    const Hdf5File file(path("large.h5"));
    QCOMPARE(frame_of(file, "/many", 1999), std::vector<float>(std::size_t{512} * 512));
  }

  /// Frames that share chunks are read one after the other. The chunks of one frame take more than
  /// the megabyte that libhdf5 keeps by itself.
  void eachChunkIsUnpackedOnce() {
    const CountedUnpackings unpackings;
    constexpr hsize_t depth = 3, height = 256, width = 512;
    std::vector<double> values(2 * depth * height * width);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    {
      const Writer file(path("c.h5"));
      file.add("/data", {2 * depth, height, width}, values, H5T_IEEE_F32LE, [](hid_t properties) {
        CountedUnpackings::set(properties, {depth, height / 2, width});
      });
    }
    const Hdf5Reader file(path("c.h5"));
    for (hsize_t frame = 0; frame < 2 * depth; ++frame) {
      const std::vector<float> read = frame_of(file, file.listing().datasets[0], frame);
      QVERIFY(
          std::ranges::equal(read, std::span(values).subspan(frame * height * width, read.size())));
    }
    QCOMPARE(unpackings.count, 4);  // two chunks above each other, twice
  }

  /// A data set is found by each path that leads to it, though the file lists it once.
  void furtherPathsLeadToADataSet() {
    {
      const Writer file(path("links.h5"));
      file.add("/entry/detector/data", H5T_STD_U16LE, in_one_piece);
      file.link("/entry/view/data", "/entry/detector/data");
      file.link("/last", "/entry");
      file.link("/entry/detector/up", "/entry");  // a circle
    }
    const Hdf5File file(path("links.h5"));
    QCOMPARE(file.datasets().size(), std::size_t{1});
    const Hdf5Dataset* data = &file.datasets()[0];
    for (const char* one :
         {"/entry/detector/data", "/entry/view/data", "/last/view/data", "/last/detector/data",
          "/entry/detector/up/detector/up/view/data", "/last/detector/up/detector/data"})
      QVERIFY2(file.find(one) == data, one);
    for (const char* one : {"/entry/detector/dat", "/entry/detector/up", "/lastly/view/data", ""})
      QVERIFY2(file.find(one) == nullptr, one);
    Hdf5Listing in_circles;
    in_circles.aliases = {{"/a", "/b"}, {"/b", "/a"}, {"/c", "/c"}, {"/d", "/d/d"}};
    for (const char* one : {"/a/x", "/c/c", "/d/d/d"})
      QVERIFY2(in_circles.find(one) == nullptr, one);
  }

  void severalThreadsReadAtOnce() {
    const Hdf5File file(write("t.h5"));
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (hsize_t frame = 0; frame < frames; ++frame)
          for (const char* path : {"/packed", "/plain"})
            right += frame_of(file, path, frame) == expected_frame(frame) ? 1 : 0;
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(right.load(), static_cast<int>(4 * 2 * frames));
  }

  /// A node of the tree of a group that names itself as the node below: libhdf5 descends until its
  /// stack is full.
  void aDamagedFileCrashesTheOtherProcess() {
    write("endless.h5");
    QByteArray bytes = bytes_of_file(path("endless.h5"));
    const qsizetype node = bytes.indexOf(QByteArray("TREE\0\0", 6));
    QVERIFY(node > 0);
    bytes[node + 5] = 1;  // its level
    const auto address = static_cast<quint64>(node);
    std::memcpy(bytes.data() + node + 32, &address, sizeof address);
    write_file(path("endless.h5"), bytes);
    EXPECT_THROWS(InputError, Hdf5File(path("endless.h5")),
                  path("endless.h5") + ": the decoder crashed while reading it (signal 11");
    ImportRequest request;
    request.path = path("endless.h5");
    EXPECT_THROWS(InputError, import_scan(request), "copy the file again from where it came");
  }

  void aBrokenProcessCostsTheFile_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    QTest::newRow("crash") << "/crash_here"
                           << "the decoder crashed while reading it (signal 11, Segmentation";
    QTest::newRow("exit") << "/exit_here"
                          << "the decoder crashed while reading it (exit status 7)";
    QTest::newRow("memory") << "/exhaust_here"
                            << "needs more memory than is allowed for a file of its size";
    QTest::newRow("time") << "/spin_here"
                          << "takes too long to read for its size";
  }
  void aBrokenProcessCostsTheFile() {
    QFETCH(QString, name);
    QFETCH(QString, message);
    const QByteArray dataset = name.toUtf8();
    const Hdf5File file(write("b.h5", dataset.constData()));
    EXPECT_THROWS(InputError, frame_of(file, dataset.constData(), 2), message.toStdString());
    EXPECT_THROWS(InputError, file.numbers(*file.find(dataset.constData())), message.toStdString());
    const Hdf5File other(write("good.h5"));
    QCOMPARE(frame_of(other, "/packed", 1), expected_frame(1));
  }

  /// A decoder that was killed from outside says nothing about the file, however often it is asked.
  void aKilledDecoderIsNoDamage() {
    const Hdf5File file(write("b.h5", "/killed_here"));
    for (int i = 0; i < 2; ++i)
      EXPECT_THROWS(DecoderUnavailable, frame_of(file, "/killed_here", 2),
                    "the decoder was killed while reading it");
  }

  void theMessageNamesDataSetAndFrame() {
    const Hdf5File file(write("b.h5", "/crash_here"));
    EXPECT_THROWS(InputError, frame_of(file, "/crash_here", 2),
                  path("b.h5") + ": /crash_here, frame 2: the decoder crashed");
  }

  /// A process that waits for something uses no processor time, and is ended all the same.
  void aHangingProcessIsEnded() {
    const auto process = DecoderProcess::start();
    QVERIFY(process != nullptr);
    EXPECT_THROWS(
        InputError,
        process->ask({wire::What::hdf5_open, "sleep_here", 0, 0, "sleep_here", 0.02, nullptr}),
        "sleep_here: takes too long to read for its size");
    QVERIFY(child_processes().empty());
  }

  /// A program that is killed leaves no decoder behind, not even one that never ends by itself.
  void noProcessOutlivesTheProgram() {
    QCOMPARE(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // makes this process the decoder's next parent
    int started[2] = {-1, -1};
    QCOMPARE(pipe(started), 0);
    const pid_t program = fork();
    if (program == 0) {
      const auto process = DecoderProcess::start();
      if (process && ::write(started[1], "s", 1) == 1)
        process->ask({wire::What::hdf5_open, "sleep_here", 0, 0, "sleep_here", 1000, nullptr});
      _exit(0);
    }
    close(started[1]);
    char byte = 0;
    const ssize_t got = read(started[0], &byte, 1);
    close(started[0]);
    QTest::qWait(200);  // the decoder sleeps meanwhile
    kill(program, SIGKILL);
    QCOMPARE(waitpid(program, nullptr, 0), program);
    QCOMPARE(got, ssize_t{1});
    pid_t ended = 0;
    QTRY_VERIFY(ended > 0 || (ended = waitpid(-1, nullptr, WNOHANG)) > 0);
    QCOMPARE(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
  }

  void aProcessMayBeKilled() {
    const Hdf5File idle(write("k.h5"));
    kill_children();
    QCOMPARE(frame_of(idle, "/plain", 1), expected_frame(1));  // needs no process
    const std::string message = "the decoder was killed while reading it";
    EXPECT_THROWS(InputError, frame_of(idle, "/packed", 1), message);
    EXPECT_THROWS(InputError, idle.numbers(*idle.find("/angles")), message);
    const Hdf5File reading(write("r.h5", "/sleep_here"));
    const Later kill(kill_children);
    EXPECT_THROWS(InputError, frame_of(reading, "/sleep_here", 1), message);
  }

  void anInterruptionEndsTheReading() {
    Interrupt interrupt;
    const Hdf5File file(write("i.h5", "/sleep_here"), &interrupt);
    {
      const Later raise([&] { interrupt.raise(); });
      QVERIFY_THROWS_EXCEPTION(Interrupted, frame_of(file, "/sleep_here", 1));
    }
    QVERIFY(child_processes().empty());
    QVERIFY_THROWS_EXCEPTION(Interrupted, file.numbers(*file.find("/angles")));
    interrupt.lower();
    QCOMPARE(file.numbers(*file.find("/angles")), (std::vector<double>{0, 90, 180}));
  }

  void anInterruptionEndsTheImport() {
    {
      const Writer file(path("t.nxs"));
      file.add("/entry/sleep_here/data", H5T_STD_U16LE, packed);
      file.add("/entry/sleep_here/image_key", {frames}, {0, 0, 0, 0, 0});
      file.add("/entry/rotation_angle", {frames}, {0, 45, 90, 135, 180});
    }
    ImportRequest request;
    request.path = path("t.nxs");
    Interrupt interrupt;
    const Later raise([&] { interrupt.raise(); });
    QVERIFY_THROWS_EXCEPTION(Interrupted, import_scan(request, {}, &interrupt));
  }

  void withoutTheProgramNothingIsRead() {
    write("m.h5");
    qputenv("GANTRY_DECODER", "/missing/gantry-decoder");
    EXPECT_THROWS(InputError, Hdf5File(path("m.h5")),
                  path("m.h5") + ": cannot be read, since the program gantry-decoder is not found");
    qputenv("GANTRY_DECODER", "none");  // the user wants it so
    const Hdf5File here(path("m.h5"));
    QVERIFY(child_processes().empty());
    QCOMPARE(frame_of(here, "/packed", 3), expected_frame(3));
  }

  void listingsSurviveTheWay() {
    Hdf5Listing listing;
    listing.datasets.push_back({"/a", {2, 3}, true, NumberType::uint16, {}, {2, 1}, {}, 12, {}});
    listing.datasets.push_back({"/b",
                                {},
                                true,
                                NumberType::float64,
                                Hdf5Piece{"f", 9, true},
                                {},
                                Hdf5PackedPiece{{"g", 8, true}, 7},
                                0,
                                Hdf5Scaling{0.5, -3, "scale_factor", "is 0"}});
    listing.dangling = {"/c -> other.h5:/d"};
    const std::string bytes = wire::pack(listing);
    QCOMPARE(wire::unpack_listing(bytes), listing);
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_THROWS(InputError, wire::unpack_listing(bytes.substr(0, length)),
                    "the decoder's answer cannot be understood");
  }

  /// The last test, since such a program is not tried again.
  void anotherProgramIsNoDecoder() {
    write("o.h5");
    qputenv("GANTRY_DECODER", "/bin/true");
    EXPECT_THROWS(InputError, Hdf5File(path("o.h5")), "since /bin/true does not start");
  }
};

GANTRY_TEST(TestHdf5File)
#include "test_hdf5_file.moc"
