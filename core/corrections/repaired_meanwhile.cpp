#include "core/corrections/repaired_meanwhile.hpp"

#include "core/base/error.hpp"
#include "core/corrections/cell_repair.hpp"

namespace gantry {

namespace {

constexpr std::size_t parts = 4;  // if more than one cell in 4 is bad, sound ones cannot be told

std::vector<std::size_t> repairable(const ScanSize& size, std::span<const float> line_integrals,
                                    const Interrupt* interrupt) {
  std::vector<std::size_t> bad = obvious_bad_cells(size, line_integrals, interrupt);
  if (bad.size() > size.cells() / parts) bad.clear();
  return bad;
}

void repair_all(const ScanSize& size, const std::vector<std::size_t>& bad,
                std::span<float> values) {
  const CellRepair repair(size.rows, size.columns, bad);
  for (int view = 0; view < size.views; ++view)
    repair.apply(values.subspan(static_cast<std::size_t>(view) * size.cells(), size.cells()));
}

}  // namespace

RepairedMeanwhile::RepairedMeanwhile(const ScanSize& size, std::span<float> line_integrals,
                                     const Interrupt* interrupt)
    : cells_(size.cells()),
      line_integrals_(line_integrals),
      bad_(repairable(size, line_integrals, interrupt)) {
  measured_.reserve(bad_.size() * static_cast<std::size_t>(size.views));
  for (std::size_t first = 0; first < line_integrals_.size(); first += cells_)
    for (const std::size_t cell : bad_) measured_.push_back(line_integrals_[first + cell]);
  repair_all(size, bad_, line_integrals_);
}

RepairedMeanwhile::~RepairedMeanwhile() {
  auto next = measured_.begin();
  for (std::size_t first = 0; first < line_integrals_.size(); first += cells_)
    for (const std::size_t cell : bad_) line_integrals_[first + cell] = *next++;
}

RepairedView::RepairedView(const ScanSize& size, std::span<const float> line_integrals,
                           const Interrupt* interrupt, std::size_t free_bytes)
    : values_(line_integrals) {
  const std::vector<std::size_t> bad = repairable(size, line_integrals, interrupt);
  if (bad.empty()) return;
  if (line_integrals.size_bytes() > free_bytes)
    throw OutOfMemory("a copy of the scan in which bad cells have the values of their neighbours",
                      line_integrals.size_bytes(), free_bytes);
  copy_.assign(line_integrals.begin(), line_integrals.end());
  repair_all(size, bad, copy_);
}

}  // namespace gantry
