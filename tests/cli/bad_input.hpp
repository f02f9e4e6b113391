#pragma once

#include "tests/cli/command.hpp"
#include "tests/cli/plain_volume.hpp"

#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>
#include <memory>

namespace gantry::test {

/// A folder with one good file of each kind, for a test to spoil. "target.mha" is somebody's work.
class Desk {
 public:
  Desk() {
    put("s.scan.json", R"({"format": "gantry-scan", "version": 1, "geometry": {"beam": "fan",
 "detector": "flat", "trajectory": "circular", "source_to_isocenter_mm": 200,
 "source_to_detector_mm": 300, "detector_columns": 24, "detector_rows": 1, "column_pitch_mm": 4,
 "row_pitch_mm": 4, "central_column": 11.5,
 "view_angles_deg": {"first": 0, "step": 30, "count": 12}},
 "data": {"file": "s.f32", "type": "float32", "byte_order": "little", "order": "view,row,column",
 "quantity": "line_integral"}})");
    put("s.f32", ramp(12 * 24));
    const QByteArray header =
        "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementSpacing = 1 1 1\nOffset = 0 0 0\n"
        "TransformMatrix = 1 0 0 0 1 0 0 0 1\n"
        "BinaryDataByteOrderMSB = False\nElementType = MET_FLOAT\nElementDataFile = ";
    put("v.mha", header + "LOCAL\n" + ramp(24));
    put("v.mhd", header + "v.raw\n");
    put("v.raw", ramp(24));
    put("e.json", R"({"format": "gantry-experiment", "version": 1,
 "source": {"kind": "scan", "path": "s.scan.json"},
 "noise": {"photons_per_ray": 0},
 "grid": {"size": [16, 16, 1], "spacing_mm": [3, 3, 3]},
 "runs": [{"solver": "sirt", "projector": "siddon", "iterations": 2}]})");
    put("target.mha", "somebody's work");
  }

  QString path(const QString& name = {}) const { return folder_.filePath(name); }
  void put(const QString& name, const QByteArray& bytes) const { write_file(path(name), bytes); }
  QByteArray get(const QString& name) const { return bytes_of_file(path(name)); }
  void remove(const QString& name) const {
    if (!QFile::remove(path(name))) qFatal("cannot remove a test file");
  }
  void make_folder(const QString& name) const {
    if (!QDir(folder_.path()).mkpath(name)) qFatal("cannot make a test folder");
  }
  /// Changes the one place where a file says `old_text`.
  void change(const QString& name, const QByteArray& old_text, const QByteArray& new_text) const {
    const QByteArray bytes = get(name);
    if (bytes.count(old_text) != 1)
      qFatal("a test file does not say once: %s", old_text.constData());
    put(name, QByteArray(bytes).replace(old_text, new_text));
  }
  /// Little-endian float32 from 0.02 upwards, all different.
  static QByteArray ramp(int count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = 0.02F + 0.0001F * static_cast<float>(i);
    return {reinterpret_cast<const char*>(values.data()),
            static_cast<qsizetype>(values.size() * sizeof(float))};
  }

  /// Every file and folder, hidden ones too, with its bytes.
  QMap<QString, QByteArray> contents() const {
    QMap<QString, QByteArray> all;
    QDirIterator it(folder_.path(),
                    QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
      const QFileInfo info(it.next());
      all[info.filePath()] = info.isFile() ? bytes_of_file(info.filePath()) : QByteArray("folder");
    }
    return all;
  }

 private:
  QTemporaryDir folder_;
};

/// What a user may do wrong, and what the program must say to it.
struct BadCase {
  const char* name;
  std::function<void(const Desk&)> spoil;
  QString arguments;
  int code;
  QStringList message;  ///< each part is in the one line: what, where, and what to do
};

inline const std::function<void(const Desk&)> nothing = [](const Desk&) {};

inline std::function<void(const Desk&)> changed(QString file, QByteArray old_text,
                                                QByteArray new_text) {
  return [=](const Desk& desk) { desk.change(file, old_text, new_text); };
}
inline std::function<void(const Desk&)> put(QString file, QByteArray bytes) {
  return [=](const Desk& desk) { desk.put(file, bytes); };
}

/// Rows of a data-driven test.
inline void add_rows(const std::vector<BadCase>& cases) {
  QTest::addColumn<int>("index");
  for (std::size_t i = 0; i < cases.size(); ++i)
    QTest::newRow(cases[i].name) << static_cast<int>(i);
}

}  // namespace gantry::test

/// One line on standard error that says all of `parts`, the exit status, and not a file changed.
#define EXPECT_REFUSED(answer, expected_code, parts)                                              \
  do {                                                                                            \
    const gantry::test::Answer answer_ = (answer);                                                \
    const QByteArray text_ = answer_.text();                                                      \
    QVERIFY2(answer_.code == (expected_code), text_.constData());                                 \
    QVERIFY2(answer_.error_lines().size() == 1, text_.constData());                               \
    QVERIFY2(answer_.errors.startsWith("gantry-cli: "), text_.constData());                       \
    QVERIFY2(answer_.errors.contains("; "), text_.constData());                                   \
    QVERIFY2(answer_.output.isEmpty(), text_.constData());                                        \
    for (const QString& part_ : (parts))                                                          \
      QVERIFY2(answer_.errors.contains(part_), (text_ + "lacks: " + part_.toUtf8()).constData()); \
  } while (false)

#define RUN_BAD_CASE(cases)                                                           \
  do {                                                                                \
    QFETCH(int, index);                                                               \
    const gantry::test::BadCase& bad_case = (cases)[static_cast<std::size_t>(index)]; \
    const gantry::test::Desk desk;                                                    \
    bad_case.spoil(desk);                                                             \
    const auto before = desk.contents();                                              \
    const auto answer = gantry::test::gantry_cli(bad_case.arguments, desk.path());    \
    EXPECT_REFUSED(answer, bad_case.code, bad_case.message);                          \
    QVERIFY2(desk.contents() == before, "files were changed or left behind");         \
  } while (false)
