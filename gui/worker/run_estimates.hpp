#pragma once

#include "core/job/reconstruction_job.hpp"
#include "core/matrix/nonzero_estimates.hpp"
#include "gui/worker/latest_job.hpp"

#include <QObject>
#include <QString>

#include <list>
#include <memory>
#include <optional>

namespace gantry {

/// What runs of the present data would hold, and on which device: what forms say of them at every
/// edit. The answer takes a projector, a solver and a matrix format, and sometimes a device; these
/// are made on a thread of its own, one question after the other, and never on the GUI thread.
class RunEstimates : public QObject {
  Q_OBJECT
 public:
  RunEstimates(const Catalog& catalog, const BackendList& backends, QObject* parent = nullptr);

  struct Answer {
    std::optional<MemoryEstimate> memory;
    QString problem;  ///< where there is no estimate: one line that says why
  };
  /// The latest answer for a run of these data; null until there is one. Asks where there is none
  /// or it is outdated; changed() tells when it has come.
  const Answer* of(const RunSpec& run, const std::shared_ptr<const ExperimentData>& data);
  /// Something may have changed that answers depend on: they stand until they are asked for again.
  void setOutdated();
  /// Whether a better answer is to come for something that was asked.
  bool isBusy() const { return isStarting_ || job_.isBusy(); }

 signals:
  void changed();

 private:
  struct Question {
    RunSpec run;
    std::shared_ptr<const ExperimentData> data;
    friend bool operator==(const Question&, const Question&) = default;
  };
  struct Known {
    Question question;
    std::optional<Answer> answer;
    bool isOutdated = true;
    bool isAsked = false;  ///< since it is outdated
  };
  void askSoon();
  void start();

  const Catalog& catalog_;
  const BackendList& backends_;
  std::list<Known> known_;     // of the data that were asked about last, the latest first
  bool isStarting_ = false;    // once the present event has been handled
  NonzeroEstimates nonzeros_;  // touched by the job alone
  LatestJob job_;
};

}  // namespace gantry
