"""The steps of a training and their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from weir_rollout import RolloutError
from weir_rollout.training.steps_file import read_steps, write_steps
from weir_rollout.training.training_steps import (
    StepSession,
    TrainingStep,
    sessions_after,
    sessions_up_to,
    with_step,
    without_steps_up_to,
)


def session(session_id: str, created_at: str | None = "2026-01-01T00:00:00.000Z") -> StepSession:
    return StepSession(session_id, created_at)


TWO = with_step(with_step((), 1, [session("a")]), 2, [session("b"), session("c")])


def test_sessions_of_saved_weights_are_told_from_the_others() -> None:
    assert sessions_up_to(TWO, 1) == [session("a")]
    assert sessions_after(TWO, 1) == [session("b"), session("c")]


def test_a_step_whose_weights_were_never_saved_is_replaced() -> None:
    assert with_step(TWO, 1, [session("b")]) == (TrainingStep(1, (session("b"),)),)


def test_a_session_goes_into_one_version_only() -> None:
    with pytest.raises(RolloutError) as refused:
        with_step(TWO, 3, [session("c")])
    assert (refused.value.code, refused.value.reason) == ("conflict", "already_trained")


def test_another_session_may_have_the_id_of_an_earlier_one() -> None:
    later = session("c", "2026-01-02T00:00:00.000Z")
    assert sessions_after(with_step(TWO, 3, [later]), 2) == [later]


def test_acknowledged_steps_are_dropped() -> None:
    assert without_steps_up_to(TWO, 1) == (TrainingStep(2, (session("b"), session("c"))),)


def test_no_file_holds_no_steps(tmp_path: Path) -> None:
    assert read_steps(tmp_path / "none.json") == ()


def test_the_file_holds_what_was_written_last(tmp_path: Path) -> None:
    file = tmp_path / "steps.json"
    write_steps(file, TWO)
    steps = with_step((), 3, [session("d", None)])
    write_steps(file, steps)
    assert read_steps(file) == steps
    assert [path.name for path in tmp_path.iterdir()] == ["steps.json"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"steps":[{"version":1}]}',
        '{"steps":[{"version":"1","sessions":[]}]}',
        '{"steps":[{"version":-1,"sessions":[]}]}',
        '{"steps":[{"version":1,"sessions":[{"id":"a"}]}]}',
        '{"steps":[{"version":1,"sessions":[{"id":"a","created_at":1}]}]}',
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "damaged.json"
    file.write_text(content)
    with pytest.raises(RolloutError) as refused:
        read_steps(file)
    assert refused.value.reason == "training_log_invalid"
