#pragma once

namespace gantry {

/// Lets this thread, and those that it starts afterwards, give way to threads that answer the user.
/// While a processor core is idle, this changes nothing. For threads that compute for long beside a
/// window; where the system has no priorities of single threads, it does nothing.
void give_way_to_interaction();

}  // namespace gantry
