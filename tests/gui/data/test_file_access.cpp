// Who may read what the window exports: of patients' images nobody but the owner.
#include "gui/widgets/figure.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QTemporaryDir>

#include <sys/stat.h>

using namespace gantry;
using namespace gantry::test;

class TestFileAccess : public QObject {
  Q_OBJECT

  WindowFixture w_;
  QTemporaryDir images_, folder_;

  /// The bits of group and others of the curves and of a figure, both new.
  std::pair<unsigned, unsigned> exported(const QString& name) {
    const QString curves = folder_.filePath(name + QStringLiteral(".csv")),
                  figure = folder_.filePath(name + QStringLiteral(".png"));
    const mode_t before = umask(022);
    w_.window->files().saveCurves(curves);
    save_png(QImage(4, 4, QImage::Format_RGB32), figure, w_.window->files().access());
    umask(before);
    const auto bits = [](const QString& path) {
      struct stat status = {};
      return stat(path.toLocal8Bit().constData(), &status) == 0 ? status.st_mode & 0077U : 0777U;
    };
    return {bits(curves), bits(figure)};
  }

 private slots:
  void exportsOfPatientsAreTheOwnersAlone() {
    w_.openSmall();
    WAIT_FOR(w_.isReady());
    QCOMPARE(exported(QStringLiteral("phantom")), std::pair(0044U, 0044U));
    w_.window->files().setAsksUser(false);
    TinyDicom().save(images_.filePath(QStringLiteral("a.dcm")));
    w_.window->open(images_.path());
    WAIT_FOR(w_.model().experiment().source.kind == SourceKind::volume && w_.isReady());
    QCOMPARE(exported(QStringLiteral("patient")), std::pair(0U, 0U));
  }
};

GANTRY_TEST(TestFileAccess)
#include "test_file_access.moc"
