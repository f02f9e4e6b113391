// A series of DICOM keeps its place in the patient when it becomes a file of another kind.
#include "core/io/volumes/volume_file.hpp"
#include "tests/cli/command.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry;
using namespace gantry::test;

class TestCliConvert : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString path(const QString& name) const { return folder_.filePath(name); }
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }

  /// Makes a folder of three slices in a plane of these directions.
  void put_series(const QString& name, const char* directions) const {
    QVERIFY(QDir(folder_.path()).mkdir(name));
    for (int i = 0; i < 3; ++i) {
      TinyDicom image;
      image.at(2 * i, i);
      image.text(0x00200037, "DS", directions);
      image.text(0x00200032, "DS", "-115\\" + std::to_string(7 + 2 * i) + "\\696");
      if (std::string(directions) == "1\\0\\0\\0\\1\\0")
        image.text(0x00200032, "DS", "-115\\7\\" + std::to_string(696 + 2 * i));
      image.save(path(name + QString("/%1.dcm").arg(i)));
    }
  }

 private slots:
  void initTestCase() {
    put_series("axial", "1\\0\\0\\0\\1\\0");
    put_series("coronal", "1\\0\\0\\0\\0\\-1");
  }

  void thePlaceInThePatientIsKept_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"a.mha", "a.nrrd", "a.nii", "a.tif", "a.raw"})
      QTest::newRow(file) << QString(file);
  }
  void thePlaceInThePatientIsKept() {
    QFETCH(const QString, file);
    const Answer answer = cli("convert axial " + file);
    EXPECT_DONE(answer);
    QVERIFY2(!answer.errors.contains("place"), qPrintable(answer.errors));
    const Vec3 first = load_volume(path(file).toStdString()).grid.origin_mm;
    QVERIFY2(norm(first - Vec3{-115, 7, 696}) < 1e-4, qPrintable(answer.text()));
    QCOMPARE(cli("convert " + file + " again").code, 0);
    const LoadedVolume again = load_volume(path("again").toStdString());
    QVERIFY(norm(again.frame->to_patient(again.grid.origin_mm) - first) < 1e-4);
    QVERIFY(QDir(path("again")).removeRecursively());
  }

  void aPlaceThatIsLostIsNoted() {
    const Answer answer = cli("convert coronal c.mha");
    QCOMPARE(answer.code, 0);
    QVERIFY2(answer.errors.contains("the place in the patient was left out, where the first voxel "
                                    "lies at (LPS) -115, "),
             qPrintable(answer.errors));
    QVERIFY(cli("convert axial a.npy").errors.contains("states no place"));
  }

  /// A size of voxels is taken where the file states none; the grid stays on the axis, or the first
  /// voxel where the file says.
  void aSizeOfVoxelsIsTakenWhereNoneIsStated() {
    QCOMPARE(cli("convert axial s.npy").code, 0);
    const auto grid_of = [&](const QString& file) {
      return load_volume(path(file).toStdString()).grid;
    };
    EXPECT_DONE(cli("convert s.npy b.mha --voxel 0.5,0.25,2"));
    const VolumeGrid grid = grid_of("b.mha");
    QCOMPARE(grid, VolumeGrid::centered(grid.nx, grid.ny, 3, {0.5, 0.25, 2}));
    EXPECT_DONE(cli("convert s.npy c.mha --voxel 0.4"));
    QCOMPARE(grid_of("c.mha").spacing_mm, (Vec3{0.4, 0.4, 0.4}));
    QByteArray without = bytes_of_file(path("b.mha"));
    without.replace("ElementSpacing = 0.5 0.25 2\n", "");
    write_file(path("w.mha"), without);
    EXPECT_DONE(cli("convert w.mha d.mha --voxel 3"));
    QCOMPARE(grid_of("d.mha").spacing_mm, (Vec3{3, 3, 3}));
    QVERIFY(norm(grid_of("d.mha").origin_mm - grid.origin_mm) < 1e-6);
    EXPECT_DONE(cli("convert b.mha e.mha --voxel 0.5,0.25,2"));
    QCOMPARE(grid_of("e.mha"), grid);
    const auto refused = [&](const QString& options, const char* message) {
      const Answer answer = cli("convert " + options);
      return answer.code == 2 && answer.error_lines().size() == 1 &&
             answer.errors.contains(message) && !QFile::exists(path("no.mha"));
    };
    QVERIFY(refused("b.mha no.mha --voxel 0.5", "states voxels of 0.5 x 0.25 x 2 mm, and 0.5 x"));
    for (const char* wrong : {"0", "-1", "1,2", "1,2,", "1,2,x", "nan"})
      QVERIFY(refused("s.npy no.mha --voxel=" + QString(wrong), "is no size of voxels"));
  }
};

GANTRY_TEST(TestCliConvert)
#include "test_cli_convert.moc"
