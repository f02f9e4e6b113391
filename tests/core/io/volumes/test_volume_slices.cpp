// Single slices of a file are those of the whole volume, in every order of axes, in every unit.
#include "core/base/error.hpp"
#include "core/data/slice.hpp"
#include "core/io/volumes/metaimage.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <limits>
#include <vector>

using namespace gantry;

class TestVolumeSlices : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string path(const char* name) const { return folder_.filePath(QString(name)).toStdString(); }
  /// A file of 4 x 3 x 2 values of one byte, whose axes lie as `matrix` says.
  std::string oriented(const QByteArray& matrix, const QByteArray& more = {}) {
    QFile file(folder_.filePath("oriented.mha"));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no space");
    file.write("NDims = 3\nDimSize = 4 3 2\nElementSpacing = 1 2 3\nOffset = 5 6 7\n" + more +
               "TransformMatrix = " + matrix + "\nElementType = MET_UCHAR\n" +
               "ElementDataFile = LOCAL\n");
    for (char i = 0; i < 24; ++i) file.write(QByteArray(1, i));
    return file.fileName().toStdString();
  }
  static void expectSame(const std::string& file, const VolumeReadOptions& options = {}) {
    const auto slices = open_slices(file, options);
    const LoadedVolume whole = load_volume(file, options);
    QVERIFY(slices.has_value());
    QVERIFY(slices->grid == whole.grid);
    for (int iz = 0; iz < whole.grid.nz; ++iz)
      QVERIFY(slices->read(iz) == extract_slice(whole.grid, whole.mu, Axis::axial, iz).values);
  }

 private slots:
  void theyAreThoseOfTheVolume() {
    const VolumeGrid grid = VolumeGrid::centered(5, 4, 3, {1, 2, 3});
    std::vector<float> mu(grid.voxels());
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] = static_cast<float>(i) - 10;
    mu[27] = std::numeric_limits<float>::quiet_NaN();
    write_metaimage(path("a.mha"), grid, mu);
    write_metaimage(path("b.mhd"), grid, mu);
    for (const char* name : {"a.mha", "b.mhd", "b.raw"})
      for (const bool hu : {false, true}) expectSame(path(name), {.values_are_hu = hu});
  }

  void axesAreReversedAndExchanged_data() {
    QTest::addColumn<QByteArray>("matrix");
    QTest::newRow("as they are") << QByteArray("1 0 0 0 1 0 0 0 1");
    QTest::newRow("z downwards") << QByteArray("1 0 0 0 1 0 0 0 -1");
    QTest::newRow("x and y reversed") << QByteArray("-1 0 0 0 -1 0 0 0 1");
    QTest::newRow("x and y exchanged") << QByteArray("0 1 0 1 0 0 0 0 1");
    QTest::newRow("all of it") << QByteArray("0 -1 0 1 0 0 0 0 -1");
  }
  void axesAreReversedAndExchanged() {
    QFETCH(QByteArray, matrix);
    expectSame(oriented(matrix));
  }

  /// The number of slices is that of the grid, along whichever axis of the file they lie.
  void turnedFilesHaveSlicesAlongZ() {
    for (const auto& [matrix, slices] : std::vector<std::pair<const char*, int>>{
             {"1 0 0 0 1 0 0 0 1", 2}, {"0 0 1 0 1 0 1 0 0", 4}, {"1 0 0 0 0 1 0 -1 0", 3}}) {
      const std::string file = oriented(matrix);
      QCOMPARE(stored_slices(file), slices);
      QCOMPARE(load_volume(file).grid.nz, slices);
    }
  }

  /// Where a slice is spread over the whole file, or packed with all others, it is not offered.
  void someFilesHaveNone() {
    QVERIFY(!open_slices(oriented("0 0 1 0 1 0 1 0 0")));
    QVERIFY(!open_slices(oriented("1 0 0 0 1 0 0 0 1", "CompressedData = True\n")));
  }

  void aFileThatIsCutShortIsRefused() {
    const std::string file = oriented("1 0 0 0 1 0 0 0 1");
    const auto slices = open_slices(file);
    QFile cut(QString::fromStdString(file));
    QVERIFY(cut.resize(cut.size() - 5));
    EXPECT_THROWS(InputError, open_slices(file), "cut short");
    EXPECT_THROWS(InputError, slices->read(1), "cut short");  // cut while it was open
  }
};

GANTRY_TEST(TestVolumeSlices)
#include "test_volume_slices.moc"
