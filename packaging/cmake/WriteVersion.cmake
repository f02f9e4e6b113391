# Writes TARGET, which says version and commit of SOURCE, when it would change.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit unknown)
endif()
set(text "#include \"app/version.hpp\"

namespace gantry {

std::string version_number() { return \"${VERSION}\"; }
std::string commit_id() { return \"${commit}\"; }
std::string version_text() { return \"Gantry ${VERSION} (commit ${commit})\"; }

}  // namespace gantry
")
if(EXISTS ${TARGET})
  file(READ ${TARGET} old)
endif()
if(NOT text STREQUAL "${old}")
  file(WRITE ${TARGET} "${text}")
endif()
