#include "gui/scan/pose_dialog.hpp"

#include "core/geometry/detector_move.hpp"
#include "gui/scan/pose_table.hpp"
#include "gui/widgets/number_box.hpp"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QGroupBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace gantry {

namespace {

/// Returns a message about the poses of a scan file in the words of the table.
QString in_words_of_the_table(QString message) {
  static const QRegularExpression view(QStringLiteral("poses\\[(\\d+)\\](\\.|: )"));
  message.replace(view, PoseDialog::tr("view \\1: "));
  for (const auto& [name, words] : {std::pair{"source_mm", PoseDialog::tr("the source")},
                                    std::pair{"detector_mm", PoseDialog::tr("the detector")},
                                    std::pair{"u_mm", PoseDialog::tr("the column step")},
                                    std::pair{"v_mm", PoseDialog::tr("the row step")}})
    message.replace(QLatin1String(name), words);
  return message;
}

}  // namespace

PoseDialog::PoseDialog(const ScanSpec& scan, std::function<void(const ScanSpec&)> apply,
                       QWidget* parent)
    : QDialog(parent),
      scan_(scan),
      apply_(std::move(apply)),
      table_(new PoseTable(scan.poses, this)),
      view_(new QTableView(this)),
      problem_(new QLabel(this)) {
  setWindowTitle(tr("Poses of %1 views").arg(scan.poses.size()));
  setAttribute(Qt::WA_DeleteOnClose);
  view_->setObjectName(QStringLiteral("poseTable"));
  view_->setAccessibleName(tr("Poses of source and detector"));
  view_->setModel(table_);
  view_->horizontalHeader()->setDefaultSectionSize(
      fontMetrics().horizontalAdvance(QStringLiteral("  column step x, mm  ")));
  problem_->setObjectName(QStringLiteral("poseProblem"));
  problem_->setWordWrap(true);
  auto* hint =
      new QLabel(tr("The detector's point is that of the central column and row. The steps "
                    "lead from a cell to the next column and to the next row."),
                 this);
  hint->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Apply | QDialogButtonBox::Cancel, this);
  for (QAbstractButton* button : buttons->buttons())
    static_cast<QPushButton*>(button)->setAutoDefault(false);
  connect(buttons->button(QDialogButtonBox::Apply), &QPushButton::clicked, this,
          &PoseDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(makeMoves());
  layout->addWidget(hint);
  layout->addWidget(view_, 1);
  layout->addWidget(problem_);
  layout->addWidget(buttons);
  problem_->hide();
  resize(960, 560);
}

/// Makes the fields that move the detector of all views.
QWidget* PoseDialog::makeMoves() {
  auto* box = new QGroupBox(tr("Move the detector in all views"), this);
  auto* grid = new QGridLayout(box);
  struct Field {
    const char* name;
    QString label, unit, help;
    double most;
  };
  const QString degrees = tr("°"), mm = tr("mm");
  const std::array<Field, 5> fields{{
      {"roll", tr("Roll"), degrees, tr("In the plane of the detector, from columns to rows"), 180},
      {"pitch", tr("Pitch"), degrees, tr("About the direction of the columns"), 80},
      {"yaw", tr("Yaw"), degrees, tr("About the direction of the rows"), 80},
      {"lateral", tr("Lateral"), mm, tr("Along the columns: from column to column"), 1e6},
      {"axial", tr("Axial"), mm, tr("Along the rows: from row to row"), 1e6},
  }};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    auto* field = new NumberBox(box);
    field->setObjectName(QLatin1String(fields[i].name));
    field->setRange(-fields[i].most, fields[i].most);
    field->setDecimals(4);
    field->setSuffix(QLatin1Char(' ') + fields[i].unit);
    field->setToolTip(fields[i].help);
    auto* label = new QLabel(fields[i].label, box);
    label->setBuddy(field);
    const int column = 2 * static_cast<int>(i);
    grid->addWidget(label, 0, column, Qt::AlignRight);
    grid->addWidget(field, 0, column + 1);
    moves_[i] = field;
  }
  auto* move = new QPushButton(tr("Move"), box);
  move->setObjectName(QStringLiteral("moveDetector"));
  move->setToolTip(tr("Changes the table below; the scan changes when you apply it"));
  move->setDefault(true);  // for the Return key in the fields
  connect(move, &QPushButton::clicked, this, &PoseDialog::moveAll);
  grid->addWidget(move, 0, 2 * static_cast<int>(fields.size()));
  return box;
}

ScanSpec PoseDialog::edited() const {
  ScanSpec scan = scan_;
  scan.poses = table_->poses();
  return ScanGeometry(scan).spec();
}

void PoseDialog::moveAll() {
  try {
    table_->setPoses(with_moved_detector(edited(), {.roll_rad = radians(moves_[0]->value()),
                                                    .pitch_rad = radians(moves_[1]->value()),
                                                    .yaw_rad = radians(moves_[2]->value()),
                                                    .lateral_mm = moves_[3]->value(),
                                                    .axial_mm = moves_[4]->value()})
                         .poses);
    for (QDoubleSpinBox* field : moves_) field->setValue(0);  // the table has the move by now
    problem_->hide();
  } catch (const Error& error) {
    say(error);
  }
}

void PoseDialog::say(const Error& error) {
  problem_->setText(in_words_of_the_table(QString::fromUtf8(error.what())));
  problem_->show();
}

/// Return in the table ends the edit of a cell, and must not move the detector as well.
void PoseDialog::keyPressEvent(QKeyEvent* event) {
  const bool is_return = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const QWidget* focus = focusWidget();
  if (is_return && (focus == view_ || view_->isAncestorOf(focus))) return event->accept();
  QDialog::keyPressEvent(event);
}

void PoseDialog::accept() {
  try {
    apply_(edited());
  } catch (const Error& error) {
    return say(error);
  }
  QDialog::accept();
}

}  // namespace gantry
