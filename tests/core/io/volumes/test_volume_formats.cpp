// The registry of volume formats: recognition, round trips, messages. Every format is taken from
// the registry, so that a new one is tested as well.
#include "core/base/error.hpp"
#include "core/io/volumes/file_in_folder.hpp"
#include "core/io/volumes/value_unit.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/io/volumes/volume_formats.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

using namespace gantry;
using namespace gantry::test;

namespace fs = std::filesystem;

namespace {

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// A small volume, and what it was written as.
struct Written {
  VolumeGrid grid;
  std::vector<float> mu;

  explicit Written(int slices = 2)
      : grid(VolumeGrid::centered(4, 3, slices, {0.5, 0.75, 2})), mu(grid.voxels()) {
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] = 0.018F + 0.0002F * static_cast<float>(i);
  }
  VolumeToWrite request() const {
    VolumeToWrite volume;
    volume.grid = grid;
    volume.mu = mu;
    return volume;
  }
  /// Returns the greatest difference to a volume of the same grid, 1/mm.
  double difference(const LoadedVolume& read) const {
    double greatest = 0;
    for (std::size_t i = 0; i < mu.size(); ++i)
      greatest = std::max<double>(greatest, std::abs(read.mu[i] - mu[i]));
    return greatest;
  }
};

/// Returns the greatest error that a format may make, 1/mm: whole HU, or nothing.
double tolerance_of(const VolumeFormat& format) {
  return format.holds_hu ? 0.5001e-3 * default_mu_water : 0;
}

/// Returns the file of a written volume by whose first bytes it is recognised.
std::string file_to_recognise(const VolumeFormat& format, const std::string& path) {
  if (!format.is_folder) return path;
  return fs::directory_iterator(path)->path().string();
}

bool reads_and_writes(const VolumeFormat& format) { return format.read && format.write; }

}  // namespace

class TestVolumeFormats : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::string path(const std::string& name) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(folder_->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  QStringList names() const { return QDir(folder_->path()).entryList(QDir::Files); }

  /// Returns the names that a volume may be written to in this format.
  std::vector<std::string> names_for_writing(const VolumeFormat& format) const {
    if (format.is_folder) return {path("volume")};
    std::vector<std::string> names;
    for (const std::string& extension : format.extensions) {
      names.push_back(path("volume" + extension));
      names.push_back(path("VOLUME" + upper_case(extension)));
    }
    return names;
  }

  /// Adds a row for every format that is read and written in this program, and `wanted`.
  static void add_rows(const std::function<bool(const VolumeFormat&)>& wanted =
                           [](const VolumeFormat&) { return true; }) {
    QTest::addColumn<QString>("key");
    for (const VolumeFormat& format : volume_formats().entries())
      if (reads_and_writes(format) && wanted(format))
        QTest::newRow(format.key.c_str()) << QString::fromStdString(format.key);
  }
  static const VolumeFormat& format() { return volume_formats().at(QTest::currentDataTag()); }

  /// Checks that a copy of a file under this extension is read as the file is.
  void check_renamed(const std::string& original, const std::string& extension,
                     const LoadedVolume& expected) const {
    const std::string renamed = path("renamed" + extension);
    fs::copy_file(original, renamed, fs::copy_options::overwrite_existing);
    QVERIFY(volume_formats().recognise(renamed).certainty == Certainty::certain);
    QVERIFY(identify_file(renamed) == FileKind::volume);
    QCOMPARE(load_volume(renamed).mu, expected.mu);
    fs::remove(renamed);
  }

  void write_images(const std::vector<std::string>& names) const {
    VolumeToWrite image;
    image.grid = VolumeGrid::centered(4, 3, 1, {1, 1, 1});
    const std::vector<float> values(12, 1);
    image.mu = values;
    for (const std::string& name : names) write_volume(path(name), image);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void whatIsWrittenIsReadAgain_data() { add_rows(); }
  void whatIsWrittenIsReadAgain() {
    const Written written;
    for (const std::string& name : names_for_writing(format())) {
      require_writable_volume(name);
      write_volume(name, written.request());
      for (const std::string& file : files_of_volume(name))
        QVERIFY2(fs::exists(file), file.c_str());
      const auto found = volume_formats().recognise(name);
      QVERIFY2(found.format != nullptr, name.c_str());
      QCOMPARE(found.format->key, format().key);
      const LoadedVolume read = load_volume(name);
      if (format().states_place)
        QCOMPARE(read.grid, written.grid);
      else
        QCOMPARE(read.grid, VolumeGrid::centered(4, 3, 2, {1, 1, 1}));
      QVERIFY(written.difference(read) <= tolerance_of(format()));
      QVERIFY(identify_file(name) == FileKind::volume);
    }
  }

  /// Formats that hold text say that lengths are cells of unknown size, and nothing else of them.
  void lengthsInCellsAreSaid_data() {
    add_rows([](const VolumeFormat& one) {
      const std::vector<std::string> with_text = {".mha", ".mhd", ".nrrd", ".nii", ".tif"};
      return std::ranges::any_of(one.extensions, [&](const std::string& extension) {
        return std::ranges::find(with_text, extension) != with_text.end();
      });
    });
  }
  void lengthsInCellsAreSaid() {
    const Written written;
    const std::string name = names_for_writing(format()).front();
    for (const bool as_hu : {false, true}) {
      std::size_t others = 0;
      for (const bool are_known : {true, false}) {
        VolumeToWrite volume = written.request();
        volume.lengths_are_known = are_known;
        volume.as_hu = as_hu;
        write_volume(name, volume);
        const LoadedVolume read = load_volume(name);
        QCOMPARE(read.lengths_are_known, are_known);
        if (are_known) others = read.notes.size();
        QCOMPARE(read.notes.size(), others + (are_known ? 0 : 1));
        QCOMPARE(read.grid.nx, written.grid.nx);
        QVERIFY(written.difference(read) < 1e-6);
      }
    }
  }

  /// A file that states where its voxels lie has them where the frame of the patient puts them;
  /// where it cannot, a note says what is lost.
  void thePlaceInThePatientIsKept_data() { add_rows(); }
  void thePlaceInThePatientIsKept() {
    const Written written;
    const std::string name = names_for_writing(format()).front();
    const auto placed = [&](const PatientFrame& frame, std::string& note) {
      VolumeToWrite volume = written.request();
      volume.frame = frame;
      note = place_in_patient(name, volume);
      write_volume(name, volume);
      const LoadedVolume read = load_volume(name);
      return (read.frame ? read.frame->to_patient(read.grid.origin_mm) : read.grid.origin_mm);
    };
    PatientFrame frame;
    frame.origin_mm = {-115.5, -1.75, 696.25};
    const Vec3 first = frame.to_patient(written.grid.origin_mm);
    std::string note;
    if (!format().states_place) {
      placed(frame, note);
      QVERIFY2(note.find("(LPS)") != std::string::npos, note.c_str());
      return;
    }
    QVERIFY(norm(placed(frame, note) - first) < 1e-4);
    QCOMPARE(note, std::string());
    frame.y_axis = {0, 0, -1};  // coronal
    frame.z_axis = {0, 1, 0};
    const Vec3 turned = frame.to_patient(written.grid.origin_mm), read = placed(frame, note);
    if (format().is_of_patients)
      QVERIFY(norm(read - turned) < 1e-4 && note.empty());
    else
      QVERIFY2(read == written.grid.origin_mm && note.find("not upright") != std::string::npos,
               note.c_str());
  }

  void anInterruptEndsTheReading_data() { add_rows(); }
  void anInterruptEndsTheReading() {
    const std::string name = names_for_writing(format()).front();
    write_volume(name, Written().request());
    Interrupt interrupt;
    QCOMPARE(load_volume(name, {.interrupt = &interrupt}).grid.voxels(), std::size_t{24});
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, load_volume(name, {.interrupt = &interrupt}));
  }

  /// Exactly the files that files_of_volume() names, whatever the case of the extension.
  void nothingElseIsWritten_data() {
    add_rows([](const VolumeFormat& one) { return !one.is_folder; });
  }
  void nothingElseIsWritten() {
    for (const std::string& name : names_for_writing(format())) {
      init();
      const std::string moved = path(fs::path(name).filename().string());
      write_volume(moved, Written().request());
      QStringList expected;
      for (const std::string& file : files_of_volume(moved))
        expected << QString::fromStdString(fs::path(file).filename().string());
      QVERIFY(expected.contains(QString::fromStdString(fs::path(name).filename().string())));
      expected.sort();
      QStringList found = names();
      found.sort();
      QCOMPARE(found, expected);
    }
  }

  void aWrongExtensionDoesNotMatter_data() {
    add_rows([](const VolumeFormat& one) { return one.magic != nullptr; });
  }
  void aWrongExtensionDoesNotMatter() {
    const Written written(1);  // the neighbours of a slice would be read with it
    const std::string name = names_for_writing(format()).front();
    write_volume(name, written.request());
    const std::string original = file_to_recognise(format(), name);
    const LoadedVolume expected = load_volume(original);
    for (const char* extension : {"", ".txt", ".json"})
      check_renamed(original, extension, expected);
    for (const VolumeFormat& other : volume_formats().entries())
      for (const std::string& extension : other.extensions)
        if (!has_extension_of(format(), "other" + extension))
          check_renamed(original, extension, expected);
  }
  void anUnknownFileIsToldTheKnownFormats() {
    put("note.txt", "Dear diary\n");
    std::string message;
    try {
      load_volume(path("note.txt"));
    } catch (const InputError& error) {
      message = error.what();
    }
    QVERIFY2(message.find("note.txt: has no known volume format; use one of ") != std::string::npos,
             message.c_str());
    QCOMPARE(std::ranges::count(message, '\n'), 0);
    for (const FileFormat* format : volume_formats().readable())
      QVERIFY2(message.find(format->label) != std::string::npos, format->key.c_str());
    put("packed", QByteArray("\x1f\x8b", 2) + "1234");
    EXPECT_THROWS(InputError, load_volume(path("packed")), "it is packed (gzip); unpack it first");
    put("empty", "");
    EXPECT_THROWS(InputError, load_volume(path("empty")), "it is empty");
    EXPECT_THROWS(InputError, load_volume(path("absent")), "absent: does not exist");
  }

  void anEmptyFileIsCalledEmpty() {
    for (const FileFormat* format : volume_formats().readable())
      for (const std::string& extension : format->extensions) {
        const std::string name = "empty" + extension;
        put(QString::fromStdString(name), "");
        std::string message;
        try {
          load_volume(path(name));
        } catch (const InputError& error) {
          message = error.what();
        }
        QVERIFY2(message.find("is empty; ") != std::string::npos, (name + ": " + message).c_str());
      }
  }

  void anUnknownExtensionIsToldTheKnownOnes() {
    const Written written;
    for (const auto& action :
         {std::function<void()>([&] { write_volume(path("a.minc"), written.request()); }),
          std::function<void()>([&] { require_writable_volume(path("a.minc")); })})
      EXPECT_THROWS(UsageError, action(),
                    "the extension .minc is not known; use " + volume_names_to_write());
    for (const FileFormat* format : volume_formats().writable())
      QVERIFY(volume_names_to_write().find(format->is_folder
                                               ? format->label
                                               : format->extensions.front()) != std::string::npos);
    EXPECT_THROWS(UsageError, volume_formats().at("analyze"), "unknown volume format \"analyze\"");
  }

  void unknownOptionsAreRefused_data() { add_rows(); }
  void unknownOptionsAreRefused() {
    const std::string name = names_for_writing(format()).front();
    const Written written;  // whose values the request refers to
    VolumeToWrite volume = written.request();
    write_volume(name, volume);
    VolumeReadOptions options;
    options.params.set("no_such_option", 1.0);
    volume.params = options.params;
    EXPECT_THROWS(UsageError, load_volume(name, options), "no_such_option");
    EXPECT_THROWS(UsageError, write_volume(name, volume), "no_such_option");
  }

  void whatCannotBeWrittenIsRefused_data() { add_rows(); }
  void whatCannotBeWrittenIsRefused() {
    const std::string name = names_for_writing(format()).front();
    const Written written;
    VolumeToWrite volume = written.request();
    volume.mu = volume.mu.first(volume.mu.size() - 1);
    EXPECT_THROWS(ShapeError, write_volume(name, volume), "size");
    volume = written.request();
    volume.grid.spacing_mm.y = 0;
    EXPECT_THROWS(InputError, write_volume(name, volume), "voxel size 0 mm is not usable");
    for (const double mu_water : {0.0, -1.0, std::nan("")}) {
      volume = written.request();
      volume.mu_water = mu_water;
      EXPECT_THROWS(UsageError, write_volume(name, volume), "attenuation of water");
    }
    QVERIFY(!fs::exists(name));
    write_volume(name, written.request());
    EXPECT_THROWS(UsageError, load_volume(name, {.mu_water = 0}), "attenuation of water");
    if (format().open_slices)
      EXPECT_THROWS(UsageError, open_slices(name, {.mu_water = 0}), "attenuation of water");
  }

  void filesAreIdentified() {
    put("scan", R"( {"format": "gantry-scan"})");
    put("scan.dat", R"({"format": "gantry-scan"})");
    put("empty.json", "");
    put("experiment", R"({"format": "gantry-experiment"})");
    put("experiment.json", R"({"format": "gantry-experiment"})");
    put("diary", "Dear diary\n");
    for (const char* name : {"scan", "scan.dat", "empty.json"})
      QVERIFY2(identify_file(path(name)) == FileKind::scan, name);
    for (const char* name : {"experiment", "experiment.json"})
      QVERIFY2(identify_file(path(name)) == FileKind::experiment, name);
    QVERIFY(identify_file(path("diary")) == FileKind::volume);
    QVERIFY(identify_file(path("")) == FileKind::volume);
    EXPECT_THROWS(InputError, identify_file(path("absent")), "there is no such file or folder");
  }

  /// A folder stands for the only scan or experiment that lies in it, unless it is a series.
  void theOnlyScanOfAFolderIsFound() {
    QDir(folder_->path()).mkpath(QStringLiteral("holder/below"));
    put("holder/readme.txt", "text");
    put("holder/other.json", R"({"colour": "red"})");
    put("holder/below/scan.scan.json", R"({"format": "gantry-scan"})");
    const std::string holder = path("holder");
    QCOMPARE(file_in_folder(holder), std::string());
    put("holder/a.json", R"({"file": {"file_type": "CTSimU Metadata"}})");
    QCOMPARE(file_in_folder(holder), path("holder/a.json"));
    QCOMPARE(
        opened_in_folder(path("holder/a.json")),
        std::string("of the folder holder, a.json is opened, the only scan or experiment in it"));
    QCOMPARE(file_in_folder(path("holder/a.json")), std::string());
    QCOMPARE(file_in_folder(holder, {FileKind::scan}), std::string());
    put("holder/b.xtekct", "[XTekCT]\nVoxelsX=1\n");
    put("holder/c.json", R"({"format": "gantry-experiment"})");
    EXPECT_THROWS(
        InputError, file_in_folder(holder),
        "holder: holds several scans or experiments; open one of a.json, b.xtekct, c.json");
    EXPECT_THROWS(InputError, file_in_folder(holder, {FileKind::projections}),
                  "open one of a.json, b.xtekct");
    put("holder/below/slice", QByteArray(128, '\0') + "DICM");  // a series, with papers beside it
    QCOMPARE(file_in_folder(holder), std::string());
  }

  /// A folder stands for the only volume in it, whose header may lie beside its values; several
  /// headers are named. A scan or an experiment beside volumes is what is opened.
  void theOnlyVolumeOfAFolderIsFound() {
    for (const char* name : {"holder", "values"}) QDir(folder_->path()).mkpath(QLatin1String(name));
    const std::string holder = path("holder");
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(4, 3, 2, {1, 1, 1});
    const std::vector<float> values(24, 1);
    volume.mu = values;
    write_volume(path("holder/head.mhd"), volume);
    put("holder/readme.txt", "text");
    QCOMPARE(file_in_folder(holder), path("holder/head.mhd"));
    QCOMPARE(opened_in_folder(path("holder/head.mhd")),
             std::string("of the folder holder, head.mhd is opened, the only volume in it"));
    QCOMPARE(file_in_folder(holder, {FileKind::projections}), std::string());
    put("holder/head.nhdr", "NRRD0004\ntype: float\ndata file: head.raw\n");
    EXPECT_THROWS(InputError, file_in_folder(holder),
                  "holder: holds several volumes; open one of head.mhd, head.nhdr");
    put("holder/run.json", R"({"format": "gantry-experiment"})");
    QCOMPARE(file_in_folder(holder), path("holder/run.json"));
    // Values alone state no grid.
    write_volume(path("values/v.npy"), volume);
    QCOMPARE(file_in_folder(path("values")), std::string());
  }

  /// Images and a header beside them are one scan, which the header describes.
  void theHeaderBesideImagesIsFound() {
    QDir(folder_->path()).mkpath(QStringLiteral("holder"));
    const std::string holder = path("holder");
    write_images({"holder/p_1.tif", "holder/p_2.tif", "holder/p_3.tif"});
    put("holder/notes.log", "an ordinary text");
    QCOMPARE(file_in_folder(holder), std::string());
    put("holder/p.xtekct", "[XTekCT]\nVoxelsX=1\n");
    QCOMPARE(file_in_folder(holder), path("holder/p.xtekct"));
    put("holder/p.log", "[Acquisition]\nObject to Source (mm)=100\n");
    EXPECT_THROWS(InputError, file_in_folder(holder), "open one of p.log, p.xtekct");
  }

  /// Of several headers beside images, the only one that can be read is the scan's.
  void theOnlyReadableHeaderIsFound() {
    QDir(folder_->path()).mkpath(QStringLiteral("scan"));
    const std::string scan = path("scan");
    const QByteArray fields =
        "Number Of Files=3\nNumber Of Rows=3\nNumber Of Columns=4\nObject to Source (mm)=50\n"
        "Camera to Source (mm)=100\nImage Pixel Size (um)=10\nRotation Step (deg)=120\n";
    const QByteArray log = "[Acquisition]\nFilename Prefix=p\n" + fields;
    put("scan/p.log", log);
    put("scan/p.oog", log);
    QCOMPARE(file_in_folder(scan), path("scan/p.log"));  // though neither is with its images
    write_images({"scan/p0000.tif", "scan/p0001.tif", "scan/p0002.tif"});
    put("scan/p_rec.log", log + "[Reconstruction]\nPostalignment=1\n");
    put("scan/p__rec.log", log);
    put("scan/other.log", "[Acquisition]\nFilename Prefix=other\n" + fields);
    put("scan/cut.log", "[Acquisition]\nObject to Source (mm)=100\n");
    QCOMPARE(file_in_folder(scan), path("scan/p.log"));
    QCOMPARE(opened_in_folder(path("scan/p.log")),
             std::string("of the folder scan, p.log is opened, the only scan or experiment in it "
                         "but for p.oog, p__rec.log, p_rec.log, by the name of the same scan: give "
                         "that file to read it instead"));
    put("scan/again.log", log);
    EXPECT_THROWS(InputError, file_in_folder(scan), "open one of again.log, p.log");
    for (const char* name : {"p.log", "again.log", "p_rec.log", "p__rec.log", "other.log"})
      fs::remove(path("scan/") + name);
    QCOMPARE(file_in_folder(scan), path("scan/p.oog"));  // the copy alone
  }

  /// Values of raw data that look like an old DICOM file are still raw data.
  void aNameCountsMoreThanAPossibleStart() {
    put("v.raw", QByteArray("\x08\x00", 2) + QByteArray(14, '\0'));
    const auto found = volume_formats().recognise(path("v.raw"));
    QCOMPARE(found.format->key, std::string("raw"));
    QVERIFY(found.certainty == Certainty::named);
    fs::copy_file(path("v.raw"), path("v"));
    QVERIFY(volume_formats().recognise(path("v")).certainty == Certainty::possible);
  }

  void aKeyIsTakenOnce() {
    FormatRegistry<VolumeFormat> formats{"volume format"};
    VolumeFormat own;
    own.key = "own";
    formats.add(own);
    QVERIFY_EXCEPTION_THROWN(formats.add(own), std::logic_error);
    QVERIFY(formats.readable().empty() && formats.writable().empty());
    QVERIFY(formats.recognise(path("x.own")).format == nullptr);
  }
};

GANTRY_TEST(TestVolumeFormats)
#include "test_volume_formats.moc"
