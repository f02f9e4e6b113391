// What MetaImage says of the orientation beside its directions.
#include "core/io/volumes/volume_file.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestOrientation : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  /// Returns the notes about a volume of such an orientation and directions.
  std::vector<std::string> notes(const QByteArray& sides, const QByteArray& matrix) const {
    const QString path = folder_.filePath("o.mha");
    write_file(path,
               "NDims = 3\nDimSize = 2 2 2\nElementSpacing = 1 1 1\nOffset = 0 0 0\n"
               "TransformMatrix = " +
                   matrix + "\nAnatomicalOrientation = " + sides +
                   "\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n" + QByteArray(8, '\1'));
    return load_volume(path.toStdString()).notes;
  }
  static bool has_part(const std::vector<std::string>& notes, const char* part) {
    return std::ranges::any_of(
        notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }

 private slots:
  /// What ITK writes for the directions is silent; other letters, and none, are said.
  void orientationsAreCompared() {
    const QByteArray along = "1 0 0 0 1 0 0 0 1", turned = "-1 0 0 0 -1 0 0 0 1";
    QVERIFY(notes("RAI", along).empty());
    QVERIFY(!has_part(notes("LPI", turned), "contradicts"));
    QVERIFY(has_part(notes("???", along), "calls its AnatomicalOrientation unknown"));
    QVERIFY(
        has_part(notes("LPI", along), "AnatomicalOrientation is LPI, but its directions are RAI"));
  }
};

GANTRY_TEST(TestOrientation)
#include "test_orientation.moc"
