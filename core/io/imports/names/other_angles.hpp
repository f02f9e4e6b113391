#pragma once

#include <string>

namespace gantry {

/// Returns the word by which the path of a list says that it holds angles of something else than
/// the object that turns: "mono" of "/mono/theta", whose crystal turns, "offset" of
/// "rotation_offset"; "" where there is none. Groups in which the frames lie as well, whose path is
/// `frames`, say nothing: the scan may be called so.
std::string word_of_other_angles(const std::string& path, const std::string& frames);

/// Returns a name in lower case without words for which says_other_angles() holds, so that the
/// others tell whether it speaks of angles: "theta" of "dcm_theta".
std::string without_other_angles(const std::string& name);

}  // namespace gantry
