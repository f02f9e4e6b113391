#include "gui/stage/slice_tile.hpp"

#include "gui/stage/tile_tools.hpp"
#include "gui/views/slice_view.hpp"

#include <QActionGroup>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

// Contents that subtract nothing; others are the ids of the images that are subtracted.
constexpr int plainImage = -1, edgeField = -2;

bool same_shape(const SliceImage& a, const SliceImage& b) {
  return a.width == b.width && a.height == b.height && a.u0_mm == b.u0_mm && a.v0_mm == b.v0_mm &&
         a.du_mm == b.du_mm && a.dv_mm == b.dv_mm;
}

std::shared_ptr<const SliceImage> difference(const SliceImage& a, const SliceImage& b) {
  auto result = std::make_shared<SliceImage>(a);
  const bool aligned = same_shape(a, b);
  for (int iv = 0; iv < a.height; ++iv)
    for (int iu = 0; iu < a.width; ++iu) {
      const auto i = static_cast<std::size_t>(iv) * static_cast<std::size_t>(a.width) +
                     static_cast<std::size_t>(iu);
      const double other =
          aligned ? b.values[i] : b.value_at(a.u0_mm + iu * a.du_mm, a.v0_mm + iv * a.dv_mm);
      result->values[i] = static_cast<float>(a.values[i] - other);
    }
  return result;
}

}  // namespace

EdgeLetters letters_for(Axis axis, bool radiological) {
  if (!radiological) {
    if (axis == Axis::axial) return {"−x", "+x", "+y", "−y"};
    return axis == Axis::coronal ? EdgeLetters{"−x", "+x", "+z", "−z"}
                                 : EdgeLetters{"−y", "+y", "+z", "−z"};
  }
  // The view is from the feet: the patient's right is on the left. World axes point to left,
  // posterior and head.
  if (axis == Axis::axial) return {"R", "L", "A", "P"};
  return axis == Axis::coronal ? EdgeLetters{"R", "L", "H", "F"} : EdgeLetters{"A", "P", "H", "F"};
}

SliceTile::SliceTile(int id, ViewState& linked, SliceSource source, QWidget* parent)
    : QFrame(parent),
      id_(id),
      linked_(linked),
      source_(std::move(source)),
      view_(new SliceView(this)),
      menu_(new QMenu(this)),
      contents_(new QActionGroup(this)),
      tools_(new TileTools(menu_, this)),
      content_(plainImage) {
  menu_->setToolTipsVisible(true);
  setPartners({});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_, 1);
  connectView();
  connect(tools_->link(), &QToolButton::toggled, this, &SliceTile::unlink);
  connect(tools_->full(), &QToolButton::clicked, this, [this] { emit maximiseRequested(id_); });
  for (ViewState* state : {&linked_, &own_}) {
    connect(state, &ViewState::planeChanged, this, &SliceTile::followState);
    connect(state, &ViewState::cameraChanged, this, &SliceTile::followState);
    connect(state, &ViewState::windowChanged, this, &SliceTile::applyWindow);
    connect(state, &ViewState::unitChanged, this, &SliceTile::applyWindow);
    connect(state, &ViewState::profileChanged, this, &SliceTile::followState);
    connect(state, &ViewState::cursorChanged, this,
            [this] { view_->setCursor(this->state().cursor()); });
    connect(state, &ViewState::interpolationChanged, this,
            [this] { view_->setInterpolation(this->state().interpolation()); });
  }
  const auto follow_draw_mode = [this] {
    view_->setDrawMode(linked_.drawMode(), linked_.drawShape());
  };
  connect(&linked_, &ViewState::drawModeChanged, this, follow_draw_mode);
  follow_draw_mode();
  followState();
  applyWindow();
}

void SliceTile::connectView() {
  connect(view_, &SliceView::pressed, this, [this] { emit pressed(id_); });
  connect(view_, &SliceView::windowLevelChanged, this, [this](double window, double level) {
    if (showsDifference())
      state().setDifferenceWindow(window);
    else if (showsEdges())
      applyWindow();  // an edge field is always shown from 0 to 1
    else
      state().setWindowLevel(window, level);
  });
  connect(view_, &SliceView::viewChanged, this,
          [this](const SliceCamera& camera) { state().setCamera(camera); });
  connect(view_, &SliceView::viewReset, this, [this] { state().setCamera(std::nullopt); });
  connect(view_, &SliceView::profileChanged, this,
          [this](const LineSegment& line) { linked_.setProfile(line); });
  connect(view_, &SliceView::regionDrawn, this, &SliceTile::regionDrawn);
  connect(view_, &SliceView::cursorMoved, this, [this](const PointMm& at) {
    state().setCursor(at);
    emit hovered(id_);
  });
  connect(view_, &SliceView::cursorLeft, this, [this] {
    state().setCursor(std::nullopt);
    emit left();
  });
  connect(view_, &SliceView::sliceStepRequested, this, &SliceTile::stepSlice);
  connect(view_, &SliceView::maximiseRequested, this, [this] { emit maximiseRequested(id_); });
  connect(view_, &SliceView::contextMenuAsked, this,
          [this](const QPoint& at) { emit menuRequested(id_, view_->mapToGlobal(at)); });
}

bool SliceTile::isLinked() const { return !tools_->link()->isChecked(); }
void SliceTile::setLinked(bool linked) { tools_->link()->setChecked(!linked); }
bool SliceTile::showsDifference() const { return content_ >= 0; }
bool SliceTile::showsEdges() const { return content_ == edgeField; }
QList<QAction*> SliceTile::contents() const { return contents_->actions(); }

void SliceTile::addContent(const QString& text, int content) {
  QAction* action = menu_->addAction(text, this, [this, content] { showContent(content); });
  action->setCheckable(true);
  action->setData(content);
  action->setChecked(content == content_);
  contents_->addAction(action);
}

QAction* SliceTile::contentAction(int content) const {
  for (QAction* action : contents_->actions())
    if (action->data().toInt() == content) return action;
  return nullptr;
}

void SliceTile::showContent(int content) {
  QAction* action = contentAction(content);
  if (action == nullptr) return;
  content_ = content;
  action->setChecked(true);
  shown_.reset();
  applyWindow();
  refresh();
  emit planeWanted();
}

void SliceTile::showEdges() { showContent(edgeField); }
void SliceTile::showDifferenceTo(int id) { showContent(id); }

void SliceTile::setSelected(bool selected) { view_->setSelected(selected); }

void SliceTile::setObject(const std::optional<ObjectExtent>& object) {
  object_ = object;
  followState();
}

ViewRequest::Slice SliceTile::plane() const {
  return {state().axis(), std::clamp(state().slice(), 0, slice_count(grid_, state().axis()) - 1)};
}

void SliceTile::stepSlice(int steps) {
  const int last = slice_count(grid_, state().axis()) - 1;
  state().setSlice(std::clamp(plane().index + steps, 0, last));
}

void SliceTile::unlink(bool unlinked) {
  if (unlinked) {
    const QSignalBlocker quiet(&own_);
    own_.setPlane(linked_.axis(), linked_.slice());
    own_.setCamera(linked_.camera());
    own_.setWindowLevel(linked_.window(), linked_.level());
    own_.setDifferenceWindow(linked_.differenceWindow());
    own_.setHu(linked_.inHu());
    own_.setMuWater(linked_.muWater());
    own_.setInterpolation(linked_.interpolation());
    own_.setProfile(linked_.profile());
  }
  applyNotice();
  followState();
  applyWindow();
  emit planeWanted();
}

void SliceTile::followState() {
  const ViewState& s = state();
  view_->setObject(object_ ? std::optional(object_->in(s.axis())) : std::nullopt);
  if (s.camera())
    view_->setView(*s.camera());
  else
    view_->fit();
  view_->setProfile(linked_.profile());
  applyLetters();
  applyRegions();
  refresh();
}

void SliceTile::applyLetters() {
  const Axis axis = state().axis();
  view_->setEdgeLetters(letters_for(axis, radiological_));
  view_->setVUp(!(radiological_ && axis == Axis::axial));
}

void SliceTile::applyWindow() {
  const ViewState& s = state();
  const bool diff = showsDifference();
  view_->setColourMap(diff ? ColourMap::diverging : ColourMap::grey);
  view_->setColourBar(diff, "1/mm");
  if (diff)
    view_->setWindowLevel(s.differenceWindow(), 0);
  else if (showsEdges())
    view_->setWindowLevel(1, 0.5);
  else
    view_->setWindowLevel(s.window(), s.level());
}

void SliceTile::setTitle(const QString& title, std::optional<Rgb> colour) {
  title_ = title;
  view_->setTitle(title.toStdString(), colour);
}

void SliceTile::setNotice(const QString& notice) {
  notice_ = notice;
  applyNotice();
}

void SliceTile::applyNotice() {
  view_->setNotice((isLinked() ? notice_ : tr("unlinked: own scale and window")).toStdString());
}

void SliceTile::setStatus(const QString& status) {
  status_ = status;
  view_->setStatus(status.toStdString());
}

void SliceTile::setPartners(const std::vector<std::pair<int, QString>>& partners) {
  QList<std::pair<int, QString>> wanted;
  wanted.emplace_back(plainImage, id_ == referenceId ? tr("Image") : tr("Estimate"));
  if (offersEdges_) wanted.emplace_back(edgeField, tr("Edge field"));
  for (const auto& [id, name] : partners)
    if (id != id_) wanted.emplace_back(id, tr("Difference to %1").arg(name));
  QList<std::pair<int, QString>> offered;
  for (const QAction* action : contents_->actions())
    offered.emplace_back(action->data().toInt(), action->text());
  if (offered == wanted) return;  // the menu may be open
  menu_->clear();                 // deletes the actions as well
  for (const auto& [content, text] : wanted) addContent(text, content);
  if (QAction* edges = contentAction(edgeField))
    edges->setToolTip(tr("Dark where the prior sees an edge: v from 0 to 1"));
  if (contentAction(content_) != nullptr) return;
  content_ = plainImage;
  contentAction(plainImage)->setChecked(true);
  shown_.reset();
  applyWindow();
}

void SliceTile::setDifference(bool on) {
  if (on == showsDifference()) return;
  for (const QAction* action : contents_->actions()) {
    const int content = action->data().toInt();
    if ((content >= 0) == on && content != edgeField) return showContent(content);
  }
}

void SliceTile::setRegions(const MeasurementRegions& regions) {
  if (regions == regions_) return;
  regions_ = regions;
  applyRegions();
}

void SliceTile::applyRegions() {
  std::vector<RegionMark> marks;
  std::optional<LineSegment> edge;
  const auto [axis, index] = plane();
  if (axis == Axis::axial) {
    const double z_mm = slice_position_mm(grid_, axis, index);
    const auto add = [&](DrawMode role, const std::optional<Region>& region) {
      if (region && z_mm >= region->z_low_mm && z_mm <= region->z_high_mm)
        marks.push_back({role, *region});
    };
    add(DrawMode::roi, regions_.roi);
    add(DrawMode::background, regions_.background);
    if (regions_.edge && edge_slice(grid_, *regions_.edge) == index)
      edge = LineSegment{regions_.edge->x0_mm, regions_.edge->y0_mm, regions_.edge->x1_mm,
                         regions_.edge->y1_mm};
  }
  view_->setRegions(std::move(marks));
  view_->setEdge(edge);
}

void SliceTile::setRadiological(bool on) {
  radiological_ = on;
  applyLetters();
}

void SliceTile::setGrid(const VolumeGrid& grid) {
  grid_ = grid;
  applyRegions();
}

void SliceTile::adoptData(const VolumeGrid& grid) {
  differenceWindowIsSet_ = false;
  shown_.reset();
  setLinked(true);
  setGrid(grid);
}

void SliceTile::refresh() {
  const auto [axis, index] = plane();
  auto image = source_(id_, showsEdges() ? Content::edges : Content::image, axis, index);
  if (!showsDifference()) {
    if (image == shown_) return;
    shown_ = std::move(image);
    view_->setImage(shown_);
    return;
  }
  auto other = source_(content_, Content::image, axis, index);
  if (shown_ != nullptr && image == minuend_ && other == subtrahend_) return;
  minuend_ = std::move(image);
  subtrahend_ = std::move(other);
  shown_ =
      minuend_ != nullptr && subtrahend_ != nullptr ? difference(*minuend_, *subtrahend_) : nullptr;
  if (shown_ != nullptr && !differenceWindowIsSet_) {
    std::vector<float> sizes = shown_->values;
    for (float& value : sizes) value = std::abs(value);
    const WindowLevel automatic = automatic_window(sizes);
    differenceWindowIsSet_ = true;
    state().setDifferenceWindow(2 * (automatic.level + 0.5 * automatic.window));
  }
  view_->setImage(shown_);
}

QString SliceTile::readout(const PointMm& at) const {
  const ViewState& s = state();
  if (shown_ == nullptr || !shown_->contains(at.u, at.v)) return {};
  const double mu = shown_->value_at(at.u, at.v);
  const char* const u_name = s.axis() == Axis::sagittal ? "y" : "x";
  const char* const v_name = s.axis() == Axis::axial ? "y" : "z";
  QString text = QStringLiteral("%1 %2  %3 %4 mm")
                     .arg(QLatin1String(u_name))
                     .arg(at.u, 0, 'f', 1)
                     .arg(QLatin1String(v_name))
                     .arg(at.v, 0, 'f', 1);
  if (showsEdges())
    text += tr("   v %1").arg(mu, 0, 'f', 3);
  else if (showsDifference())
    text += tr("   Δμ %1 1/mm (%2 HU), water %3")
                .arg(mu, 0, 'g', 4)
                .arg(1000 * mu / s.muWater(), 0, 'f', 0)
                .arg(s.muWater());
  else
    text += tr("   μ %1 1/mm (%2 HU), water %3")
                .arg(mu, 0, 'f', 5)
                .arg(hu_from_mu(mu, s.muWater()), 0, 'f', 0)
                .arg(s.muWater());
  return title_ + QStringLiteral(":  ") + text;
}

QString SliceTile::caption() const {
  const ViewState& s = state();
  QString text = title_;
  if (showsDifference())
    return text + tr(", %1; colours from %2 to %3 1/mm")
                      .arg(contentAction(content_)->text().toLower())
                      .arg(-0.5 * s.differenceWindow(), 0, 'g', 3)
                      .arg(0.5 * s.differenceWindow(), 0, 'g', 3);
  if (showsEdges()) return text + tr(", edge field; grey from 0 to 1");
  const double low = s.level() - 0.5 * s.window(), high = s.level() + 0.5 * s.window();
  text += tr("; grey from %1 to %2 1/mm (%3 to %4 HU, water %5 1/mm)")
              .arg(low, 0, 'g', 3)
              .arg(high, 0, 'g', 3)
              .arg(hu_from_mu(low, s.muWater()), 0, 'f', 0)
              .arg(hu_from_mu(high, s.muWater()), 0, 'f', 0)
              .arg(s.muWater());
  if (slice_count(grid_, s.axis()) > 1) text += tr("; slice %1").arg(plane().index);
  return text;
}

}  // namespace gantry
