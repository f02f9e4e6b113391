// Flats and darks of one format beside projections of another, and folders of arrays.
#include "core/base/error.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/core/io/imports/written_edf.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <filesystem>

using namespace gantry;
using namespace gantry::test;

class TestFramesBeside : public QObject, private FramesFolder {
  Q_OBJECT

  static std::vector<std::uint16_t> joined_frames_of(const std::vector<Page>& frames) {
    std::vector<std::uint16_t> all;
    for (const Page& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
    return all;
  }
  /// Writes frames, one in a file of TIFF and EDF each, else all in one; returns the files.
  std::vector<std::string> write(const std::string& format, const std::string& name,
                                 const std::vector<Page>& frames) const {
    std::vector<std::string> files;
    const std::vector<std::uint16_t> all = joined_frames_of(frames);
    if (format == "npy")
      write_file(path(name + ".npy"),
                 npy("<u2", ("(" + std::to_string(frames.size()) + ", 6, 9)").c_str(),
                     bytes_of_numbers(all)));
    if (format == "h5")
      Hdf5Writer(path(name + ".h5")).add("/entry/frames", {frames.size(), 6, 9}, all);
    if (format == "npy" || format == "h5") return {path(name + "." + format)};
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const std::string file = name + "_" + std::to_string(i) + "." + format;
      if (format == "tif") write_frame(file, frames[i]);
      if (format == "edf") write_file(path(file), edf(frames[i]));
      files.push_back(path(file));
    }
    return files;
  }
  static std::vector<Page> projections() {
    std::vector<Page> frames;
    for (int i = 0; i < 5; ++i) frames.push_back(CountedFrames::projection(i));
    return frames;
  }
  static std::vector<Page> flats() {
    return {CountedFrames::flat_frame(0), CountedFrames::flat_frame(1),
            CountedFrames::flat_frame(2)};
  }
  static std::vector<Page> darks() {
    return {CountedFrames::dark_frame(0), CountedFrames::dark_frame(1),
            CountedFrames::dark_frame(2)};
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// A folder stands for all images in it.
  void foldersOfFlatsAndDarks() {
    write("tif", "p", projections());
    std::filesystem::create_directories(path("beam"));
    std::filesystem::create_directories(path("shut"));
    write("tif", "beam/a", flats());
    write_file(path("beam/notes.txt"), "of Monday\n");
    write("edf", "shut/b", darks());
    ImportRequest folder = half_turn();
    folder.flats = {path("beam")};
    folder.darks = {path("shut")};
    const ImportedScan scan = import_scan(folder);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    // One folder of both, which the names tell apart.
    write("tif", "beam/dark", darks());
    folder.darks = folder.flats;
    expect_line_integrals(import_scan(folder), {0, 1, 2, 3, 4});
    std::filesystem::create_directories(path("empty"));
    folder.darks = {path("empty")};
    EXPECT_THROWS(InputError, import_scan(folder), "holds no images");
  }

  void anyFormatTakesFlatsOfAny_data() {
    QTest::addColumn<QString>("own");
    QTest::addColumn<QString>("other");
    for (const char* own : {"tif", "edf", "npy", "h5"})
      for (const char* other : {"tif", "edf", "npy", "h5"})
        QTest::addRow("%s beside %s", other, own) << own << other;
  }
  void anyFormatTakesFlatsOfAny() {
    QFETCH(QString, own);
    QFETCH(QString, other);
    const std::string format = own.toStdString(), beside = other.toStdString();
    const std::vector<std::string> files = write(format, "p", projections());
    ImportRequest one = half_turn();
    if (files.size() == 1) one.path = files.front();
    one.flats = write(beside, "f", flats());
    one.darks = write(beside, "d", darks());
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
  }

  /// Backgrounds may be flats or darks: frames that are far darker than the projections are darks.
  void backgroundsMayBeDarks_data() {
    QTest::addColumn<bool>("are_darks");
    QTest::newRow("flats") << false;
    QTest::newRow("darks") << true;
  }
  void backgroundsMayBeDarks() {
    QFETCH(bool, are_darks);
    write("tif", "rock", projections());
    write("tif", "background", are_darks ? darks() : flats());
    const ImportedScan scan = import_scan(half_turn());
    const std::string files = "background_0.tif to background_2.tif, 3 files";
    QVERIFY(is_assumed(scan, are_darks ? "darks" : "flats", files));
    QVERIFY(!is_assumed(scan, are_darks ? "flats" : "darks", files));
    const std::string note =
        files + ", were taken as " +
        (are_darks ? "darks by a name that others may have, too, and since they are far darker "
                     "than the projections: if"
                   : "flats by a name that others may have, too: if");
    QVERIFY(has_part(scan.scan.notes, note.c_str()));
    QCOMPARE(has_part(scan.scan.notes, "were taken as flats"), !are_darks);
  }

  /// Beside other flats, of a clear or a doubtful name, a dark background is the dark, too.
  void aDarkBackgroundBesideFlats_data() {
    QTest::addColumn<QString>("flat");
    QTest::addColumn<bool>("is_dark");
    for (const char* flat : {"air", "white"}) {
      QTest::addRow("dark beside %s", flat) << QString(flat) << true;
      QTest::addRow("bright beside %s", flat) << QString(flat) << false;
    }
  }
  void aDarkBackgroundBesideFlats() {
    QFETCH(QString, flat);
    QFETCH(bool, is_dark);
    write("tif", "rock", projections());
    const std::vector<Page> bright(2, CountedFrames::flat_frame(0)),
        dark(2, CountedFrames::dark_frame(0));
    write("tif", flat.toStdString(), bright);
    write("tif", "bg", is_dark ? dark : bright);
    const ImportedScan scan = import_scan(half_turn());
    const std::string name = flat.toStdString(),
                      series = name + "_0.tif to " + name + "_1.tif, 2 files",
                      background = "bg_0.tif to bg_1.tif, 2 files";
    if (is_dark) {
      QVERIFY(is_assumed(scan, "flats", series));
      QVERIFY(is_assumed(scan, "darks", background));
      QVERIFY(!has_part(scan.scan.notes, "left out"));
      expect_line_integrals(scan, {0, 1, 2, 3, 4});
    } else {
      QVERIFY(!is_assumed(scan, "darks", background));
      const std::string note =
          background + (flat == "white" ? " may be flats by the name, but others"
                                        : ", were taken as flats by a name");
      QVERIFY(has_part(scan.scan.notes, note.c_str()));
    }
  }

  /// The longest stack is the projections where names say no more; one image beside it is none.
  void theLongestStackIsTheProjections_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("projections");
    QTest::addColumn<QString>("other");
    QTest::addColumn<int>("role");
    for (const char* format : {"tif", "npy"}) {
      const auto row = [&](const char* projections, const char* other, int role) {
        QTest::addRow("%s beside %s.%s", projections, other, format)
            << format << projections << other << role;
      };
      row("rock", "bg", 2);
      row("projections", "background", 2);
      row("tomo", "air", 1);
      row("rock", "overview", 0);
      row("dark_chocolate", "dark_field", 2);
    }
  }
  void theLongestStackIsTheProjections() {
    QFETCH(QString, format);
    QFETCH(QString, projections);
    QFETCH(QString, other);
    QFETCH(int, role);
    const auto stack = [&](const QString& name, const std::vector<Page>& pages) {
      if (format == "npy")
        write("npy", name.toStdString(), pages);
      else
        write_pages(path(name.toStdString() + ".tif"), pages, CountedFrames::columns);
    };
    stack(projections, this->projections());
    stack(other, role == 2 ? darks() : role == 1 ? flats() : std::vector<Page>{flats().front()});
    if (role != 1) stack("white", flats());
    if (role != 2) stack("dark", darks());
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(is_assumed(scan, "projections", (projections + "." + format).toStdString()));
    if (role == 0) QVERIFY(has_part(scan.scan.notes, "1 file was left out: overview."));
  }

  /// A longer stack is not the projections where its name says that it is a result, where another
  /// name says projections, or where another stack fits the flats or the list of angles.
  void theLongestStackIsNotTheProjections_data() {
    QTest::addColumn<QString>("projections");
    QTest::addColumn<QString>("other");
    QTest::addColumn<int>("sign");  // 1: the cells of the flats, 2: a list of angles
    const auto row = [](const char* projections, const char* other, int sign = 0) {
      QTest::addRow("%s beside %s", projections, other) << projections << other << sign;
    };
    for (const char* other : {"volume", "rock_volume", "segmented", "mask", "rock_corrected",
                              "labels", "phantom", "Rec_vol"})
      row("rock", other);
    row("proj", "volume");
    row("projections", "rock");
    row("tomo", "rock");
    row("raw", "bg");
    row("rock", "stone", 1);
    row("rock", "stone", 2);
  }
  void theLongestStackIsNotTheProjections() {
    QFETCH(QString, projections);
    QFETCH(QString, other);
    QFETCH(int, sign);
    const auto stack = [&](const QString& name, const std::vector<Page>& pages, int columns) {
      write_pages(path(name.toStdString() + ".tif"), pages, columns);
    };
    std::vector<Page> longer = this->projections();
    longer.insert(longer.end(), longer.begin(), longer.end());
    const int columns = CountedFrames::columns;
    stack(projections, this->projections(), columns);
    // The same cells in rows of another length are frames of another size.
    stack(other, longer, sign == 1 ? CountedFrames::rows : columns);
    stack("white", flats(), columns);
    stack("dark", darks(), columns);
    if (sign == 2) write_file(path("angles.txt"), "0\n36\n72\n108\n144\n");
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(is_assumed(scan, "projections", (projections + ".tif").toStdString()));
    QVERIFY(has_part(scan.scan.notes, ("1 file was left out: " + other.toStdString()).c_str()) ||
            has_part(scan.scan.notes, (other.toStdString() + ".tif may be flats").c_str()));
  }

  /// A sample may be called as a result: a few images beside it are not the projections.
  void aSampleMayBeCalledAResult() {
    write("tif", "phantom", projections());
    write("tif", "overview", flats());
    write("tif", "white", flats());
    write("tif", "dark", darks());
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(has_part(scan.scan.notes, "3 files were left out: overview_#.tif"));
  }

  /// Series named as projections are those, whatever their number; a dark background of more images
  /// is still the darks.
  void fewProjectionsBesideManyFlats() {
    write("tif", "proj", projections());
    write("tif", "white", std::vector<Page>(12, CountedFrames::flat_frame(0)));
    write("tif", "bg", std::vector<Page>(12, CountedFrames::dark_frame(0)));
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(is_assumed(scan, "darks", "bg_0.tif to bg_11.tif, 12 files"));
    QVERIFY(!has_part(scan.scan.notes, "left out"));
  }

  /// The note on darks in a folder comes once, and names the folder.
  void aDarkFolderIsNotedOnce() {
    write("tif", "rock", projections());
    std::filesystem::create_directory(path("air"));
    std::filesystem::create_directory(path("background"));
    for (int i = 0; i < 2; ++i) {
      write_frame("air/" + std::to_string(i) + ".tif", CountedFrames::flat_frame(0));
      write_frame("background/" + std::to_string(i) + ".tif", CountedFrames::dark_frame(0));
    }
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(has_part(scan.scan.notes, "air/0.tif to 1.tif, 2 files, were taken as flats"));
    QVERIFY(has_part(scan.scan.notes, "background/0.tif to 1.tif, 2 files, were taken as darks"));
  }

  /// Damaged projections are still those, though another image can be read.
  void damagedProjectionsAreNotPassedOver() {
    for (int i = 0; i < 3; ++i) write_file(path("p_" + std::to_string(i) + ".tif"), "II*");
    write_frame("overview.tif", CountedFrames::projection(0));
    EXPECT_THROWS(InputError, import_scan(half_turn()), "p_0.tif");
  }

  /// A data set of HDF5, by its path or by convention.
  void dataSetsAreNamed() {
    write("tif", "p", projections());
    {
      const Hdf5Writer writer(path("beam.h5"));
      writer.add("/a/white", {3, 6, 9}, joined_frames_of(flats()));
      writer.add("/exchange/data_dark", {3, 6, 9}, joined_frames_of(darks()));
    }
    ImportRequest one = half_turn();
    one.flats = {path("beam.h5") + ":/a/white"};
    one.darks = {path("beam.h5")};
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
    one.flats = {path("beam.h5")};
    EXPECT_THROWS(InputError, import_scan(one),
                  "does not tell which of its data sets are the flats");
    one.flats = {path("beam.h5") + ":/a/grey"};
    EXPECT_THROWS(InputError, import_scan(one), "has no data set /a/grey");
    write_file(path("f.npy"), npy("<u2", "(3, 5, 9)", QByteArray(270, 0)));
    one.flats = {path("f.npy")};
    EXPECT_THROWS(InputError, import_scan(one), "a flat has 9 x 5 cells");
  }

  /// By their names, in folders of images of either format.
  void foldersMixFormats() {
    for (const auto& [own, other] : {std::pair("tif", "edf"), std::pair("edf", "tif")}) {
      init();
      write(own, "p", projections());
      write(other, "flat", flats());
      write(other, "dark", darks());
      const ImportedScan scan = import_scan(half_turn());
      expect_line_integrals(scan, {0, 1, 2, 3, 4});
      QVERIFY(is_assumed(scan, "flats",
                         std::string("flat_0.") + other + " to flat_2." + other + ", 3 files"));
    }
  }

  /// The pages of one file count, not the file.
  void flatsBesideAFileOfPages() {
    std::vector<Page> pages;
    for (int i = 0; i < 12; ++i) pages.push_back(CountedFrames::projection(i % 5));
    write_pages(path("p.tif"), pages, CountedFrames::columns);
    for (int i = 0; i < 9; ++i)
      write_frame("flat_" + std::to_string(i) + ".tif", CountedFrames::flat_frame(0));
    write("tif", "dark", darks());
    const ImportedScan scan = import_scan(half_turn());
    QCOMPARE(scan.scan.geometry->views(), 12);
    QVERIFY(is_assumed(scan, "flats", "flat_0.tif to flat_8.tif, 9 files"));
    QVERIFY(!has_part(scan.scan.notes, "as many as the projections"));
  }

  /// A sample may be called dark, too: it has as many images as the other one.
  void asManyDarksAsProjectionsAreNoted() {
    for (int i = 0; i < 8; ++i) {
      write_frame("milk_chocolate_" + std::to_string(i) + ".tif", CountedFrames::projection(i % 5));
      if (i < 7)
        write_frame("dark_chocolate_" + std::to_string(i) + ".tif", CountedFrames::dark_frame(0));
    }
    write("tif", "flat", flats());
    QVERIFY(!has_part(import_scan(half_turn()).scan.notes, "as many as the projections"));
    write_frame("dark_chocolate_7.tif", CountedFrames::dark_frame(0));
    QVERIFY(has_part(import_scan(half_turn()).scan.notes,
                     "dark_chocolate_0.tif to dark_chocolate_7.tif, 8 files, are darks by their "
                     "names, but as many as the projections: if they show an object, move them to "
                     "another folder; --flat and --dark name others"));
  }

  /// Flats and darks of another scan, in the folder beside, are left out.
  void scansInFoldersKeepTheirFlats() {
    const auto fill = [&](const std::string& scan) {
      std::filesystem::create_directory(path(scan));
      write("tif", scan + "/p", projections());
    };
    fill("scan1");
    fill("scan2");
    write("tif", "scan1/flat", flats());
    write("tif", "scan1/dark", darks());
    for (int i = 0; i < 2; ++i)  // a beam that would spoil the line integrals
      write_frame("scan2/flat_" + std::to_string(i) + ".tif", CountedFrames::projection(i));
    write("tif", "scan2/dark", {CountedFrames::flat_frame(0)});
    write_file(path("scan2/angles.txt"), "1\n2\n");
    const ImportedScan scan = import_scan(half_turn());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(is_assumed(scan, "flats", "flat_0.tif to flat_2.tif, 3 files"));
    QVERIFY(has_part(scan.scan.notes,
                     "2 flats, 1 dark, 1 text in scan2 were left out: they lie beside images of "
                     "another scan"));
    QVERIFY(has_part(scan.scan.notes, "5 files were left out: scan2/p_#.tif"));
    // Those in a folder of flats alone, or beside few other images, are of this scan.
    std::filesystem::remove_all(path("scan2"));
    std::filesystem::create_directory(path("beam"));
    for (const char* file :
         {"flat_0.tif", "flat_1.tif", "flat_2.tif", "dark_0.tif", "dark_1.tif", "dark_2.tif"})
      std::filesystem::rename(path(std::string("scan1/") + file),
                              path(std::string("beam/") + file));
    write_frame("beam/pinhole.tif", CountedFrames::projection(0));
    expect_line_integrals(import_scan(half_turn()), {0, 1, 2, 3, 4});
  }

  /// Whichever formats the flats before and after the projections have.
  void flatsBeforeAndAfterMayDiffer() {
    write("tif", "p", projections());
    write("npy", "flat_after", {CountedFrames::flat_frame(1)});
    write_frame("flat_before.tif", CountedFrames::flat_frame(0));
    write("npy", "dark", {CountedFrames::dark_frame(0)});  // interpolation takes the mean of darks
    ImportRequest one = half_turn();
    ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(is_assumed(scan, "time of the flats", "1 before, 1 after the projections"));
    one.normalise.average = FrameAverage::interpolated;
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
  }

  /// Averaged flats and darks are of floating point, all of them or beside those of the detector;
  /// they are taken, with a note.
  void flatsOfAnotherTypeAreTaken_data() {
    QTest::addColumn<bool>("are_all");
    QTest::addColumn<QByteArrayList>("notes");
    QTest::newRow("all of them") << true
                                 << QByteArrayList{
                                        "the flats hold 64-bit floating-point numbers, the "
                                        "projections 16-bit whole numbers: they were taken",
                                        "the darks hold 64-bit floating-point numbers, the "
                                        "projections 16-bit whole numbers: they were taken"};
    QTest::newRow("beside others")
        << false
        << QByteArrayList{
               "flat_avg.tif holds 64-bit floating-point numbers, most of the flats "
               "hold 16-bit whole numbers: it was taken",
               "dark_avg.tif holds 64-bit floating-point numbers, most of the darks "
               "hold 16-bit whole numbers: it was taken"};
  }
  void flatsOfAnotherTypeAreTaken() {
    QFETCH(const bool, are_all);
    QFETCH(const QByteArrayList, notes);
    write("tif", "p", projections());
    // The mean of two images of whole numbers and the averaged one is that of the counted frames.
    const auto write_all = [&](const std::string& name, const Page& frame, int less) {
      std::vector<double> average(frame.begin(), frame.end());
      for (double& value : average) value += are_all ? 0 : 2 * less;
      write_numbers<double>(path(name + "_avg.tif"), {average}, CountedFrames::columns, {});
      Page counts = frame;
      for (std::uint16_t& value : counts) value = static_cast<std::uint16_t>(value - less);
      if (!are_all) write("tif", name, {counts, counts});
    };
    write_all("flat", CountedFrames::flat_frame(0), 20);
    write_all("dark", CountedFrames::dark_frame(0), 3);
    ImportRequest asked = half_turn();
    asked.normalise.average = FrameAverage::mean;
    const ImportedScan scan = import_scan(asked);
    for (const QByteArray& note : notes) QVERIFY(has_part(scan.scan.notes, note.constData()));
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
  }

  void aFolderOfArrays() {
    const auto frames = projections();
    for (std::size_t i = 0; i < frames.size(); ++i)
      write_file(path("p_" + std::to_string(i) + ".npy"),
                 npy("<u2", "(6, 9)", bytes_of_numbers(frames[i])));
    write("npy", "flat", flats());
    write("npy", "dark", darks());
    const std::vector<double> angles = {0, 20, 50, 90, 140};
    write_file(path("theta.npy"), npy("<f8", "(5,)", bytes_of_numbers(angles)));
    ImportRequest one = half_turn();
    one.arc_deg.reset();
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, angles);
    QVERIFY(is_importable(path()));
    // Images count, if there are some.
    write("tif", "q", projections());
    one.arc_deg = 90;
    QVERIFY(is_assumed(import_scan(one), "projections", "q_0.tif to q_4.tif, 5 files"));
  }

  /// All projections in one array, whose folder holds the flats; no other array makes a scan.
  void anArrayBesideItsFlats() {
    write("npy", "tomo", projections());
    QVERIFY(!is_importable(path()));
    write("tif", "flat", flats());
    write("npy", "dark", darks());
    expect_line_integrals(import_scan(half_turn()), {0, 1, 2, 3, 4});
  }
};

GANTRY_TEST(TestFramesBeside)
#include "test_frames_beside.moc"
