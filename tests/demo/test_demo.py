"""The demo from end to end, with one seed and few epochs."""

import io
import re
import sys
from html.parser import HTMLParser

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.demo import run_demo
from maxpoolgrad_onnx.converters.demo.training import learning_rate, one_thread_session

STAGES = ["Images", "Network", "Training step", "Check", "Compile", "Gradients", "Train", "Report"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished demo, and what it printed."""
    stream = io.StringIO()
    demo = run_demo(tmp_path_factory.mktemp("demo") / "new" / "folder", seeds=1, epochs=5, stream=stream)
    return demo, stream.getvalue()


def test_every_stage_is_told_with_its_time_and_what_it_proved(finished):
    demo, printed = finished
    told = re.findall(r"^(\d)\. (.+): \d+\.\d s\n   \S", printed, re.MULTILINE)
    assert told == [(str(number), title) for number, title in enumerate(STAGES, 1)]
    assert [stage.title for stage in demo.stages] == STAGES[:-1]
    for stage in demo.stages:
        assert stage.seconds > 0
        assert all(sentence in printed for sentence in stage.proved)


def test_folder_holds_the_results_and_nothing_else(finished):
    demo, _ = finished
    names = "evaluation.om forward.onnx report.html step.air step.om step.onnx trained.onnx training.png"
    assert sorted(path.name for path in demo.folder.iterdir()) == names.split()
    assert (demo.folder / "training.png").read_bytes().startswith(b"\x89PNG")


def test_files_are_what_they_are_said_to_be(finished):
    demo, _ = finished
    step = onnx.load(demo.folder / "step.onnx")
    assert sum(node.op_type == mpg.OP_TYPE for node in step.graph.node) == 2
    assert not [issue for issue in mpg.check(step) if issue.severity == "error"]
    assert converters.load(demo.folder / "step.om") == converters.load(demo.folder / "step.air")
    session = converters.InferSession(0, demo.folder / "step.om")
    assert {info.name for info in session.get_inputs()} == {value.name for value in step.graph.input}


def test_sessions_do_not_fill_the_terminal(finished, capfd):
    demo, _ = finished
    one_thread_session(demo.folder / "step.om")
    assert capfd.readouterr() == ("", "")


def test_trained_network_reads_held_out_digits(finished):
    demo, printed = finished
    (run,) = demo.stratified
    (other,) = demo.file_order
    assert run.accuracy > 0.94
    assert other.accuracy > 0.88
    assert len(run.losses) == len(run.accuracies) == len(run.held_out_losses) == 5
    assert run.losses[-1] < run.losses[0] / 4
    assert f"mean {100 * run.accuracy:.2f} %" in printed


def test_accuracy_is_that_of_the_trained_parameters_on_unshifted_held_out_digits(finished):
    demo, _ = finished
    for run in (*demo.stratified, *demo.file_order):
        held_out = demo.digits.take(run.job.split.held_out)
        session = converters.InferSession(0, demo.folder / "evaluation.om")
        (logits,) = session.infer({"x": held_out.images, **run.parameters})
        assert run.accuracy == np.mean(logits.argmax(1) == held_out.labels)


def test_trained_network_is_written(finished):
    demo, _ = finished
    (run,) = demo.stratified
    held_out = demo.digits.take(run.job.split.held_out[:32])
    trained = mpg.inference_session(demo.folder / "trained.onnx")
    (logits,) = trained.run(None, {"x": held_out.images})
    np.testing.assert_array_equal(logits.argmax(1), run.probabilities[:32].argmax(1))


def test_gradients_agree_and_had_ties_to_decide(finished):
    demo, _ = finished
    assert len(demo.gradients.pools) == 2
    for pool in demo.gradients.pools:
        assert pool.equal
        assert pool.ties > 0
        assert np.abs(pool.out_grad).max() > 0
    assert len(demo.gradients.parameters) == 8
    for parameter in demo.gradients.parameters:
        assert parameter.error < 1e-5
        assert parameter.slope_error < 1e-5
        assert np.abs(parameter.numpy).max() > 1e-4


class _Page(HTMLParser):
    """Headings, picture descriptions, and addresses that would need another file."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.pictures: list[str] = []
        self.outside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag not in ("meta", "img"):
            self.open.append(tag)
        if tag == "img":
            self.pictures.append(given["alt"])
        addresses = [given.get(name) for name in ("src", "href", "data")]
        self.outside += [address for address in addresses if address and not address.startswith("data:")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["h2"]:
            self.headings.append(data)


def test_report_has_its_parts_and_needs_no_other_file(finished):
    demo, _ = finished
    text = (demo.folder / "report.html").read_text()
    page = _Page(text)
    assert page.open == []
    assert page.outside == []
    assert "url(http" not in text
    assert page.headings == [
        "What each stage proved",
        "Training from step.om",
        "How the digits are split",
        "The training step",
        "MaxPoolV3Grad in step.om against the oracle",
        "Gradients of the parameters",
        "Misread digits",
        "Files and versions",
    ]
    misread = int((demo.stratified[0].probabilities.argmax(1) != demo.stratified[0].labels).sum())
    assert sum(description.startswith("Digit ") for description in page.pictures) == misread > 0
    assert demo.stratified[0].job.split.fingerprint in text
    assert all(f"{100 * run.accuracy:.2f} %" in text for run in (*demo.stratified, *demo.file_order))


def test_picture_shows_both_pool_gradients_and_the_update(finished):
    demo, _ = finished
    text = (demo.folder / "report.html").read_text()
    svg = text[text.index("<svg") : text.index("</svg>")]
    titles = re.findall(r'class="t"[^>]*>([^<]*)<', svg)
    assert titles.count("MaxPoolV3Grad") == 2
    assert titles.count("SGD, momentum") == 1
    assert len(titles) == len(demo.step.graph.node) + len(["x", "labels", "loss"])


def test_learning_rate_rises_in_the_first_epoch_and_falls_to_nothing():
    rates = [learning_rate(step, 400, 10) for step in range(400)]
    assert rates.index(max(rates)) == 39
    assert 0 < rates[0] < rates[20] < rates[39] <= 0.05
    assert rates[39:] == sorted(rates[39:], reverse=True)
    assert rates[-1] < 1e-5


@pytest.mark.parametrize(("package", "module"), [("matplotlib", "matplotlib"), ("scikit-learn", "sklearn")])
def test_missing_extra_is_one_line_that_says_what_to_install(tmp_path, monkeypatch, package, module):
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(mpg.MaxPoolGradError) as raised:
        run_demo(tmp_path, seeds=1, epochs=1, stream=io.StringIO())
    assert package in str(raised.value)
    assert "pip install matplotlib scikit-learn" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("name", "value"), [("seeds", 0), ("epochs", -1)])
def test_count_below_one_is_refused(tmp_path, name, value):
    with pytest.raises(mpg.MaxPoolGradError, match=f"{name} is {value}; it must be 1 or more"):
        run_demo(tmp_path, **{name: value})


def test_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(mpg.MaxPoolGradError, match="taken: the folder cannot be made: file exists"):
        run_demo(tmp_path / "taken")
