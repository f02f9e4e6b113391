// De-identified series: nothing of a source that marks all it says is left, by our own reader, by
// pydicom and among the bytes; dciodvfy finds no error.
#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/file/dicom_uid.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/dicom/series/dicom_study.hpp"
#include "core/io/dicom/writer/deidentify.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"
#include "tests/core/io/dicom/dciodvfy.hpp"
#include "tests/core/io/dicom/marked_series.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <algorithm>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

const std::set<std::uint32_t> tags_of_deidentification = {
    dicom::patient_identity_removed.number(), dicom::deidentification_method.number(),
    dicom::deidentification_code_sequence.number(), dicom::longitudinal_modified.number()};

/// Returns the action of the table; "" where it has no rule.
std::string action_of(std::uint32_t tag) {
  for (const ConfidentialityRule& rule : confidentiality_rules())
    if (rule.tag.number() == tag) return {static_cast<char>(rule.action)};
  return {};
}

}  // namespace

class TestDeidentify : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  LoadedVolume source_;

  QString path(const QString& name) const { return folder_->filePath(name); }
  /// Writes the source, with texts as commands put them together.
  void write(const QString& name, bool deidentify, const LoadedVolume& volume) const {
    DicomWriteRequest request;
    request.grid = volume.grid;
    request.mu = volume.mu;
    request.frame = volume.frame;
    request.study = volume.study;
    request.series_description = "Gantry " + text_mark;
    request.derivation_description = "converted from DICOM series \"" + text_mark + "LONG\"";
    request.software_version = "0.1.0";
    request.derivation_code = format_conversion;
    request.deidentify = deidentify;
    write_dicom_series(path(name).toStdString(), request);
  }
  DicomHeader header(const QString& name, int slice = 1) const {
    return *read_dicom_header(
        path(name + QStringLiteral("/slice_000%1.dcm").arg(slice)).toStdString());
  }
  static std::set<std::uint32_t> tags_in(const DicomAttributes& data) {
    std::set<std::uint32_t> tags;
    for (const auto& [tag, value] : data.values) tags.insert(tag);
    for (const auto& [tag, items] : data.sequences) tags.insert(tag);
    return tags;
  }
  /// Returns the series with one attribute of each slice replaced; removed where a value is empty.
  LoadedVolume changed(std::uint32_t tag, const char* vr, const QStringList& of_slices) const {
    const QString folder = path(QStringLiteral("changed"));
    save_marked_series(folder);
    for (int slice = 0; slice < of_slices.size(); ++slice) {
      TinyDicom image = marked_image(slice);
      image.remove(tag);
      if (!of_slices[slice].isEmpty()) image.text(tag, vr, of_slices[slice].toStdString());
      image.save(QDir(folder).filePath(QStringLiteral("%1.dcm").arg(slice)));
    }
    return load_dicom(folder.toStdString());
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    save_marked_series(path("source"));
    source_ = load_dicom(path("source").toStdString());
  }
  void cleanup() { folder_.reset(); }

  /// Else the tests below would miss what they are about.
  void theSourceSaysAllThatIsRead() {
    for (const DicomTag tag : study_tags())
      QVERIFY2(source_.study->attributes.contains(tag.keyword), tag.keyword);
    QCOMPARE(source_.study->instance_uids.size(), std::size_t{3});
    QCOMPARE(marked_files(path("source")).size(), 3);
  }

  void nothingOfTheSourceIsLeft() {
    write("plain", false, source_);
    QCOMPARE(marked_files(path("plain")).size(), 3);  // the marks arrive where nothing is removed
    write("clean", true, source_);
    QCOMPARE(marked_files(path("clean")), QStringList());
    QCOMPARE(QDir(path("clean")).entryList(QDir::Files).size(), 3);
    const LoadedVolume read = load_dicom(path("clean").toStdString());
    QVERIFY(read.mu == source_.mu);
    for (const char* none : {"PatientName", "PatientID", "PatientBirthDate", "PatientSex",
                             "StudyDate", "StudyTime", "StudyDescription", "BodyPartExamined"})
      QVERIFY2(!read.study->attributes.contains(none), none);
    QCOMPARE(read.study->attributes.at("KVP"), std::string("120"));
    QCOMPARE(read.study->attributes.at("PatientIdentityRemoved"), std::string("YES"));
  }

  /// What is written without the switch has a rule each, and the switch does what the rule says.
  void everyAttributeIsTreatedByItsRule() {
    write("plain", false, source_);
    write("clean", true, source_);
    const DicomAttributes plain = header("plain").data, clean = header("clean").data;
    const auto before = tags_in(plain), after = tags_in(clean);
    for (const std::uint32_t tag : before) {
      const std::string action = action_of(tag);
      const QByteArray where = QByteArray::number(tag, 16) + ' ' + action.c_str();
      QVERIFY2(!action.empty(), where);
      if (action == "X")
        QVERIFY2(!after.contains(tag) || tags_of_deidentification.contains(tag), where);
      if (action != "X") QVERIFY2(after.contains(tag), where);
      if (!clean.values.contains(tag) || !plain.values.contains(tag) || action == "X") continue;
      const std::string &was = plain.values.at(tag), &is = clean.values.at(tag);
      if (action == "Z") QVERIFY2(is.empty(), where);
      if (action == "K") QVERIFY2(is == was, where);
      if (action == "U") QVERIFY2(is != was && is_dicom_uid(is), where);
    }
    for (const std::uint32_t tag : after)
      QVERIFY2(before.contains(tag) || tags_of_deidentification.contains(tag) ||
                   tag == dicom::burned_in_annotation.number(),
               QByteArray::number(tag, 16));
    QVERIFY(!before.contains(dicom::deidentification_code_sequence.number()) &&
            !before.contains(dicom::burned_in_annotation.number()));
    const DicomAttributes* code = clean.item(dicom::deidentification_code_sequence);
    QVERIFY(code != nullptr);
    QCOMPARE(code->text(dicom::code_value), std::string("113100"));
    QCOMPARE(code->text(dicom::coding_scheme), std::string("DCM"));
    QCOMPARE(code->text(dicom::code_meaning),
             std::string("Basic Application Confidentiality Profile"));
    QCOMPARE(clean.text(dicom::longitudinal_modified), std::string("REMOVED"));
    QVERIFY(!clean.text(dicom::deidentification_method).empty());
  }

  void pydicomFindsNothingOfTheSource() {
    const QString python = python_with("pydicom");
    if (python.isEmpty()) QSKIP("no Python with pydicom");
    write("plain", false, source_);
    write("clean", true, source_);
    const auto marked_values = [&](const QString& name) {
      QProcess process;
      process.start(python, {GANTRY_SOURCE_DIR "/tests/oracles/scan_dicom.py", path(name)});
      process.waitForFinished(120000);
      QStringList lines;
      for (const QJsonValue file : QJsonDocument::fromJson(process.readAllStandardOutput()).array())
        for (const QJsonValue entry : file.toArray()) {
          const QJsonArray parts = entry.toArray();
          if (!marks_in(parts[2].toString().toUtf8()).isEmpty())
            lines << parts[0].toString() + ' ' + parts[2].toString();
          if (parts[0].toString() == "00120062" && parts[2].toString() == "YES") lines << "removed";
        }
      return lines;
    };
    QVERIFY(marked_values("plain").size() > 30);
    QCOMPARE(marked_values("clean"), QStringList({"removed", "removed", "removed"}));
  }

  void dciodvfyFindsNoError_data() {
    QTest::addColumn<bool>("with_source");
    QTest::addColumn<bool>("of_a_head");
    QTest::newRow("of a patient") << true << false;
    QTest::newRow("of a part that has no side") << true << true;  // and is not told any more
    QTest::newRow("of a phantom") << false << false;
  }
  void dciodvfyFindsNoError() {
    QFETCH(bool, with_source);
    QFETCH(bool, of_a_head);
    if (!has_dciodvfy()) QSKIP("dciodvfy is not installed");
    constexpr std::uint32_t body_part_examined = 0x00180015;
    LoadedVolume volume =
        of_a_head ? changed(body_part_examined, "CS", {"BRAIN", "BRAIN", "BRAIN"}) : source_;
    if (!with_source) volume.study.reset();
    write("clean", true, volume);
    const QByteArray errors = dciodvfy_errors(path("clean"));
    QVERIFY2(errors.isEmpty(), errors.constData());
    QCOMPARE(marked_files(path("clean")), QStringList());
  }

  /// All files of a study and its space stay together, whenever they were written.
  void uidsOfAStudyStayTogether() {
    write("one", true, source_);
    write("two", true, source_);
    std::set<std::string> instances;
    for (const char* name : {"one", "two"})
      for (int slice = 1; slice <= 3; ++slice) {
        const DicomHeader image = header(name, slice);
        instances.insert(image.data.text(dicom::sop_instance_uid));
        for (const DicomTag tag : {dicom::study_instance_uid, dicom::frame_of_reference_uid})
          QCOMPARE(image.data.text(tag), header("one").data.text(tag));
        QCOMPARE(image.data.text(dicom::series_instance_uid),
                 header(name).data.text(dicom::series_instance_uid));
        const DicomAttributes* reference = image.data.item(dicom::source_image_sequence);
        QVERIFY(reference != nullptr);
        QCOMPARE(reference->text(dicom::referenced_sop_instance_uid),
                 header("one", slice)
                     .data.item(dicom::source_image_sequence)
                     ->text(dicom::referenced_sop_instance_uid));
      }
    QCOMPARE(instances.size(), std::size_t{6});
    QVERIFY(header("one").data.text(dicom::series_instance_uid) !=
            header("two").data.text(dicom::series_instance_uid));
  }

  /// Otherwise a list of known UIDs would be enough to find out whose images these are.
  void replacedUidsDependOnThePatient() {
    write("one", true, source_);
    for (const auto& [tag, vr] : {std::pair(0x00100020U, "LO"), {0x0020000dU, "UI"}}) {
      const QString value = QStringLiteral("1.2.3");
      const LoadedVolume other = changed(tag, vr, {value, value, value});
      write("other", true, other);
      QVERIFY(header("other").data.text(dicom::frame_of_reference_uid) !=
              header("one").data.text(dicom::frame_of_reference_uid));
      QVERIFY(QDir(path("other")).removeRecursively());
    }
    const std::string uid = replaced_dicom_uid("1.2.3", "secret");
    QVERIFY(is_dicom_uid(uid) && uid.starts_with("2.25."));
    QCOMPARE(replaced_dicom_uid("1.2.3", "secret"), uid);
    QVERIFY(replaced_dicom_uid("1.2.4", "secret") != uid);
    QVERIFY(replaced_dicom_uid("1.2.3", "secre") != uid);
    QVERIFY(replaced_dicom_uid("t1.2.3", "secre") != uid);
  }

  /// A class that is not one of CT could be a number of anything.
  void imagesOfUnknownClassesAreNotReferredTo() {
    const std::string own = "1.2.840.10008.5.1.4.1.1.2." + uid_mark;
    LoadedVolume volume = source_;
    auto study = std::make_shared<DicomStudy>(*source_.study);
    study->sop_class_uid = own;
    volume.study = study;
    write("clean", true, volume);
    QCOMPARE(marked_files(path("clean")), QStringList());
    QVERIFY(header("clean").data.item(dicom::source_image_sequence) == nullptr);
  }

  void whatPixelsTellIsSaidTruly() {
    const auto burned = [&](const QStringList& of_slices) {
      write("clean", true, changed(0x00280301, "CS", of_slices));
      const std::string said = header("clean").data.text(dicom::burned_in_annotation);
      QDir(path("clean")).removeRecursively();
      return said;
    };
    QCOMPARE(burned({"NO", "NO", "NO"}), std::string("NO"));
    QCOMPARE(burned({"NO", "", "NO"}), std::string());
    QCOMPARE(burned({"", "NO", "NO"}), std::string());
    for (const QStringList& of_slices :
         {QStringList{"NO", "YES", "NO"}, {"YES", "", "NO"}, {"", "", "YES"}}) {
      const LoadedVolume volume = changed(0x00280301, "CS", of_slices);
      EXPECT_THROWS(OutputError, write("clean", true, volume), "identifies the patient");
      QVERIFY(!QDir(path("clean")).exists());
      write("plain", false, volume);
      QVERIFY(QDir(path("plain")).removeRecursively());
    }
  }
};

GANTRY_TEST(TestDeidentify)
#include "test_deidentify.moc"
