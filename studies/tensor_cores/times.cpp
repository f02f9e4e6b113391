// Time of both products per image, which make up most of the iterations of Nourazar and Goossens
// 2021, Table 4, in every format and variant. Whole iterations are the part iterations.
#include "studies/tensor_cores/parts.hpp"

namespace gantry::tensor_cores {

namespace {

StudyTable empty_table() {
  return {"products",
          "W x and W^T y of all slices, per image (Table 4 is of iterations)",
          {{"case", ""},
           {"products", ""},
           {"stored", "MB"},
           {"build", "ms"},
           {"W x", "ms"},
           {"W^T y", "ms"},
           {"both, per image", "ms"},
           {"why not", ""}},
          {}};
}

/// All methods at one size: the lines of the table, and the fastest methods.
class ProductComparison {
 public:
  ProductComparison(MatrixStudyContext& context, const printed::Size& size,
                    const BenchCase& setting)
      : context_(context), size_(size), setting_(setting), name_(describe(setting)) {}

  void add(const MatrixMethod& method, StudyTable& table) {
    context_.say(name_ + ", " + method.full_name());
    std::string problem;
    const auto time = context_.time(method, setting_, problem);
    if (!time) {
      table.rows.push_back({name_, method.full_name(), {}, {}, {}, {}, {}, problem});
      return;
    }
    const double each_ms = 1e3 * time->both_s() / setting_.grid.nz;
    StudyCell stored_mb, build_ms;
    if (time->storage) {
      stored_mb = 1e-6 * static_cast<double>(time->storage->bytes());
      build_ms = 1e3 * time->storage->build_s;
    }
    table.rows.push_back({name_,
                          method.full_name(),
                          stored_mb,
                          build_ms,
                          1e3 * time->forward_s,
                          1e3 * time->backward_s,
                          each_ms,
                          {}});
    if (printed_values(method, size_).ms.number && method.stored())
      of_print_.push_back({method.full_name(), each_ms});
    Timed& fastest = method.stored() ? stored_ : fly_;
    if (fastest.ms <= 0 || each_ms < fastest.ms) fastest = {method.full_name(), each_ms};
  }

  void add_summary_line() {
    for (const Timed& one : of_print_) add_to_summary(one.name, one.ms);
    add_to_summary("fastest stored (" + stored_.name + ")", stored_.ms);
    add_to_summary("on the fly", fly_.ms);
  }
  /// Returns a sentence that compares storing with computing on the fly; empty where one of both is
  /// missing.
  std::string verdict() const {
    if (stored_.ms <= 0 || fly_.ms <= 0) return {};
    return name_ + ": " + stored_.name + " " + three_digits(stored_.ms) +
           " ms per image, on the fly " + three_digits(fly_.ms) + ": " +
           (stored_.ms < fly_.ms ? "storing is " + three_digits(fly_.ms / stored_.ms)
                                 : "computing anew is " + three_digits(stored_.ms / fly_.ms)) +
           " times faster.";
  }

 private:
  struct Timed {
    std::string name;
    double ms = 0;
  };

  void add_to_summary(const std::string& what, double ms) {
    context_.add_summary_line({"times", "both products, " + what + ", " + name_, "ms"}, {},
                              ms > 0 ? StudyCell(ms) : StudyCell(), like_for_like);
  }

  MatrixStudyContext& context_;
  const printed::Size& size_;
  BenchCase setting_;
  std::string name_;
  std::vector<Timed> of_print_;  // by the methods that print has
  Timed stored_, fly_;
};

}  // namespace

void times(MatrixStudyContext& context, StudyResult& result) {
  StudyTable table = empty_table();
  for (const printed::Size& size : context.wanted_sizes(printed::sizes)) {
    for (const BenchCase& setting : settings_of(context, size)) {
      ProductComparison contest(context, size, setting);
      for (const MatrixMethod& method : methods(context)) contest.add(method, table);
      contest.add_summary_line();
      if (const std::string verdict = contest.verdict(); !verdict.empty())
        result.notes.push_back(verdict);
      context.show(result, table);
    }
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::tensor_cores
