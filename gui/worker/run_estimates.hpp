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

/// Estimates the memory that runs on the present data need, and the device that they use; forms
/// show this at every edit. An estimate makes a projector, a solver and a matrix format, and may
/// start a device. Therefore estimates are computed on a thread of their own, one after the other.
class RunEstimates : public QObject {
  Q_OBJECT
 public:
  RunEstimates(const Catalog& catalog, const BackendList& backends, QObject* parent = nullptr);

  struct Answer {
    std::optional<MemoryEstimate> memory;
    QString problem;  ///< the reason, in one line, why there is no estimate
  };
  /// Returns the latest answer for a run on these data; null until there is one. Requests an
  /// estimate if there is none or it is outdated; changed() is emitted when the answer is ready.
  /// `exact_residual`: whether the metrics take A x of every iterate.
  const Answer* of(const RunSpec& run, const std::shared_ptr<const ExperimentData>& data,
                   bool exact_residual);
  /// Must be called when answers may have changed. of() still returns the old answers, and requests
  /// new ones.
  void setOutdated();
  /// Whether a better answer is to come for something that was asked.
  bool isBusy() const { return isStarting_ || job_.isBusy(); }

 signals:
  void changed();

 private:
  struct Question {
    RunSpec run;
    std::shared_ptr<const ExperimentData> data;
    bool exact_residual;
    friend bool operator==(const Question&, const Question&) = default;
  };
  struct Known {
    Question question;
    std::optional<Answer> answer;
    bool isOutdated = true;
    bool isAsked = false;  ///< requested since it became outdated
  };
  void askSoon();
  void start();

  const Catalog& catalog_;
  const BackendList& backends_;
  std::list<Known> known_;     // for one set of data, the latest question first
  bool isStarting_ = false;    // start() is queued in the event loop
  NonzeroEstimates nonzeros_;  // used by the thread of job_ only
  LatestJob job_;
};

}  // namespace gantry
