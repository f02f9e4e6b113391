// The ready experiment and the lessons show what their texts say: who is ahead, and when an error
// rises again.
#include "app/composition.hpp"
#include "core/job/reconstruction_job.hpp"
#include "gui/data/lessons.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace gantry;

namespace {

struct Curve {
  std::vector<double> rmse, ssim, residual;
  std::size_t best() const {
    return static_cast<std::size_t>(std::ranges::min_element(rmse) - rmse.begin());
  }
};

bool falls(const std::vector<double>& values, double tolerance = 0) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] > values[i - 1] * (1 + tolerance)) return false;
  return true;
}

}  // namespace

class TestLessons : public QObject {
  Q_OBJECT

  Program program_ = compose();

  /// Error and residual of each run after each iteration, by the name of its solver.
  std::map<std::string, Curve> curvesOf(const Experiment& experiment) {
    const auto data = prepare_data(experiment, program_.catalog, program_.backends.resolve("cpu"));
    std::map<std::string, Curve> curves;
    for (const RunSpec& run : experiment.runs) {
      ReconstructionJob job(run, data, experiment.metrics, program_.catalog, program_.backends,
                            nullptr);
      job.set_reference(data->reference);
      Curve& curve = curves[run.solver];
      while (!job.finished())
        if (const auto entry = job.advance()) {
          curve.rmse.push_back(entry->metrics.at("rmse"));
          curve.ssim.push_back(entry->metrics.at("ssim"));
          curve.residual.push_back(entry->report.residual_norm);
        }
    }
    return curves;
  }
  static Experiment lesson(const char* title) {
    for (const Lesson& one : lessons())
      if (one.title == QLatin1String(title)) return one.experiment;
    return {};
  }
  static void isAheadThroughout(const Curve& ahead, const Curve& behind) {
    QCOMPARE(ahead.rmse.size(), behind.rmse.size());
    for (std::size_t i = 0; i < ahead.rmse.size(); ++i) {
      QVERIFY2(ahead.rmse[i] < behind.rmse[i], qPrintable(QString::number(i + 1)));
      QVERIFY2(ahead.ssim[i] > behind.ssim[i], qPrintable(QString::number(i + 1)));
    }
    QVERIFY(falls(behind.rmse));
  }

 private slots:
  void theReadyExperimentConverges() {
    const auto curves = curvesOf(ready_experiment());
    isAheadThroughout(curves.at("sart"), curves.at("sirt"));
    QVERIFY(falls(curves.at("sart").rmse));
  }

  void sartBeatsSirt() {
    const auto curves = curvesOf(lesson("Watch SART beat SIRT"));
    isAheadThroughout(curves.at("sart"), curves.at("sirt"));
    // The text promises that SART is ahead, not that its error falls at every step of the way.
    QVERIFY(curves.at("sart").rmse.back() < 0.5 * curves.at("sart").rmse.front());
  }

  /// "One pass of SART is worth dozens of SIRT's."
  void onePassOfSartIsWorthDozensOfSirts() {
    Experiment race = lesson("Watch SART beat SIRT");
    race.runs[0].iterations = 1;
    race.runs[1].iterations = 36;
    const auto curves = curvesOf(race);
    QVERIFY(curves.at("sart").rmse.back() < curves.at("sirt").rmse.back());
  }

  void fewViewsSuitIterativeMethods() {
    const Experiment few = lesson("Fewer views");
    const auto curves = curvesOf(few);
    for (const char* key : {"sart", "cgls"}) {
      QVERIFY(curves.at(key).rmse.back() < 0.7 * curves.at("fbp").rmse.back());
      QVERIFY(curves.at(key).ssim.back() > curves.at("fbp").ssim.back());
    }
    Experiment many = few;
    many.geometry->view_angles_rad = angles_from_degrees(0.5, 1, 360);
    const auto met = curvesOf(many);
    QVERIFY(met.at("fbp").rmse.back() < 1.1 * met.at("sart").rmse.back());  // they do meet
  }

  void noiseIsFittedAfterAWhile() {
    const auto curves = curvesOf(lesson("More noise"));
    for (const auto& [solver, curve] : curves) {
      const double least = curve.rmse[curve.best()];
      QVERIFY2(curve.best() > 0, solver.c_str());  // it falls first
      QVERIFY2(curve.rmse.back() > 1.05 * least, solver.c_str());
      QVERIFY2(falls(curve.residual, 1e-3), solver.c_str());
    }
    QVERIFY(curves.at("sart").best() < curves.at("sirt").best() &&
            curves.at("cgls").best() < curves.at("sirt").best());  // the faster ones earlier
  }

  /// "Come closer to the truth than methods without a prior."
  void priorsHelpWithSparseViews() {
    const auto curves = curvesOf(lesson("Sparse views"));
    for (const char* key : {"fista", "wls_pcg"}) {
      QVERIFY2(curves.at(key).rmse.back() < curves.at("sart").rmse.back(), key);
      QVERIFY2(curves.at(key).ssim.back() > 1.2 * curves.at("sart").ssim.back(), key);
      QVERIFY2(curves.at(key).rmse.back() < 0.5 * curves.at("fbp").rmse.back(), key);
    }
  }

  /// "No prior brings them back", and more angles do.
  void noPriorReplacesAngles() {
    Experiment limited = lesson("Limited angle");
    const auto curves = curvesOf(limited);
    for (const char* key : {"fista", "wls_pcg"})
      QVERIFY2(curves.at(key).rmse.back() > 0.9 * curves.at("sart").rmse.back(), key);
    limited.geometry->view_angles_rad = angles_from_degrees(0.5, 4, 90);
    const auto whole = curvesOf(limited);
    for (const auto& [solver, curve] : whole)
      QVERIFY2(curve.rmse.back() < 0.7 * curves.at(solver).rmse.back(), solver.c_str());
  }

  /// "SART ends at the noise. The priors remove the noise."
  void priorsRemoveTheNoiseOfFewPhotons() {
    const Experiment few = lesson("Few photons");
    const auto curves = curvesOf(few);
    const std::size_t planned = static_cast<std::size_t>(few.runs[1].iterations);
    QVERIFY(few.runs[1].solver == "sart" && curves.at("sart").rmse.size() < planned);
    for (const char* key : {"fista", "wls_pcg"}) {
      QVERIFY2(curves.at(key).rmse.back() < 0.5 * curves.at("sart").rmse.back(), key);
      QVERIFY2(curves.at(key).ssim.back() > 0.6, key);
    }
  }

  /// Even areas of the picture come closer to the truth without overshooting from one iteration to
  /// the next.
  void noPictureFlickersByDefault_data() {
    QTest::addColumn<std::string>("solver");
    for (const char* solver : {"sirt", "landweber", "cimmino", "cav", "drop"})
      QTest::newRow(solver) << std::string(solver);
  }
  void noPictureFlickersByDefault() {
    QFETCH(std::string, solver);
    Experiment calm = lesson("Watch SART beat SIRT");
    QVERIFY(calm.runs[1].solver == "sirt" && calm.runs[1].solver_params == Params{});
    calm.runs = {calm.runs[1]};
    calm.runs[0].solver = solver;
    const Curve curve = curvesOf(calm).at(solver);
    std::vector<double> unlike;
    for (const double ssim : curve.ssim) unlike.push_back(1 - ssim);
    QVERIFY(falls(curve.rmse));
    QVERIFY(falls(unlike));
  }
};

GANTRY_TEST(TestLessons)
#include "test_lessons.moc"
