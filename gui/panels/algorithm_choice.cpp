#include "gui/panels/algorithm_choice.hpp"

#include "gui/panels/parameter_form.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace gantry {

AlgorithmChoice::AlgorithmChoice(const QString& name, QWidget* parent)
    : QObject(parent), box_(new QComboBox(parent)), form_(new ParameterForm(parent)) {
  box_->setObjectName(name);
  connect(box_, &QComboBox::activated, this,
          [this](int index) { emit chosen(box_->itemData(index).toString().toStdString()); });
  connect(form_, &ParameterForm::edited, this, &AlgorithmChoice::edited);
}

void AlgorithmChoice::addNone(const QString& label, const QString& help) {
  add({}, label, help, {});
}

void AlgorithmChoice::add(const std::string& key, const QString& label, const QString& help,
                          const std::vector<ParamSpec>& params) {
  box_->addItem(label, QString::fromStdString(key));
  box_->setItemData(box_->count() - 1, help, Qt::ToolTipRole);
  params_.push_back(params);
}

void AlgorithmChoice::addTo(QFormLayout* layout, const QString& label, const QString& help) {
  auto* title = new QLabel(label, box_->parentWidget());
  title->setBuddy(box_);
  title->setToolTip(help);
  box_->setToolTip(help);
  layout->addRow(title, box_);
  layout->addRow(form_);
}

void AlgorithmChoice::show(const std::string& key, const Params& values) {
  const int index = box_->findData(QString::fromStdString(key));
  const QSignalBlocker quiet(box_);
  box_->setCurrentIndex(index);
  const std::vector<ParamSpec> params =
      index < 0 ? std::vector<ParamSpec>{} : params_[static_cast<std::size_t>(index)];
  form_->show(params, values);
  form_->setVisible(!params.empty());
}

}  // namespace gantry
