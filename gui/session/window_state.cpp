#include "gui/session/window_state.hpp"

#include "gui/data/lessons.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/main_window.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/widgets/json_key.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QJsonArray>
#include <QTabWidget>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

/// Runs are named by their place in the experiment; the reference is -1.
constexpr int reference_place = -1, nowhere = -2;

int place_of(MainWindow& window, int id) {
  if (id == SliceTile::referenceId) return reference_place;
  const auto index = window.model().indexOf(id);
  return index ? static_cast<int>(*index) : nowhere;
}

/// Returns the id of a tile, or -1.
int id_at(MainWindow& window, const QJsonValue& place) {
  const int at = place.toInt(nowhere);
  if (at == reference_place) return SliceTile::referenceId;
  const auto& ids = window.model().runIds();
  return at >= 0 && at < static_cast<int>(ids.size()) ? ids[static_cast<std::size_t>(at)] : -1;
}

/// Returns finite numbers; an empty list where the value is not a list of `count` of them.
std::vector<double> numbers(const QJsonValue& value, qsizetype count) {
  const QJsonArray array = value.toArray();
  std::vector<double> all;
  for (const QJsonValue& one : array)
    if (one.isDouble()) all.push_back(one.toDouble());
  if (array.size() != count || static_cast<qsizetype>(all.size()) != count) all.clear();
  return all;
}

// ---- Views

QJsonValue save_views(MainWindow& window) {
  const ViewState& s = window.viewState();
  QJsonObject json{{key("axis"), static_cast<int>(s.axis())},
                   {key("slice"), s.slice()},
                   {key("window"), s.window()},
                   {key("level"), s.level()},
                   {key("automatic"), s.windowIsAutomatic()},
                   {key("difference_window"), s.differenceWindow()},
                   {key("hu"), s.inHu()},
                   {key("smooth"), s.interpolation() == Interpolation::linear}};
  if (const auto& camera = s.camera())
    json[key("camera")] =
        QJsonArray{camera->center_u_mm, camera->center_v_mm, camera->mm_per_pixel};
  if (const auto& line = s.profile())
    json[key("profile")] = QJsonArray{line->u0_mm, line->v0_mm, line->u1_mm, line->v1_mm};
  return json;
}

void restore_views(MainWindow& window, const QJsonValue& value) {
  const QJsonObject json = value.toObject();
  ViewState& s = window.viewState();
  const auto prepared = window.controller().data();
  const int axis = json[key("axis")].toInt(-1);
  if (json.isEmpty() || prepared == nullptr || axis < 0 || axis > 2) return;
  const auto plane = static_cast<Axis>(axis);
  s.setPlane(plane,
             std::clamp(json[key("slice")].toInt(), 0, slice_count(prepared->grid, plane) - 1));
  s.setHu(json[key("hu")].toBool());
  s.setInterpolation(json[key("smooth")].toBool() ? Interpolation::linear : Interpolation::nearest);
  if (const double width = json[key("difference_window")].toDouble(); width > 0)
    s.setDifferenceWindow(width);
  const double width = json[key("window")].toDouble(), level = json[key("level")].toDouble();
  if (json[key("automatic")].toBool(true))
    s.followData();
  else if (width > 0 && std::isfinite(level))
    s.setWindowLevel(width, level);
  if (const auto line = numbers(json[key("profile")], 4); !line.empty())
    s.setProfile(LineSegment{line[0], line[1], line[2], line[3]});
  else
    s.setProfile(std::nullopt);
  if (const auto camera = numbers(json[key("camera")], 3); !camera.empty() && camera[2] > 0)
    s.setCamera(SliceCamera{camera[0], camera[1], camera[2]});
  else
    s.setCamera(std::nullopt);
}

/// The names of TileContent::Kind.
constexpr std::array<const char*, 5> kinds = {"image", "edges", "difference", "blink", "swipe"};

QJsonValue save_tiles(MainWindow& window) {
  QJsonArray all;
  for (SliceTile* tile : window.board().tiles()) {
    QJsonObject json{{key("place"), place_of(window, tile->id())},
                     {key("linked"), tile->isLinked()}};
    json[key("shows")] = key(kinds.at(static_cast<std::size_t>(tile->content().kind)));
    if (tile->content().has_partner())
      json[key("partner")] = place_of(window, tile->content().partner);
    if (tile->id() == window.board().focusedTile()) json[key("focused")] = true;
    if (!window.board().isShown(tile->id())) json[key("hidden")] = true;
    all.append(json);
  }
  return all;
}

void restore_tiles(MainWindow& window, const QJsonValue& value) {
  for (const QJsonValue& one : value.toArray()) {
    const QJsonObject json = one.toObject();
    SliceTile* tile = window.board().tile(id_at(window, json[key("place")]));
    if (tile == nullptr) continue;
    const auto found = std::ranges::find(kinds, json[key("shows")].toString().toStdString());
    if (found != kinds.end()) {
      const auto kind = static_cast<TileContent::Kind>(found - kinds.begin());
      if (kind == TileContent::Kind::difference) tile->keepDifferenceWindow();
      tile->show({kind, id_at(window, json[key("partner")])});
    }
    tile->setLinked(json[key("linked")].toBool(true));
    window.board().setShown(tile->id(), !json[key("hidden")].toBool());
    if (json[key("focused")].toBool()) window.board().focusTile(tile->id());
  }
}

QJsonValue save_space(MainWindow& window) {
  QJsonArray voxel;
  for (const int index : window.space().voxel()) voxel.append(index);
  return voxel;
}

void restore_space(MainWindow& window, const QJsonValue& value) {
  const auto voxel = numbers(value, 3);
  if (voxel.empty() || std::ranges::any_of(voxel, [](double i) { return !(i >= 0 && i < 1e6); }))
    return;
  window.space().setVoxel(
      {static_cast<int>(voxel[0]), static_cast<int>(voxel[1]), static_cast<int>(voxel[2])});
}

QJsonValue save_playhead(MainWindow& window) {
  const auto position = window.playhead().position();
  if (!position) return {};
  return QJsonObject{{key("axis"), static_cast<int>(window.playhead().axis())},
                     {key("position"), *position}};
}

void restore_playhead(MainWindow& window, const QJsonValue& value) {
  const QJsonObject json = value.toObject();
  const int axis = json[key("axis")].toInt(-1);
  if (axis < 0 || axis > static_cast<int>(ProgressAxis::seconds)) return window.playhead().goLive();
  window.playhead().set(static_cast<ProgressAxis>(axis), json[key("position")].toDouble());
}

// ---- Workspace and panels

QJsonValue save_layout(MainWindow& window) {
  const Rail& rail = window.panels().rail();
  return QJsonObject{{key("workspace"), static_cast<int>(window.layout())},
                     {key("docks"), QString::fromLatin1(window.arrangement().toBase64())},
                     {key("step"), rail.openStep()},
                     {key("folded"), rail.isFolded()}};
}

void restore_layout(MainWindow& window, const QJsonValue& value) {
  const QJsonObject json = value.toObject();
  const int number = json[key("workspace")].toInt();
  const auto workspace = static_cast<WindowLayout>(number);
  // A workspace of another version of the program has no panels here; no number, or several
  // workspaces at once, are none.
  const bool is_one = std::has_single_bit(static_cast<unsigned>(number));
  if (is_one && std::ranges::any_of(panel_list(), [&](const PanelSpec& panel) {
        return panel.layouts.testFlag(workspace);
      }))
    window.applyLayout(workspace);
  window.arrange(QByteArray::fromBase64(json[key("docks")].toString().toLatin1()));
  Rail& rail = window.panels().rail();
  const QString step = json[key("step")].toString();
  if (rail.step(step) != nullptr) rail.open(step);
  rail.setFolded(json[key("folded")].toBool());
}

// ---- Settings of charts and of the inspector, as far as they are no part of the experiment

/// Calls `use` with every choice in a panel that has a name, and with its name.
template <class Widget, class Use>
void each_named(MainWindow& window, const Use& use) {
  for (const PanelSpec& panel : panel_list()) {
    auto* dock = window.findChild<QDockWidget*>(panel.key);
    if (dock == nullptr) continue;
    for (Widget* widget : dock->findChildren<Widget*>()) {
      const QString name =
          widget->objectName().isEmpty() ? widget->accessibleName() : widget->objectName();
      if (!name.isEmpty() && !name.startsWith(QLatin1String("qt_")))
        use(panel.key + QLatin1Char('/') + name, *widget);
    }
  }
}

QJsonValue save_controls(MainWindow& window) {
  QJsonObject json;
  each_named<QComboBox>(
      window, [&](const QString& name, QComboBox& box) { json[name] = box.currentText(); });
  each_named<QCheckBox>(window,
                        [&](const QString& name, QCheckBox& box) { json[name] = box.isChecked(); });
  return json;
}

void restore_controls(MainWindow& window, const QJsonValue& value) {
  const QJsonObject json = value.toObject();
  each_named<QComboBox>(window, [&](const QString& name, QComboBox& box) {
    const int index = box.findText(json[name].toString());
    if (index < 0 || index == box.currentIndex()) return;
    box.setCurrentIndex(index);
    emit box.activated(index);
  });
  each_named<QCheckBox>(window, [&](const QString& name, QCheckBox& box) {
    if (json[name].isBool() && json[name].toBool() != box.isChecked()) box.click();
  });
}

// ---- All of it

/// A part of the state. They are restored in this order: a workspace changes what the views show,
/// and the slice of the views the planes in space.
struct Part {
  const char* name;
  QJsonValue (*save)(MainWindow&);
  void (*restore)(MainWindow&, const QJsonValue&);
};
constexpr std::array parts = {
    Part{"run", [](MainWindow& w) { return QJsonValue(place_of(w, w.runs().selectedRun())); },
         [](MainWindow& w, const QJsonValue& value) {
           if (const int id = id_at(w, value); id > 0) w.runs().selectRun(id);
         }},
    Part{"layout", save_layout, restore_layout},
    Part{"views", save_views, restore_views},
    Part{"space", save_space, restore_space},
    Part{"tiles", save_tiles, restore_tiles},
    Part{"measurements",
         [](MainWindow& w) { return QJsonValue(w.board().measurements().toJson()); },
         [](MainWindow& w, const QJsonValue& value) {
           w.board().measurements().restore(value.toObject());
         }},
    Part{"playhead", save_playhead, restore_playhead},
    Part{"controls", save_controls, restore_controls},
    // With its results the sweep is restored by restore_session().
    Part{"sweep", [](MainWindow& w) { return QJsonValue(w.sweep().toJson()); },
         [](MainWindow&, const QJsonValue&) {}},
    Part{"race", [](MainWindow& w) { return QJsonValue(w.race().toJson()); },
         [](MainWindow& w, const QJsonValue& value) { w.race().restore(value.toObject()); }},
    Part{"page", [](MainWindow& w) { return QJsonValue(w.sweepPages().currentIndex()); },
         [](MainWindow& w, const QJsonValue& value) {
           w.sweepPages().setCurrentIndex(value.toInt());
         }},
    Part{"lesson", [](MainWindow& w) { return QJsonValue(w.lesson().text()); },
         [](MainWindow& w, const QJsonValue& value) { w.lesson().showText(value.toString()); }},
    Part{"notes", [](MainWindow& w) { return QJsonValue(w.notes().text()); },
         [](MainWindow& w, const QJsonValue& value) { w.notes().setText(value.toString()); }},
};

}  // namespace

QJsonObject window_state(MainWindow& window) {
  QJsonObject state;
  for (const Part& part : parts) state[key(part.name)] = part.save(window);
  return state;
}

void restore_window_state(MainWindow& window, const QJsonObject& state) {
  for (const Part& part : parts)
    if (state.contains(key(part.name))) part.restore(window, state[key(part.name)]);
}

}  // namespace gantry
