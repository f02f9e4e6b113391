// Which backend a run computes on. The second device is of host memory that passes for another
// kind.
#include "core/base/error.hpp"
#include "core/job/run_plan.hpp"
#include "core/solvers/direct/streamed_filtered_sum.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/hosted_filtered_sum.hpp"
#include "tests/support/hosted_projector.hpp"
#include "tests/support/limited_devices.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestRunPlan : public QObject {
  Q_OBJECT
  Workshop workshop_;  // CPU, and a device that has siddon alone
  MeasuredBackend* device_ = nullptr;
  std::shared_ptr<const ExperimentData> data_;

  RunPlan plan(const RunSpec& run) const {
    return plan_run(run, data_->geometry, data_->grid, workshop_.catalog, workshop_.backends);
  }
  /// A backend on the host whose products pass through devices with little memory.
  MeasuredBackend* addStream(LimitedDevices& workers) {
    auto host = std::make_unique<MeasuredBackend>();
    MeasuredBackend* pointer = host.get();
    workshop_.backends.add("cuda-stream", std::move(host), "streaming");
    workshop_.catalog.projectors.add_on(
        "cuda-stream", "siddon",
        [this, &workers](Backend& on, std::shared_ptr<const ScanGeometry> geometry,
                         const VolumeGrid& grid, const Params&) {
          return make_streamed_projector(on, std::move(geometry), grid, workers.devices(),
                                         make_hosted(workshop_.catalog, "siddon"));
        },
        {}, streamed_traits({}));
    return pointer;
  }

  static RunSpec on(const std::string& backend, const std::string& solver = "sirt",
                    const std::string& projector = "siddon") {
    RunSpec run = run_spec(solver, 3, projector);
    run.backend = backend;
    return run;
  }

 private slots:
  void init() {
    workshop_ = Workshop();
    auto device = std::make_unique<MeasuredBackend>(BackendKind::cuda);
    device_ = device.get();
    workshop_.backends.add("cuda", std::move(device));
    workshop_.catalog.projectors.also_on("cuda", "siddon", "cpu");
    data_ = small_data(workshop_);
  }

  void devicesAreOfAnotherKindThanTheCpuWhateverTheirKey() {
    BackendList list;
    list.add("host", std::make_unique<CpuBackend>());
    list.add("board", std::make_unique<MeasuredBackend>(BackendKind::cuda));
    list.add_unavailable("gone", "Gone", "it was taken out");
    QCOMPARE(list.devices().size(), std::size_t{1});
    QCOMPARE(list.devices().front()->key, std::string("board"));
  }

  void autoTakesTheDeviceThatHasTheProjector() {
    const RunPlan chosen = plan(on("auto"));
    QCOMPARE(chosen.backend_key, std::string("cuda"));
    QVERIFY(chosen.backend == device_);
    QVERIFY(&chosen.projector->backend() == device_);
    QVERIFY(!chosen.because.empty());
  }

  void autoTakesTheCpuWhereTheDeviceLacksSomething() {
    const RunPlan without_projector = plan(on("auto", "sirt", "joseph"));
    QCOMPARE(without_projector.backend_key, std::string("cpu"));
    QCOMPARE(without_projector.because, std::string("measured does not run the projector joseph"));
    const RunPlan without_prior = plan(on("auto", "fista"));
    QCOMPARE(without_prior.backend_key, std::string("cpu"));
    QCOMPARE(without_prior.because, std::string("measured does not run the prior tv"));
    const RunPlan without_solver = plan(on("auto", "wls_pcg"));
    QCOMPARE(without_solver.backend_key, std::string("cpu"));
    QCOMPARE(without_solver.because, std::string("measured does not run the solver wls_pcg"));
  }

  void aPriorThatTheSolverCannotUseIsRefused() {
    RunSpec run = on("cpu", "fista");
    run.prior = "tikhonov";
    EXPECT_THROWS(UsageError, plan(run),
                  "the solver fista cannot work with the prior tikhonov; use one of tv, huber");
    run.solver = "sirt";
    EXPECT_THROWS(UsageError, plan(run), "the solver sirt takes no prior");
    run.solver = "wls_pcg";
    QVERIFY(plan(run).penalty.prior != nullptr);
  }

  void autoTakesTheCpuWhereTheRunDoesNotFit() {
    const std::size_t needed = plan(on("cuda")).needed_bytes;
    device_->limit_bytes = needed;
    QCOMPARE(plan(on("auto")).backend_key, std::string("cuda"));
    device_->limit_bytes = needed - 1;
    const RunPlan chosen = plan(on("auto"));
    QCOMPARE(chosen.backend_key, std::string("cpu"));
    QVERIFY2(chosen.because.find("free of the " + format_bytes(needed) + " that it needs") !=
                 std::string::npos,
             chosen.because.c_str());
    // Who asks for the device gets it, or is refused.
    ReconstructionJob fits(on("auto"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    EXPECT_THROWS(
        OutOfMemory,
        ReconstructionJob(on("cuda"), data_, {}, workshop_.catalog, workshop_.backends, nullptr),
        "this run needs");
  }

  /// The memory of a run follows from the descriptions of its algorithms.
  void noProjectorIsMadeOnADeviceThatIsTooSmall() {
    int made = 0;
    const auto& entry = workshop_.catalog.projectors.at("joseph");
    workshop_.catalog.projectors.add_on("cuda", "joseph",
                                        [&made, make = entry.maker("cpu")->make](auto&&... given) {
                                          ++made;
                                          return make(std::forward<decltype(given)>(given)...);
                                        });
    const std::size_t needed = plan(on("cuda", "sirt", "joseph")).needed_bytes;
    QCOMPARE(std::exchange(made, 0), 1);
    const RunPlan estimate = estimate_run(on("cuda", "sirt", "joseph"), data_->geometry,
                                          data_->grid, workshop_.catalog, workshop_.backends);
    QCOMPARE(estimate.needed_bytes, needed);
    QVERIFY(estimate.projector == nullptr);
    RunSpec wrong = on("cuda", "sirt", "joseph");
    wrong.projector_params = {{"speed", 2.0}};
    EXPECT_THROWS(
        UsageError,
        estimate_run(wrong, data_->geometry, data_->grid, workshop_.catalog, workshop_.backends),
        "joseph.speed: unknown parameter");
    device_->limit_bytes = needed - 1;
    const RunPlan chosen = plan(on("auto", "sirt", "joseph"));
    QCOMPARE(chosen.backend_key, std::string("cpu"));
    QVERIFY(chosen.because.find("free of the " + format_bytes(needed)) != std::string::npos);
    QCOMPARE(made, 0);
    device_->limit_bytes = needed;
    QCOMPARE(plan(on("auto", "sirt", "joseph")).backend_key, std::string("cuda"));
    QCOMPARE(made, 1);
  }

  void autoStreamsWhatNoDeviceHolds() {
    LimitedDevices workers;
    MeasuredBackend* host = addStream(workers);
    const std::size_t needed = plan(on("cuda")).needed_bytes;
    workers.limit(data_->grid.voxels() * sizeof(float));
    QCOMPARE(plan(on("auto")).backend_key, std::string("cuda"));  // while it fits there
    device_->limit_bytes = needed - 1;
    const RunPlan chosen = plan(on("auto"));
    QCOMPARE(chosen.backend_key, std::string("cuda-stream"));
    QVERIFY2(
        chosen.because.find("free of the " + format_bytes(needed) + " that it needs; volume of ") !=
                std::string::npos &&
            chosen.because.find("streamed from the host through measured") != std::string::npos,
        chosen.because.c_str());
    QVERIFY(plan(on("cuda-stream")).because.find("streamed") != std::string::npos);
    // It computes what the CPU does, and no device holds more than it may.
    const Calm on_cpu = calm_run(on("cpu"), data_, workshop_),
               streamed = calm_run(on("auto"), data_, workshop_);
    QVERIFY(gantry::test::distance(on_cpu.mu, streamed.mu) <= 1e-5 * norm(on_cpu.mu));
    QVERIFY(workers.peak_bytes() > 0 && workers.peak_bytes() <= workers.workers[0]->limit_bytes);
    QVERIFY(host->peak_bytes() <= chosen.needed_bytes);
  }

  /// The device says that it has what the run needs, and has less when that is asked for.
  void autoGoesOnOnTheCpuWhereTheDeviceHasLessThanItSaid() {
    const Calm on_cpu = calm_run(on("cpu"), data_, workshop_);
    const std::size_t needed = plan(on("cuda")).needed_bytes;
    device_->limit_bytes = 2 * data_->grid.voxels() * sizeof(float);
    device_->taken_by_others = needed;
    ReconstructionJob run(on("auto"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    QCOMPARE(run.device(), std::string("measured"));
    QVERIFY(run.notes().empty());
    finish(run);
    QCOMPARE(run.memory().backend_key, std::string("cpu"));
    QCOMPARE(run.solution(), on_cpu.mu);
    QCOMPARE(device_->held_bytes(), std::size_t{0});
    const std::vector<std::string> notes = run.notes();
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY2(notes[0].starts_with("computed on CPU") &&
                 notes[0].find("measured ran out of memory (an array needs ") != std::string::npos,
             notes[0].c_str());
    // Who asked for the device is told that it has too little.
    ReconstructionJob asked(on("cuda"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    EXPECT_THROWS(OutOfMemory, finish(asked), "an array needs");
  }

  /// By the time the device runs out of memory the host is full too: the line says what the run
  /// needs, not what one of its arrays needs.
  void aRunThatFitsNowhereSaysWhatItNeeds() {
    auto host = std::make_unique<MeasuredBackend>();
    auto device = std::make_unique<MeasuredBackend>(BackendKind::cuda);
    MeasuredBackend& of_host = *host;
    device->limit_bytes = 2 * data_->grid.voxels() * sizeof(float);
    device->taken_by_others = std::size_t{1} << 30U;
    workshop_.backends = BackendList();
    workshop_.backends.add("cpu", std::move(host));
    workshop_.backends.add("cuda", std::move(device));
    ReconstructionJob run(on("auto"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    QCOMPARE(run.memory().backend_key, std::string("cuda"));
    of_host.limit_bytes = 1000;
    EXPECT_THROWS(OutOfMemory, finish(run), "this run needs");
  }

  /// A prior with an edge field holds one more image.
  void theEdgeFieldIsPlanned() {
    const auto parts_of = [&](const std::string& prior) {
      RunSpec run = on("cpu", "icd");
      run.prior = prior;
      return plan(run).parts;
    };
    const auto is_field = [](const MemoryPart& part) {
      return part.name == "edge field of the prior";
    };
    const auto without = parts_of("tikhonov"), with = parts_of("mumford_shah");
    QVERIFY(std::ranges::none_of(without, is_field));
    const auto found = std::ranges::find_if(with, is_field);
    QVERIFY(found != with.end());
    QCOMPARE(found->bytes, data_->grid.voxels() * sizeof(float));
  }

  void aContinuedRunGoesOnElsewhereFromWhereItWas() {
    ReconstructionJob first(on("cpu"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    first.advance();
    const std::size_t needed = plan(on("cuda")).needed_bytes;
    device_->limit_bytes = 2 * data_->grid.voxels() * sizeof(float);
    device_->taken_by_others = needed;
    ReconstructionJob second(on("auto"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    QCOMPARE(second.device(), std::string("measured"));
    second.continue_from(first);
    finish(second);
    QCOMPARE(second.memory().backend_key, std::string("cpu"));
    QCOMPARE(second.iterations(), 3);
    ReconstructionJob calm(on("cpu"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    calm.continue_from(first);
    finish(calm);
    QCOMPARE(second.solution(), calm.solution());
  }

  /// Parts that do not fit after all are made smaller; where that is not enough, the CPU computes.
  void autoStreamsSmallerPartsWhereDevicesHaveLessThanTheySaid() {
    LimitedDevices workers;
    addStream(workers);
    data_ = small_data(workshop_, 96);  // more data than image: these can be cut
    device_->limit_bytes = plan(on("cuda")).needed_bytes - 1;
    const Calm on_cpu = calm_run(on("cpu"), data_, workshop_);
    const std::size_t image = data_->grid.voxels() * sizeof(float);
    workers.limit(4 * image, 4 * image);  // half of what is said is there
    ReconstructionJob run(on("auto"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    QCOMPARE(run.memory().backend_key, std::string("cuda-stream"));
    finish(run);
    QCOMPARE(run.memory().backend_key, std::string("cuda-stream"));
    QVERIFY(gantry::test::distance(on_cpu.mu, run.solution()) <= 1e-5 * norm(on_cpu.mu));
    QVERIFY(!run.notes().empty() &&
            run.notes()[0].find("the parts were made smaller") != std::string::npos);

    workers.limit(16, 8 * image);
    ReconstructionJob hopeless(on("auto"), data_, {}, workshop_.catalog, workshop_.backends,
                               nullptr);
    QCOMPARE(hopeless.memory().backend_key, std::string("cuda-stream"));
    finish(hopeless);
    QCOMPARE(hopeless.memory().backend_key, std::string("cpu"));
    QCOMPARE(hopeless.solution(), on_cpu.mu);
    QVERIFY(hopeless.notes()[0].find("ran out of memory") != std::string::npos);
  }

  void aWrongLimitOfMemoryIsNoReasonForTheCpu() {
    int made = 0;
    workshop_.backends.add_lazily("cuda-late", BackendKind::cuda, "late", [&] {
      ++made;
      return std::make_unique<MeasuredBackend>(BackendKind::cuda);
    });
    workshop_.catalog.projectors.also_on("cuda-late", "joseph", "cpu");
    plan(on("cpu", "sirt", "joseph"));
    QCOMPARE(made, 0);
    qputenv("GANTRY_DEVICE_MEMORY", "a lot");
    EXPECT_THROWS(UsageError, plan(on("auto", "sirt", "joseph")), "GANTRY_DEVICE_MEMORY: ");
    QCOMPARE(made, 0);
    qunsetenv("GANTRY_DEVICE_MEMORY");
    QCOMPARE(plan(on("auto", "sirt", "joseph")).backend_key, std::string("cuda-late"));
    QCOMPARE(made, 1);
  }

  void aDeviceThatCannotBeStartedIsPassedOver() {
    int tries = 0;
    workshop_.backends.add_lazily("cuda-late", BackendKind::cuda, "late",
                                  [&]() -> std::unique_ptr<Backend> {
                                    ++tries;
                                    throw Error("another program holds it alone");
                                  });
    workshop_.catalog.projectors.also_on("cuda-late", "joseph", "cpu");
    for (int i = 0; i < 2; ++i) {
      const RunPlan chosen = plan(on("auto", "sirt", "joseph"));
      QCOMPARE(chosen.backend_key, std::string("cpu"));
    }
    QCOMPARE(tries, 1);
    EXPECT_THROWS(UsageError, plan(on("cuda-late", "sirt", "joseph")),
                  "late is not available: another program holds it alone");
  }

  /// Norms of rows come from single weights, which what streams does not give.
  void autoDoesNotStreamWhatNeedsNormsOfRows() {
    LimitedDevices workers;
    addStream(workers);
    workers.limit(data_->grid.voxels() * sizeof(float));
    const std::size_t unlimited = device_->limit_bytes;
    for (const char* solver : {"cimmino", "cav", "drop"}) {
      device_->limit_bytes = unlimited;
      const RunPlan fits = plan(on("auto", solver));
      QVERIFY2(fits.backend_key == "cuda", fits.because.c_str());
      device_->limit_bytes = fits.needed_bytes - 1;
      QCOMPARE(plan(on("auto", solver)).backend_key, std::string("cpu"));
      QVERIFY(!calm_run(on("auto", solver), data_, workshop_).mu.empty());
      EXPECT_THROWS(UsageError, plan(on("cuda-stream", solver)), "gives its single weights");
    }
  }

  void autoStreamsFilteredBackprojectionToo() {
    LimitedDevices workers;
    addStream(workers);
    add_hosted_fbp(workshop_.catalog, "cuda");
    workshop_.catalog.solvers.add_on("cuda-stream", "fbp", [](const Params& params) {
      return make_fbp_with(
          params, make_streamed_filtered_sum([](const Projector& part, FilteringPlan of_part) {
            return std::make_unique<HostedFilteredSum>(part, std::move(of_part));
          }));
    });
    const std::size_t needed = plan(on("cuda", "fbp")).needed_bytes;
    workers.limit(data_->grid.voxels() * sizeof(float));
    QCOMPARE(plan(on("auto", "fbp")).backend_key, std::string("cuda"));  // while it fits there
    device_->limit_bytes = needed - 1;
    const RunPlan chosen = plan(on("auto", "fbp"));
    QCOMPARE(chosen.backend_key, std::string("cuda-stream"));
    QVERIFY2(chosen.because.find("streamed from the host through measured") != std::string::npos,
             chosen.because.c_str());
    const Calm on_cpu = calm_run(on("cpu", "fbp"), data_, workshop_),
               streamed = calm_run(on("auto", "fbp"), data_, workshop_);
    QVERIFY(norm(on_cpu.mu) > 0);
    QVERIFY(gantry::test::distance(on_cpu.mu, streamed.mu) <= 1e-5 * norm(on_cpu.mu));
    QVERIFY(workers.peak_bytes() > 0 && workers.peak_bytes() <= workers.workers[0]->limit_bytes);
  }

  void whatNobodyHoldsIsRefused() {
    LimitedDevices workers;
    MeasuredBackend* host = addStream(workers);
    device_->limit_bytes = host->limit_bytes = 1000;
    const RunPlan nowhere = plan(on("cuda-stream"));
    QVERIFY(nowhere.shortage() && nowhere.shortage()->needed_bytes == nowhere.needed_bytes);
    EXPECT_THROWS(OutOfMemory,
                  ReconstructionJob(on("cuda-stream"), data_, {}, workshop_.catalog,
                                    workshop_.backends, nullptr),
                  "this run needs");
    QCOMPARE(plan(on("auto")).backend_key, std::string("cpu"));
    host->limit_bytes = std::numeric_limits<std::size_t>::max();
    workers.limit(100);  // the smallest part is too large
    EXPECT_THROWS(OutOfMemory, plan(on("cuda-stream")), "can pass through a device");
    QCOMPARE(plan(on("auto")).backend_key, std::string("cpu"));
  }

  void aHelperThatIsFullKeepsTheRunAway() {
    auto full = std::make_unique<MeasuredBackend>(BackendKind::cuda);
    workshop_.backends.add("cuda-more", std::move(full));
    struct Helped final : HostedProjector {
      using HostedProjector::HostedProjector;
      std::vector<MemoryNeed> helpers() const override { return {{"a second GPU", 10, 9}}; }
    };
    workshop_.catalog.projectors.add_on(
        "cuda-more", "siddon",
        [this](Backend& on, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
               const Params&) -> std::unique_ptr<Projector> {
          return std::make_unique<Helped>(workshop_.catalog, "siddon", on, std::move(geometry),
                                          grid);
        });
    const auto shortage = plan(on("cuda-more")).shortage();
    QVERIFY(shortage && shortage->device == "a second GPU");
  }

  void metricsOfEveryIterateNeedRoom() {
    const std::size_t without = plan(on("cuda")).needed_bytes;
    RunSpec run = on("cuda");
    const RunPlan with =
        plan_run(run, data_->geometry, data_->grid, workshop_.catalog, workshop_.backends, true);
    QCOMPARE(with.needed_bytes, without + data_->geometry->rays() * sizeof(float));
  }

  /// A run never holds more than its plan says.
  void aRunHoldsNoMoreThanPlanned_data() {
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"sart", "os_sart", "sirt"}) QTest::newRow(solver) << QString(solver);
  }
  void aRunHoldsNoMoreThanPlanned() {
    QFETCH(QString, solver);
    add_hosted(workshop_.catalog, "siddon", "cuda");
    const RunSpec run = on("cuda", solver.toStdString(), "hosted_siddon");
    const std::size_t needed = plan(run).needed_bytes;
    device_->restart();
    QVERIFY(!calm_run(run, data_, workshop_).mu.empty());
    QVERIFY(device_->peak_bytes() > needed / 2);
    QVERIFY2(device_->peak_bytes() <= needed,
             qPrintable(QString::number(device_->peak_bytes()) + " > " + QString::number(needed)));
  }

  void autoTakesTheCpuOnceTheDeviceIsLost() {
    device_->is_lost = true;
    const RunPlan chosen = plan(on("auto"));
    QCOMPARE(chosen.backend_key, std::string("cpu"));
    QVERIFY(chosen.because.find("measured failed with an error") != std::string::npos);
    BackendList turned;  // the device first
    auto lost = std::make_unique<MeasuredBackend>();
    lost->is_lost = true;
    turned.add("cuda", std::move(lost));
    turned.add("cpu", std::make_unique<CpuBackend>());
    QCOMPARE(turned.resolved_key("auto"), std::string("cpu"));
    QCOMPARE(turned.resolved_key("cuda"), std::string("cuda"));
  }

  void autoTakesTheCpuWhereTheDeviceCannotBeSet() {
    workshop_.catalog.projectors.add_on(
        "cuda", "joseph",
        [](Backend&, std::shared_ptr<const ScanGeometry>, const VolumeGrid&,
           const Params&) -> std::unique_ptr<Projector> {
          throw UsageError("not this scan", "geometry", "use another");
        });
    const RunPlan chosen = plan(on("auto", "sirt", "joseph"));
    QCOMPARE(chosen.backend_key, std::string("cpu"));
    QVERIFY(chosen.because.find("measured cannot run it: geometry: not this scan") !=
            std::string::npos);
    EXPECT_THROWS(UsageError, plan(on("cuda", "sirt", "joseph")), "not this scan");
  }

  void askedForIsWhatIsGiven() {
    QCOMPARE(plan(on("cpu")).backend_key, std::string("cpu"));
    QCOMPARE(plan(on("cuda")).backend_key, std::string("cuda"));
    QVERIFY(plan(on("cpu")).because.empty() && plan(on("cuda")).because.empty());
    EXPECT_THROWS(UsageError, plan(on("cuda", "sirt", "joseph")),
                  "the projector joseph does not run on backend cuda; use backend cpu, or one of "
                  "siddon");
  }

  void withoutAnotherDeviceThereIsNothingToSay() {
    const Workshop alone;
    const RunPlan chosen =
        plan_run(on("auto"), data_->geometry, data_->grid, alone.catalog, alone.backends);
    QCOMPARE(chosen.backend_key, std::string("cpu"));
    QVERIFY(chosen.because.empty());
  }

  void wrongChoicesAreSaidAsOnTheCpu() {
    EXPECT_THROWS(UsageError, plan(on("auto", "magic")), "unknown solver \"magic\"");
    RunSpec wrong = on("auto");
    wrong.solver_params = {{"relaxation", 2.5}};
    EXPECT_THROWS(UsageError, plan(wrong), "sirt.relaxation");
    EXPECT_THROWS(UsageError, plan(on("auto", "cgls", "voxel_driven")), "exact transpose");
  }

  void theJobComputesWhereItWasPlanned() {
    ReconstructionJob run(on("auto"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    QCOMPARE(run.device(), std::string("measured"));
    device_->restart();
    run.advance();
    QVERIFY(device_->peak_bytes() > 4 * data_->grid.voxels());
    const Calm on_cpu = calm_run(on("cpu"), data_, workshop_),
               on_device = calm_run(on("auto"), data_, workshop_);
    QVERIFY(gantry::test::distance(on_cpu.mu, on_device.mu) <= 1e-5 * norm(on_cpu.mu));
  }

  void aRunGoesOnOnAnotherDevice() {
    ReconstructionJob there(on("cuda"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    there.advance();
    ReconstructionJob here(on("cpu"), data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    here.continue_from(there);
    QCOMPARE(here.solution(), there.solution());
    here.advance();
    QCOMPARE(here.iterations(), 2);
  }

  void aKeyOnTwoBackendsIsOneChoice() {
    const auto& projectors = workshop_.catalog.projectors;
    QCOMPARE(std::ranges::count(projectors.entries(), std::string("siddon"), &AlgorithmInfo::key),
             1);
    QCOMPARE(projectors.at("siddon").backends(), std::string("cpu, cuda"));
    QCOMPARE(projectors.on("cuda").size(), std::size_t{1});
    const std::string keys = projectors.keys();
    QCOMPARE(keys.find("siddon"), keys.rfind("siddon"));
  }
};

GANTRY_TEST(TestRunPlan)
#include "test_run_plan.moc"
