// Fields of MetaImage that change how the others are read.
#include "core/base/error.hpp"
#include "tests/core/io/volumes/counted_voxels.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestMetaImageFields : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string put(const QString& name, const QByteArray& bytes) const {
    write_file(folder_.filePath(name), bytes);
    return folder_.filePath(name).toStdString();
  }
  /// Returns a header of 4 x 3 x 2 bytes with more lines.
  static QByteArray header(const QByteArray& more, const QByteArray& size = "3\nDimSize = 4 3 2") {
    return "ObjectType = Image\nNDims = " + size + "\nElementType = MET_UCHAR\n" + more +
           "ElementDataFile = LOCAL\n";
  }

 private slots:
  void unitsOfLengths_data() {
    QTest::addColumn<QByteArray>("unit");
    QTest::addColumn<double>("mm");
    QTest::newRow("um") << QByteArray("um") << 1e-3;
    QTest::newRow("mm") << QByteArray("mm") << 1.0;
    QTest::newRow("cm") << QByteArray("cm") << 10.0;
    QTest::newRow("m") << QByteArray("m") << 1000.0;
    QTest::newRow("not known") << QByteArray("?") << 1.0;
    QTest::newRow("another") << QByteArray("ell") << 1.0;
  }
  void unitsOfLengths() {
    QFETCH(const QByteArray, unit);
    QFETCH(const double, mm);
    const LoadedVolume volume = load_volume(
        put("u.mha",
            header("Offset = -1 2 3\nElementSpacing = 5 6 7\nTransformMatrix = 1 0 0 0 1 0 0 0 1\n"
                   "DistanceUnits = " +
                   unit + "\n") +
                CountedVoxels::bytes()));
    QVERIFY(CountedVoxels::are_in(volume));
    QVERIFY(norm(volume.grid.spacing_mm - mm * Vec3{5, 6, 7}) < 1e-9 * mm);
    QVERIFY(norm(volume.grid.origin_mm - mm * Vec3{-1, 2, 3}) < 1e-9 * mm);
    QCOMPARE(mentions(volume, "DistanceUnits is \"ell\""), unit == "ell");
    QCOMPARE(volume.notes.size(), std::size_t{unit == "ell" ? 1U : 0U});
  }

  void anOrientationThatIsNotStatedIsSaid() {
    const std::string fields = "Offset = -1 2 3\nElementSpacing = 5 6 7\n";
    const LoadedVolume volume =
        load_volume(put("o.mha", header(fields.c_str()) + CountedVoxels::bytes()));
    QVERIFY(CountedVoxels::are_in(volume) && volume.notes.size() == 1);
    QVERIFY(mentions(volume, "states no orientation (TransformMatrix)"));
  }

  /// A fourth dimension of a single volume says nothing.
  void aFourthDimensionOfOneIsPassedOver() {
    const QByteArray fields =
        "Offset = -1 2 3 0\nElementSpacing = 5 6 7 1\n"
        "TransformMatrix = 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n";
    const LoadedVolume volume =
        load_volume(put("f.mha", header(fields, "4\nDimSize = 4 3 2 1") + CountedVoxels::bytes()));
    QVERIFY(CountedVoxels::are_in(volume) && volume.notes.empty());
    QCOMPARE(volume.grid, (VolumeGrid{4, 3, 2, {5, 6, 7}, {-1, 2, 3}}));
    EXPECT_THROWS(
        InputError,
        load_volume(put("g.mha", header(fields, "4\nDimSize = 4 3 1 2") + CountedVoxels::bytes())),
        "DimSize: is \"4 3 1 2\"");
  }
};

GANTRY_TEST(TestMetaImageFields)
#include "test_metaimage_fields.moc"
