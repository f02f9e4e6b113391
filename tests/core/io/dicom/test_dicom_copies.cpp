// Several files that are the same image: a sound one is taken, whatever the order of their names,
// and what is not taken is told.
#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/dicom_folder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <fstream>

using namespace gantry;
using namespace gantry::test;

class TestDicomCopies : public QObject, DicomFolder {
  Q_OBJECT

  static TinyDicom slice(int i) {
    TinyDicom image;
    return image.at(2 * i, i).pixels({i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  }
  void save_series() const {
    for (int i = 0; i < 5; ++i) save(slice(i), "m" + std::to_string(i) + ".dcm");
  }
  static std::string all_notes(const LoadedVolume& v) {
    std::string all;
    for (const std::string& note : v.notes) all += note + "\n";
    return all;
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    save_series();
  }
  void cleanup() { folder_.reset(); }

  void aDamagedCopyDoesNotDisplaceTheSoundOne_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<int>("of");
    for (const int of : {0, 2, 4}) {
      const auto row = [&](const char* name, const QByteArray& bytes, const char* reason) {
        QTest::newRow(qPrintable(QString("%1, of %2").arg(name).arg(of)))
            << bytes << QString::fromLatin1(reason) << of;
      };
      const QByteArray whole = slice(of).bytes();
      row("pixels cut short", whole.left(whole.size() - 6), "is damaged or cut short");
      row("header smaller than the pixels", slice(of).number(0x00280010, 2).bytes(),
          "holds 12 pixels instead of 4 x 2 = 8");
      row("values beyond float", slice(of).text(0x00281052, "DS", "1e308").bytes(),
          "its values are not finite");
      row("no orientation", slice(of).remove(0x00200037).bytes(),
          "ImageOrientationPatient (0020,0037) is missing");
      row("no position", slice(of).remove(0x00200032).bytes(),
          "ImagePositionPatient (0020,0032) is missing");
      row("no pixel size", slice(of).remove(0x00280030).bytes(),
          "PixelSpacing (0028,0030) is missing");
      row("pixel size beyond reason", slice(of).text(0x00280030, "DS", "1e300\\1e300").bytes(),
          "PixelSpacing (0028,0030) is 1e+300");
      row("slope zero", slice(of).text(0x00281053, "DS", "0").bytes(),
          "RescaleSlope (0028,1053) is 0");
    }
  }
  void aDamagedCopyDoesNotDisplaceTheSoundOne() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reason);
    QFETCH(int, of);
    for (const std::string name : {"a.dcm", "z.dcm"}) {
      write(bytes, name);
      const LoadedVolume v = load_dicom(folder());
      QCOMPARE(v.grid.nz, 5);
      for (int i = 0; i < 5; ++i) EXPECT_NEAR(hu_at(v, 0, 0, i), i - 1000, 1e-3);
      const std::string note =
          "a file that cannot be read is left out: " + name + ": " + reason.toStdString();
      QVERIFY2(has_note(v, note), all_notes(v).c_str());
      QCOMPARE(v.notes.size(), std::size_t{1});
      QCOMPARE(load_dicom(path("m" + std::to_string(of) + ".dcm")).grid.nz, 5);
      EXPECT_THROWS(InputError, load_dicom(path(name)), name);  // it was asked for
      QVERIFY(QFile::remove(QString::fromStdString(path(name))));
    }
  }

  void damagedCopiesAloneAreLeftOutTogether() {
    const QByteArray whole = slice(4).bytes();
    for (const char* name : {"m4.dcm", "z.dcm"}) write(whole.left(whole.size() - 6), name);
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 4);
    QVERIFY2(has_note(v, "left out: m4.dcm") && has_note(v, "left out: z.dcm"),
             all_notes(v).c_str());
  }

  void theHeaderOfADamagedCopyIsNotKept() {
    const QByteArray whole = slice(0).text(0x00180060, "DS", "80").bytes();
    write(whole.left(whole.size() - 6), "a.dcm");
    for (int i = 0; i < 5; ++i)
      save(slice(i).text(0x00180060, "DS", "120"), "m" + std::to_string(i) + ".dcm");
    QCOMPARE(load_dicom(folder()).study->attributes.at("KVP"), std::string("120"));
  }

  void equalCopiesAreCounted() {
    save(slice(1), "a.dcm");
    save(slice(1).text(0x00200032, "DS", "-1.0\\-2.0\\2.0"), "z.dcm");
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 5);
    QCOMPARE(all_notes(v), std::string("2 second copies of images are left out\n"));
    QCOMPARE(list_dicom_series(folder()).front().images, 5);
  }

  /// Whoever opens one image is offered the slices of its series, which are counted beforehand.
  void copiesAndScoutViewsAreNoSlices() {
    save(slice(1), "copy.dcm");
    for (const int i : {5, 6, 7, 8, 9, 10})
      save(slice(i).text(0x00080008, "CS", "ORIGINAL\\PRIMARY\\LOCALIZER"),
           "scout" + std::to_string(i) + ".dcm");
    QCOMPARE(list_dicom_series(folder()).front().images, load_dicom(folder()).grid.nz);
  }

  /// Of several images at one position, that which was opened counts.
  void imagesAtThePositionOfAChosenOneAreNoSlices() {
    for (const int i : {0, 1, 3, 4})
      QVERIFY(QFile::remove(QString::fromStdString(path("m" + std::to_string(i) + ".dcm"))));
    save(slice(2).text(0x00080018, "UI", "2.25.77"), "other.dcm");
    const std::string chosen = path("m2.dcm");
    QCOMPARE(list_dicom_series(chosen).front().images, 1);
    QCOMPARE(load_dicom(chosen).grid.nz, 1);
  }

  void copiesThatDifferAreTold_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("what");
    TinyDicom pixels = slice(1).pixels({1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12});
    QTest::newRow("pixels") << pixels.bytes() << "their pixels";
    QTest::newRow("rescale") << slice(1).text(0x00281052, "DS", "-1024").bytes()
                             << "RescaleSlope or RescaleIntercept";
    QTest::newRow("place") << slice(1).text(0x00200032, "DS", "-1\\-2\\3").bytes()
                           << "their position";
    QTest::newRow("size") << slice(1).number(0x00280010, 4).number(0x00280011, 3).bytes()
                          << "their size";
    QTest::newRow("padding") << slice(1).number(0x00280120, 7, "SS").bytes() << "PixelPaddingValue";
  }
  void copiesThatDifferAreTold() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, what);
    write(bytes, "z.dcm");
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 5);
    QCOMPARE(all_notes(v),
             "m1.dcm and z.dcm are the same image by their SOPInstanceUID, but "
             "differ in " +
                 what.toStdString() + ": m1.dcm is used\n");
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(hu_at(v, 0, 0, i), i - 1000, 1e-3);
    if (what == "their position" || what == "their size")
      return;  // it makes no stack with the others
    const LoadedVolume chosen = load_dicom(path("z.dcm"));
    QVERIFY2(has_note(chosen, "z.dcm is used"), all_notes(chosen).c_str());
  }
};

GANTRY_TEST(TestDicomCopies)
#include "test_dicom_copies.moc"
