// Super-voxel ICD: with one super-voxel at a time it is coordinate descent, whose minimum is that
// of ICD; with several, b - A x stays what it is.
#include "core/solvers/carried_state.hpp"
#include "core/solvers/run.hpp"
#include "tests/core/solvers/coordinate/noisy_fan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestSupervoxelIcd : public QObject, private NoisyFan {
  Q_OBJECT

  std::unique_ptr<Solver> method(const std::string& key, const Params& params) {
    return catalog_.solvers.make(key, "cpu", params);
  }
  /// Returns noisy data of a small disc in air.
  Array disc_in_air() {
    std::vector<float> disc(grid_.voxels());
    for (int iy = 0; iy < grid_.ny; ++iy)
      for (int ix = 0; ix < grid_.nx; ++ix)
        disc[grid_.index(ix, iy, 0)] = std::hypot(ix - 11.5, iy - 9.5) < 3 ? 0.02F : 0.0F;
    Array data(backend_, b_.size());
    A_->forward(Array::from(backend_, disc), data);
    backend_.axpby(1, Array::from(backend_, random_values(b_.size(), 4, -0.1F, 0.1F)), 1, data);
    return data;
  }

 private slots:
  void endsAtTheMinimumOfIcd_data() {
    QTest::addColumn<int>("atOnce");
    QTest::addColumn<bool>("weighted");
    QTest::newRow("one after another") << 1 << false;
    QTest::newRow("two at a time, weighted") << 2 << true;
  }
  void endsAtTheMinimumOfIcd() {
    QFETCH(int, atOnce);
    QFETCH(bool, weighted);
    const Problem p = problem("qggmrf", weighted);
    const auto icd = method("icd", {{"start", std::string("zero")}}),
               parts = method("supervoxel_icd", {{"start", std::string("zero")},
                                                 {"side", std::int64_t{6}},
                                                 {"at_once", std::int64_t{atOnce}}});
    run(*icd, p, {400, 0}, {});
    parts->init(p);
    double last = parts->objective()->total();
    for (int step = 0; step < 400 * parts->steps_per_iteration(); ++step) {
      parts->step();
      const double now = parts->objective()->total();
      if (atOnce == 1) QVERIFY2(now <= last * (1 + 1e-6), qPrintable(QString::number(now / last)));
      last = now;
    }
    EXPECT_NEAR(last, icd->objective()->total(), 1e-4 * last);
    const double residual = residual_norm(parts->solution());
    EXPECT_NEAR(parts->step().residual_norm, residual, 1e-5 * residual);
  }

  /// However many are asked for at once, the objective falls from iteration to iteration.
  void asManyAsOvershootAreNotAllowed() {
    const auto s = method("supervoxel_icd", {{"start", std::string("zero")},
                                             {"side", std::int64_t{2}},
                                             {"at_once", std::int64_t{256}}});
    SolverRun loop(*s, problem("qggmrf", true), {.iterations = 10});
    double last = s->objective()->total();
    while (!loop.finished())
      if (const auto report = loop.advance()) {
        QVERIFY(report->objective.total() < last);
        last = report->objective.total();
      }
    QVERIFY2(s->notes().back().find("instead of 256, which would overshoot") != std::string::npos,
             s->notes().back().c_str());
  }

  /// Of a stack of four slices, super-voxels that are as high as a slice are four times as many as
  /// those of the whole height, and so many more may change at the same time.
  void theHeightIsThatOfASuperVoxel() {
    ScanSpec spec = fan_spec(25, 40, 3);
    spec.detector_rows = 4;
    spec.central_row = 1.5;
    const auto A = catalog_.projectors.make("siddon", "cpu", backend_, share(spec),
                                            VolumeGrid::centered(24, 24, 4, {2, 2, 2}), {});
    const Array b = Array::filled(backend_, A->range_size(), 1);
    const auto most_at_once = [&](std::int64_t height) {
      const auto s = method("supervoxel_icd", {{"start", std::string("zero")},
                                               {"side", std::int64_t{2}},
                                               {"height", height},
                                               {"at_once", std::int64_t{256}}});
      s->init({.A = A.get(), .b = &b});
      const std::string note = s->notes().back();
      if (note.find("super-voxels are changed at once") == std::string::npos) return 0;
      return std::stoi(note);
    };
    const int of_all = most_at_once(4);
    QVERIFY(of_all > 0);
    QCOMPARE(most_at_once(64), of_all);
    EXPECT_NEAR(most_at_once(1), 4 * of_all, 8);  // both are rounded down
  }

  /// A far coarser super-voxel than the grid, and zeros that are passed over, change nothing of the
  /// minimum: there are voxels at the bound.
  void skippedZerosDoNotChangeTheMinimum() {
    Array shifted = b_.clone();
    backend_.axpby(-0.2F, Array::filled(backend_, b_.size(), 1), 1, shifted);
    std::vector<double> minima;
    for (const bool skip : {true, false}) {
      const Problem p{.A = A_.get(), .b = &shifted, .penalty = penalties_.make("qggmrf", *A_)};
      const auto s = method("supervoxel_icd", {{"skip_zeros", skip}, {"side", std::int64_t{64}}});
      run(*s, p, {60, 0}, {});
      minima.push_back(s->objective()->total());
      int zeros = 0;
      for (const float value : s->solution().to_host()) zeros += value == 0 ? 1 : 0;
      QVERIFY(zeros > 10);
    }
    EXPECT_NEAR(minima[0], minima[1], 1e-5 * minima[1]);
  }

  /// From a start that is far too bright, the first iteration leaves zeros among zeros where the
  /// minimum has noise. They are passed over at first, but not for ever.
  void skippedZerosAreVisitedAgain() {
    const Array data = disc_in_air(), bright = Array::filled(backend_, grid_.voxels(), 0.1F);
    std::vector<double> early, late;
    for (const bool skip : {true, false}) {
      const Problem p{.A = A_.get(),
                      .b = &data,
                      .x0 = &bright,
                      .weights = &w_,
                      .penalty = penalties_.make("huber", *A_)};
      const auto s = method("supervoxel_icd", {{"skip_zeros", skip}, {"side", std::int64_t{8}}});
      SolverRun loop(*s, p, {.iterations = 60});
      while (loop.iterations() < 9) loop.advance();
      early.push_back(s->objective()->total());
      while (!loop.finished()) loop.advance();
      late.push_back(s->objective()->total());
    }
    QVERIFY(early[0] > 1.01 * early[1]);
    EXPECT_NEAR(late[0], late[1], 1e-5 * late[1]);
  }

  /// A disc in air changes in few super-voxels: visiting these more often halves how far the
  /// objective is above the minimum from the fourth iteration on, and the minimum stays the same.
  void changingSuperVoxelsArePreferred() {
    const Array data = disc_in_air();
    std::vector<std::vector<double>> objectives;
    for (const bool prefer : {true, false}) {
      const Problem p{
          .A = A_.get(), .b = &data, .weights = &w_, .penalty = penalties_.make("huber", *A_)};
      const auto s = method("supervoxel_icd", {{"start", std::string("zero")},
                                               {"skip_zeros", false},
                                               {"prefer_changing", prefer},
                                               {"side", std::int64_t{3}}});
      SolverRun loop(*s, p, {.iterations = 100});
      objectives.emplace_back();
      while (!loop.finished())
        if (const auto report = loop.advance())
          objectives.back().push_back(report->objective.total());
    }
    const auto &with = objectives[0], &without = objectives[1];
    EXPECT_NEAR(with.back(), without.back(), 1e-5 * without.back());
    const auto excess = [&](const std::vector<double>& of, std::size_t iteration) {
      return of[iteration - 1] - without.back();
    };
    for (const std::size_t iteration : {4U, 6U, 12U})
      QVERIFY2(excess(with, iteration) < 0.5 * excess(without, iteration),
               qPrintable(QString("%1: %2 and %3")
                              .arg(iteration)
                              .arg(excess(with, iteration))
                              .arg(excess(without, iteration))));
  }

  /// A run that goes on from a state in the middle of a pass visits what it would have visited.
  void theOrderIsTheSameAfterAState() {
    const Array data = disc_in_air();
    Problem p{.A = A_.get(), .b = &data, .weights = &w_, .penalty = penalties_.make("huber", *A_)};
    const Params params = {{"side", std::int64_t{3}}};
    const auto whole = method("supervoxel_icd", params), rest = method("supervoxel_icd", params);
    whole->init(p);
    QVERIFY(whole->steps_per_iteration() > 4);  // changing super-voxels are preferred
    for (int step = 0; step < 3 * whole->steps_per_iteration() + 6; ++step) whole->step();
    const SolverState state = save_state(*whole);
    const Array x0 = whole->solution().clone();
    p.x0 = &x0;
    rest->init(p);
    restore_state(state, *rest);
    for (int step = 0; step < 2 * rest->steps_per_iteration(); ++step) {
      rest->step();
      whole->step();
    }
    QVERIFY(rest->solution().to_host() == whole->solution().to_host());
  }

  /// Which iterations pass over zeros is the same for a run that goes on from a state.
  void theTenthIterationVisitsAllAlsoAfterAState() {
    const Array data = disc_in_air();
    Problem p{.A = A_.get(), .b = &data, .weights = &w_, .penalty = penalties_.make("huber", *A_)};
    const auto whole = method("supervoxel_icd", {}), part = method("supervoxel_icd", {}),
               rest = method("supervoxel_icd", {});
    run(*whole, p, {.iterations = 11}, {});
    run(*part, p, {.iterations = 7}, {});
    const SolverState state = save_state(*part);
    const Array x0 = part->solution().clone();
    p.x0 = &x0;
    rest->init(p);
    restore_state(state, *rest);
    for (int step = 0; step < 4 * rest->steps_per_iteration(); ++step) rest->step();
    QVERIFY(rest->solution().to_host() == whole->solution().to_host());
  }

  /// Without the bound, a voxel that is 0 is one like others: the option changes nothing.
  void withoutTheBoundNoZeroIsSkipped() {
    Array nothing = Array::filled(backend_, b_.size(), 0);
    Array x0 = Array::filled(backend_, grid_.voxels(), 0);
    std::vector<std::vector<float>> images;
    for (const bool skip : {true, false}) {
      Problem p{.A = A_.get(), .b = &nothing, .x0 = &x0, .penalty = penalties_.make("qggmrf", *A_)};
      const auto s = method("supervoxel_icd", {{"skip_zeros", skip}, {"nonnegative", false}});
      SolverRun loop(*s, p, {.iterations = 2});
      while (loop.iterations() < 1) loop.advance();
      // The first iteration has left zeros; from now on the data ask for other values.
      backend_.copy(b_, nothing);
      CarriedState state = dynamic_cast<CarriesState&>(*s).carried();
      backend_.copy(b_, *state.arrays[1]);
      while (!loop.finished()) loop.advance();
      images.push_back(s->solution().to_host());
      backend_.fill(nothing, 0.0F);
    }
    QVERIFY(images[0] == images[1]);
    QVERIFY(std::ranges::any_of(images[0], [](float value) { return value != 0; }));
  }

  void isTheSameForAnyThreads() {
    expect_same_on_any_threads([&] {
      const auto s =
          method("supervoxel_icd", {{"side", std::int64_t{5}}, {"at_once", std::int64_t{4}}});
      run(*s, problem("qggmrf", true), {3, 0}, {});
      return s->solution().to_host();
    });
  }
};

GANTRY_TEST(TestSupervoxelIcd)
#include "test_supervoxel_icd.moc"
