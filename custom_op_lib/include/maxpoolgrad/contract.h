// The operator's contract: what MaxPoolV3Grad refuses, and the sentences it refuses with. Everything in the
// project that speaks of the operator takes them from here: Python through the _native module, the ONNX
// Runtime library, op_host and the ATC plugin by including this header.
//
// Header-only and without dependencies. A check returns an empty string where there is nothing to refuse, and
// otherwise one sentence that names the node, the attribute or input, its value and what is allowed. Its
// `subject` is the sentence's beginning: node_subject() for a node, the function's name for a direct call.
#pragma once

#include "check_attributes.h"
#include "check_form.h"
#include "check_tensors.h"
#include "products.h"
