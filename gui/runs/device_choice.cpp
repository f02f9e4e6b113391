#include "gui/runs/device_choice.hpp"

#include "core/base/error.hpp"
#include "gui/runs/wrapped_label.hpp"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

namespace {

QString kindName(BackendKind kind) {
  return kind == BackendKind::cpu ? DeviceChoice::tr("CPU") : DeviceChoice::tr("GPU");
}

}  // namespace

DeviceChoice::DeviceChoice(const Catalog& catalog, const BackendList& backends,
                           ExperimentModel& model, RunController& controller, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller),
      choice_(new QComboBox(this)),
      only_(new QLabel(tr("CPU"), this)),
      needs_(new WrappedLabel(this)),
      compare_(new QAction(this)) {
  choice_->setObjectName(QStringLiteral("device"));
  only_->setObjectName(QStringLiteral("onlyDevice"));
  needs_->setObjectName(QStringLiteral("deviceNeeds"));
  compare_->setObjectName(QStringLiteral("compareDevices"));
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  fill();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(only_);
  layout->addWidget(choice_);
  layout->addWidget(needs_);
  connect(choice_, &QComboBox::activated, this,
          [this](int index) { emit chosen(choice_->itemData(index).toString()); });
  connect(compare_, &QAction::triggered, this, &DeviceChoice::compare);
  connect(&controller_.estimates(), &RunEstimates::changed, this, [this] {
    if (const RunSpec* run = model_.run(id_)) showPlan(*run);
  });
}

void DeviceChoice::fill() {
  choice_->addItem(tr("auto"), QStringLiteral("auto"));
  choice_->setItemData(0, tr("The fastest device that runs the method and has enough free memory"),
                       Qt::ToolTipRole);
  QStringList absent;
  for (const auto& entry : backends_.entries()) {
    choice_->addItem(QString::fromStdString(entry.name), QString::fromStdString(entry.key));
    if (entry.available()) continue;
    const QString because = QString::fromStdString(entry.backend->unavailable_because());
    const QString why = tr("Not available: %1").arg(because);
    choice_->setItemData(choice_->count() - 1, why, Qt::ToolTipRole);
    // Disables the item: Qt::UserRole - 1 is QComboBox's role for the flags of an item.
    choice_->setItemData(choice_->count() - 1, 0, Qt::UserRole - 1);
    absent << tr("%1: %2").arg(QString::fromStdString(entry.name), because);
  }
  only_->setToolTip(absent.join(QLatin1Char('\n')));
}

void DeviceChoice::showRun(int id) {
  if (std::exchange(id_, id) != id) forgetPlan();
  const RunSpec* run = model_.run(id);
  if (run == nullptr) return;
  showChoice(*run);
  showPlan(*run);
}

/// Shows the box of devices where there is more than one, or where the run asks for a device that
/// this computer lacks, as a run of another computer's experiment may.
void DeviceChoice::showChoice(const RunSpec& run) {
  const bool is_here = run.backend == "auto" || run.backend == host_key;
  const bool is_alone = backends_.devices().empty() && is_here;
  only_->setVisible(is_alone);
  choice_->setVisible(!is_alone);
  if (run.backend != "auto") choice_->setItemText(0, tr("auto"));
  choice_->setCurrentIndex(choice_->findData(QString::fromStdString(run.backend)));
}

void DeviceChoice::forgetPlan() {
  needs_->clear();
  choice_->setItemText(0, tr("auto"));
  compare_->setVisible(false);
}

/// Until the estimate for the present settings has been computed, the previous text stays, greyed
/// out.
void DeviceChoice::showPlan(const RunSpec& run) {
  if (controller_.data() == nullptr) return forgetPlan();
  const RunEstimates::Answer* answer = controller_.memoryOf(run);
  needs_->setEnabled(answer != nullptr);
  if (answer == nullptr) return compare_->setEnabled(false);
  if (!answer->memory) {
    forgetPlan();
    return needs_->setText(answer->problem);
  }
  needs_->setText(describe(run, *answer->memory));
  showComparison(run, QString::fromStdString(answer->memory->backend_key));
}

QString DeviceChoice::describe(const RunSpec& run, const MemoryEstimate& plan) {
  const QString device = QString::fromStdString(plan.device);
  if (run.backend == "auto") choice_->setItemText(0, tr("auto: %1").arg(device));
  QString text = tr("Needs %1 of %2 free on %3")
                     .arg(QString::fromStdString(format_bytes(plan.needed_bytes)),
                          QString::fromStdString(format_bytes(plan.free_bytes)), device);
  if (plan.shortage)
    text = (run.format.empty()
                ? tr("%1: too much. Use a smaller grid or fewer views")
                : tr("%1: too much. Compute the matrix on the fly, or use a smaller grid"))
               .arg(text);
  if (!plan.because.empty())
    text += (run.backend == "auto" && plan.because != plan.note ? tr("; chosen because %1")
                                                                : tr("; %1"))
                .arg(QString::fromStdString(plan.because));
  if (plan.because.find(plan.note) == std::string::npos)
    text += tr("; %1").arg(QString::fromStdString(plan.note));
  return text;
}

/// Returns the device to compare `key` with: the CPU for any other device, the first other device
/// for the CPU; null if there is none.
const BackendList::Entry* DeviceChoice::otherThan(const QString& key) const {
  const auto devices = backends_.devices();
  if (key == QLatin1String(host_key)) return devices.empty() ? nullptr : devices.front();
  for (const auto& entry : backends_.entries())
    if (entry.available() && entry.key == host_key) return &entry;
  return nullptr;
}

/// Returns why a run cannot be compared on its device; empty if it can, nothing while the estimate
/// is being computed.
std::optional<QString> DeviceChoice::whyNot(RunSpec copy) const {
  const auto same = [&](const RunSpec& other) {
    copy.name = other.name;
    copy.colour = other.colour;
    return other == copy;
  };
  for (const RunSpec& other : model_.experiment().runs)
    if (same(other))
      return tr("%1 is already this run on that device")
          .arg(QString::fromStdString(run_label(other, catalog_)));
  const RunEstimates::Answer* answer = controller_.memoryOf(copy);
  if (answer == nullptr) return std::nullopt;
  if (!answer->memory) return answer->problem;
  const auto& shortage = answer->memory->shortage;
  if (!shortage) return QString();
  return tr("It needs %1 of %2 free on %3")
      .arg(QString::fromStdString(format_bytes(shortage->needed_bytes)),
           QString::fromStdString(format_bytes(shortage->free_bytes)),
           QString::fromStdString(shortage->device));
}

void DeviceChoice::showComparison(const RunSpec& run, const QString& computes_on) {
  const BackendList::Entry* other = otherThan(computes_on);
  if (other == nullptr) return compare_->setVisible(false);
  other_ = QString::fromStdString(other->key);
  RunSpec copy = run;
  copy.backend = other->key;
  const std::optional<QString> why_not = whyNot(copy);
  compare_->setText(tr("Compare with %1").arg(kindName(other->kind())));
  compare_->setEnabled(why_not && why_not->isEmpty());
  compare_->setToolTip(!why_not || why_not->isEmpty()
                           ? tr("Runs the selected run on %1 as well, beside it; below each view: "
                                "the difference to the other")
                                 .arg(QString::fromStdString(other->name))
                           : *why_not);
  compare_->setVisible(true);
}

/// Adds the same run on the other device and starts it. The original run is started only if it has
/// not been started yet.
void DeviceChoice::compare() {
  const RunSpec* original = model_.run(id_);
  if (original == nullptr) return;
  const int first = id_;
  RunSpec copy = *original;
  copy.backend = other_.toStdString();
  copy.colour = -1;
  copy.name = run_label(*original, catalog_) + ", " +
              kindName(backends_.entry(copy.backend).kind()).toStdString();
  const int second = model_.addRun(copy);
  if (!controller_.status(first).wasStarted()) controller_.start(first);
  controller_.start(second);
  emit added(second);
}

}  // namespace gantry
