// One to four GPUs: Liu et al. 2017, Table IV. The paper's GPUs are of different kinds and their
// numbers of views were chosen by hand; here the projector divides the views by a measurement of
// the GPUs' speeds, and uses as many GPUs as the computer has.
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/branchless_dd/products.hpp"

#include <algorithm>

namespace gantry::branchless_dd {

namespace {

constexpr int most_gpus = 4;

/// Returns the method on the first `count` GPUs.
Method on_gpus(const Method& method, int count) {
  return {method.printed, method.key, count == 1 ? "cuda" : "cuda-all"};
}
Params share_of(int count) {
  if (count == 1) return {};
  return {{"gpus", static_cast<std::int64_t>(count)}};
}

/// Returns the number of GPUs that can divide a method's views: the maximum of the parameter
/// "gpus".
int gpus(const BranchlessContext& context) {
  if (!context.has(gpu_bl())) return 0;
  if (!context.catalog().projectors.has(gpu_bl().key, "cuda-all")) return 1;
  const std::vector<ParamSpec> params =
      context.catalog().projectors.at(gpu_bl().key).params_on("cuda-all");
  const auto found = std::ranges::find(params, "gpus", &ParamSpec::key);
  return found == params.end() ? 1 : static_cast<int>(found->max);
}

/// Returns why there is no time on more than `most` GPUs.
std::string missing_gpus(int most) {
  if (most == 0) return needs_cuda;
  return "this machine has " + std::to_string(most) + (most == 1 ? " GPU" : " GPUs");
}

/// Times by the number of GPUs, from one on, s.
struct Measured {
  std::vector<double> device, whole;  ///< without and with transfers
};

Measured measure(const BranchlessContext& context, const Method& method, const Setting& setting,
                 Direction direction, int most) {
  Measured out;
  for (int n = 1; n <= most; ++n) {
    context.say(method.label() + " on " + std::to_string(n) + " GPUs, " +
                std::to_string(setting.geometry->views()) + " views, " + name_of(direction));
    const auto projector = context.make(on_gpus(method, n), setting, share_of(n));
    out.device.push_back(product_seconds(*projector, direction));
    out.whole.push_back(seconds_with_transfers(*projector, direction));
  }
  return out;
}

class Table {
 public:
  explicit Table(int most)
      : most_(most),
        table_{"table-4",
               "Time on several GPUs (Table IV)",
               {{"views in print", ""}, {"views", ""}, {"method", ""}, {"time of", ""}},
               {}} {
    for (int n = 1; n <= most_gpus; ++n)
      table_.columns.push_back({"printed, " + std::to_string(n), "s"});
    for (int n = 1; n <= most_; ++n) table_.columns.push_back({"here, " + std::to_string(n), "s"});
    if (most_ < most_gpus) table_.columns.push_back({"missing", ""});
  }
  /// `printed` may be null, `here` may be shorter than the number of GPUs.
  void add(int printed_views, int views, const std::string& method, const std::string& what,
           const std::array<double, 4>* printed, const std::vector<double>& here) {
    std::vector<StudyCell> row = {1.0 * printed_views, 1.0 * views, method, what};
    for (std::size_t n = 0; n < most_gpus; ++n)
      row.push_back(printed != nullptr ? StudyCell((*printed)[n]) : StudyCell());
    for (std::size_t n = 0; n < static_cast<std::size_t>(most_); ++n)
      row.push_back(n < here.size() ? StudyCell(here[n]) : StudyCell());
    if (most_ < most_gpus) row.emplace_back(printed != nullptr ? missing_gpus(most_) : "");
    table_.rows.push_back(std::move(row));
  }
  StudyTable take() { return std::move(table_); }

 private:
  int most_;
  StudyTable table_;
};

void add_direction(BranchlessContext& context, const printed::OnGpus& printed, Direction direction,
                   int most, Table& table) {
  const Setting setting = context.scanner(printed.views);
  const int views = setting.geometry->views();
  const bool forward = direction == Direction::projection;
  const std::string name = name_of(direction), bl = gpu_bl().label();
  Measured here;
  std::vector<double> kernel, sums;
  if (most > 0) {
    here = measure(context, gpu_bl(), setting, direction, most);
    sums = {sums_seconds(context, gpu_bl(), setting, direction, here.device[0])};
    kernel = {here.device[0] - sums[0]};
  }
  const std::array<double, 4>& in_print = forward ? printed.projection : printed.backprojection;
  const std::vector<double>& whole = here.whole;
  for (std::size_t n = 0; n < in_print.size(); ++n)
    context.add_line("Table IV",
                     std::to_string(printed.views) + " views, " + name + ", " +
                         std::to_string(n + 1) + (n == 0 ? " GPU" : " GPUs"),
                     "s", in_print[n],
                     n < whole.size() ? StudyCell(whole[n]) : StudyCell(missing_gpus(most)));
  table.add(printed.views, views, bl, name, &in_print, whole);
  table.add(printed.views, views, bl, name + ", kernel",
            forward ? &printed.projection_kernel : &printed.backprojection_kernel, kernel);
  table.add(printed.views, views, bl, name + ", tables of sums",
            forward ? &printed.projection_sums : &printed.backprojection_sums, sums);
  if (most == 0) return;
  table.add(printed.views, views, bl, name + ", without transfers", nullptr, here.device);
  table.add(printed.views, views, ours().label(), name + ", without transfers", nullptr,
            measure(context, ours(), setting, direction, most).device);
}

}  // namespace

void several_gpus(BranchlessContext& context, StudyResult& result) {
  const int most = std::min(gpus(context), most_gpus);
  Table table(most);
  for (const printed::OnGpus& printed : printed::table_4)
    for (const Direction direction : directions)
      add_direction(context, printed, direction, most, table);
  result.tables.push_back(table.take());
  result.notes.push_back(
      "Table IV: GPUs of this machine: " + std::to_string(gpus(context)) +
      ". Times of print hold the transfers between host and device, and so do those here: each "
      "call copies its operand to the first GPU and its result back. The kernel and the tables of "
      "sums "
      "are told apart on one GPU alone, of the backprojection by a volume of one voxel. Print's "
      "GPUs are a Titan X, two GK104 of a Tesla K10 and a GTX 670; which four, and in which order, "
      "it does not say.");
}

}  // namespace gantry::branchless_dd
