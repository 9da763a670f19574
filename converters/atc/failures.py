"""What an installed atc says of a failure, and what that means for models of this package."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from maxpoolgrad_onnx.contract import DOMAIN, OPSET_VERSION
from maxpoolgrad_onnx.opsets import FUNCTION_DOMAIN, NEWEST_OPSET, OLDEST_OPSET

# `[PID: n] time Title(E10001): message` in newer releases; in older ones `E10001: [PID: n] time message`,
# `E10001: message`, or the code and the message with spaces between them.
_FORMS = (
    re.compile(r"\[PID: ?\d+\].*?\((?P<code>E[A-Z]?\d{4,5})\): ?(?P<text>.*)"),
    re.compile(r"^\s*(?P<code>E[A-Z]?\d{4,5})(?::| ) *(?:\[PID: ?\d+\] *\S+ )?(?P<text>.*)"),
)
_AIR = "compile it with --backend=embedded and give the .air to atc with --framework=1"
_INSTALL = "`maxpoolgrad plugin build`, then `maxpoolgrad plugin install`"
_WHY_NOT_LOADED = (
    "ASCEND_GLOBAL_LOG_LEVEL=1 ASCEND_SLOG_PRINT_TO_STDOUT=1 before the command shows a line with `dlopen "
    "failed` where it could not be loaded"
)


@dataclass(frozen=True)
class Message:
    """A code and the text behind it."""

    code: str
    text: str


def message_in(line: str) -> Message | None:
    """The message that a line of atc's output holds, in either of its layouts."""
    for form in _FORMS:
        found = form.search(line)
        if found:
            return Message(found["code"], found["text"].strip())
    return None


def explanations(messages: Iterable[Message], plugin: Path | None) -> Sequence[str]:
    """A sentence with a cure for each kind of failure among the messages, in their order.

    `plugin` is the vendor's folder with our plugin that atc was shown; None: there is none on this machine.
    """
    told = [_FAILURES[message.code](message, plugin) for message in messages if message.code in _FAILURES]
    return list(dict.fromkeys(told))


def _no_parser(message: Message, plugin: Path | None) -> str:
    if f"{FUNCTION_DOMAIN}::" in message.text:
        return (
            f"{message.code}: the loss and the update of a training step are functions of the model, which "
            f"CANN's parser does not know: make the step with `maxpoolgrad grad --unfold`, or {_AIR}"
        )
    if f"{DOMAIN}::" not in message.text and "::" in message.text:
        return (
            f"{message.code}: CANN has no parser for this operator at the model's opset; its own know "
            f"ai.onnx {OLDEST_OPSET} to {NEWEST_OPSET}: export the model so, or {_AIR}"
        )
    return f"{message.code}: atc has no parser for the {DOMAIN} operators: {_missing(plugin)}"


def _no_prototype(message: Message, plugin: Path | None) -> str:
    return f"{message.code}: the operator's prototype is not registered: {_missing(plugin)}"


def _missing(plugin: Path | None) -> str:
    if plugin is None:
        return f"our plugin is not installed on this machine; {_INSTALL} put it there, or {_AIR}"
    return (
        f"the plugin in {plugin} did not help, because it does not load or the model imports {DOMAIN} at "
        f"another version than {OPSET_VERSION}; {_WHY_NOT_LOADED}"
    )


def _inner(message: Message, plugin: Path | None) -> str:
    return (
        f"{message.code}: an inner error of atc, which a domain without an opset import leads to as well; "
        "`maxpoolgrad check MODEL` tells whether it is that, else atc's log has the reason"
    )


def _no_kernel(message: Message, plugin: Path | None) -> str:
    cure = f"install one: {_INSTALL}" if plugin is None else f"build {plugin} again with this product"
    return (
        f"{message.code}: no installed package has a kernel of this operator for this product and these "
        f"types; MaxPoolV3Grad takes float16 and float32: {cure}"
    )


def _two_opsets(message: Message, plugin: Path | None) -> str:
    return f"{message.code}: this release of atc takes one opset import only: use a newer CANN, or {_AIR}"


_FAILURES: Mapping[str, Callable[[Message, Path | None], str]] = {
    "E16002": _no_parser,
    "E19010": _no_parser,
    "E10501": _no_prototype,
    "E19999": _inner,
    "EZ3003": _no_kernel,
    "EZ3002": _no_kernel,
    "E16005": _two_opsets,
}
CODES = frozenset(_FAILURES)
"""The codes that are explained."""
