#include "core/corrections/drift.hpp"

#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"
#include "core/base/median.hpp"
#include "core/base/nice_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr float much_for_air = 0.1F;  // line integral: a tenth of the beam is missing

class Drift : public Correction {
 public:
  Drift(const ScanGeometry& scan, std::int64_t left, std::int64_t right, std::int64_t bands)
      : Correction(scan),
        left_(static_cast<std::size_t>(left)),
        right_(static_cast<std::size_t>(right)),
        bands_(static_cast<std::size_t>(std::min(bands, std::int64_t{scan.rows()}))) {
    if (air_columns() == 0)
      throw UsageError("left and right are both 0, so that no column sees air", "drift",
                       "give the columns at one side at least");
    if (air_columns() > static_cast<std::size_t>(columns()))
      throw UsageError("left and right are " + counted(air_columns(), "column") +
                           ", and the scan has " + std::to_string(columns()),
                       "drift", "give fewer columns");
  }
  std::size_t workspace_bytes() const override {
    return static_cast<std::size_t>(views()) * bands_ * sizeof(float);
  }

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    std::vector<float> airs(static_cast<std::size_t>(views()) * bands_);
    for_lines(views(), interrupt, [&](std::ptrdiff_t index) {
      for (std::size_t number = 0; number < bands_; ++number) {
        const auto values = band(view(line_integrals, index), number);
        const float air = air_of(values);
        for (float& value : values) value -= air;
        airs[static_cast<std::size_t>(index) * bands_ + number] = air;
      }
    });
    const auto [least, most] = std::ranges::minmax(airs);
    const auto text = [](float value) { return format_param(to_digits(value, 3)); };
    std::vector<std::string> notes = {"line integrals of air, " + text(least) + " to " +
                                      text(most) + " in the views" +
                                      (bands_ > 1 ? " and bands of rows" : "") + ", became 0"};
    const auto is_much = [](float air) { return !(std::abs(air) <= much_for_air); };
    std::size_t many = 0;  // views
    for (auto air = airs.begin(); air != airs.end(); air += static_cast<std::ptrdiff_t>(bands_))
      many += std::any_of(air, air + static_cast<std::ptrdiff_t>(bands_), is_much) ? 1 : 0;
    if (many > 0)
      notes.push_back("in " + counted(many, "view") + " that was more than " + text(much_for_air) +
                      ": check that the object never comes to these columns");
    return notes;
  }

  /// Returns the rows of a view that lie in a band; bands differ by a row at most.
  std::span<float> band(std::span<float> view, std::size_t number) const {
    const auto all = static_cast<std::size_t>(rows()), width = static_cast<std::size_t>(columns());
    const std::size_t first = number * all / bands_, end = (number + 1) * all / bands_;
    return view.subspan(first * width, (end - first) * width);
  }

  float air_of(std::span<const float> values) const {
    const auto width = static_cast<std::size_t>(columns());
    std::vector<float> air;
    air.reserve(air_columns() * values.size() / width);
    for (std::size_t first = 0; first < values.size(); first += width) {
      const auto row = values.subspan(first, width);
      for (const auto side : {row.first(left_), row.last(right_)})
        air.insert(air.end(), side.begin(), side.end());
    }
    return upper_median(air);
  }

  std::size_t air_columns() const { return left_ + right_; }

  std::size_t left_, right_, bands_;
};

ParamSpec columns_param(const std::string& key, const std::string& label, const std::string& help) {
  return {.key = key,
          .label = label,
          .unit = "columns",
          .fallback = std::int64_t{10},
          .min = 0,
          .max = 65536,
          .step = 1,
          .help = help};
}

}  // namespace

std::vector<ParamSpec> drift_params() {
  return {columns_param("left", "Air at the first columns",
                        "So many columns from the first one see no object in any view."),
          columns_param("right", "Air at the last columns",
                        "The same, up to the last column. One of both may be 0."),
          {.key = "bands",
           .label = "Bands of rows",
           .unit = "",
           .fallback = std::int64_t{1},
           .min = 1,
           .max = 65536,
           .step = 1,
           .help = "The rows of a view are divided into so many bands, each with the air of its "
                   "own, for a beam that changes from top to bottom."}};
}

std::unique_ptr<Correction> make_drift(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<Drift>(scan, params.integer("left"), params.integer("right"),
                                 params.integer("bands"));
}

}  // namespace gantry
