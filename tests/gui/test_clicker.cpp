// Anything that a user may do, in any order, for a long time: nobody's results are lost without a
// question, and no dialog and no repeated message is left. GANTRY_CLICKS sets the number of steps,
// GANTRY_CLICK_MINUTES the longest time, GANTRY_CLICK_SEED the order of the steps. With
// GANTRY_CLICK_LOG=FILE the window is closed and opened again every 1000 steps, and what the
// program holds before and after this is written to the file: minutes, steps, events, memory, file
// descriptors, threads, OpenGL contexts and their objects (holdings()).
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/lessons.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/geometry_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/holdings.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <random>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int steps_of_window = 1000;

}  // namespace

class TestClicker : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<WindowFixture> w_;
  std::mt19937 random_;
  QStringList done_, problems_;  // what was done last, and what is wrong
  std::set<RunId> results_;      // that somebody would miss
  std::set<int> saved_;          // runs

  MainWindow& window() { return *w_->window; }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  template <class List>
  auto any(const List& list) {
    return list[static_cast<typename List::size_type>(below(static_cast<int>(list.size())))];
  }
  void note(const QString& what) {
    done_ << what;
    if (done_.size() > 25) done_.removeFirst();
  }
  QString path(const QString& name) const { return folder_.filePath(name); }
  void wrong(const QString& what) { problems_ << what; }

  static int fromEnvironment(const char* name, int otherwise) {
    bool given = false;
    const int value = qEnvironmentVariableIntValue(name, &given);
    return given ? value : otherwise;
  }

  // ---- What a user does

  /// The widgets of a kind that can be used at present.
  template <class Widget>
  std::vector<Widget*> usable() {
    std::vector<Widget*> found;
    for (Widget* widget : window().findChildren<Widget*>())
      if (widget->isVisible() && widget->isEnabled()) found.push_back(widget);
    return found;
  }
  void collect(const QMenu* menu, std::vector<QAction*>& actions) {
    for (QAction* action : menu->actions()) {
      if (action->menu() != nullptr)
        collect(action->menu(), actions);
      else if (!action->isSeparator() && action->isEnabled())
        actions.push_back(action);
    }
  }
  void chooseFromMenu() {
    std::vector<QAction*> actions;
    for (const QAction* top : window().menuBar()->actions()) {
      emit top->menu()->aboutToShow();
      collect(top->menu(), actions);
    }
    // The end of the window is not the matter here, and studies compute for minutes.
    std::erase_if(actions, [](const QAction* action) {
      const auto* menu = qobject_cast<QMenu*>(action->parent());
      return action->text() == QStringLiteral("Quit") ||
             (menu != nullptr && menu->title() == QStringLiteral("Studies"));
    });
    QAction* action = any(actions);
    note(QStringLiteral("menu ") + action->text());
    action->trigger();
  }
  void pressButton() {
    const auto buttons = usable<QAbstractButton>();
    if (buttons.empty()) return;
    QAbstractButton* button = any(buttons);
    if (const auto* tool = qobject_cast<QToolButton*>(button); tool != nullptr && tool->menu())
      return;  // its menu is that of an action
    note(QStringLiteral("button ") + button->text() + button->objectName());
    button->click();
  }
  void chooseInBox() {
    auto boxes = usable<QComboBox>();
    // Objects in space, and scans of them, compute for minutes.
    std::erase_if(boxes, [](const QComboBox* box) {
      return box->objectName() == QStringLiteral("phantom") ||
             box->objectName() == QStringLiteral("preset") || box->count() == 0;
    });
    if (boxes.empty()) return;
    QComboBox* box = any(boxes);
    const int index = below(box->count());
    const bool is_heading =
        (box->model()->flags(box->model()->index(index, 0)) & Qt::ItemIsEnabled) == 0;
    if (is_heading) return;
    note(QStringLiteral("box %1 %2").arg(box->objectName(), box->itemText(index)));
    box->setCurrentIndex(index);
    emit box->activated(index);
  }
  void stepNumber() {
    const auto boxes = usable<QAbstractSpinBox>();
    if (boxes.empty()) return;
    QAbstractSpinBox* box = any(boxes);
    note(QStringLiteral("number ") + box->objectName());
    box->stepBy(below(5) - 2);
  }
  void chooseInList() {
    const auto lists = usable<QAbstractItemView>();
    if (lists.empty()) return;
    QAbstractItemView* list = any(lists);
    if (list->model() == nullptr || list->model()->rowCount() == 0) return;
    note(QStringLiteral("list ") + list->objectName());
    list->setCurrentIndex(list->model()->index(below(list->model()->rowCount()), 0));
  }
  void pressKey() {
    static const std::vector<QKeyCombination> keys = {
        Qt::Key_L,           Qt::Key_D,     Qt::Key_R,      Qt::Key_A,    Qt::Key_S,
        Qt::Key_F5,          Qt::Key_Space, Qt::Key_Escape, Qt::Key_1,    Qt::Key_2,
        Qt::Key_Left,        Qt::Key_Up,    Qt::Key_PageUp, Qt::Key_Plus, Qt::CTRL | Qt::Key_Z,
        Qt::CTRL | Qt::Key_Y};
    const QKeyCombination key = any(keys);
    note(QStringLiteral("key ") + QKeySequence(key).toString());
    QTest::keyClick(&window(), key.key(), key.keyboardModifiers());
  }
  void useMouse() {
    std::vector<QWidget*> views;
    for (auto* view : usable<SliceView>()) views.push_back(view);
    for (auto* view : usable<ChartView>()) views.push_back(view);
    for (auto* view : usable<GeometryView>()) views.push_back(view);
    if (views.empty()) return;
    QWidget* view = any(views);
    const auto place = [&] {
      return QPoint(below(std::max(1, view->width())), below(std::max(1, view->height())));
    };
    const Qt::MouseButton button = below(3) == 0 ? Qt::RightButton : Qt::LeftButton;
    const QPoint from = place();
    const QPoint to = place();
    note(QStringLiteral("mouse on ") + QString::fromLatin1(view->metaObject()->className()));
    QTest::mousePress(view, button, {}, from);
    QTest::mouseMove(view, to);
    QTest::mouseRelease(view, button, {}, below(2) == 0 ? from : to);
  }
  void openSomething() {
    const QString file = path(any(QStringList{
        QStringLiteral("small.json"), QStringLiteral("block.mha"), QStringLiteral("broken.json")}));
    if (below(2) == 0) {
      note(QStringLiteral("open ") + file);
      return window().open(file);
    }
    note(QStringLiteral("drop ") + file);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDropEvent drop(QPointF(9, 9), Qt::CopyAction, &data, Qt::LeftButton, {});
    static_cast<QObject*>(&window())->event(&drop);
  }
  void undoOrRedo() {
    QUndoStack& stack = w_->model().undoStack();
    const bool redoes = below(3) == 0;
    note(redoes ? QStringLiteral("redo ") + stack.redoText()
                : QStringLiteral("undo ") + stack.undoText());
    redoes ? stack.redo() : stack.undo();
  }
  /// Does something. What the user undoes thereby, by whatever button, menu or key, may be
  /// forgotten with the next edit.
  void doSomething() {
    const std::set<RunId> before = present();
    const int commands = w_->model().undoStack().index();
    try {
      act();
    } catch (const std::exception& error) {
      wrong(QStringLiteral("an exception: ") + QString::fromUtf8(error.what()));
    }
    if (w_->model().undoStack().index() >= commands) return;
    for (const RunId& id : before)
      if (!present().contains(id)) results_.erase(id);
  }
  std::set<RunId> present() {
    std::set<RunId> ids;
    for (const int id : w_->model().runIds()) ids.insert({id, w_->controller().status(id).epoch});
    return ids;
  }
  void act() {
    using Act = void (TestClicker::*)();
    static const std::vector<Act> acts = {
        &TestClicker::chooseFromMenu, &TestClicker::pressButton,  &TestClicker::pressButton,
        &TestClicker::chooseInBox,    &TestClicker::stepNumber,   &TestClicker::chooseInList,
        &TestClicker::pressKey,       &TestClicker::useMouse,     &TestClicker::useMouse,
        &TestClicker::undoOrRedo,     &TestClicker::openSomething};
    (this->*any(acts))();
  }

  // ---- Dialogs, which wait for their answers in event loops of their own

  void answerDialog() {
    if (QWidget* popup = QApplication::activePopupWidget()) {
      popup->close();
      return;
    }
    QWidget* modal = QApplication::activeModalWidget();
    if (modal == nullptr) return;
    if (auto* files = qobject_cast<QFileDialog*>(modal)) return answerFiles(*files);
    if (auto* box = qobject_cast<QMessageBox*>(modal)) {
      QAbstractButton* button = any(box->buttons());
      const bool destroys = box->buttonRole(button) == QMessageBox::DestructiveRole;
      return destroys ? box->reject() : button->click();
    }
    if (auto* dialog = qobject_cast<QDialog*>(modal)) return dialog->reject();
    modal->close();
  }
  void answerFiles(QFileDialog& files) {
    if (below(2) == 0 || files.fileMode() == QFileDialog::Directory) return files.reject();
    if (files.acceptMode() == QFileDialog::AcceptOpen) {
      files.selectFile(path(QStringLiteral("small.json")));
    } else {
      files.setOption(QFileDialog::DontConfirmOverwrite);
      files.selectFile(path(QStringLiteral("saved%1").arg(below(1000000))));
    }
    QMetaObject::invokeMethod(&files, "accept");
    if (files.isVisible()) files.reject();
  }

  // ---- What must hold

  void lookAtResults() {
    const auto ids = w_->window->unsavedWork().results();
    for (const int id : ids) results_.insert({id, w_->controller().status(id).epoch});
    for (const RunId& id : results_) {
      if (saved_.contains(id.run) || w_->controller().keepsResults(id)) continue;
      const RunStatus& now = w_->controller().status(id.run);
      wrong(QStringLiteral("the results of run %1, start %2, are lost (%3, start %4 with %5 "
                           "iterations, command %6 of %7)")
                .arg(id.run)
                .arg(id.epoch)
                .arg(w_->model().run(id.run) != nullptr ? QStringLiteral("there")
                                                        : QStringLiteral("removed"))
                .arg(now.epoch)
                .arg(now.history.size())
                .arg(w_->model().undoStack().index())
                .arg(w_->model().undoStack().count()));
    }
  }
  void lookAtReplacement() {
    for (const int id : w_->window->unsavedWork().results())
      if (!saved_.contains(id)) wrong(QStringLiteral("run %1 is replaced").arg(id));
    if (window().unsavedWork().edits()) wrong(QStringLiteral("edits are replaced"));
    results_.clear();
  }
  void lookAtWindow() {
    if (!window().isVisible()) wrong(QStringLiteral("the window is gone"));
    QStringList texts = w_->bannerTexts();
    if (texts.removeDuplicates() > 0) wrong(QStringLiteral("a message is there twice"));
  }
  void makeFiles() {
    write_experiment(path(QStringLiteral("small.json")).toStdString(), WindowFixture::small());
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(24, 24, 3, {4, 4, 4});
    const std::vector<float> mu(volume.grid.voxels(), 0.02F);
    volume.mu = mu;
    write_volume(path(QStringLiteral("block.mha")).toStdString(), volume);
    QFile broken(path(QStringLiteral("broken.json")));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"format\": 7") > 0);
  }
  void closeWindow() {
    window().files().setAsksUser(false);
    disconnect(&w_->model(), nullptr, this, nullptr);
    results_.clear();
    saved_.clear();
    w_.reset();
  }
  void openWindow() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    window().files().setAsksUser(true);
    window().unsavedWork().setQuestion([this](const QString& act, const QString&) {
      const bool saves = below(2) == 0;
      note(act + (saves ? QStringLiteral(": save") : QStringLiteral(": cancel")));
      return saves ? LossAnswer::save : LossAnswer::cancel;
    });
    connect(&window().files(), &FileActions::volumeSaved, this,
            [this](int run, int) { saved_.insert(run); });
    w_->openSmall();
    connect(&w_->model(), &ExperimentModel::aboutToBeReplaced, this,
            &TestClicker::lookAtReplacement);
  }

 private slots:
  void nothingIsLostWhateverIsDone() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    const int steps = fromEnvironment("GANTRY_CLICKS", 300);
    const int minutes = fromEnvironment("GANTRY_CLICK_MINUTES", 1000);
    const int seed = fromEnvironment("GANTRY_CLICK_SEED", 1);
    random_.seed(static_cast<unsigned>(seed));
    makeFiles();
    openWindow();
    QTimer answers;
    connect(&answers, &QTimer::timeout, this, &TestClicker::answerDialog);
    answers.start(5);
    QFile log(qEnvironmentVariable("GANTRY_CLICK_LOG"));
    if (!log.fileName().isEmpty()) {
      QVERIFY(log.open(QIODevice::WriteOnly));
      log.write("minutes,steps,events,window," + holdingsHeader().toLatin1() + '\n');
    }
    const EventCount count;
    QElapsedTimer time;
    time.start();
    const auto is_over = [&] { return time.elapsed() / 60'000 >= minutes; };
    for (int step = 0; step < steps && !is_over() && problems_.isEmpty(); ++step) {
      if (log.isOpen() && step % steps_of_window == 0) {
        const auto line = [&](const char* which) {
          log.write(QStringLiteral("%1,%2,%3,%4,%5\n")
                        .arg(static_cast<double>(time.elapsed()) / 60e3, 0, 'f', 1)
                        .arg(step)
                        .arg(count.events)
                        .arg(QString::fromLatin1(which), holdings())
                        .toLatin1());
        };
        line("old");
        closeWindow();
        line("none");
        openWindow();
        line("new");
        log.flush();
      }
      doSomething();
      QTest::qWait(below(20));
      QTRY_VERIFY2(QApplication::activeModalWidget() == nullptr &&
                       QApplication::activePopupWidget() == nullptr,
                   qPrintable(done_.join(QStringLiteral("; "))));
      lookAtResults();
      lookAtWindow();
      if (!problems_.isEmpty())
        QFAIL(qPrintable(
            QStringLiteral("seed %1, step %2: %3 after %4")
                .arg(seed)
                .arg(step)
                .arg(problems_.join(QStringLiteral(", ")), done_.join(QStringLiteral("; ")))));
    }
    closeWindow();
  }
};

GANTRY_TEST(TestClicker)
#include "test_clicker.moc"
