// Files beside slices that are not DICOM any more: told, unless their names say that they are
// something else.
#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/dicom_folder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QTemporaryDir>

#include <fstream>

using namespace gantry;
using namespace gantry::test;

class TestDicomStrays : public QObject, DicomFolder {
  Q_OBJECT

  static QByteArray slice(int i) { return TinyDicom().at(2 * i, i).bytes(); }
  void save_series(const std::string& before = "I", const std::string& after = ".dcm") const {
    for (int i = 0; i < 4; ++i) write(slice(i), before + std::to_string(10 * (i + 1)) + after);
  }
  static std::string all_notes(const LoadedVolume& v) {
    std::string all;
    for (const std::string& note : v.notes) all += note + "\n";
    return all;
  }
  static constexpr const char* told =
      " is not a DICOM file or is damaged; it was left out; if it was a slice of this series, that "
      "slice is missing in the volume\n";

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  /// Cut anywhere, the last slice of a stack leaves no gap that would tell.
  void aSliceThatWasCutIsTold() {
    save_series();
    const QByteArray whole = slice(4);
    for (qsizetype length = 0; length < whole.size(); ++length) {
      write(whole.left(length), "I50.dcm");
      const LoadedVolume v = load_dicom(length % 2 == 0 ? folder() : path("I10.dcm"));
      QCOMPARE(v.grid.nz, 4);
      QVERIFY2(v.notes.size() == 1 && has_note(v, "I50.dcm"),
               qPrintable(QString("%1 bytes: %2").arg(length).arg(all_notes(v).c_str())));
    }
    write(whole, "I50.dcm");
    QCOMPARE(load_dicom(folder()).notes.size(), std::size_t{0});
  }

  void anOverwrittenMarkIsTold() {
    save_series();
    write(slice(4).replace(128, 4, "JUNK"), "I50.dcm");
    QCOMPARE(all_notes(load_dicom(folder())), std::string("I50.dcm") + told);
  }

  void manyTakeOneLine() {
    save_series();
    for (int i = 5; i < 10; ++i) write("", "I" + std::to_string(10 * i) + ".dcm");
    QCOMPARE(
        all_notes(load_dicom(folder())),
        std::string(
            "5 files are not DICOM files or are damaged; they were left out: I50.dcm, I60.dcm, "
            "I70.dcm and 2 more; slices of this series among them are missing in the volume\n"));
  }

  void namesAndContentsTellWhatMayHaveBeenASlice_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("noted");
    const auto row = [](const char* before, const char* after, const char* name,
                        const QByteArray& bytes, bool noted) {
      QTest::newRow(qPrintable(QString("%1#%2, %3").arg(before, after, name)))
          << before << after << name << bytes << noted;
    };
    const QByteArray zeros(100, '\0'), text("Twenty-eight slices of a head.\r\n");
    row("I", ".dcm", "I5.dcm", zeros, true);
    row("I", ".dcm", "other.DCM", text, true);
    row("I", ".dcm", "bare", zeros, true);
    row("I", ".dcm", "empty", {}, true);
    row("I", ".dcm", "1.2.840.7", zeros, true);
    row("I", ".img", "i5.IMG", text, true);
    row("I", ".img", "J5.img", zeros, false);
    row("", "", "77", text, true);
    row("I", ".dcm", "README", text, false);
    row("I", ".dcm", "README.txt", text, false);
    row("I", ".dcm", "expected.json", text, false);
    row("I", ".dcm", "I10.txt", text, false);
    row("I", ".dcm", "I10.png", zeros, false);
    row("I", ".dcm", "DICOMDIR", zeros, false);
    row("I", ".dcm", "._I10.dcm", zeros, false);
    row("I", ".dcm", ".DS_Store", zeros, false);
    row("I", ".dcm", "Thumbs.db", zeros, false);
    row("I", ".dcm", "below/I50.dcm", zeros, false);  // where no slices lie
  }
  void namesAndContentsTellWhatMayHaveBeenASlice() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(bool, noted);
    save_series(before.toStdString(), after.toStdString());
    QVERIFY(QDir(folder_->path()).mkdir("below"));
    write(bytes, name.toStdString());
    QCOMPARE(all_notes(load_dicom(folder())), noted ? name.toStdString() + told : std::string());
  }

  void aGapIsToldWithWhatMayHaveFilledIt() {
    save_series();
    write("", "I20.dcm");
    EXPECT_THROWS(UnevenSeries, load_dicom(folder()), "a slice is missing: a gap of 4 mm");
    EXPECT_THROWS(UnevenSeries, load_dicom(folder()), "I20.dcm is not a DICOM file or is damaged");
  }

  void aReportIsNoDamagedImage() {
    save_series();
    TinyDicom report;
    report.text(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.88.11").text(0x00080060, "CS", "SR");
    write(report.remove(0x00280010).remove(0x00280011).remove(0x7fe00010).bytes(), "I50.dcm");
    QCOMPARE(all_notes(load_dicom(folder())), std::string());
    report.text(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2");
    write(report.bytes(), "I50.dcm");
    QVERIFY(has_note(load_dicom(folder()), "I50.dcm: says that it is a CT image, but holds none"));
  }
};

GANTRY_TEST(TestDicomStrays)
#include "test_dicom_strays.moc"
