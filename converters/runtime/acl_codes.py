"""What AscendCL's return codes mean, and what to do about them.

Numbers and meanings are those of its public headers acl_base_rt.h, rt_error_codes.h and ge_error_codes.h.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

ALREADY_INITIALIZED = 100002
"""acl.init: another part of the process has called it."""

_PLOG = "read the device's log in ~/ascend/log (plog), which names the kernel and the address"
_OTHER_DEVICE = "compile the model with the --soc_version of this device (`npu-smi info` names it)"
_COMPILE_AGAIN = "copy or compile the .om again"
_RESET = "end the other processes on the device or reset it with npu-smi, and run again"
_MEMORY = "end other processes on the device (`npu-smi info` lists them), or compile for a smaller batch"
_ENVIRONMENT = "source CANN's set_env.sh, then run `maxpoolgrad doctor`"

_CODES: Mapping[int, tuple[str, str]] = {
    100000: ("an argument is invalid", "report it, with the whole line"),
    100001: ("AscendCL is not initialized", "report it, with the whole line"),
    100003: ("a file that it was given is invalid", "check the path, and acl.json where one is given"),
    100006: ("a file cannot be parsed", "check acl.json where one is given"),
    100009: ("the dump section of acl.json is wrong", "correct it, or leave --acl_json_path out"),
    100011: ("no model has this number", "report it, with the whole line"),
    100014: ("the model file cannot be read", _COMPILE_AGAIN),
    100015: ("the model file's size is wrong", _COMPILE_AGAIN),
    100017: ("the inputs are not those of the model", "give what get_inputs() lists"),
    100018: ("the outputs are not those of the model", "report it, with the whole line"),
    100019: ("the model has no profiles to choose from", "give arrays of the shapes that get_inputs() lists"),
    100026: ("a data type is not supported", "compile the model with another dtype"),
    107000: ("an argument is invalid", "report it, with the whole line"),
    107001: ("there is no device of this number", "give --device a number that `npu-smi info` lists"),
    107002: ("the thread has no context", "report it, with the whole line"),
    107022: ("the device aborted the task after an earlier fault", _RESET),
    145000: ("the size of an input is not the model's", "give what get_inputs() lists"),
    145002: ("there is no model file under this path", "check the path"),
    145003: ("no model has this number", "report it, with the whole line"),
    145006: ("the model file's size is wrong", _COMPILE_AGAIN),
    145011: ("the address of a profile's input is wrong", "report it, with the whole line"),
    145012: ("a profile's input is too short", "report it, with the whole line"),
    145013: ("the batch size is none of the model's profiles", "give a batch that the .om was compiled for"),
    145021: ("a shape is not one that the model takes", "give a shape that the .om was compiled for"),
    145022: ("a data type is not one that the model takes", "give what get_inputs() lists"),
    148051: ("something that was made from this is still there", "report it, with the whole line"),
    200000: ("memory ran out", _MEMORY),
    200001: ("this CANN has no such call", "install a newer CANN"),
    200002: ("the device is invalid", "give --device a number that `npu-smi info` lists"),
    207000: ("this device or driver does not support it", "install a driver that fits the CANN version"),
    207001: ("the device's memory ran out", _MEMORY),
    207004: ("no device is there", "check `npu-smi info` and the permissions of /dev/davinci*"),
    207006: ("this user may not use the device", "join the group that owns /dev/davinci* (often HwHiAiUser)"),
    207018: ("the device's memory ran out", _MEMORY),
    245000: ("memory ran out", _MEMORY),
    500000: ("an inner error", _ENVIRONMENT),
    500002: ("GE failed", _ENVIRONMENT),
    500003: ("the runtime failed", _ENVIRONMENT),
    500004: ("the driver failed", "check `npu-smi info`, and the driver's version against CANN's"),
    507000: ("an inner error of the runtime", _PLOG),
    507008: ("the .om is for another soc_version", _OTHER_DEVICE),
    507010: ("the device does not answer any more", _RESET),
    507011: ("the model failed on the device", _PLOG),
    507014: ("a kernel ran longer than its time limit", _PLOG),
    507015: ("a kernel failed on an AI core", _PLOG),
    507016: ("a kernel trapped on an AI core", _PLOG),
    507017: ("an AI CPU task ran longer than its time limit", _PLOG),
    507018: ("an AI CPU task failed, or a kernel it waited for", _PLOG),
    507033: ("the device cannot be set up", _RESET),
    507034: ("a kernel ran longer than its time limit on a vector core", _PLOG),
    507035: ("a kernel failed on a vector core", _PLOG),
    507036: ("a kernel trapped on a vector core", _PLOG),
    507044: ("a kernel read outside its tensors", _PLOG),
    507045: ("a kernel wrote outside its tensors", _PLOG),
    507046: ("the device did not finish in time", _PLOG),
    507053: ("the device's memory is faulty", _RESET),
    507899: ("an inner error of the driver, often after an earlier fault", _RESET),
    545000: ("an inner error of GE", _ENVIRONMENT),
    545001: ("the model cannot be loaded", _COMPILE_AGAIN),
    545002: ("the model's definition cannot be loaded", _COMPILE_AGAIN),
    545003: ("the model's weights cannot be loaded", _COMPILE_AGAIN),
    545004: ("the model's tasks cannot be loaded", _COMPILE_AGAIN),
    545005: ("the model's kernels cannot be loaded", _COMPILE_AGAIN),
    545601: ("the model did not finish in time", _PLOG),
}
# CANN's own messages begin with a code; of these it says more than the return code does. The code in the
# middle is the one that the error carries.
_TOLD = (
    (re.compile(r"\bEE1001\b"), "EE1001", "the .om is for another soc_version", _OTHER_DEVICE),
    (re.compile(r"\bEZ300[23]\b"), "EZ3003", "an operator has no kernel for this device", _OTHER_DEVICE),
)
_CARRIED = {145000: "145000", 100017: "145000", 507008: "EE1001"}
_LONGEST_MESSAGE = 300  # characters of CANN's own text


def explanation(code: int, message: str) -> tuple[str, str]:
    """What a call's return code means and what to do, from `code` and from what CANN says of it itself."""
    for pattern, _, meaning, cure in _TOLD:
        if pattern.search(message):
            return meaning, cure
    return _CODES.get(code, ("a failure that this program does not know", _ENVIRONMENT))


def error_code(code: int, message: str) -> str | None:
    """The code that an error carries: where it is one that other commands raise, too."""
    told = (carried for pattern, carried, *_ in _TOLD if pattern.search(message))
    return next(told, _CARRIED.get(code))


def shortened(message: str) -> str:
    """CANN's own message on one line, cut where it is long."""
    line = " ".join(message.split())
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}..."
