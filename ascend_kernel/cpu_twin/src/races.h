// After a run: what two cores did to one place of global memory without SyncAll between them, and which bytes
// of the outputs nobody wrote.
#pragma once

#include "core.h"

#include <memory>
#include <vector>

namespace twin {

void find_races(const std::vector<std::unique_ptr<Core>>& cores, Gm& gm, std::vector<Fault>& faults);
void find_unwritten(Gm& gm, const std::vector<std::unique_ptr<Core>>& cores, std::vector<Fault>& faults);

} // namespace twin
