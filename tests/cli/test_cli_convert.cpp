// A series of DICOM keeps its place in the patient when it becomes a file of another kind.
#include "core/io/volumes/volume_file.hpp"
#include "tests/cli/command.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QDir>
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
};

GANTRY_TEST(TestCliConvert)
#include "test_cli_convert.moc"
