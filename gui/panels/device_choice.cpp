#include "gui/panels/device_choice.hpp"

#include "core/base/error.hpp"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

namespace {

constexpr const char* cpuKey = "cpu";

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
      needs_(new QLabel(this)),
      compare_(new QAction(this)) {
  choice_->setObjectName(QStringLiteral("device"));
  only_->setObjectName(QStringLiteral("onlyDevice"));
  needs_->setObjectName(QStringLiteral("deviceNeeds"));
  compare_->setObjectName(QStringLiteral("compareDevices"));
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  needs_->setWordWrap(true);
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
}

void DeviceChoice::fill() {
  choice_->addItem(tr("auto"), QStringLiteral("auto"));
  choice_->setItemData(0, tr("The fastest device that can run it and has the memory"),
                       Qt::ToolTipRole);
  QStringList absent;
  for (const auto& entry : backends_.entries()) {
    choice_->addItem(QString::fromStdString(entry.name), QString::fromStdString(entry.key));
    if (entry.available()) continue;
    const QString because = QString::fromStdString(entry.backend->unavailable_because());
    const QString why = tr("Not available: %1").arg(because);
    choice_->setItemData(choice_->count() - 1, why, Qt::ToolTipRole);
    choice_->setItemData(choice_->count() - 1, 0, Qt::UserRole - 1);  // greyed out
    absent << tr("%1: %2").arg(QString::fromStdString(entry.name), because);
  }
  only_->setToolTip(absent.join(QLatin1Char('\n')));
}

void DeviceChoice::showRun(int id) {
  id_ = id;
  compare_->setVisible(false);
  const RunSpec* run = model_.run(id);
  if (run == nullptr) return;
  showChoice(*run);
  showPlan(*run);
}

/// An experiment of another machine may ask for what is not here: then there is a choice to make.
void DeviceChoice::showChoice(const RunSpec& run) {
  const bool is_here = run.backend == "auto" || run.backend == cpuKey;
  const bool is_alone = backends_.devices().empty() && is_here;
  only_->setVisible(is_alone);
  choice_->setVisible(!is_alone);
  choice_->setItemText(0, tr("auto"));
  choice_->setCurrentIndex(choice_->findData(QString::fromStdString(run.backend)));
}

void DeviceChoice::showPlan(const RunSpec& run) {
  if (controller_.data() == nullptr) return needs_->clear();
  try {
    const MemoryEstimate plan = controller_.memoryOf(run);
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
      text += (run.backend == "auto" && plan.because != plan.note ? tr("; there because %1")
                                                                  : tr("; %1"))
                  .arg(QString::fromStdString(plan.because));
    if (plan.because.find(plan.note) == std::string::npos)
      text += tr("; %1").arg(QString::fromStdString(plan.note));
    needs_->setText(text);
    showComparison(run, QString::fromStdString(plan.backend_key));
  } catch (const Error& error) {
    needs_->setText(QString::fromUtf8(error.what()));
  }
}

/// The CPU beside any other backend, and beside the CPU the first device; null where there is none.
const BackendList::Entry* DeviceChoice::otherThan(const QString& key) const {
  const auto devices = backends_.devices();
  if (key == QLatin1String(cpuKey)) return devices.empty() ? nullptr : devices.front();
  for (const auto& entry : backends_.entries())
    if (entry.available() && entry.key == cpuKey) return &entry;
  return nullptr;
}

/// Why the run cannot be compared there; empty where it can.
QString DeviceChoice::whyNot(RunSpec copy) const {
  const auto same = [&](const RunSpec& other) {
    copy.name = other.name;
    copy.colour = other.colour;
    return other == copy;
  };
  for (const RunSpec& other : model_.experiment().runs)
    if (same(other))
      return tr("%1 is this run there").arg(QString::fromStdString(run_label(other, catalog_)));
  try {
    const MemoryEstimate plan = controller_.memoryOf(copy);
    if (!plan.shortage) return {};
    return tr("It needs %1 of %2 free on %3")
        .arg(QString::fromStdString(format_bytes(plan.shortage->needed_bytes)),
             QString::fromStdString(format_bytes(plan.shortage->free_bytes)),
             QString::fromStdString(plan.shortage->device));
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
}

void DeviceChoice::showComparison(const RunSpec& run, const QString& computes_on) {
  const BackendList::Entry* other = otherThan(computes_on);
  if (other == nullptr) return;
  other_ = QString::fromStdString(other->key);
  RunSpec copy = run;
  copy.backend = other->key;
  const QString why_not = whyNot(copy);
  compare_->setText(tr("Compare with %1").arg(kindName(other->kind())));
  compare_->setEnabled(why_not.isEmpty());
  compare_->setToolTip(why_not.isEmpty()
                           ? tr("Runs the selected run on %1 as well, beside it; below each view: "
                                "the difference to the other")
                                 .arg(QString::fromStdString(other->name))
                           : why_not);
  compare_->setVisible(true);
}

/// The same run on the other device, all else equal. What has computed already is left as it is.
void DeviceChoice::compare() {
  const RunSpec* original = model_.run(id_);
  if (original == nullptr) return;
  const int first = id_;
  RunSpec copy = *original;
  copy.backend = other_.toStdString();
  copy.colour = -1;
  copy.name = run_label(*original, catalog_) + ", " +
              kindName(backends_.resolve(copy.backend).kind()).toStdString();
  const int second = model_.addRun(copy);
  if (!controller_.status(first).wasStarted()) controller_.start(first);
  controller_.start(second);
  emit added(second);
}

}  // namespace gantry
