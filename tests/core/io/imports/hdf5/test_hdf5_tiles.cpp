// HDF5 whose chunks lie across all views: which of them are unpacked for a part of these, and how
// often.
#include "core/io/files/arrays/hdf5_array.hpp"
#include "core/io/imports/array_frames.hpp"
#include "tests/core/io/files/containers/counted_unpackings.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <malloc.h>

using namespace gantry;
using namespace gantry::test;

namespace {

using Chunk = std::vector<hsize_t>;

/// Views of 69 MB, which is more than is unpacked for each of them without a thought.
struct ViewsInChunks {
  static constexpr hsize_t views = 256, rows = 32, columns = 1056;

  static int value(hsize_t view, hsize_t row, hsize_t column) {
    return static_cast<int>((31 * view + 7 * row + column) % 4096);
  }
  static void write(const std::string& path, const Chunk& chunk) {
    std::vector<double> values;
    for (hsize_t view = 0; view < views; ++view)
      for (hsize_t row = 0; row < rows; ++row)
        for (hsize_t column = 0; column < columns; ++column)
          values.push_back(value(view, row, column));
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                layout = H5Pcreate(H5P_DATASET_CREATE);
    constexpr hsize_t size[] = {views, rows, columns};
    const hid_t space = H5Screate_simple(3, size, nullptr);
    CountedUnpackings::set(layout, chunk);
    const hid_t data =
        H5Dcreate2(file, "/data", H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    if (H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      qFatal("cannot write %s", path.c_str());
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(layout);
    H5Fclose(file);
  }
  /// Returns the mean of a cell and its neighbours to the right and below.
  static float mean_of_four(hsize_t view, hsize_t row, hsize_t column) {
    int sum = 0;
    for (const hsize_t r : {row, row + 1})
      for (const hsize_t c : {column, column + 1}) sum += value(view, r, c);
    return 0.25F * static_cast<float>(sum);
  }
};

}  // namespace

class TestHdf5Tiles : public QObject {
  Q_OBJECT
 private slots:
  void ofAPartItsChunksAreUnpackedOnce_data() {
    QTest::addColumn<Chunk>("chunk");
    QTest::addColumn<int>("of_part");
    QTest::addColumn<int>("of_all");
    constexpr hsize_t views = ViewsInChunks::views;
    QTest::newRow("a row") << Chunk{views, 1, 1056} << 4 << 32;
    QTest::newRow("some columns") << Chunk{views, 32, 132} << 2 << 8;
    QTest::newRow("both") << Chunk{views, 8, 528} << 2 << 8;
  }
  void ofAPartItsChunksAreUnpackedOnce() {
    QFETCH(Chunk, chunk);
    QFETCH(int, of_part);
    QFETCH(int, of_all);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("tiles.h5").toStdString();
    const CountedUnpackings unpackings;
    ViewsInChunks::write(path, chunk);
    qputenv("GANTRY_DECODER", "none");  // the filter is this program's
    const auto file = std::make_shared<const Hdf5File>(path);
    qunsetenv("GANTRY_DECODER");
    const auto whole = frames_of_array(hdf5_array(file, *file->find("/data")), usual_axes);
    const auto frames = whole->part({{100, 64, 2}, {6, 4, 2}, 3});
    QVERIFY(frames != nullptr);
    std::vector<float> values(64);
    bool are_right = true;
    for (int frame = 0; frame < frames->frames(); ++frame) {
      frames->read(frame, values);
      for (std::size_t cell = 0; cell < values.size(); ++cell)
        are_right = are_right && values[cell] == ViewsInChunks::mean_of_four(
                                                     static_cast<hsize_t>(3 * frame),
                                                     6 + cell / 32 * 2, 100 + cell % 32 * 2);
    }
    QVERIFY(are_right);
    QCOMPARE(unpackings.count, of_part);
    // All views are read one after the other, whose chunks are kept.
    unpackings.count = 0;
    std::vector<float> view(ViewsInChunks::rows * ViewsInChunks::columns);
    for (const int frame : {0, 1, 200}) {
      whole->read(frame, view);
      QCOMPARE(view.back(), ViewsInChunks::value(static_cast<hsize_t>(frame), 31, 1055));
    }
    QCOMPARE(unpackings.count, of_all);
  }

  /// The only chunk of a data set is unpacked without being held.
  void ofASingleChunkLittleIsHeld() {
    constexpr int views = 640, rows = 64, columns = 1024;
    const auto value = [](int view, int row, int column) {
      return static_cast<std::uint16_t>((7 * view + 3 * row + column) % 251);
    };
    const auto held = [] {
      const auto all = mallinfo2();
      return all.uordblks + all.hblkhd;
    };
    const QTemporaryDir folder;
    const std::string path = folder.filePath("one.h5").toStdString();
    {
      std::vector<std::uint16_t> values;
      for (int view = 0; view < views; ++view)
        for (int row = 0; row < rows; ++row)
          for (int column = 0; column < columns; ++column)
            values.push_back(value(view, row, column));
      const Hdf5Writer writer(path);
      writer.add("/data", {views, rows, columns}, values, {}, false, {views, rows, columns});
    }
    qputenv("GANTRY_DECODER", "none");  // so that all that is held counts
    const auto file = std::make_shared<const Hdf5File>(path);
    qunsetenv("GANTRY_DECODER");
    const std::size_t before = held();
    const auto frames = frames_of_array(hdf5_array(file, *file->find("/data")), usual_axes);
    for (const int view : {639, 5, 300}) {
      std::vector<float> values(rows * columns);
      frames->read(view, values);
      for (const int cell : {0, 1, 65535})
        QCOMPARE(values[static_cast<std::size_t>(cell)],
                 value(view, cell / columns, cell % columns));
    }
    QVERIFY(held() - before < std::size_t{views} * rows * columns);  // half of its bytes
  }
};

GANTRY_TEST(TestHdf5Tiles)
#include "test_hdf5_tiles.moc"
