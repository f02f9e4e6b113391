// Saving a volume as DICOM asks whether it is de-identified; other formats do not ask.
#include "core/io/volumes/volume_file.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

using namespace gantry;
using namespace gantry::test;

class TestDeidentifyChoice : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<WindowFixture> w_;

  /// What the question showed; nothing where there was none.
  struct Question {
    bool asked = false, was_checked = false;
    QString tool_tip;
  };
  /// Saves to a file of this name, without an extension to a DICOM series, and answers the
  /// question.
  Question save(const QString& name, bool deidentify, QMessageBox::StandardButton answer) {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Question seen;
    QTimer look;
    look.setInterval(20);
    connect(&look, &QTimer::timeout, &look, [&] {
      QWidget* active = QApplication::activeModalWidget();
      if (auto* dialog = qobject_cast<QFileDialog*>(active)) {
        if (!name.contains(QLatin1Char('.')))
          dialog->selectNameFilter(dialog->nameFilters().filter(QStringLiteral("DICOM")).value(0));
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))
            ->setText(folder_.filePath(name));
        static_cast<QDialog*>(dialog)->accept();  // QFileDialog's own is not public
      } else if (auto* box = qobject_cast<QMessageBox*>(active)) {
        auto* check = box->findChild<QCheckBox*>(QStringLiteral("deidentify"));
        if (check == nullptr) return;
        seen = {true, check->isChecked(), check->toolTip()};
        check->setChecked(deidentify);
        box->button(answer)->click();
      }
    });
    look.start();
    w_->window->files().setSelectedRun(w_->run(0));
    w_->window->files().saveVolumeAction()->trigger();
    return seen;
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

  void dicomIsDeidentifiedWhereThatIsTicked() {
    const QSignalSpy saved(&w_->window->files(), &FileActions::volumeSaved);
    const QSignalSpy done(&w_->window->files(), &FileActions::done);
    Question question = save("v.mha", true, QMessageBox::Save);
    QVERIFY(!question.asked);
    WAIT_FOR(saved.size() == 1);
    question = save("plain", false, QMessageBox::Save);
    QVERIFY(question.asked && !question.was_checked);
    QVERIFY2(question.tool_tip.contains(QStringLiteral("PS3.15")), qPrintable(question.tool_tip));
    WAIT_FOR(saved.size() == 2);
    QCOMPARE(identityRemoved("plain"), std::string());
    QVERIFY(save("clean", true, QMessageBox::Save).asked);
    WAIT_FOR(saved.size() == 3);
    QCOMPARE(identityRemoved("clean"), std::string("YES"));
    QVERIFY(done.back().front().toString().contains(QStringLiteral("de-identified")));
    // The choice is proposed again; a cancelled question writes nothing and changes no choice.
    QVERIFY(save("none", false, QMessageBox::Cancel).was_checked);
    QVERIFY(save("again", true, QMessageBox::Save).was_checked);
    WAIT_FOR(saved.size() == 4);
    QVERIFY(!QDir(folder_.path()).exists(QStringLiteral("none")));
  }
};

GANTRY_TEST(TestDeidentifyChoice)
#include "test_deidentify_choice.moc"
