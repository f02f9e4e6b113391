// Attributes and stacks made wrong on purpose: refused in plain words, or read with a note.
#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/dicom_folder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QTemporaryDir>

#include <cmath>
#include <functional>
using namespace gantry;
using namespace gantry::test;

namespace {

using Spoil = std::function<void(TinyDicom&)>;

}  // namespace

class TestDicomBad : public QObject, DicomFolder {
  Q_OBJECT

  /// Slices at the given heights, each spoiled by what `spoil` does to it.
  void save_stack(const std::vector<double>& heights_mm,
                  const std::function<void(TinyDicom&, int)>& spoil = {}) const {
    for (std::size_t i = 0; i < heights_mm.size(); ++i) {
      const int number = static_cast<int>(i);
      TinyDicom image;
      image.at(heights_mm[i], number);
      if (spoil) spoil(image, number);
      save(image, std::string("s").append(std::to_string(number)).append(".dcm"));
    }
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  void theTinyImageItselfIsSound() {
    save(TinyDicom(), "a.dcm");
    const LoadedVolume v = load_dicom(folder());
    QVERIFY2(v.notes.empty(), v.notes.empty() ? "" : v.notes.front().c_str());
    QCOMPARE(v.grid, VolumeGrid::centered(4, 3, 1, {0.5, 0.25, 2}));  // PixelSpacing says y first
    EXPECT_NEAR(hu_at(v, 3, 1, 0), 13 - 1000, 1e-3);
    EXPECT_NEAR(norm(v.frame->to_patient(v.grid.voxel_center_mm(0, 0, 0)) - Vec3{-1, -2, 0}), 0,
                1e-12);
  }

  void anImageMayBeALine() {
    save(TinyDicom().number(0x00280010, 1).pixels({5, 6, 7, 8}), "row.dcm");
    const LoadedVolume row = load_dicom(path("row.dcm"));
    QCOMPARE(row.grid, VolumeGrid::centered(4, 1, 1, {0.5, 0.25, 2}));
    EXPECT_NEAR(hu_at(row, 3, 0, 0), 8 - 1000, 1e-3);
    save(TinyDicom().number(0x00280011, 1).pixels({5, 6, 7}), "column.dcm");
    const LoadedVolume column = load_dicom(path("column.dcm"));
    QCOMPARE(column.grid, VolumeGrid::centered(1, 3, 1, {0.5, 0.25, 2}));
    EXPECT_NEAR(hu_at(column, 0, 2, 0), 7 - 1000, 1e-3);
  }

  void aSpoiledAttributeIsNamed_data() {
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const Spoil& spoil, const char* message) {
      QTest::newRow(name) << spoil << QString::fromLatin1(message);
    };
    row(
        "spacing missing", [](TinyDicom& d) { d.remove(0x00280030); },
        "PixelSpacing (0028,0030) is missing");
    row(
        "spacing empty", [](TinyDicom& d) { d.text(0x00280030, "DS", ""); },
        "PixelSpacing (0028,0030) is missing");
    row(
        "spacing zero", [](TinyDicom& d) { d.text(0x00280030, "DS", "0\\1"); },
        "PixelSpacing (0028,0030) is not positive");
    row(
        "spacing single", [](TinyDicom& d) { d.text(0x00280030, "DS", "0.5"); },
        "has 1 numbers instead of 2");
    row(
        "spacing NaN", [](TinyDicom& d) { d.text(0x00280030, "DS", "nan\\1"); },
        "PixelSpacing (0028,0030) is \"nan\\1\", not a finite number");
    row(
        "position infinite", [](TinyDicom& d) { d.text(0x00200032, "DS", "0\\inf\\0"); },
        "ImagePositionPatient (0020,0032) is");
    row(
        "position word", [](TinyDicom& d) { d.text(0x00200032, "DS", "0\\x\\0"); },
        "not a finite number");
    row(
        "orientation short", [](TinyDicom& d) { d.text(0x00200037, "DS", "1\\0\\0"); },
        "has 3 numbers instead of 6");
    row(
        "orientation oblique", [](TinyDicom& d) { d.text(0x00200037, "DS", "1\\0\\0\\1\\0\\0"); },
        "ImageOrientationPatient (0020,0037) is not a pair of perpendicular unit vectors");
    row(
        "orientation zero", [](TinyDicom& d) { d.text(0x00200037, "DS", "0\\0\\0\\0\\0\\0"); },
        "is not a pair of perpendicular unit vectors");
    row(
        "slope zero", [](TinyDicom& d) { d.text(0x00281053, "DS", "0"); },
        "RescaleSlope (0028,1053) is 0");
    row(
        "slope NaN", [](TinyDicom& d) { d.text(0x00281053, "DS", "NaN"); },
        "RescaleSlope (0028,1053) is \"NaN\"");
    row(
        "table instead of slope",
        [](TinyDicom& d) { d.remove(0x00281053).sequence(0x00283000, {TinyDicom::empty()}); },
        "given by a table, ModalityLUTSequence (0028,3000)");
    row(
        "modality", [](TinyDicom& d) { d.text(0x00080060, "CS", "MR"); },
        "its modality is MR, not CT");
    row(
        "localiser", [](TinyDicom& d) { d.text(0x00080008, "CS", "ORIGINAL\\PRIMARY\\LOCALIZER"); },
        "localisers (scout views) only");
    row(
        "rows missing", [](TinyDicom& d) { d.remove(0x00280010); }, "Rows (0028,0010) is missing");
    row(
        "rows zero", [](TinyDicom& d) { d.number(0x00280010, 0); }, "Rows (0028,0010)");
    row(
        "too few pixels", [](TinyDicom& d) { d.number(0x00280010, 4); },
        "holds 12 pixels instead of 4 x 4 = 16");
    row(
        "far too few pixels",
        [](TinyDicom& d) { d.number(0x00280010, 65535).number(0x00280011, 65535); },
        "holds 12 pixels instead of 65535 x 65535");
    row(
        "pixels missing", [](TinyDicom& d) { d.remove(0x7fe00010); }, "has no pixel data");
    row(
        "colour", [](TinyDicom& d) { d.number(0x00280002, 3).text(0x00280004, "CS", "RGB"); },
        "is a colour image (RGB)");
    row(
        "32 bits", [](TinyDicom& d) { d.number(0x00280100, 32).number(0x00280101, 32); },
        "has 32 bits per pixel");
    row(
        "bits that do not fit", [](TinyDicom& d) { d.number(0x00280102, 20); },
        "BitsStored 16 and HighBit 20 do not fit");
    row(
        "no bits", [](TinyDicom& d) { d.number(0x00280101, 0); }, "BitsStored 0");
    row(
        "frames without places", [](TinyDicom& d) { d.text(0x00280008, "IS", "3"); },
        "holds 3 images, but PerFrameFunctionalGroupsSequence (5200,9230) places 0");
    row(
        "frames not a number", [](TinyDicom& d) { d.text(0x00280008, "IS", "many"); },
        "NumberOfFrames (0028,0008) is \"many\"");
    row(
        "frames beyond reason", [](TinyDicom& d) { d.text(0x00280008, "IS", "999999999"); },
        "NumberOfFrames (0028,0008) is 999999999, outside");
    row(
        "MPEG2", [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.4.100").fragments({"abcd"}); },
        "the transfer syntax MPEG2MainProfile@MainLevel (1.2.840.10008.1.2.4.100) cannot be "
        "decoded");
    row(
        "HTJ2K", [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.4.201").fragments({"abcd"}); },
        "the transfer syntax High-Throughput JPEG 2000 (1.2.840.10008.1.2.4.201) cannot be "
        "decoded");
    row(
        "private syntax", [](TinyDicom& d) { d.syntax("1.2.3.4.5"); },
        "the transfer syntax unknown (1.2.3.4.5) cannot be decoded");
    row(
        "compressed syntax, native pixels",
        [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.4.90"); }, "is damaged or cut short");
    row(
        "no fragments", [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.4.90").fragments({}); },
        "holds 0 compressed images instead of 1");
    row(
        "no codestream",
        [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.4.90").fragments({"abcd"}); },
        "the JPEG 2000 data cannot be decoded");
    row(
        "no JPEG", [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.4.70").fragments({"abcd"}); },
        "the compressed pixel data are damaged: there is no marker");
    row(
        "no JPEG-LS", [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.4.80").fragments({"abcd"}); },
        "the compressed pixel data are damaged: there is no marker");
    row(
        "more pixels than a file can hold",
        [](TinyDicom& d) {
          d.syntax("1.2.840.10008.1.2.4.80").fragments({"abcd"});
          d.number(0x00280010, 65535).number(0x00280011, 65535);
        },
        "claims 4294836225 pixels in ");
    row(
        "no RLE", [](TinyDicom& d) { d.syntax("1.2.840.10008.1.2.5").fragments({"abcd"}); },
        "the compressed pixel data are damaged: they are cut short");
    row(
        "too many pixels", [](TinyDicom& d) { d.number(0x00280010, 2); },
        "holds 12 pixels instead of 4 x 2 = 8");
    row(
        "one pixel too many",
        [](TinyDicom& d) {
          d.pixels({0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 0});
        },
        "holds 13 pixels instead of 4 x 3 = 12");
    row(
        "intercept beyond float", [](TinyDicom& d) { d.text(0x00281052, "DS", "1e308"); },
        "its values are not finite after rescaling, slope 1 and intercept 1e+308");
    row(
        "spacing beyond reason", [](TinyDicom& d) { d.text(0x00280030, "DS", "1e300\\1"); },
        "voxel size 1e+300 mm is not usable");
    row(
        "position beyond reason", [](TinyDicom& d) { d.text(0x00200032, "DS", "0\\1e300\\0"); },
        "ImagePositionPatient (0020,0032) is 1e+300 mm");
  }
  void aSpoiledAttributeIsNamed() {
    QFETCH(Spoil, spoil);
    QFETCH(QString, message);
    TinyDicom image;
    spoil(image);
    save(image, "spoiled.dcm");
    EXPECT_THROWS(InputError, load_dicom(folder()), message.toStdString());
    EXPECT_THROWS(InputError, load_dicom(folder()), "spoiled.dcm");
    EXPECT_THROWS(InputError, load_dicom(path("spoiled.dcm")), "; ");  // there is a remedy
  }

  void whatIsOnlyUnusualIsReadWithANote_data() {
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QString>("note");
    QTest::addColumn<double>("hu");  // of the pixel stored as 13
    const auto row = [](const char* name, const Spoil& spoil, const char* note, double hu) {
      QTest::newRow(name) << spoil << QString::fromLatin1(note) << hu;
    };
    row(
        "no rescale", [](TinyDicom& d) { d.remove(0x00281052).remove(0x00281053); },
        "RescaleSlope or RescaleIntercept is missing", 13);
    row(
        "negative picture", [](TinyDicom& d) { d.text(0x00280004, "CS", "MONOCHROME1"); },
        "MONOCHROME1 only asks for a picture in negative", -987);
    row(
        "other unit", [](TinyDicom& d) { d.text(0x00281054, "LO", "ED"); },
        "the values are given in ED", -987);
    row(
        "no position", [](TinyDicom& d) { d.remove(0x00200032); },
        "ImagePositionPatient (0020,0032) is missing: the position in the patient is not known",
        -987);
    row(
        "no thickness", [](TinyDicom& d) { d.remove(0x00180050); },
        "SliceThickness is missing; the slice is taken as thick as a pixel", -987);
    row(
        "padding", [](TinyDicom& d) { d.number(0x00280120, 13, "SS"); },
        "1 voxels outside the scan field", -1000);
    row(
        "padding range",
        [](TinyDicom& d) { d.number(0x00280120, 20, "SS").number(0x00280121, 11, "SS"); },
        "4 voxels outside the scan field", -1000);
    row(
        "slope", [](TinyDicom& d) { d.text(0x00281053, "DS", "-2.5").number(0x00280120, 0, "SS"); },
        "1 voxels", -1032.5);
  }
  void whatIsOnlyUnusualIsReadWithANote() {
    QFETCH(Spoil, spoil);
    QFETCH(QString, note);
    QFETCH(double, hu);
    TinyDicom image;
    spoil(image);
    save(image, "unusual.dcm");
    const LoadedVolume v = load_dicom(folder());
    QVERIFY2(has_note(v, note.toStdString()), v.notes.empty() ? "no note" : v.notes[0].c_str());
    EXPECT_NEAR(hu_at(v, 3, 1, 0), hu, 1e-3);
    QCOMPARE(v.frame.has_value(), !note.contains("position in the patient"));
  }

  void attributesOfUnknownRepresentationAreUnderstood() {
    TinyDicom image;  // as an archive stores what it does not know
    image.text(0x00280030, "UN", "0.25\\0.5").text(0x00281052, "UN", "-500");
    save(image, "unknown.dcm");
    const LoadedVolume v = load_dicom(folder());
    EXPECT_NEAR(v.grid.spacing_mm.x, 0.5, 0);
    EXPECT_NEAR(hu_at(v, 3, 1, 0), 13 - 500, 1e-3);
  }

  void storedBitsAreTakenOutOfTheirWord() {
    // 12 bits, sign bit 11; what is above is overlay rubbish.
    TinyDicom image;
    image.number(0x00280101, 12).number(0x00280102, 11);
    image.pixels({0xf000, 0x3001, 0x07ff, 0x1800, 0x0fff, 0, 0, 0, 0, 0, 0, 0});
    save(image, "bits.dcm");
    const LoadedVolume v = load_dicom(folder());
    const double expected[] = {0, 1, 2047, -2048, -1};
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(hu_at(v, i % 4, i / 4, 0), expected[i] - 1000, 1e-3);
  }

  void stacksThatAreNotOneAreRefused_data() {
    QTest::addColumn<QList<double>>("heights");
    QTest::addColumn<QString>("message");
    QTest::newRow("gap") << QList<double>{0, 2, 4, 10}
                         << "2 slices are missing: a gap of 6 mm between s2.dcm at 4 mm and s3.dcm "
                            "at 10 mm, elsewhere 2 mm";
    QTest::newRow("duplicate") << QList<double>{0, 2, 4, 4}
                               << "two images lie at the same position: s2.dcm at 4 mm and s3.dcm";
    QTest::newRow("nearly a duplicate")
        << QList<double>{0, 2, 4, 4.01}
        << "two images lie at the same position: s2.dcm at 4 mm and s3.dcm";
    QTest::newRow("all at one place") << QList<double>{5, 5, 5} << "two images lie at the same";
    QTest::newRow("uneven") << QList<double>{0, 2, 4.2, 6.2, 8.2}
                            << "the slices are unevenly spaced, 2 mm to 2.2 mm apart";
    QTest::newRow("creeping") << QList<double>{0, 1.99, 3.98, 5.97, 7.98, 10, 12.02}
                              << "the slices are unevenly spaced";
  }
  void stacksThatAreNotOneAreRefused() {
    QFETCH(QList<double>, heights);
    QFETCH(QString, message);
    save_stack({heights.begin(), heights.end()});
    EXPECT_THROWS(InputError, load_dicom(folder()), message.toStdString());
    EXPECT_THROWS(InputError, load_dicom(folder()), folder());
  }

  void slightUnevennessIsANote() {
    save_stack({0, 2.01, 4, 6});
    const LoadedVolume v = load_dicom(folder());
    QVERIFY(has_note(v, "slightly unevenly spaced, 1.99 mm to 2.01 mm apart; taken as 2 mm"));
    QCOMPARE(v.grid.nz, 4);
  }

  void wideSpacingIsANote() {
    save_stack({0, 5, 10});
    QVERIFY(has_note(load_dicom(folder()), "slices of 2 mm thickness lie 5 mm apart"));
  }

  void imagesThatDifferAreRefused_data() {
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const Spoil& spoil, const char* message) {
      QTest::newRow(name) << spoil << QString::fromLatin1(message);
    };
    row(
        "size",
        [](TinyDicom& d) {
          d.number(0x00280010, 2).pixels({0, 1, 2, 3, 10, 11, 12, 13});
        },
        "s0.dcm and s1.dcm differ in size, 4 x 3 and 4 x 2 pixels");
    row(
        "pixel size", [](TinyDicom& d) { d.text(0x00280030, "DS", "0.25\\0.6"); },
        "s0.dcm and s1.dcm differ in pixel size, 0.5 mm and 0.6 mm");
    row(
        "orientation", [](TinyDicom& d) { d.text(0x00200037, "DS", "0\\1\\0\\1\\0\\0"); },
        "s0.dcm and s1.dcm differ in orientation");
    row(
        "sideways", [](TinyDicom& d) { d.text(0x00200032, "DS", "-0.8\\-2\\2"); },
        "the slices are shifted sideways unevenly, by up to 0.8");
  }
  void imagesThatDifferAreRefused() {
    QFETCH(Spoil, spoil);
    QFETCH(QString, message);
    save_stack({0, 2, 4}, [&](TinyDicom& image, int i) {
      if (i == 1) spoil(image);
    });
    EXPECT_THROWS(InputError, load_dicom(folder()), message.toStdString());
  }

  void mixedSeriesAreRefused() {
    save_stack({0, 2, 4}, [](TinyDicom& image, int i) {
      if (i == 2) image.text(0x0020000e, "UI", "2.25.3");
    });
    EXPECT_THROWS(InputError, load_dicom(folder()), "holds 2 series");
    DicomSeriesInfo series = list_dicom_series(path("s0.dcm")).front();
    QCOMPARE(series.images, 2);
    series.files.push_back(path("s2.dcm"));
    EXPECT_THROWS(InputError, load_dicom_series(series),
                  "s2.dcm: belongs to another series, 2.25.3 instead of 2.25.2");
  }

  void localisersAndCopiesAreLeftOut() {
    save_stack({0, 2, 4}, [](TinyDicom& image, int i) {
      if (i == 2) image.text(0x00080008, "CS", "ORIGINAL\\PRIMARY\\LOCALIZER");
    });
    QVERIFY(QDir(folder_->path()).mkdir("copy"));
    QVERIFY(QFile::copy(QString::fromStdString(path("s1.dcm")),
                        QString::fromStdString(path("copy/again"))));
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid.nz, 2);
    QVERIFY(has_note(v, "1 localisers are left out"));
    QVERIFY(has_note(v, "1 second copies of images are left out"));
  }

  void multiFramePlacesComeFromFunctionalGroups() {
    const auto place = [](const char* position) {
      TinyDicom item = TinyDicom::empty(), plane = TinyDicom::empty();
      plane.text(0x00200032, "DS", position);
      return item.sequence(0x00209113, {plane});
    };
    TinyDicom shared = TinyDicom::empty(), measures = TinyDicom::empty(), image;
    measures.text(0x00280030, "DS", "0.25\\0.5");
    shared.sequence(0x00289110, {measures});
    image.remove(0x00280030).remove(0x00200032).text(0x00280008, "IS", "2").number(0x00280010, 3);
    std::vector<int> pixels(24);
    for (int i = 0; i < 24; ++i) pixels[static_cast<std::size_t>(i)] = i;
    image.pixels(pixels).sequence(0x52009229, {shared});
    image.sequence(0x52009230, {place("-1\\-2\\6"), place("-1\\-2\\4")});
    save(image, "multi.dcm");
    const LoadedVolume v = load_dicom(folder());
    QCOMPARE(v.grid, VolumeGrid::centered(4, 3, 2, {0.5, 0.25, 2}));
    EXPECT_NEAR(hu_at(v, 0, 0, 0), 12 - 1000, 1e-3);  // the second frame lies lower
    QVERIFY(v.study->slices.empty());  // one tube current for all of them tells nothing of one
    image.sequence(0x52009230, {place("-1\\-2\\6")});
    save(image, "multi.dcm");
    EXPECT_THROWS(InputError, load_dicom(folder()), "holds 2 images, but");
    image.sequence(0x52009230, {place("-1\\-2\\6"), place("-1\\-2\\6")});
    save(image, "multi.dcm");
    EXPECT_THROWS(InputError, load_dicom(folder()),
                  "multi.dcm, image 1 at 6 mm and multi.dcm, image 2");
    image.sequence(0x52009230, {place("-1\\-2\\6"), place("1\\2")});
    save(image, "multi.dcm");
    EXPECT_THROWS(InputError, load_dicom(folder()), "multi.dcm, image 2: ImagePositionPatient");
  }
};

GANTRY_TEST(TestDicomBad)
#include "test_dicom_bad.moc"
