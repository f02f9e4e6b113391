#include "gui/stage/slice_tile.hpp"

#include "gui/stage/drawn_marks.hpp"
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

constexpr int blink_ms = 700;  // slow enough to look at either picture

QVariant data_of(const TileContent& content) {
  return QPoint(static_cast<int>(content.kind), content.partner);
}
TileContent content_of(const QAction& action) {
  const QPoint data = action.data().toPoint();
  return {static_cast<TileContent::Kind>(data.x()), data.y()};
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
      tools_(new TileTools(menu_, id != referenceId, view_, this)) {
  menu_->setToolTipsVisible(true);
  blink_.setInterval(blink_ms);
  connect(&blink_, &QTimer::timeout, this, [this] {
    blinks_ = !blinks_;
    applyTitle();
    refresh();
  });
  setPartners({});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_, 1);
  view_->installEventFilter(this);
  connectView();
  connect(tools_->link(), &QToolButton::toggled, this, &SliceTile::unlink);
  connect(tools_->pin(), &QToolButton::clicked, this, [this](bool on) { emit pinWanted(id_, on); });
  connect(tools_->save(), &QToolButton::clicked, this, [this] { emit saveWanted(id_); });
  connect(tools_->full(), &QToolButton::clicked, this, [this] { emit maximiseRequested(id_); });
  for (ViewState* state : {&linked_, &own_}) {
    connect(state, &ViewState::planeChanged, this, &SliceTile::followState);
    connect(state, &ViewState::cameraChanged, this, &SliceTile::followState);
    connect(state, &ViewState::windowChanged, this, &SliceTile::applyWindow);
    connect(state, &ViewState::unitChanged, this, &SliceTile::applyWindow);
    connect(state, &ViewState::cursorChanged, this,
            [this] { view_->setCursor(this->state().cursor()); });
    connect(state, &ViewState::interpolationChanged, this,
            [this] { view_->setInterpolation(this->state().interpolation()); });
  }
  view_->setInterpolation(state().interpolation());
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
  connect(view_, &SliceView::dividerMoved, this, [this](double u_mm) {
    divider_mm_ = u_mm;
    applyDivider();
    refresh();
  });
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
void SliceTile::setResult(bool started, bool pinned) {
  tools_->pin()->setEnabled(started || pinned);
  tools_->pin()->setChecked(pinned);
  tools_->save()->setEnabled(started);
}
QList<QAction*> SliceTile::contents() const { return contents_->actions(); }

void SliceTile::addContent(QMenu* menu, const QString& text, const TileContent& content) {
  QAction* action = menu->addAction(text, this, [this, content] { show(content); });
  action->setCheckable(true);
  action->setData(data_of(content));
  action->setChecked(content == content_);
  contents_->addAction(action);
}

QAction* SliceTile::contentAction(const TileContent& content) const {
  for (QAction* action : contents_->actions())
    if (content_of(*action) == content) return action;
  return nullptr;
}

void SliceTile::show(const TileContent& content) {
  QAction* action = contentAction(content);
  if (action == nullptr) return;
  content_ = content;
  if (content.has_partner()) lastPartner_ = content.partner;
  action->setChecked(true);
  showImage();
  emit planeWanted();
}

/// Shows the content anew.
void SliceTile::showImage() {
  blinks_ = false;
  content_.kind == TileContent::Kind::blink ? blink_.start() : blink_.stop();
  divider_mm_.reset();
  shown_.reset();
  applyWindow();
  applyTitle();
  applyDivider();
  refresh();
}

void SliceTile::showEdges() { show({TileContent::Kind::edges, -1}); }
void SliceTile::showDifferenceTo(int id) { show({TileContent::Kind::difference, id}); }

void SliceTile::toggle(TileContent::Kind kind) {
  if (content_.kind == kind) return show({});
  if (contentAction({kind, lastPartner_}) != nullptr) return show({kind, lastPartner_});
  for (const QAction* action : contents_->actions())
    if (content_of(*action).kind == kind) return show(content_of(*action));
}

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
    own_.setLengthsAreKnown(linked_.lengthsAreKnown());
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
  applyLetters();
  applyMarks();
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
  view_->setColourBar(diff, s.muUnit().toStdString());
  view_->setLengthsAreKnown(s.lengthsAreKnown());
  if (diff)
    view_->setWindowLevel(s.differenceWindow(), 0);
  else if (showsEdges())
    view_->setWindowLevel(1, 0.5);
  else
    view_->setWindowLevel(s.window(), s.level());
  if (content_.kind == TileContent::Kind::beside_edges) refresh();  // both in the same window
}

void SliceTile::setTitle(const QString& title, std::optional<Rgb> colour) {
  title_ = title;
  colour_ = colour;
  applyTitle();
}

void SliceTile::setShortNames(const std::map<int, QStringList>& names) {
  shortNames_ = names;
  applyTitle();
}

void SliceTile::applyDivider() {
  if (!content_.has_divider()) return view_->setDivider(std::nullopt);
  if (!divider_mm_) divider_mm_ = view_->slice().view().center_u_mm;
  const QString right = needsEdges() ? tr("Edges") : nameOf(content_.partner);
  view_->setDivider(Divider{*divider_mm_, title_.toStdString(), right.toStdString()});
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
  applyTitle();
}

void SliceTile::setPartners(const std::vector<std::pair<int, QString>>& partners) {
  using Kind = TileContent::Kind;
  std::vector<std::pair<int, QString>> others = partners;
  std::erase_if(others, [this](const auto& one) { return one.first == id_; });
  if (!contents_->actions().isEmpty() && others == partners_ &&
      (contentAction({Kind::edges, -1}) != nullptr) == offersEdges_)
    return;  // the menu may be open
  partners_ = std::move(others);
  menu_->clear();  // deletes the actions as well
  qDeleteAll(menu_->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
  addContent(menu_, id_ == referenceId ? tr("Image") : tr("Estimate"), {});
  if (offersEdges_) {
    addContent(menu_, tr("Edge field"), {Kind::edges, -1});
    contentAction({Kind::edges, -1})
        ->setToolTip(tr("Dark where the prior sees an edge: v from 0 to 1"));
    addContent(menu_, tr("Estimate beside edge field"), {Kind::beside_edges, -1});
  }
  for (const auto& [id, name] : partners_)
    addContent(menu_, tr("Difference to %1").arg(name), {Kind::difference, id});
  if (!partners_.empty()) {
    QMenu* blink = menu_->addMenu(tr("Blink with"));
    QMenu* swipe = menu_->addMenu(tr("Swipe with"));
    for (const auto& [id, name] : partners_) {
      addContent(blink, name, {Kind::blink, id});
      addContent(swipe, name, {Kind::swipe, id});
    }
  }
  if (contentAction(content_) != nullptr) {
    applyTitle();
    return applyDivider();
  }
  content_ = {};
  contentAction(content_)->setChecked(true);
  showImage();
}

void SliceTile::setDifference(bool on) {
  if (on != showsDifference()) toggle(TileContent::Kind::difference);
}

void SliceTile::follow(Measurements& measurements) {
  marks_ = new DrawnMarks(*view_, linked_, measurements, [this] {
    const auto [axis, index] = plane();
    return DrawnMarks::Place{axis, index, grid_};
  });
}

void SliceTile::applyMarks() {
  if (marks_ != nullptr) marks_->show();
}

void SliceTile::setRadiological(bool on) {
  radiological_ = on;
  applyLetters();
}

void SliceTile::setGrid(const VolumeGrid& grid) {
  grid_ = grid;
  applyMarks();
}

void SliceTile::adoptData(const VolumeGrid& grid) {
  differenceWindowIsSet_ = false;
  shown_.reset();
  setLinked(true);
  setGrid(grid);
}

void SliceTile::refresh() {
  const auto [axis, index] = plane();
  auto own = source_(id_, showsEdges() ? Content::edges : Content::image, axis, index);
  if (showsDifference() || content_.has_divider()) return showTogether(std::move(own));
  if (blinks_) own = source_(content_.partner, Content::image, axis, index);
  if (own == shown_) return;
  shown_ = std::move(own);
  view_->setImage(shown_);
  emit pictureChanged();
}

/// Shows what is made of the own picture and that of the partner.
void SliceTile::showTogether(std::shared_ptr<const SliceImage> own) {
  const auto [axis, index] = plane();
  const bool has_edges = needsEdges(), swipes = content_.has_divider();
  auto other = has_edges ? source_(id_, Content::edges, axis, index)
                         : source_(content_.partner, Content::image, axis, index);
  const std::pair window{state().window(), state().level()};
  if (shown_ != nullptr && own == own_image_ && other == other_image_ &&
      (!swipes || divider_mm_ == divided_at_) && (!has_edges || window == edges_window_))
    return;
  edges_window_ = window;
  own_image_ = std::move(own);
  other_image_ = std::move(other);
  divided_at_ = divider_mm_;
  shown_ = nullptr;
  if (own_image_ != nullptr && other_image_ != nullptr) {
    if (has_edges)
      shown_ = divided(*own_image_, over_window(*other_image_, window.first, window.second),
                       divider_mm_.value_or(0));
    else
      shown_ = swipes ? divided(*own_image_, *other_image_, divider_mm_.value_or(0))
                      : difference(*own_image_, *other_image_);
  }
  if (shown_ != nullptr && !swipes && !differenceWindowIsSet_) {
    std::vector<float> sizes = shown_->values;
    for (float& value : sizes) value = std::abs(value);
    const WindowLevel automatic = automatic_window(sizes);
    differenceWindowIsSet_ = true;
    state().setDifferenceWindow(2 * (automatic.level + 0.5 * automatic.window));
  }
  view_->setImage(shown_);
  emit pictureChanged();
}

}  // namespace gantry
