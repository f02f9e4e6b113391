// The kinds of file of the dialog that saves a volume include a de-identified DICOM series.
#include "core/io/volumes/volume_file.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QFileDialog>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

using namespace gantry;
using namespace gantry::test;

class TestDeidentifyChoice : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<WindowFixture> w_;

  /// Saves to a file of this name; chooses the first kind of file whose name holds `kind`.
  void save(const QString& name, const QString& kind) {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QTimer look;
    look.setInterval(20);
    connect(&look, &QTimer::timeout, &look, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      look.stop();
      dialog->selectNameFilter(dialog->nameFilters().filter(kind).value(0));
      dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))
          ->setText(folder_.filePath(name));
      static_cast<QDialog*>(dialog)->accept();  // QFileDialog's own is not public
    });
    look.start();
    w_->window->files().setSelectedRun(w_->run(0));
    w_->window->files().saveVolumeAction()->trigger();
    // The dialog waits for the estimate.
    QVERIFY(QTest::qWaitFor([&] { return !look.isActive(); }, 40000));
  }
  std::string identityRemoved(const QString& name) const {
    const auto study = load_volume(folder_.filePath(name).toStdString()).study;
    const auto found = study->attributes.find("PatientIdentityRemoved");
    return found == study->attributes.end() ? "" : found->second;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    w_->controller().start(w_->run(0));
    WAIT_FOR(w_->iterations(w_->run(0)) >= 1);
    w_->controller().pause(w_->run(0));
    WAIT_FOR(!w_->controller().anyActive());
  }
  void cleanup() { w_.reset(); }

  void dicomIsDeidentifiedWhereThatKindIsChosen() {
    const QSignalSpy saved(&w_->window->files(), &FileActions::volumeSaved);
    const QSignalSpy done(&w_->window->files(), &FileActions::done);
    save(QStringLiteral("plain"), QStringLiteral("DICOM,"));
    WAIT_FOR(saved.size() == 1);
    QCOMPARE(identityRemoved("plain"), std::string());
    save(QStringLiteral("clean"), QStringLiteral("de-identified"));
    WAIT_FOR(saved.size() == 2);
    QCOMPARE(identityRemoved("clean"), std::string("YES"));
    QVERIFY(done.back().front().toString().contains(QStringLiteral("de-identified")));
  }

  void anotherFormatThanTheChosenKindIsRefused() {
    const QSignalSpy failed(&w_->window->files(), &FileActions::failed);
    save(QStringLiteral("v.mha"), QStringLiteral("de-identified"));
    QCOMPARE(failed.size(), 1);
    const QString reason = failed.front().at(1).toString();
    QVERIFY2(reason.contains(QStringLiteral("only DICOM is de-identified")), qPrintable(reason));
    QVERIFY(!QFileInfo::exists(folder_.filePath(QStringLiteral("v.mha"))));
  }

  void anUnknownFormatIsRefused() {
    const QSignalSpy failed(&w_->window->files(), &FileActions::failed);
    w_->window->files().saveVolume(w_->run(0), folder_.filePath(QStringLiteral("v.xyz")));
    QCOMPARE(failed.size(), 1);
    const QString reason = failed.front().at(1).toString();
    QVERIFY2(reason.contains(QStringLiteral("the extension .xyz is not known")),
             qPrintable(reason));
    QVERIFY(!QFileInfo::exists(folder_.filePath(QStringLiteral("v.xyz"))));
  }
};

GANTRY_TEST(TestDeidentifyChoice)
#include "test_deidentify_choice.moc"
