#pragma once

#include "core/base/error.hpp"

#include <cstddef>
#include <string>

namespace gantry {

/// The error of a damaged file that is one of several, so that the others can be read without it
/// (ImportSettings::leaves_out_damaged).
class DamagedFiles : public InputError {
 public:
  /// `damaged` files cannot be read, the first of them with this error. The message names the
  /// option of the command line that leaves them out; problem() is for other interfaces.
  explicit DamagedFiles(const InputError& error, std::size_t damaged = 1)
      : DamagedFiles(error.what() + (damaged == 1 ? std::string()
                                                  : "; so are " + std::to_string(damaged - 1) +
                                                        " more of the files")) {}

  /// Returns one line: which file is damaged, and how.
  const std::string& problem() const { return problem_; }

 private:
  explicit DamagedFiles(const std::string& problem)
      : InputError(problem + "; --leave-out-damaged leaves such files and their angles out"),
        problem_(problem) {}

  std::string problem_;
};

}  // namespace gantry
