// Volumes and DICOM folders that cannot be right: one line says what, where and what to do.
#include "tests/cli/bad_input.hpp"
#include "tests/support/data.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <sys/stat.h>

using namespace gantry::test;

namespace {

const QString convert = "convert v.mha target.mha";

/// The beginning of a gzip file is enough: nobody unpacks it.
const QByteArray gzip_start("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);

BadCase header_case(const char* name, const char* old_text, const char* new_text,
                    QStringList message) {
  return {name, changed("v.mha", old_text, new_text), convert, 1, std::move(message)};
}
/// The header's end and the data may be cut off or lengthened.
std::function<void(const Desk&)> data_of(const QString& file, int bytes) {
  return [=](const Desk& desk) {
    const QByteArray old_bytes = desk.get(file);
    desk.put(file, old_bytes.left(old_bytes.size() - 96) + QByteArray(bytes, '\1'));
  };
}

const std::vector<BadCase> metaimage_cases = {
    {"mha cut short",
     data_of("v.mha", 50),
     convert,
     1,
     {"v.mha: holds 50 bytes of data, too few for 24 voxels", "cut short"}},
    {"mha too long",
     data_of("v.mha", 192),
     convert,
     1,
     {"v.mha: holds 192 bytes of data, too many for 24 voxels", "DimSize"}},
    {"raw cut short",
     data_of("v.raw", 50),
     "convert v.mhd target.mha",
     1,
     {"v.raw: holds 50 bytes of data, too few"}},
    {"raw too long",
     data_of("v.raw", 192),
     "convert v.mhd target.mha",
     1,
     {"v.raw: holds 192 bytes of data, too many"}},
    {"raw empty",
     data_of("v.raw", 0),
     "convert v.raw target.mha",
     1,
     {"v.raw: holds 0 bytes of data, too few"}},
    {"raw absent",
     [](const Desk& d) { d.remove("v.raw"); },
     "convert v.mhd target.mha",
     1,
     {"v.raw: there is no such data file", "ElementDataFile"}},
    {"header absent",
     [](const Desk& d) { d.remove("v.mhd"); },
     "convert v.raw target.mha",
     1,
     {"v.raw: a raw file does not say its size and type; ", "v.mhd"}},
    {"header of another file",
     changed("v.mhd", "v.raw", "w.raw"),
     "convert v.raw target.mha",
     1,
     {"v.mhd: ElementDataFile: describes another file"}},
    {"empty", put("v.mha", ""), convert, 1, {"v.mha: is not a MetaImage file: it is empty"}},
    {"words",
     put("v.mha", "Dear diary\n"),
     convert,
     1,
     {"v.mha: is not a MetaImage file; ", "NDims"}},
    {"packed",
     put("v.mha", gzip_start),
     convert,
     1,
     {"v.mha: is not a MetaImage file: it is packed (gzip); unpack it"}},
    {"a folder",
     [](const Desk& d) { d.make_folder("d.mha"); },
     "convert d.mha target.mha",
     1,
     {"d.mha: the folder is empty"}},
    {"absent", nothing, "convert w.mha target.mha", 1, {"w.mha: does not exist"}},
    header_case("other byte order", "MSB = False", "MSB = True",
                {"v.mha: BinaryDataByteOrderMSB: the values make sense only in the other byte "
                 "order; set it to False"}),
    header_case("byte order in doubt", "MSB = False", "MSB = Maybe",
                {"v.mha: BinaryDataByteOrderMSB: is \"Maybe\"; use True or False"}),
    header_case("longer type", "MET_FLOAT", "MET_DOUBLE",
                {"too few for 24 voxels of 8 bytes", "ElementType"}),
    header_case("shorter type", "MET_FLOAT", "MET_UCHAR",
                {"too many for 24 voxels of 1 bytes", "ElementType"}),
    header_case("unknown type", "MET_FLOAT", "MET_FLOAT_ARRAY",
                {"v.mha: ElementType: \"MET_FLOAT_ARRAY\" is not known"}),
    header_case("no type", "ElementType = MET_FLOAT\n", "", {"v.mha: ElementType: is missing"}),
    header_case("no size", "DimSize = 4 3 2\n", "", {"v.mha: DimSize: is missing"}),
    header_case("two sizes", "DimSize = 4 3 2", "DimSize = 4 3",
                {"v.mha: DimSize: is \"4 3\"; give 3 numbers"}),
    header_case("negative size", "DimSize = 4 3 2", "DimSize = 4 3 -2",
                {"v.mha: DimSize: is \"4 3 -2\""}),
    header_case("more than there is", "DimSize = 4 3 2", "DimSize = 65536 65536 65536",
                {"too few for 281474976710656 voxels"}),
    header_case("negative spacing", "Spacing = 1 1 1", "Spacing = 1 -1 1",
                {"v.mha: ElementSpacing: is \"1 -1 1\"; give positive"}),
    header_case("spacing NaN", "Spacing = 1 1 1", "Spacing = nan 1 1",
                {"v.mha: ElementSpacing: is \"nan 1 1\""}),
    header_case("spacing beyond sense", "Spacing = 1 1 1", "Spacing = 1e300 1 1",
                {"v.mha: voxel size 1e+300 mm"}),
    header_case("five dimensions", "NDims = 3", "NDims = 5", {"v.mha: NDims: is 5; "}),
    header_case("offset in words", "Offset = 0 0 0", "Offset = here 0 0",
                {"v.mha: Offset: is \"here 0 0\""}),
};

/// A sound series of `images` slices in folder d, 2 mm apart.
void put_series(const Desk& desk, int images, int without = -1) {
  desk.make_folder("d");
  for (int z = 0; z < images; ++z)
    if (z != without) TinyDicom().at(2 * z, z).save(desk.path(QString("d/%1.dcm").arg(z)));
}

const std::vector<BadCase> dicom_cases = {
    {"words",
     put("x.dcm", "Dear diary\n"),
     "convert x.dcm target.mha",
     1,
     {"x.dcm: is not a DICOM file; choose a DICOM image"}},
    {"nothing",
     put("x.dcm", ""),
     "convert x.dcm target.mha",
     1,
     {"x.dcm: is not a DICOM file: it is empty"}},
    {"packed",
     put("x.dcm", gzip_start),
     "convert x.dcm target.mha",
     1,
     {"x.dcm: is not a DICOM file: it is packed (gzip)"}},
    {"packed volume",
     put("x.mha.gz", gzip_start),
     "convert x.mha.gz target.mha",
     1,
     {"x.mha.gz: ", "it is packed (gzip); unpack"}},
    {"cut short",
     put("x.dcm", TinyDicom().bytes().left(300)),
     "convert x.dcm target.mha",
     1,
     {"x.dcm: is damaged or cut short"}},
    {"pixels cut short",
     put("x.dcm", TinyDicom().bytes().chopped(6)),
     "convert x.dcm target.mha",
     1,
     {"x.dcm: "}},
    {"absent",
     nothing,
     "convert nowhere target.mha",
     1,
     {"nowhere: does not exist or cannot be reached"}},
    {"empty folder",
     [](const Desk& d) { d.make_folder("d"); },
     "convert d target.mha",
     1,
     {"d: the folder is empty"}},
    {"folder of others",
     [](const Desk& d) {
       d.make_folder("d");
       d.put("d/a.txt", "Dear diary\n");
     },
     "info d",
     1,
     {"d: no DICOM images among its 1 file"}},
    {"folder of a scan",
     [](const Desk& d) {
       d.make_folder("d");
       d.put("d/s.scan.json", d.get("s.scan.json"));
     },
     "convert d target.mha",
     1,
     {"d: holds no volume, but s.scan.json, a scan or an experiment; give the volume"}},
    {"folder without projections",
     [](const Desk& d) {
       d.make_folder("d");
       d.put("d/a.txt", "Dear diary\n");
     },
     "import d --out i.scan.json",
     1,
     {"d: holds no projections among its 1 file; choose the folder with the images"}},
    {"folder of several volumes",
     [](const Desk& d) {
       d.make_folder("d");
       d.put("d/v.mha", d.get("v.mha"));
       d.put("d/w.mha", d.get("v.mha"));
     },
     "convert d target.mha",
     1,
     {"d: holds several volumes; open one of v.mha, w.mha"}},
    {"a slice missing",
     [](const Desk& d) { put_series(d, 5, 2); },
     "convert d target.mha",
     1,
     {"d: a slice is missing: a gap of 4 mm between 1.dcm at 2 mm and 3.dcm at 6 mm, elsewhere 2 "
      "mm"}},
    {"two series",
     [](const Desk& d) {
       put_series(d, 3);
       TinyDicom()
           .text(0x0020000e, "UI", "2.25.77")
           .text(0x0008103e, "LO", "bone")
           .save(d.path("d/other.dcm"));
     },
     "convert d target.mha",
     1,
     {"d: holds 2 series (1: \"", "3 images of 4 x 3", "\"bone\" CT, 1 image", "UID 2.25.77)",
      "choose one"}},
    {"a series that is not there",
     [](const Desk& d) { put_series(d, 3); },
     "convert d target.mha --series 9",
     1,
     {"d: holds no series \"9\" (1: "}},
    {"magnetic resonance",
     [](const Desk& d) { TinyDicom().text(0x00080060, "CS", "MR").save(d.path("x.dcm")); },
     "convert x.dcm target.mha",
     1,
     {"x.dcm: its modality is MR, not CT; choose a CT series"}},
    {"slice out of range",
     nothing,
     "simulate --volume v.mha --slice 2 --out new.scan.json",
     2,
     {"v.mha: there is no slice 2; use 0 to 1"}},
};

const std::vector<BadCase> compare_cases = {
    {"other size",
     [](const Desk& d) {
       d.put("w.mha", d.get("v.mha"));
       d.change("w.mha", "4 3 2", "3 4 2");
     },
     "compare v.mha w.mha",
     1,
     {"v.mha, w.mha: grids differ: 4 x 3 x 2 of 1 mm and 3 x 4 x 2"}},
    {"other voxels",
     [](const Desk& d) {
       d.put("w.mha", d.get("v.mha"));
       d.change("w.mha", "Spacing = 1 1 1", "Spacing = 1 1 2");
     },
     "compare v.mha w.mha",
     1,
     {"v.mha, w.mha: voxel sizes differ: "}},
    {"no volume",
     nothing,
     "compare v.mha s.f32",
     1,
     {"s.f32: has no known volume format; use one of ", "MetaImage", "DICOM"}},
    {"mask in words",
     nothing,
     "compare v.mha v.mha --mask foot",
     2,
     {"--mask: \"foot\" is no mask; write all, circle, roi or a radius"}},
    {"mask without its region",
     nothing,
     "compare v.mha v.mha --mask roi",
     2,
     {"--mask: the mask is the region of interest, but there is none; give --roi"}},
    {"region outside",
     nothing,
     "compare v.mha v.mha --mask roi --roi 900,0,3",
     2,
     {"--roi: the circle of radius 3 mm about (900, 0) mm holds no voxel of the grid"}},
    {"region in words",
     nothing,
     "compare v.mha --roi here --background 1,2,3",
     2,
     {"--roi: \"here\" is no region; write X,Y,R (a circle), X0,Y0,X1,Y1 (a box)"}},
    {"background alone",
     nothing,
     "compare v.mha --background 1,2,3",
     2,
     {"--background: the background is compared with a region of interest; give --roi"}},
    {"empty mask",
     changed("v.mha", "Offset = 0", "Offset = 90"),
     "compare v.mha v.mha --mask 1",
     2,
     {"--mask: no voxel lies within 1 mm"}},
    {"range of nothing",
     nothing,
     "compare v.mha v.mha --range 0",
     2,
     {"--range: \"0\" is not a positive number"}},
};

}  // namespace

class TestCliBadVolume : public QObject {
  Q_OBJECT

 private slots:
  void goodFilesAreTaken() {
    const Desk desk;
    put_series(desk, 4);
    for (const char* arguments :
         {"convert v.mha a.mha", "convert v.mhd b.mha", "convert v.raw c.mha",
          "convert d e.mha --series 1", "compare v.mha a.mha", "info d"})
      EXPECT_DONE(gantry_cli(QString(arguments), desk.path()));
    QCOMPARE(read_plain(desk.path("e.mha")).nz, 4);
  }

  void badMetaImage_data() { add_rows(metaimage_cases); }
  void badMetaImage() { RUN_BAD_CASE(metaimage_cases); }
  void badDicom_data() { add_rows(dicom_cases); }
  void badDicom() { RUN_BAD_CASE(dicom_cases); }
  void badComparison_data() { add_rows(compare_cases); }
  void badComparison() { RUN_BAD_CASE(compare_cases); }

  void badRealData_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("message");
    QTest::newRow("ultrasound") << "ct_odd_single/no-pixel-spacing.dcm"
                                << "its modality is US, not CT";
    QTest::newRow("missing slice") << "ct_bad_series/missing_slice"
                                   << "a slice is missing: a gap of 10 mm";
    QTest::newRow("mixed series") << "ct_bad_series"
                                  << "holds 2 series (1: ";
    QTest::newRow("many series") << "ct_odd_single"
                                 << "holds 6 series (1: ";
    QTest::newRow("no spacing") << "ct_odd_single/CT-MONO2-16-ankle"
                                << "PixelSpacing (0028,0030) is missing";
    QTest::newRow("localisers only") << "ct_dicomdir_small/98892001_CT2N"
                                     << "holds localisers (scout views) only";
  }
  void badRealData() {
    QFETCH(QString, folder);
    QFETCH(QString, message);
    NEED_DATA(folder.toStdString());
    const Desk desk;
    const auto before = desk.contents();
    const QString path = QString::fromStdString(data_path(folder.toStdString()));
    const Answer answer = gantry_cli({"convert", path, "target.mha"}, desk.path());
    EXPECT_REFUSED(answer, 1, QStringList({folder, message}));
    QVERIFY(desk.contents() == before);
  }

  /// Opening a pipe would wait for ever.
  void pipesAreRefused() {
    const Desk desk;
    for (const char* name : {"pipe", "pipe.mha", "pipe.scan.json"})
      QCOMPARE(mkfifo(qPrintable(desk.path(name)), 0600), 0);
    EXPECT_REFUSED(gantry_cli(QString("info pipe"), desk.path()), 1,
                   QStringList("pipe: is neither a file nor a folder"));
    EXPECT_REFUSED(gantry_cli(QString("convert pipe new.mha"), desk.path()), 1,
                   QStringList("pipe: is neither a file nor a folder"));
    EXPECT_REFUSED(gantry_cli(QString("convert pipe.mha new.mha"), desk.path()), 1,
                   QStringList("pipe.mha: is not a regular file"));
    EXPECT_REFUSED(gantry_cli(QString("reconstruct pipe.scan.json --out new.mha"), desk.path()), 1,
                   QStringList("pipe.scan.json: is not a regular file"));
  }

  /// Single bad voxels do not spoil a volume; the user is told.
  void aVoxelThatIsNoNumberIsNoted() {
    const Desk desk;
    QByteArray bytes = desk.get("v.mha");
    const float nan = std::nanf("");
    std::memcpy(bytes.data() + bytes.size() - 96, &nan, 4);
    desk.put("v.mha", bytes);
    const Answer answer = gantry_cli(QString("convert v.mha new.mha"), desk.path());
    QVERIFY2(answer.code == 0, answer.text().constData());
    QCOMPARE(answer.errors, QString("note: 1 value is not finite (NaN or infinite); set to air, "
                                    "and excluded from comparisons with a reference\n"));
    QCOMPARE(read_plain(desk.path("new.mha")).values[0], 0.0F);
  }

  /// Half of the second volume has no value: what is compared is the other half, and that is said.
  void voxelsWithoutAValueAreLeftOutOfComparisons() {
    const Desk desk;
    const float nan = std::nanf("");
    QByteArray bytes = desk.get("v.mha");
    for (int i = 0; i < 12; ++i) std::memcpy(bytes.data() + bytes.size() - 96 + 4 * i, &nan, 4);
    desk.put("w.mha", bytes);
    for (const QString arguments : {"compare v.mha w.mha", "compare w.mha v.mha"}) {
      const Answer answer = gantry_cli(arguments, desk.path());
      QVERIFY2(answer.code == 0, answer.text().constData());
      QCOMPARE(answer.errors,
               QString("note: w.mha: 12 values are not finite (NaN or infinite); set to air, and "
                       "excluded from comparisons with a reference\n"));
      QVERIFY2(answer.output.contains("0 1/mm (without 12 voxels that are not finite)"),
               answer.text().constData());
    }
    const Answer json = gantry_cli(QString("compare v.mha w.mha --json"), desk.path());
    QVERIFY2(json.output.contains("\"voxels_left_out\": 12"), json.text().constData());
    std::fill_n(bytes.data() + bytes.size() - 48, 48, '\xff');  // now every value is a NaN
    desk.put("w.mha", bytes);
    const Answer none = gantry_cli(QString("compare v.mha w.mha"), desk.path());
    QVERIFY2(none.output.contains("without 24 voxels that are not finite"),
             none.text().constData());
    QVERIFY2(none.output.contains(QRegularExpression("RMSE +not defined")),
             none.text().constData());
  }

  void voxelsWithoutAValueLeaveTheMaskOfAReference() {
    const Desk desk;
    const float nan = std::nanf("");
    QByteArray bytes = desk.get("v.mha");
    for (int i = 0; i < 12; ++i) std::memcpy(bytes.data() + bytes.size() - 96 + 4 * i, &nan, 4);
    desk.put("w.mha", bytes);
    const Answer answer = gantry_cli(
        QString("reconstruct s.scan.json --grid 21,21 --voxel 1 --iterations 1 --reference w.mha "
                "--mask all --log curves.csv --out new.mha"),
        desk.path());
    QVERIFY2(answer.code == 0, answer.text().constData());
    QVERIFY2(answer.errors.contains("note: w.mha: 12 values are not finite"),
             answer.text().constData());
    QVERIFY2(answer.errors.contains("without 12 voxels that are not finite"),
             answer.text().constData());
    const QByteArray log = desk.get("curves.csv");
    QVERIFY2(log.contains("all voxels, without 12 voxels that are not finite"), log.constData());
    QVERIFY2(!log.contains("nan"), log.constData());
  }

  void unevenSeriesOpenOnRequest() {
    const Desk desk;
    put_series(desk, 5, 2);
    EXPECT_REFUSED(gantry_cli(QString("convert d new.mha"), desk.path()), 1,
                   QStringList({"d: a slice is missing", "--uneven resample", "largest-part"}));
    const Answer whole = gantry_cli(QString("convert d new.mha --uneven resample"), desk.path());
    QVERIFY2(whole.code == 0 && whole.errors.contains("resampled from 4 to 5 slices"),
             whole.text().constData());
    QCOMPARE(read_plain(desk.path("new.mha")).nz, 5);
    const Answer part = gantry_cli(QString("convert d part --uneven largest-part"), desk.path());
    QVERIFY2(part.code == 0 && part.errors.contains("2 slices from 0.dcm"),
             part.text().constData());
    for (const char* command :
         {"info d --uneven resample", "compare new.mha d --uneven resample",
          "simulate --volume d --uneven resample --slice 1 --out n.scan.json --truth truth.mha"}) {
      const Answer answer = gantry_cli(QString(command), desk.path());
      QVERIFY2(answer.code == 0, answer.text().constData());
    }
    EXPECT_REFUSED(gantry_cli(QString("info d --uneven bend"), desk.path()), 2,
                   QStringList("--uneven: "));
  }

  /// The folder may be named after a patient; what it was read from is said without it.
  void foldersStayOutOfWrittenFiles() {
    const Desk desk;
    put_series(desk, 3);
    QVERIFY(QDir(desk.path()).rename("d", "Doe_Jane"));
    const QString folder = desk.path("Doe_Jane");
    for (const QStringList& arguments : {QStringList{"convert", folder, "series"},
                                         QStringList{"simulate", "--volume", folder, "--out",
                                                     "made.scan.json", "--truth", "truth"}}) {
      const Answer answer = gantry_cli(arguments, desk.path());
      QVERIFY2(answer.code == 0, answer.text().constData());
    }
    for (const char* file : {"series/slice_0001.dcm", "truth/slice_0001.dcm", "made.scan.json"}) {
      const QByteArray bytes = desk.get(file);
      QVERIFY2(!bytes.isEmpty() && !bytes.contains("Doe_Jane") &&
                   !bytes.contains(desk.path().toLocal8Bit()),
               file);
    }
    QVERIFY(desk.get("series/slice_0001.dcm").contains("converted from DICOM series"));
  }

  /// A folder with one header is that volume, for convert as for info.
  void aFolderOfAHeaderIsConverted() {
    const Desk desk;
    desk.make_folder("d");
    for (const char* file : {"v.mhd", "v.raw"}) desk.put(QString("d/") + file, desk.get(file));
    const Answer answer = gantry_cli(QString("convert d made.mha"), desk.path());
    QVERIFY2(answer.code == 0, answer.text().constData());
    QCOMPARE(answer.errors,
             QString("note: of the folder d, v.mhd is opened, the only volume in it\n"));
    QVERIFY(desk.get("made.mha").endsWith(desk.get("v.raw")));
  }

  void aShiftIsNotedInComparisons() {
    const Desk desk;
    desk.put("w.mha", desk.get("v.mha"));
    desk.change("w.mha", "Offset = 0 0 0", "Offset = 3 0 4");
    const Answer answer = gantry_cli(QString("compare v.mha w.mha"), desk.path());
    QVERIFY2(answer.code == 0, answer.text().constData());
    QCOMPARE(answer.errors,
             QString("note: the volumes lie 5 mm apart; they are compared voxel by voxel\n"));
  }
};

GANTRY_TEST(TestCliBadVolume)
#include "test_cli_bad_volume.moc"
