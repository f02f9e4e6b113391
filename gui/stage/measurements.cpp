#include "gui/stage/measurements.hpp"

#include "core/base/error.hpp"

#include <QJsonArray>
#include <QUndoCommand>

#include <algorithm>

namespace gantry {

/// An edit of what the experiment does not hold, on the undo stack of the experiment.
class Measurements::Edit final : public QUndoCommand {
 public:
  Edit(Measurements& of, const QString& name, State before, State after)
      : QUndoCommand(name), of_(of), before_(std::move(before)), after_(std::move(after)) {}

  void undo() override { of_.apply(before_); }
  void redo() override { of_.apply(after_); }
  int id() const override { return 2; }
  bool mergeWith(const QUndoCommand* other) override {
    if (other->text() != text()) return false;
    after_ = static_cast<const Edit*>(other)->after_;
    return true;
  }

 private:
  Measurements& of_;
  State before_, after_;
};

QString Measurements::text(const Ruler& ruler) const {
  const auto& points = ruler.points;
  if (points.size() == 3)
    return QStringLiteral("%1°").arg(angle_degrees(points[0], points[1], points[2]), 0, 'f', 1);
  if (points.size() != 2) return {};
  return tr("%1 %2")
      .arg(distance_mm(points[0], points[1]), 0, 'f', view_.lengthDecimals() + 1)
      .arg(view_.lengthUnit());
}

Measurements::Measurements(ExperimentModel& model, const ViewState& view, QObject* parent)
    : QObject(parent), model_(model), view_(view) {
  connect(&view_, &ViewState::unitChanged, this, &Measurements::changed);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, [this] {
    selected_ = 0;
    begin({});
  });
  connect(&model_, &ExperimentModel::changed, this, &Measurements::changed);
}

int Measurements::roi() const {
  return model_.experiment().metrics.regions.roi ? state_.roi.id : 0;
}
int Measurements::background() const {
  return model_.experiment().metrics.regions.background ? state_.background.id : 0;
}

std::vector<MeasuredRegion> Measurements::regions() const {
  const MeasurementRegions& pair = model_.experiment().metrics.regions;
  std::vector<MeasuredRegion> all = state_.others;
  const auto add = [&](const MeasuredRegion& as, const QString& name,
                       const std::optional<Region>& region) {
    if (region) all.push_back({as.id, as.name.isEmpty() ? name : as.name, *region});
  };
  add(state_.roi, tr("region"), pair.roi);
  add(state_.background, tr("background"), pair.background);
  std::ranges::sort(all, {}, &MeasuredRegion::id);
  return all;
}

std::optional<MeasuredRegion> Measurements::region(int id) const {
  const auto all = regions();
  const auto found = std::ranges::find(all, id, &MeasuredRegion::id);
  return found == all.end() ? std::nullopt : std::optional(*found);
}

/// Returns "region 3": the lowest number that no region has.
QString Measurements::freeName() const {
  const auto all = regions();
  for (int number = static_cast<int>(all.size()) + 1;; ++number) {
    const QString name = tr("region %1").arg(number);
    if (std::ranges::find(all, name, &MeasuredRegion::name) == all.end()) return name;
  }
}

void Measurements::setInExperiment(const QString& name, const std::optional<Region>& roi,
                                   const std::optional<Region>& background) {
  model_.edit(name, [&](Experiment& e) {
    e.metrics.regions.roi = roi;
    e.metrics.regions.background = background;
    if (!roi && e.metrics.mask == MaskKind::roi) e.metrics.mask = MaskKind::circle;
  });
}

int Measurements::addRegion(const Region& region) {
  const MeasurementRegions& pair = model_.experiment().metrics.regions;
  int id = 0;
  if (!pair.roi) {
    id = state_.roi.id;
    setInExperiment(tr("Draw region"), region, pair.background);
  } else if (!pair.background) {
    id = state_.background.id;
    setInExperiment(tr("Draw background"), pair.roi, region);
  } else {
    id = nextId_++;
    State next = state_;
    next.others.push_back({id, freeName(), region});
    const QString name = tr("Draw %1").arg(next.others.back().name);
    push(name, std::move(next));
  }
  select(id);
  return id;
}

void Measurements::setRegion(int id, const Region& region) {
  const auto before = this->region(id);
  if (!before) return;
  const QString name = tr("Move %1").arg(before->name);
  const MeasurementRegions pair = model_.experiment().metrics.regions;
  if (id == roi()) return setInExperiment(name, region, pair.background);
  if (id == background()) return setInExperiment(name, pair.roi, region);
  State next = state_;
  std::ranges::find(next.others, id, &MeasuredRegion::id)->region = region;
  push(name, std::move(next));
}

void Measurements::rename(int id, const QString& name) {
  const auto before = region(id);
  if (!before || name.trimmed().isEmpty() || before->name == name.trimmed()) return;
  State next = state_;
  MeasuredRegion& named = id == roi() ? next.roi
                          : id == background()
                              ? next.background
                              : *std::ranges::find(next.others, id, &MeasuredRegion::id);
  named.name = name.trimmed();
  push(tr("Rename %1").arg(before->name), std::move(next));
}

int Measurements::addRuler(Ruler ruler) {
  ruler.id = nextId_++;
  State next = state_;
  next.rulers.push_back(std::move(ruler));
  const int id = next.rulers.back().id;
  const QString name = tr("Draw %1").arg(text(next.rulers.back()));
  push(name, std::move(next));
  select(id);
  return id;
}

void Measurements::remove(int id) {
  if (id == selected_) select(0);
  const auto gone = region(id);
  if (gone && (id == roi() || id == background())) {
    const MeasurementRegions pair = model_.experiment().metrics.regions;
    const bool is_roi = id == roi();
    return setInExperiment(tr("Delete %1").arg(gone->name), is_roi ? std::nullopt : pair.roi,
                           is_roi ? pair.background : std::nullopt);
  }
  const auto ruler = std::ranges::find(state_.rulers, id, &Ruler::id);
  const QString name = gone ? gone->name : ruler != state_.rulers.end() ? text(*ruler) : QString();
  State next = state_;
  std::erase_if(next.others, [id](const MeasuredRegion& one) { return one.id == id; });
  std::erase_if(next.rulers, [id](const Ruler& one) { return one.id == id; });
  push(tr("Delete %1").arg(name), std::move(next));
}

void Measurements::setPair(int roi_id, int background_id) {
  if ((roi_id == roi() && background_id == background()) ||
      (roi_id != 0 && roi_id == background_id))
    return;
  const auto as_roi = region(roi_id), as_background = region(background_id);
  State next = state_;
  next.others.clear();
  for (const MeasuredRegion& one : regions())
    if (one.id != roi_id && one.id != background_id) next.others.push_back(one);
  // A name is kept where the region is given none.
  next.roi = as_roi ? *as_roi : MeasuredRegion{nextId_++, {}, {}};
  next.background = as_background ? *as_background : MeasuredRegion{nextId_++, {}, {}};
  next.roi.region = next.background.region = {};
  const auto region_of = [](const std::optional<MeasuredRegion>& one) {
    return one ? std::optional(one->region) : std::nullopt;
  };
  QUndoStack& stack = model_.undoStack();
  stack.beginMacro(tr("Choose regions"));
  stack.push(new Edit(*this, tr("Choose regions"), state_, std::move(next)));
  setInExperiment(tr("Choose regions"), region_of(as_roi), region_of(as_background));
  stack.endMacro();
}

void Measurements::select(int id) {
  if (id == selected_) return;
  selected_ = id;
  emit selectionChanged();
}

void Measurements::setDrawable(const QObject* view, bool isShown) {
  const bool before = canDraw();
  if (isShown)
    drawable_.insert(view);
  else
    drawable_.erase(view);
  if (canDraw() != before) emit drawableChanged();
}

void Measurements::push(const QString& name, State next) {
  if (next == state_) return;
  model_.undoStack().push(new Edit(*this, name, state_, std::move(next)));
}

void Measurements::apply(const State& state) {
  if (state == state_) return;
  state_ = state;
  emit changed();
}

QJsonObject Measurements::toJson() const {
  QJsonArray others, rulers;
  const auto named = [](const MeasuredRegion& one) {
    return QJsonObject{
        {QStringLiteral("name"), one.name},
        {QStringLiteral("place"), QString::fromStdString(format_region(one.region))}};
  };
  for (const MeasuredRegion& one : state_.others) others << named(one);
  for (const Ruler& ruler : state_.rulers) {
    QJsonArray points;
    for (const PointMm& p : ruler.points) points << QJsonArray{p.u, p.v};
    rulers << QJsonObject{{QStringLiteral("axis"), static_cast<int>(ruler.axis)},
                          {QStringLiteral("slice"), ruler.slice},
                          {QStringLiteral("points"), points}};
  }
  return {{QStringLiteral("regions"), others},
          {QStringLiteral("rulers"), rulers},
          {QStringLiteral("region_name"), state_.roi.name},
          {QStringLiteral("background_name"), state_.background.name}};
}

void Measurements::restore(const QJsonObject& json) {
  State next;
  next.roi.name = json[QStringLiteral("region_name")].toString();
  next.background.name = json[QStringLiteral("background_name")].toString();
  for (const QJsonValue& one : json[QStringLiteral("regions")].toArray()) try {
      next.others.push_back(
          {nextId_++, one[QStringLiteral("name")].toString(),
           parse_region(one[QStringLiteral("place")].toString().toStdString(), "region")});
    } catch (const Error&) {
      continue;  // a broken entry
    }
  for (const QJsonValue& one : json[QStringLiteral("rulers")].toArray()) {
    const int axis = one[QStringLiteral("axis")].toInt(-1);
    Ruler ruler{nextId_++, static_cast<Axis>(axis), one[QStringLiteral("slice")].toInt(), {}};
    for (const QJsonValue& p : one[QStringLiteral("points")].toArray())
      ruler.points.push_back({p[0].toDouble(), p[1].toDouble()});
    const bool is_whole = ruler.points.size() == 2 || ruler.points.size() == 3;
    if (axis >= 0 && axis <= 2 && is_whole) next.rulers.push_back(std::move(ruler));
  }
  begin(next);
}

/// Takes what a file holds.
void Measurements::begin(const State& state) {
  state_ = state;
  markSaved(toJson());
}

void Measurements::markSaved(const QJsonObject& saved) {
  saved_ = saved;
  emit changed();
}

}  // namespace gantry
