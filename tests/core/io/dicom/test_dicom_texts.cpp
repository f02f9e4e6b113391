// Texts of a written series that are longer than DICOM allows.
#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QTemporaryDir>

using namespace gantry;

class TestDicomTexts : public QObject {
  Q_OBJECT

 private slots:
  /// A name that DICOM cannot hold is refused instead of cut: the images could pass for those of
  /// another patient. Each value of another text is cut on its own.
  void longTextsAreCutAndLongNamesRefused() {
    const QTemporaryDir folder;
    const std::string target = folder.filePath("series").toStdString();
    auto study = std::make_shared<DicomStudy>();
    const VolumeGrid grid = VolumeGrid::centered(4, 3, 2, {0.5, 0.75, 2});
    const std::vector<float> mu(grid.voxels(), 0.02F);
    DicomWriteRequest request;
    request.grid = grid;
    request.mu = mu;
    request.study = study;
    const std::string longest(64, 'n'), method(70, 'm');
    study->attributes = {{"PatientName", longest + "=" + longest},
                         {"StudyDescription", std::string(70, 'd')},
                         {"PatientIdentityRemoved", "YES"},
                         {"DeidentificationMethod", "short\\" + method + "\\\xc3\xbc" + method}};
    write_dicom_series(target, request);
    const LoadedVolume read = load_dicom(target);
    QCOMPARE(read.study->attributes.at("PatientName"), longest + "=" + longest);
    QCOMPARE(read.study->attributes.at("StudyDescription"), std::string(64, 'd'));
    QCOMPARE(read.study->attributes.at("DeidentificationMethod"),
             "short\\" + method.substr(0, 64) + "\\\xc3\xbc" + method.substr(0, 63));
    request.overwrite = true;
    for (const std::string& name :
         {longest + "n", longest + "=" + longest + "n", std::string("a^b^c^d^e^f")}) {
      study->attributes["PatientName"] = name;
      EXPECT_THROWS(OutputError, write_dicom_series(target, request),
                    "PatientName (0010,0010) is longer than DICOM allows (64 characters, 5 "
                    "components); shorten the name in the source images");
      QCOMPARE(
          QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
          QStringList("series"));
      QCOMPARE(load_dicom(target).study->attributes.at("PatientName"), longest + "=" + longest);
    }
  }
};

GANTRY_TEST(TestDicomTexts)
#include "test_dicom_texts.moc"
