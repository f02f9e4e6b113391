#include "gui/views/key_list.hpp"

#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>

namespace gantry {

namespace {

struct Keys {
  Q_DECLARE_TR_FUNCTIONS(Keys)
 public:
  static std::vector<KeyEntry> list();
};

QList<QKeySequence> digits(Qt::KeyboardModifiers modifiers, int last) {
  QList<QKeySequence> keys;
  for (int i = 1; i <= last; ++i)
    keys << QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(Qt::Key_0 + i)));
  return keys;
}

// clang-format off
std::vector<KeyEntry> Keys::list() {
  using QK = QKeySequence;
  const QString runs = tr("Runs"), views = tr("Views"), slices = tr("A view that has the focus"), space = tr("A volume or scanner that has the focus"), measuring = tr("While regions are drawn"), window = tr("Window"), files = tr("Files");
  const auto id = [](const char* text) { return QString::fromLatin1(text); };
  return {
    {id("run.toggle"), {QK(Qt::Key_Space)}, runs, tr("Pause what runs, or run what is paused")},
    {id("run.start"), {QK(Qt::Key_F5)}, runs, tr("Start or resume all runs")},
    {id("run.step"), {QK(Qt::Key_S)}, runs, tr("One iteration, then pause")},
    {id("run.substep"), {QK(Qt::SHIFT | Qt::Key_S)}, runs, tr("One subset of the views, then pause")},
    {id("iterate.earlier"), {QK(Qt::Key_BracketLeft)}, runs, tr("The kept iterate before the one that is shown")},
    {id("iterate.later"), {QK(Qt::Key_BracketRight)}, runs, tr("The kept iterate after it; after the last one, the latest estimate")},
    {id("matrix"), {QK(Qt::CTRL | Qt::Key_M)}, runs, tr("The matrix of the selected run")},
    {id("view"), digits({}, 9), views, tr("That view alone, or all views")},
    {id("view.difference"), {QK(Qt::Key_D)}, views, tr("The difference to another picture, or the picture itself")},
    {id("view.blink"), {QK(Qt::Key_B)}, views, tr("Another picture in turn with this one, or this one alone")},
    {id("view.swipe"), {QK(Qt::Key_W)}, views, tr("Another picture beside this one, with a divider to drag")},
    {id("view.profile"), {QK(Qt::Key_L)}, views, tr("Draw the profile line by a drag, or no longer")},
    {id("view.reset"), {QK(Qt::Key_R)}, views, tr("Show everything: zoom and position as at first")},
    {id("view.window"), {QK(Qt::Key_A)}, views, tr("Window and level that fit the data")},
    {id("view.leave"), {QK(Qt::Key_Escape)}, views, tr("All views, no drawing, the latest estimates; leaves Present")},
    {id("slice.next"), {QK(Qt::Key_Up), QK(Qt::Key_Right)}, slices, tr("The next slice")},
    {id("slice.previous"), {QK(Qt::Key_Down), QK(Qt::Key_Left)}, slices, tr("The slice before")},
    {id("slice.page_up"), {QK(Qt::Key_PageUp)}, slices, tr("Ten slices up")},
    {id("slice.page_down"), {QK(Qt::Key_PageDown)}, slices, tr("Ten slices down")},
    {id("slice.first"), {QK(Qt::Key_Home)}, slices, tr("The first slice")},
    {id("slice.last"), {QK(Qt::Key_End)}, slices, tr("The last slice")},
    {id("divider.left"), {QK(Qt::Key_Left)}, slices, tr("Between two pictures: the divider to the left")},
    {id("divider.right"), {QK(Qt::Key_Right)}, slices, tr("Between two pictures: the divider to the right")},
    {id("space.left"), {QK(Qt::Key_Left)}, space, tr("Turn it to the left")},
    {id("space.right"), {QK(Qt::Key_Right)}, space, tr("Turn it to the right")},
    {id("space.up"), {QK(Qt::Key_Up)}, space, tr("Look more from above")},
    {id("space.down"), {QK(Qt::Key_Down)}, space, tr("Look more from below")},
    {id("space.nearer"), {QK(Qt::Key_Plus)}, space, tr("Larger")},
    {id("space.farther"), {QK(Qt::Key_Minus)}, space, tr("Smaller")},
    {id("space.reset"), {QK(Qt::Key_R)}, space, tr("All of it, from the first direction")},
    {id("region.left"), {QK(Qt::Key_Left)}, measuring, tr("The selected region by a pixel to the left")},
    {id("region.right"), {QK(Qt::Key_Right)}, measuring, tr("The selected region by a pixel to the right")},
    {id("region.up"), {QK(Qt::Key_Up)}, measuring, tr("The selected region by a pixel upwards")},
    {id("region.down"), {QK(Qt::Key_Down)}, measuring, tr("The selected region by a pixel downwards")},
    {id("region.delete"), {QK(Qt::Key_Delete)}, measuring, tr("Delete the selected region; also in the list of Measure")},
    {id("workspace"), digits(Qt::ControlModifier, 5), window, tr("That workspace, counted from the left")},
    {id("present"), {QK(Qt::Key_F)}, window, tr("Present: views and curves alone; back to what was")},
    {id("full_screen"), {QK(Qt::Key_F11)}, window, tr("Full screen; back to what was")},
    {id("keys"), {QK(Qt::Key_Question)}, window, tr("This list")},
    {id("undo"), {QK(QK::Undo)}, window, tr("Undo")},
    {id("redo"), {QK(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QK(Qt::CTRL | Qt::Key_Y)}, window, tr("Redo")},
    {id("file.open"), {QK(QK::Open)}, files, tr("Open a scan, a volume, a session or an experiment")},
    {id("file.open_folder"), {QK(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, files, tr("Open a folder of DICOM slices")},
    {id("file.save"), {QK(QK::Save)}, files, tr("Save the session")},
    {id("file.save_as"), {QK(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, files, tr("Save the session under another name")},
    {id("file.save_volume"), {QK(Qt::CTRL | Qt::SHIFT | Qt::Key_V)}, files, tr("Save the volume of the selected run")},
    {id("file.save_curves"), {QK(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, files, tr("Export the curves")},
    {id("file.export_view"), {QK(Qt::CTRL | Qt::Key_E)}, files, tr("Export the view under the mouse as a figure")},
    {id("file.copy_view"), {QK(QK::Copy)}, files, tr("Copy the view under the mouse")},
    {id("file.quit"), {QK(Qt::CTRL | Qt::Key_Q)}, files, tr("Quit")},
  };
}
// clang-format on

}  // namespace

const std::vector<KeyEntry>& key_list() {
  static const std::vector<KeyEntry> list = Keys::list();
  return list;
}

const QList<QKeySequence>& keys_of(const char* id) {
  const auto found = std::ranges::find(key_list(), QLatin1String(id), &KeyEntry::id);
  Q_ASSERT(found != key_list().end());
  return found->keys;
}

bool is_key(const QKeyEvent& event, const char* id) {
  const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
  const QKeySequence pressed(QKeyCombination(modifiers, static_cast<Qt::Key>(event.key())));
  return keys_of(id).contains(pressed);
}

QString key_hint(const char* id) {
  return QStringLiteral(" (%1)").arg(keys_of(id).front().toString(QKeySequence::NativeText));
}

}  // namespace gantry
