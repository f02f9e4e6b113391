// The filters of file dialogs name every format of the registries.
#include "core/io/scans/projection_formats.hpp"
#include "core/io/volumes/volume_formats.hpp"
#include "gui/data/file_filters.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

using namespace gantry;

class TestFileFilters : public QObject {
  Q_OBJECT

 private slots:
  void openingOffersEveryExtension() {
    for (const auto& formats : {volume_formats().readable(), projection_formats().readable()}) {
      const QString filter =
          open_filter(QStringLiteral("Files"), formats, QStringLiteral("*.more"));
      QVERIFY2(filter.startsWith(QStringLiteral("Files (*.more *")), qPrintable(filter));
      for (const FileFormat* format : formats)
        for (const std::string& extension : format->extensions)
          QVERIFY2(filter.contains(QLatin1Char('*') + QString::fromStdString(extension)),
                   extension.c_str());
      QVERIFY2(filter.endsWith(QStringLiteral("(*)")), qPrintable(filter));
    }
  }

  void savingTakesTheExtensionOfTheFilter() {
    const auto formats = volume_formats().writable();
    for (const FileFormat* format : formats) {
      const QString filter = save_filter(*format);
      QVERIFY(save_filters(formats).split(QStringLiteral(";;")).contains(filter));
      const QString expected =
          format->is_folder ? QString() : QString::fromStdString(format->extensions.front());
      QCOMPARE(with_extension(QStringLiteral("v"), formats, filter),
               QStringLiteral("v") + expected);
      QCOMPARE(with_extension(QStringLiteral("v.mha"), formats, filter), QStringLiteral("v.mha"));
    }
    QCOMPARE(with_extension(QStringLiteral("v"), {}), QStringLiteral("v"));
  }

  void dicomAloneIsSavedWithoutThePatient() {
    const auto formats = volume_formats().writable();
    const QStringList filters = save_filters(formats).split(QStringLiteral(";;"));
    for (const FileFormat* format : formats) {
      QVERIFY(!is_deidentified(save_filter(*format), formats));
      const QString filter = deidentified_filter(*format);
      QCOMPARE(filters.contains(filter), format->key == "dicom");
      QCOMPARE(is_deidentified(filter, formats), format->key == "dicom");
    }
    QCOMPARE(with_extension(QStringLiteral("v"), formats,
                            deidentified_filter(volume_formats().at("dicom"))),
             QStringLiteral("v"));
  }
};

GANTRY_TEST(TestFileFilters)
#include "test_file_filters.moc"
