// One request for memory is refused, whichever it is: the program does what it was asked to all the
// same, or ends with one line and leaves no half of a file. Some requests of each command are
// tried, past those of the start that all commands have in common and "--version" consists of: 25,
// or as many as GANTRY_ALLOCATION_SAMPLES says; with GANTRY_EVERY_ALLOCATION every one is.
#include "tests/cli/bad_input.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QRegularExpression>

using namespace gantry::test;

namespace {

struct Trial {
  const char* name;
  QString arguments;
  QStringList results;  ///< files that the command writes
};

const QString scan = "reconstruct s.scan.json --grid 16,16 --voxel 3 --iterations 2 --out o.mha ";
const QString cone = "reconstruct c.scan.json --grid 8,8,6 --voxel 4 --iterations 1 --out o.mha ";
const QString import_to = "import --out o.scan.json ";

const QList<Trial> trials = {
    {"no command", "--version", {}},
    {"list", "list solvers", {}},
    {"info", "info s.scan.json", {}},
    {"simulate a phantom",
     "simulate --phantom shepp_logan --geometry s.scan.json --photons 1e5 --out o.scan.json "
     "--truth o.mha",
     {"o.scan.json", "o.f32", "o.mha"}},
    {"simulate a volume",
     "simulate --volume v.mha --slice 0 --geometry s.scan.json --out o.scan.json",
     {"o.scan.json", "o.f32"}},
    {"sirt, siddon", scan + "--solver sirt --projector siddon", {"o.mha"}},
    {"sart, joseph", scan + "--solver sart --projector joseph", {"o.mha"}},
    {"art", scan + "--solver art --projector siddon", {"o.mha"}},
    {"cgls, distance-driven", scan + "--solver cgls --projector distance_driven", {"o.mha"}},
    {"fista, footprints", scan + "--solver fista --projector separable_footprint", {"o.mha"}},
    {"sirt, area integral", scan + "--solver sirt --projector area_integral", {"o.mha"}},
    {"wls_pcg", scan + "--solver wls_pcg --projector siddon", {"o.mha"}},
    {"fbp", scan + "--solver fbp --projector voxel_driven", {"o.mha"}},
    {"csr", scan + "--solver sirt --projector siddon --format csr", {"o.mha"}},
    {"scsr", scan + "--solver sirt --projector area_integral --format scsr", {"o.mha"}},
    {"block_csr", scan + "--solver sart --projector siddon --format block_csr", {"o.mha"}},
    {"with a reference",
     scan + "--solver sirt --projector siddon --reference v.mha --log o.csv",
     {"o.mha", "o.csv"}},
    {"cone, siddon", cone + "--solver sirt --projector siddon", {"o.mha"}},
    {"cone, distance-driven", cone + "--solver sart --projector distance_driven", {"o.mha"}},
    {"cone, footprints", cone + "--solver sirt --projector separable_footprint", {"o.mha"}},
    {"fdk", cone + "--solver fdk --projector voxel_driven", {"o.mha"}},
    {"compare", "compare v.mha v.mhd --mask circle --json", {}},
    {"convert", "convert v.mha o.mhd", {"o.mhd", "o.raw"}},
    {"convert to TIFF", "convert v.mha o.tif", {"o.tif"}},
    {"convert to NIfTI", "convert v.mha o.nii.gz", {"o.nii.gz"}},
    {"convert TIFF", "convert v.tif o.mha", {"o.mha"}},
    {"convert NRRD", "convert v.nrrd o.npy", {"o.npy"}},
    {"convert NIfTI", "convert v.nii o.nrrd", {"o.nrrd"}},
    {"import TIFF", import_to + "p.tif --arc 180 --pixel 0.1", {"o.scan.json", "o.f32"}},
    {"import HDF5", import_to + "p.h5 --pixel 0.1", {"o.scan.json", "o.f32"}},
    {"import NumPy", import_to + "p.npz --pixel 0.1", {"o.scan.json", "o.f32"}},
    {"import MATLAB", import_to + "p.mat --pixel 0.1", {"o.scan.json", "o.f32"}},
    {"import EDF", import_to + "p.edf --pixel 0.1", {"o.scan.json", "o.f32"}},
    {"import Zeiss", import_to + "p.txrm", {"o.scan.json", "o.f32"}},
    {"export", "export s.scan.json --to astra --out o", {"o/s_astra.py", "o/s.f32"}},
    {"mapping", "mapping s.scan.json --projector siddon --grid 8,8 --out o.gmap", {"o.gmap"}},
    {"run", "run e.json --out o", {"o/curves.csv"}},
#if GANTRY_HAS_DICOM
    {"info, a DICOM folder", "info images", {}},
    {"info, a DICOM file", "info images/0.dcm", {}},
    {"convert a DICOM folder", "convert images o.mha", {"o.mha"}},
    {"convert to DICOM", "convert v.mha o", {"o/slice_0001.dcm", "o/slice_0002.dcm"}},
    {"convert DICOM to DICOM", "convert images o", {"o/slice_0003.dcm"}},
    {"de-identify", "convert images o --deidentify", {"o/slice_0003.dcm"}},
#endif
};

/// A cone beam beside the files of every desk.
void add_cone(const Desk& desk) {
  QByteArray text = desk.get("s.scan.json");
  text.replace("\"fan\"", "\"cone\"")
      .replace("\"detector_rows\": 1", "\"detector_rows\": 8, \"central_row\": 3.5")
      .replace("s.f32", "c.f32");
  desk.put("c.scan.json", text);
  desk.put("c.f32", Desk::ramp(12 * 24 * 8));
}

/// Three slices of a series.
void add_images(const Desk& desk) {
  desk.make_folder("images");
  for (int i = 0; i < 3; ++i)
    TinyDicom().at(2 * i, i).save(desk.path(QString("images/%1.dcm").arg(i)));
}

/// Small files of other programs: the fuzzer's.
void add_foreign_files(const Desk& desk) {
  const std::pair<const char*, const char*> seeds[] = {
      {"tiff_volume/imagej", "v.tif"},  {"nrrd/gzip", "v.nrrd"},
      {"nifti/packed", "v.nii"},        {"tiff_frames/tiles", "p.tif"},
      {"hdf5_frames/exchange", "p.h5"}, {"numpy_frames/deflated", "p.npz"},
      {"matlab_frames/plain", "p.mat"}, {"edf_frames/words", "p.edf"},
      {"zeiss_scan/plain", "p.txrm"}};
  for (const auto& [seed, name] : seeds)
    desk.put(name, bytes_of_file(QString(GANTRY_SOURCE_DIR "/tests/fuzz/corpus/") + seed));
}

Answer run_refusing(const QString& arguments, const QString& folder, long number,
                    const QString& count_file = {}) {
  qputenv("LD_PRELOAD", GANTRY_FAILING_ALLOCATION);
  qputenv("FAILING_ALLOCATION", QByteArray::number(static_cast<qlonglong>(number)));
  qputenv("FAILING_ALLOCATION_COUNT", count_file.toLocal8Bit());
  if (count_file.isEmpty()) qunsetenv("FAILING_ALLOCATION_COUNT");
  const Answer answer = gantry_cli(arguments, folder);
  for (const char* name : {"LD_PRELOAD", "FAILING_ALLOCATION", "FAILING_ALLOCATION_COUNT"})
    qunsetenv(name);
  return answer;
}

/// Curves hold times, and images unique identifiers.
bool is_the_same_each_time(const QString& file) {
  return !file.endsWith(".csv") && !file.endsWith(".dcm");
}

/// Empty where the answer is one that a user can live with.
QString complaint(const Answer& answer, const Answer& undisturbed,
                  const QMap<QString, QByteArray>& before, const QMap<QString, QByteArray>& whole,
                  const QMap<QString, QByteArray>& found) {
  if (answer.code == 0) {
    if (answer.output.isEmpty() != undisturbed.output.isEmpty()) return "says nothing";
    // Data that could not take their plain name keep the unique one, which the header then names.
    const bool keeps_unique_name =
        !found.keys().filter(QRegularExpression("gantry-[0-9a-f]{16}\\.(f32|raw)$")).isEmpty();
    if (keeps_unique_name && found.size() == whole.size() + 1) return {};
    if (found.keys() != whole.keys()) return "does not write what it should";
    for (auto file = found.begin(); file != found.end(); ++file)
      if (is_the_same_each_time(file.key()) && *file != whole.value(file.key()))
        return "writes another " + file.key();
    return {};
  }
  if (answer.code != 1) return QString("ends with %1").arg(answer.code);
  if (answer.error_lines().isEmpty()) return "fails without a word";
  // Notes may come before; OpenMP's own library ends the program by itself where it has no memory.
  const QString last = answer.error_lines().last();
  if (!last.startsWith("gantry-cli: ") && !last.contains("libgomp: "))
    return "ends with other words";
  for (auto file = found.begin(); file != found.end(); ++file)
    if (!before.contains(file.key()) && is_the_same_each_time(file.key()) &&
        whole.value(file.key()).size() != file->size())
      return "leaves " + file.key();
  const auto images = [](const QMap<QString, QByteArray>& files) {
    return files.keys().filter(".dcm");
  };
  if (images(found) != images(before) && images(found) != images(whole))
    return "leaves a part of a series";
  return {};
}

}  // namespace

class TestCliOutOfMemory : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitizer serves the memory");
#endif
    qputenv("OMP_NUM_THREADS", "2");
  }

  /// The stacks of so many threads do not fit below the limit: fewer have to do.
  void aLimitThatHasNoRoomForAllThreadsIsSurvived() {
    const Desk desk;
    const Answer answer = gantry::test::run_program(
        "sh",
        {"-c", "ulimit -s 8192; ulimit -v 600000; OMP_NUM_THREADS=200 exec " GANTRY_CLI
               " reconstruct s.scan.json --backend cpu --iterations 1 --out new.mha"},
        desk.path());
    EXPECT_DONE(answer);
    QVERIFY(QFile::exists(desk.path("new.mha")));
  }

  /// Importing has no grid; what it has is named.
  void anImportThatNeedsTooMuchMemorySaysWhatToLeaveOut() {
    const Desk desk;
    QByteArray head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 1000, 1000), }";
    head = QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + head.leftJustified(117) + "\n";
    QCOMPARE(head.size(), 128);
    desk.put("big.npy", head);
    QFile file(desk.path("big.npy"));
    QVERIFY(file.resize(128 + qint64{4} * 1000 * 1000 * 1000));  // takes no room on the disk
    const Answer answer = gantry::test::run_program(
        "sh",
        {"-c", "ulimit -v 2000000; OMP_NUM_THREADS=2 exec " GANTRY_CLI
               " import big.npy --line-integrals --arc 180 --out new.scan.json"},
        desk.path());
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.error_lines().last(),
             QString("gantry-cli: there is not enough memory; import a part of the scan (--bin, "
                     "--columns, --rows, --every), or close other programs"));
  }

  void oneRefusalIsSurvived_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < trials.size(); ++i) QTest::newRow(trials[i].name) << i;
  }
  void oneRefusalIsSurvived() {
    QFETCH(int, index);
    const Trial& trial = trials[index];
    const Desk desk;
    add_cone(desk);
    add_images(desk);
    add_foreign_files(desk);
    const auto before = desk.contents();
    const QTemporaryDir apart;
    const QString count_file = apart.filePath("count");
    const Answer undisturbed = run_refusing(trial.arguments, desk.path(), 0, count_file);
    QVERIFY2(undisturbed.code == 0, undisturbed.text());
    for (const QString& result : trial.results) QVERIFY(QFile::exists(desk.path(result)));
    const auto whole = desk.contents();
    const long count = gantry::test::bytes_of_file(count_file).toLong();
    QVERIFY2(count > 100, "the library was not loaded");
    const bool all = qEnvironmentVariableIsSet("GANTRY_EVERY_ALLOCATION");
    const long first = index == 0 ? 0 : start_;
    QVERIFY(first < count);
    bool is_said = false;
    const int said = qEnvironmentVariableIntValue("GANTRY_ALLOCATION_SAMPLES", &is_said);
    const long samples =
        all ? count - first : std::min<long>(count - first, is_said ? std::max(said, 1) : 25);
    if (index == 0) start_ = count;
    QStringList bad;
    for (long i = 0; i < samples; ++i) {
      for (const QString& file : desk.contents().keys())
        if (!before.contains(file)) QFile::remove(file);
      const long number = count - (count - first) * i / samples;
      const Answer answer = run_refusing(trial.arguments, desk.path(), number);
      const QString wrong = complaint(answer, undisturbed, before, whole, desk.contents());
      if (!wrong.isEmpty())
        bad << QString("request %1 of %2: %3: %4")
                   .arg(number)
                   .arg(count)
                   .arg(wrong, answer.errors.trimmed());
    }
    if ((all || is_said) && !bad.isEmpty()) qWarning("%s", qPrintable(bad.join('\n')));
    QVERIFY2(bad.isEmpty(), qPrintable(QString("%1 of %2 refusals, such as %3")
                                           .arg(bad.size())
                                           .arg(samples)
                                           .arg(bad.value(0))));
  }

 private:
  long start_ = 0;  // requests of a command that does nothing
};

GANTRY_TEST(TestCliOutOfMemory)
#include "test_cli_out_of_memory.moc"
