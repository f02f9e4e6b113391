// Files that are no series, cannot be read, are cut short or damaged: refused, and nothing crashes.
#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/dicom_folder.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/without_root_access.hpp"

#include <QDir>
#include <QTemporaryDir>

#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Loads; the message of the gantry::Error, or empty when it went well. Anything else escapes.
std::string outcome(const std::string& path) {
  try {
    load_dicom(path);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// `count` items deep: more than any stack bears when each costs a few calls.
QByteArray deep_file(int count) {
  QByteArray bytes = TinyDicom::empty().bytes();
  const QByteArray level(
      "\x08\x00\x40\x11SQ\x00\x00\xff\xff\xff\xff\xfe\xff\x00\xe0\xff\xff\xff\xff", 20);
  for (int i = 0; i < count; ++i) bytes += level;
  return bytes;
}

}  // namespace

class TestDicomDamage : public QObject, DicomFolder {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  void whatIsNoSeriesIsSaidSo() {
    EXPECT_THROWS(InputError, load_dicom(path("nothing")), "does not exist");
    EXPECT_THROWS(InputError, load_dicom(folder()), "the folder is empty");
    write_file(path("text.dcm"), "This is a shopping list, not an image.\n");
    write_file(path("empty.dcm"), "");
    EXPECT_THROWS(InputError, load_dicom(folder()), "no DICOM images among its 2 files");
    EXPECT_THROWS(InputError, load_dicom(path("text.dcm")), "is not a DICOM file");
    EXPECT_THROWS(InputError, load_dicom(path("empty.dcm")), "is not a DICOM file");
    EXPECT_THROWS(InputError, load_dicom("/dev/null"), "is neither a file nor a folder");
    QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_THROWS(InputError, load_dicom(path("pipe")), "is neither a file nor a folder");
    EXPECT_THROWS(InputError, load_dicom(folder()), "no DICOM images");  // and does not hang
    TinyDicom report;
    report.remove(0x00280010).remove(0x00280011).remove(0x7fe00010);
    save(report, "report.dcm");
    EXPECT_THROWS(InputError, load_dicom(path("report.dcm")), "is a DICOM file without an image");
    save(TinyDicom(), "good.dcm");
    QCOMPARE(load_dicom(folder()).grid.nx, 4);  // all the rest is passed over
  }

  void aDamagedNeighbourCostsItselfAlone() {
    write_file(path("bad.dcm"), TinyDicom().at(2, 1).bytes().left(300));
    EXPECT_THROWS(InputError, load_dicom(folder()), "bad.dcm: is damaged or cut short");
    save(TinyDicom(), "good.dcm");
    for (const std::string& place : {folder(), path("good.dcm")}) {
      const LoadedVolume v = load_dicom(place);
      QCOMPARE(v.grid.nz, 1);
      QVERIFY(has_note(v, "a file that cannot be read is left out: "));
      QVERIFY(has_note(v, "bad.dcm: is damaged"));
    }
    EXPECT_THROWS(InputError, load_dicom(path("bad.dcm")), "bad.dcm: is damaged or cut short");
  }

  /// Files of another series that make no series: a choice between them and the good one is none.
  void aDamagedFileOfAnotherSeriesIsNoChoice_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reason");
    TinyDicom other;
    other.at(2, 1).text(0x0020000e, "UI", "2.25.3");
    const QByteArray whole = other.bytes();
    QTest::newRow("header cut short") << whole.left(400) << "bad.dcm: is damaged or cut short";
    QTest::newRow("pixels cut short") << whole.left(whole.size() - 4) << "bad.dcm: is damaged";
    QTest::newRow("no pixels") << TinyDicom(other).remove(0x7fe00010).bytes()
                               << "bad.dcm: has no pixel data";
    QTest::newRow("too few pixels")
        << TinyDicom(other).number(0x00280010, 9).bytes() << "bad.dcm: holds 12 pixels instead of";
    TinyDicom bomb(other);
    bomb.syntax("1.2.840.10008.1.2.4.80").fragments({"abcd"});
    bomb.number(0x00280010, 65535).number(0x00280011, 65535);
    QTest::newRow("bomb") << bomb.bytes() << "bad.dcm: claims 4294836225 pixels in ";
    QTest::newRow("values beyond float") << TinyDicom(other).text(0x00281052, "DS", "1e308").bytes()
                                         << "bad.dcm: its values are not finite";
    QTest::newRow("no series") << TinyDicom(other).remove(0x0020000e).pixels({1}).bytes()
                               << "bad.dcm: holds 1 pixels instead of";
  }
  void aDamagedFileOfAnotherSeriesIsNoChoice() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reason);
    write_file(path("bad.dcm"), bytes);
    save(TinyDicom().at(0, 1), "good1.dcm");
    save(TinyDicom().at(2, 2), "good2.dcm");
    QCOMPARE(list_dicom_series(folder()).size(), std::size_t{1});
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 2);
    QCOMPARE(v.notes.size(), std::size_t{1});
    QVERIFY2(has_note(v, "a file that cannot be read is left out: " + reason.toStdString()),
             v.notes.front().c_str());
    EXPECT_THROWS(InputError, load_dicom(folder(), {.series = "2.25.3"}), reason.toStdString());
    save(TinyDicom().at(2, 2).text(0x0020000e, "UI", "2.25.4"), "good3.dcm");
    EXPECT_THROWS(InputError, load_dicom(folder()), "holds 2 series");
  }

  /// The slices lie 2 mm apart; the one that cannot be read is of the same series.
  void aSliceWhosePixelsAreBadIsLeftOut_data() {
    QTest::addColumn<bool>("odd_size");
    QTest::newRow("cut short") << false;
    QTest::newRow("of another size by its own account") << true;
  }
  void aSliceWhosePixelsAreBadIsLeftOut() {
    QFETCH(bool, odd_size);
    for (int i = 0; i < 5; ++i)
      save(TinyDicom().at(2 * i, i).pixels({i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
           "s" + std::to_string(i) + ".dcm");
    const auto spoil = [&](int i) {
      TinyDicom slice;
      slice.at(2 * i, i).pixels({0, 1, 2});
      if (odd_size) slice.number(0x00280010, 60000).number(0x00280011, 60000);
      save(slice, "s" + std::to_string(i) + ".dcm");
    };
    spoil(4);  // at the end nothing is missing between slices
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 4);
    QCOMPARE(v.notes.size(), std::size_t{1});
    QVERIFY(has_note(v, "a file that cannot be read is left out: s4.dcm: holds 3 pixels instead"));
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(hu_at(v, 0, 0, i), i - 1000, 1e-3);
    QCOMPARE(v.study->instance_uids.size(), std::size_t{4});

    spoil(1);
    EXPECT_THROWS(UnevenSeries, load_dicom(folder()), "a slice is missing: a gap of 4 mm between");
    EXPECT_THROWS(UnevenSeries, load_dicom(folder()),
                  "a file that cannot be read is left out: s1.dcm: holds 3 pixels instead");
    const LoadedVolume even = load_dicom(folder(), {.uneven = UnevenSlices::resample});
    QCOMPARE(even.grid.nz, 4);
    EXPECT_NEAR(hu_at(even, 0, 0, 1), 1 - 1000, 1e-3);  // between 0 and 2
    QVERIFY(has_note(even, "left out: s1.dcm"));
    EXPECT_THROWS(InputError, load_dicom(path("s1.dcm")), "s1.dcm: holds 3 pixels instead");

    for (const int i : {0, 2, 3}) spoil(i);
    EXPECT_THROWS(InputError, load_dicom(folder()), "s0.dcm: holds 3 pixels instead");
  }

  void aSliceWhoseHeaderMakesNoSenseIsLeftOut() {
    for (int i = 0; i < 3; ++i)
      save(TinyDicom().at(2 * i, i).text(0x00281053, "DS", i == 2 ? "0" : "1"),
           "s" + std::to_string(i) + ".dcm");
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 2);
    QVERIFY(has_note(v, "a file that cannot be read is left out: s2.dcm: RescaleSlope"));
    EXPECT_THROWS(InputError, load_dicom(path("s2.dcm")), "RescaleSlope (0028,1053) is 0");
  }

  void aSliceWithoutAPlaceIsLeftOut_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const TinyDicom& image, const char* reason) {
      QTest::newRow(name) << image.bytes() << QString::fromLatin1(reason);
    };
    const auto slice = [] { return TinyDicom().at(98, 99); };
    row("pixel size beyond reason", slice().text(0x00280030, "DS", "1e300\\1e300"),
        "PixelSpacing (0028,0030) is 1e+300 and 1e+300 mm");
    row("pixel size of nothing", slice().text(0x00280030, "DS", "1e-300\\0.5"),
        "PixelSpacing (0028,0030) is 1e-300 and 0.5 mm");
    row("no pixel size", slice().remove(0x00280030), "PixelSpacing (0028,0030) is missing");
    row("no orientation", slice().remove(0x00200037),
        "ImageOrientationPatient (0020,0037) is missing");
    row("no position", slice().remove(0x00200032), "ImagePositionPatient (0020,0032) is missing");
    row("no rows", slice().remove(0x00280010), "Rows (0028,0010) is missing");
    row("no CT", slice().text(0x00080060, "CS", "MR"), "its modality is MR, not CT");
  }
  void aSliceWithoutAPlaceIsLeftOut() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reason);
    for (const int bad : {0, 4, 2}) {
      for (int i = 0; i < 5; ++i)
        save(TinyDicom().at(2 * i, i).pixels({i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
             "s" + std::to_string(i) + ".dcm");
      const std::string name = "s" + std::to_string(bad) + ".dcm";
      write_file(path(name), bytes);
      const std::string note =
          "a file that cannot be read is left out: " + name + ": " + reason.toStdString();
      EXPECT_THROWS(InputError, load_dicom(path(name)), reason.toStdString());
      if (bad == 2) {
        EXPECT_THROWS(UnevenSeries, load_dicom(folder()), "a slice is missing: a gap of 4 mm");
        EXPECT_THROWS(UnevenSeries, load_dicom(folder()), note);
        continue;
      }
      const LoadedVolume v = load_dicom(folder());
      QCOMPARE(v.grid.nz, 4);
      QCOMPARE(v.notes.size(), std::size_t{1});
      QVERIFY2(has_note(v, note), v.notes.front().c_str());
      EXPECT_NEAR(hu_at(v, 0, 0, 0), (bad == 0 ? 1 : 0) - 1000, 1e-3);
    }
  }

  /// Where most files lack it, one slice that has it is not the series.
  void manyWithoutAPlaceAreNotLeftOut() {
    for (int i = 0; i < 4; ++i) {
      TinyDicom slice;
      slice.at(2 * i, i);
      if (i >= 2) slice.remove(0x00200037);
      save(slice, "s" + std::to_string(i) + ".dcm");
    }
    EXPECT_THROWS(InputError, load_dicom(folder()),
                  "s2.dcm: ImageOrientationPatient (0020,0037) is missing");
  }

  /// One file with most of the images is not left out for the few images of the other files.
  void aFileWithMostImagesIsNotLeftOut() {
    for (int i = 0; i < 2; ++i) save(TinyDicom().at(2 * i, i), "s" + std::to_string(i) + ".dcm");
    DicomSeriesInfo series = list_dicom_series(folder()).front();
    TinyDicom several;  // with a functional group for each image, but without positions
    const TinyDicom group = TinyDicom::empty().text(0x00189073, "FD", "01234567");
    several.remove(0x00200032)
        .text(0x00280008, "IS", "3")
        .sequence(0x52009230, {group, group, group});
    save(several.text(0x00080018, "UI", "2.25.7"), "several.dcm");
    series.files.push_back(path("several.dcm"));
    EXPECT_THROWS(InputError, load_dicom_series(series),
                  "ImagePositionPatient (0020,0032) is missing");
  }

  void unfinishedFilesAreNotRead() {
    save(TinyDicom(), "good.dcm");
    const std::string unfinished = ".gantry-0123456789abcdef.tmp";
    QVERIFY(QDir(folder_->path()).mkdir(QString::fromStdString(unfinished)));
    save(TinyDicom().at(2, 2).text(0x0020000e, "UI", "2.25.3"), unfinished + "/IM1");
    save(TinyDicom().at(2, 2), ".gantry-0123456789abcdee.tmp");
    QCOMPARE(list_dicom_series(folder()).size(), std::size_t{1});
    for (const std::string& place : {folder(), path("good.dcm")})
      QCOMPARE(load_dicom(place).grid.nz, 1);
  }

  void manyDamagedNeighboursAreCounted() {
    for (int i = 0; i < 8; ++i)
      write_file(path("bad" + std::to_string(i)), TinyDicom().bytes().left(300));
    save(TinyDicom(), "good.dcm");
    const LoadedVolume v = load_dicom(folder());
    QVERIFY(has_note(v, "3 more files that cannot be read are left out"));
    QCOMPARE(v.notes.size(), std::size_t{6});
  }

  void aFileWithoutPreambleIsRead() {
    write_file(path("bare"), TinyDicom().data_set());
    QCOMPARE(load_dicom(folder()).grid.nx, 4);
    write_file(path("almost"), QByteArray("\x08\x00garbage that only starts like DICOM", 36));
    EXPECT_THROWS(InputError, load_dicom(path("almost")), "is not a DICOM file");
  }

  void unreadableFilesAndFoldersAreNamed() {
    save(TinyDicom(), "locked.dcm");
    QVERIFY(QDir(folder_->path()).mkdir("locked"));
    chmod(path("locked.dcm").c_str(), 0);
    chmod(path("locked").c_str(), 0);
    std::string file_message, folder_message;
    {
      const WithoutRootAccess bound;  // root too
      QVERIFY(bound.holds());
      file_message = outcome(path("locked.dcm"));
      folder_message = outcome(folder());
    }
    chmod(path("locked").c_str(), 0700);
    QVERIFY2(
        file_message.find("locked.dcm: cannot be opened (Permission denied)") != std::string::npos,
        file_message.c_str());
    QVERIFY2(folder_message.find("locked: the folder cannot be read (Permission denied)") !=
                 std::string::npos,
             folder_message.c_str());
  }

  void everyCutShortFileIsRefused() {
    const QByteArray whole = TinyDicom().bytes();
    for (qsizetype length = 0; length < whole.size(); ++length) {
      write_file(path("cut.dcm"), whole.left(length));
      const std::string message = outcome(path("cut.dcm"));
      QVERIFY2(message.find("cut.dcm") != std::string::npos,
               qPrintable(QString("%1 of %2 bytes were taken").arg(length).arg(whole.size())));
    }
  }

  void cutShortRealFilesAreRefused_data() {
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"ct_odd_single/CT_small.dcm", "ct_odd_single/693_J2KR.dcm",
          "ct_odd_single/D_CLUNIE_CT1_RLE_FRAGS.dcm", "ct_odd_single/CT-JPEGLosslessSV1.dcm",
          "ct_enhanced_multiframe/eCT_Supplemental.dcm",
          "ct_transfer_syntaxes_ge/"
          "CTImage.dcm_DeflatedExplicitVRLittleEndianTransferSyntax_1.2.840.10008.1.2.1.99.dcm",
          "ct_transfer_syntaxes_ge/CTImage.dcm_JPEGLSLosslessTransferSyntax_1.2.840.10008.1.2.4.80."
          "dcm",
          "ct_transfer_syntaxes_ge/CTImage.dcm_JPEG2000TransferSyntax_1.2.840.10008.1.2.4.91.dcm"})
      QTest::newRow(file) << QString::fromLatin1(file);
  }
  void cutShortRealFilesAreRefused() {
    QFETCH(QString, file);
    NEED_DATA(file.toStdString());
    const QByteArray whole = bytes_of_file(data_path(file.toStdString()));
    for (const double share : {0.02, 0.1, 0.3, 0.5, 0.9, 0.99}) {
      write_file(path("cut.dcm"),
                 whole.left(static_cast<qsizetype>(share * static_cast<double>(whole.size()))));
      const std::string message = outcome(path("cut.dcm"));
      QVERIFY2(message.find("cut.dcm") != std::string::npos,
               qPrintable(QString("a share of %1 was taken").arg(share)));
      QVERIFY(message.find('\n') == std::string::npos);
    }
  }

  void damagedBytesNeverCrash_data() {
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"ct_odd_single/CT_small.dcm", "ct_enhanced_multiframe/legacy_converted_24x38x3/mf.dcm",
          "ct_odd_single/693_J2KR.dcm", "ct_odd_single/CT-JPEGLosslessSV1.dcm",
          "ct_odd_single/D_CLUNIE_CT1_RLE_FRAGS.dcm",
          "ct_transfer_syntaxes_ge/CTImage.dcm_JPEGLSLosslessTransferSyntax_1.2.840.10008.1.2.4.80."
          "dcm",
          "ct_transfer_syntaxes_ge/"
          "CTImage.dcm_DeflatedExplicitVRLittleEndianTransferSyntax_1.2.840.10008.1.2.1.99.dcm"})
      QTest::newRow(file) << QString::fromLatin1(file);
  }
  void damagedBytesNeverCrash() {
    QFETCH(QString, file);
    NEED_DATA(file.toStdString());
    const QByteArray whole = bytes_of_file(data_path(file.toStdString()));
    std::mt19937 random(7);
    int refused = 0;
    for (int round = 0; round < 60; ++round) {
      QByteArray bytes = whole;
      // Half of the rounds hit the header, where a byte matters most.
      const qsizetype end = round % 2 == 0 ? std::min<qsizetype>(bytes.size(), 6000) : bytes.size();
      for (int i = 0; i < 12; ++i)
        bytes[static_cast<qsizetype>(random() % static_cast<unsigned long>(end))] =
            static_cast<char>(random());
      write_file(path("damaged.dcm"), bytes);
      if (!outcome(path("damaged.dcm")).empty()) ++refused;  // a crash would end the test here
    }
    QVERIFY2(refused > 0, "no damage was noticed at all");
  }

  void aJpeg2000ImageOfAnotherSizeIsRefused() {
    NEED_DATA("ct_odd_single");
    QByteArray bytes = bytes_of_file(data_path("ct_odd_single/693_J2KR.dcm"));
    const qsizetype columns = bytes.indexOf(QByteArray("\x28\x00\x11\x00US\x02\x00\x00\x02", 10));
    QVERIFY(columns > 0);
    bytes[columns + 9] = '\x04';
    write_file(path("wide.dcm"), bytes);
    EXPECT_THROWS(InputError, load_dicom(path("wide.dcm")),
                  "it holds 512 x 512 pixels instead of 1024 x 512");
  }

  void deepNestingIsRefused() {
    write_file(path("deep.dcm"), deep_file(200000));
    EXPECT_THROWS(InputError, load_dicom(path("deep.dcm")), "has sequences more than 64 deep");
    write_file(path("deep.dcm"), deep_file(20));
    EXPECT_THROWS(InputError, load_dicom(path("deep.dcm")), "is damaged or cut short");
  }
};

GANTRY_TEST(TestDicomDamage)
#include "test_dicom_damage.moc"
