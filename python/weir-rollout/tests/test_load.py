"""Exports as tensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weir_rollout import LoadedBatch, RolloutError, TensorDict, load, load_rows
from weir_rollout.tensors.training_dict import DTYPES, Array

from .rows import a_file, a_row, an_export

FIRST = a_row([1, 2, 3], 0.5)
SECOND = a_row([4, 5], 1)


def top_ids(last: int) -> Array:
    """One entry, for the trained token."""
    return np.array([[[-1], [-1], [last]]], np.int32)


def top_logprobs(last: float) -> Array:
    return np.array([[[-9999], [-9999], [last]]], np.float32)


def plain(loaded: LoadedBatch) -> list[Any]:
    return [(row.id, {name: tensor.tolist() for name, tensor in row.tensors.items()}) for row in loaded.rows]


def batch_of(loaded: LoadedBatch) -> TensorDict:
    assert loaded.batch is not None
    return loaded.batch


def test_reads_the_rows_of_a_json_export_in_order_with_their_dtypes() -> None:
    loaded = load(an_export({"a": FIRST, "b": SECOND}))
    assert [row.id for row in loaded.rows] == ["a", "b"]
    assert loaded.rows[0].tensors["input_ids"].tolist() == [[1, 2, 3]]
    for name, tensor in loaded.rows[1].tensors.items():
        assert tensor.dtype == DTYPES[name]


def test_reads_a_file_to_the_same_tensors(tmp_path: Path) -> None:
    expected = plain(load(an_export({"a": FIRST, "b": SECOND})))
    file = tmp_path / "batch.safetensors"
    file.write_bytes(a_file())
    assert plain(load(a_file())) == expected
    assert plain(load(file)) == expected
    assert plain(load(str(file))) == expected


def test_reads_a_file_row_by_row(tmp_path: Path) -> None:
    file = tmp_path / "batch.safetensors"
    file.write_bytes(a_file())
    rows = load_rows(file)
    assert next(rows).id == "a"
    assert next(rows).tensors["input_ids"].tolist() == [[4, 5]]


def test_pads_the_rows_of_several_exports_to_one_batch() -> None:
    batch = batch_of(load([an_export({"a": FIRST}), an_export({"b": SECOND})], pad_token_id=9))
    assert batch["input_ids"].tolist() == [[1, 2, 3], [4, 5, 9]]
    assert batch["attention_mask"].tolist() == [[True, True, True], [True, True, False]]
    assert batch["versions"].tolist() == [[-1, -1, 0], [-1, 0, -1]]
    assert batch["rewards"].tolist() == [0.5, 1]


def test_pads_on_the_left_to_a_length() -> None:
    batch = batch_of(load(an_export({"b": SECOND}), side="left", length=4))
    assert batch["input_ids"].tolist() == [[0, 0, 4, 5]]
    assert batch["loss_mask"].tolist() == [[0, 0, 0, 1]]


def test_has_no_batch_where_there_are_no_rows() -> None:
    assert load(an_export({})) == LoadedBatch([], None)
    assert load([]) == LoadedBatch([], None)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("logprobs", np.array([[0, 0, np.nan]], np.float32)),
        ("logprobs", np.array([[0, -1, -1]], np.float32)),
        ("loss_mask", np.array([[0, 0, 2]], np.int32)),
        ("input_ids", np.array([[1, -2, 3]], np.int32)),
        ("attention_mask", np.array([[True, True, False]])),
        ("attention_mask", np.array([[False, True, True]])),
        ("attention_mask", np.array([[True, False, True]])),
        ("attention_mask", np.array([[False, False, False]])),
        ("rewards", np.array([np.inf], np.float32)),
        ("rewards", np.array([1, 2], np.float32)),
        ("versions", np.array([[0, 0]], np.int32)),
        ("turn_ids", np.array([[-1, -1, -1]], np.int32)),
        ("top_ids", top_ids(5)),
        ("loss_weights", np.array([[0, 1, 1]], np.float32)),
        ("loss_weights", np.array([[0, 0, -1]], np.float32)),
    ],
)
def test_refuses_rows_that_may_not_be_trained_on(key: str, value: Any) -> None:
    with pytest.raises(RolloutError) as refused:
        load(an_export({"a": {**FIRST, key: value}}))
    assert refused.value.reason == "training_dict_invalid"


@pytest.mark.parametrize(
    "change",
    [
        {"top_logprobs": np.full((1, 3, 2), -1, np.float32)},
        {"top_logprobs": np.array([[[-9999], [-9999], [np.inf]]], np.float32)},
        {"top_ids": np.array([[[-1], [-1], [-2]]], np.int32)},
        {"top_ids": np.array([[[-1], [7], [7]]], np.int32)},
        {"top_ids": np.array([[-1, -1, 7]], np.int32)},
    ],
)
def test_refuses_likeliest_tokens_that_do_not_fit(change: dict[str, Any]) -> None:
    one = {"top_ids": top_ids(5), "top_logprobs": top_logprobs(-1)}
    load(an_export({"a": {**FIRST, **one}}))
    with pytest.raises(RolloutError) as refused:
        load(an_export({"a": {**FIRST, **one, **change}}))
    assert refused.value.reason == "training_dict_invalid"


def test_reads_and_pads_the_likeliest_tokens() -> None:
    lists = {
        "top_ids": np.array([[7, 8], [9, -1]], np.int32),
        "top_logprobs": np.array([[-0.5, -1], [-0.25, -9999]], np.float32),
    }
    one = {"top_ids": top_ids(5), "top_logprobs": top_logprobs(-2)}
    batch = batch_of(load([a_file(lists), an_export({"c": {**FIRST, **one}})]))
    none = [-1, -1]
    assert batch["top_ids"].tolist() == [[none, none, [7, 8]], [none, [9, -1], none], [none, none, [5, -1]]]
    assert batch["top_logprobs"][:, -1].tolist() == [[-0.5, -1], [-9999, -9999], [-2, -9999]]


def test_reads_and_pads_the_experts_of_all_tokens() -> None:
    experts = np.arange(10, dtype=np.int16).reshape(5, 2, 1)
    batch = batch_of(load(a_file({"routed_experts": experts})))
    assert batch["routed_experts"].dtype == np.int16
    assert batch["routed_experts"].tolist() == [experts[:3].tolist(), [*experts[3:].tolist(), [[-1], [-1]]]]
    row = {**FIRST, "routed_experts": experts[None, :3]}
    assert batch_of(load(an_export({"a": row})))["routed_experts"].tolist() == [experts[:3].tolist()]
    other = {**SECOND, "routed_experts": experts[None, :2].reshape(1, 2, 1, 2)}
    with pytest.raises(RolloutError) as refused:
        load(an_export({"a": row, "b": other}))
    assert refused.value.reason == "tensors_not_compatible"


def test_refuses_a_length_below_the_longest_row() -> None:
    with pytest.raises(RolloutError, match="less than the longest row"):
        load(an_export({"a": FIRST}), length=2)


def test_refuses_optional_keys_that_only_some_rows_have() -> None:
    with_turns = {**SECOND, "turn_ids": np.array([[-1, 0]], np.int32)}
    with pytest.raises(RolloutError, match="Only some"):
        load(an_export({"a": FIRST, "b": with_turns}))


@pytest.mark.parametrize(
    "file",
    [
        b"short",
        (10**12).to_bytes(8, "little") + b"{}",
        a_file()[:-1],
        a_file(format="another"),
        a_file(row_ids='["a"]'),
        a_file(row_ids="no list"),
        a_file({"surplus": np.array([1], np.int32)}),
        a_file({"row_offsets": np.array([0, 3, 4], np.int32)}),
        a_file({"row_offsets": np.array([0, 0, 5], np.int32)}),
        a_file({"span_starts": np.array([4, 2], np.int32)}),
        a_file({"span_starts": np.array([-1, 4], np.int32)}),
        a_file({"span_lengths": np.array([2, 1], np.int32)}),
        a_file({"span_lengths": np.array([1], np.int32)}),
        a_file({"logprobs": np.array([-0.5], np.float32)}),
        a_file({"input_ids": np.array([1, 2, 3, 4, 5], np.int64)}),
        a_file({"original_rewards": np.array([1], np.float32)}),
        a_file({"top_ids": np.array([[1]], np.int32), "top_logprobs": np.array([[-1]], np.float32)}),
        a_file({"routed_experts": np.zeros((2, 1, 1), np.int16)}),
        a_file({"top_ids": np.array([1, 2], np.int32), "top_logprobs": np.array([-1, -2], np.float32)}),
    ],
)
def test_refuses_inconsistent_files(file: bytes) -> None:
    with pytest.raises(RolloutError) as refused:
        load(file)
    assert refused.value.reason == "batch_invalid"
