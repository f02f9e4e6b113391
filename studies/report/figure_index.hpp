#pragma once

#include <string>
#include <vector>

namespace gantry {

/// A numbered table or figure of a paper, and where it is computed again, or why it is not.
struct IndexEntry {
  std::string number;  ///< "Table 2", "Figs 1 to 5"
  std::string study;   ///< key of the study; empty: nowhere
  std::string part;    ///< of the study; empty: the whole study
  std::string remark;  ///< what of it is missing, or why it is nowhere; may be empty
};

struct IndexOfPaper {
  std::string paper;  ///< as Paper::name
  std::vector<IndexEntry> entries;
};

/// Returns every numbered table and figure of the published papers, in their order.
const std::vector<IndexOfPaper>& figure_index();

}  // namespace gantry
