"""Messages of the proxy. scripts/generate_contract.py writes them from the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


ErrorCode = Literal["invalid_request", "unauthenticated", "forbidden", "not_found", "method_not_allowed", "conflict", "precondition_failed", "payload_too_large", "rate_limited", "wait_timeout", "not_implemented", "upstream_failed", "upstream_timeout", "unavailable", "internal"]
"""The kind of failure."""

SessionState = Literal["active", "ending", "ended", "exported"]
"""The state of the session."""

class AcknowledgeRequest(TypedDict):
    """The export to acknowledge."""

    session_id: str
    """Id of the session."""


class AcknowledgeResponse(TypedDict):
    """The data of the session was deleted."""

    message: str
    """`success`."""


class CapacityResponse(TypedDict):
    """The capacity that is granted."""

    capacity: int
    """Number of unused grants, including this one."""


class EndSessionRequest(TypedDict, total=False):
    """Optional."""

    session_id: str | None
    """The session, if the admin key is used."""


class EndSessionResponse(TypedDict):
    """The ended session."""

    message: str
    """`success`."""
    interaction_count: int
    """Completed interactions."""


class _ErrorRequired(TypedDict):
    """Always in `Error`."""

    detail: str
    """A readable sentence."""
    message: str
    """The same text as the message."""
    code: ErrorCode
    """"""


class Error(_ErrorRequired, total=False):
    """The body of every error response."""

    reason: str
    """A stable identifier for programs, more specific than the code."""
    details: dict[str, Any]
    """Details of the reason."""
    requestId: str
    """The id under which the server logged the request."""


class _ExportRequestRequired(TypedDict):
    """Always in `ExportRequest`."""

    session_id: str
    """Id of the session."""


class ExportRequest(_ExportRequestRequired, total=False):
    """The session and the form of the export."""

    discount: float
    """The part of a child's reward that its parent gets."""
    style: Literal["individual", "concat"]
    """A row for each interaction, or for each whole conversation."""
    rule: Literal["sum", "mean", "max", "linear"]
    """
    How rewards propagate to a parent: sum, mean or maximum of its children; `linear` follows the order of
    completion.
    """
    drop_retry_orphans: bool
    """Whether to omit answers that a retry replaced."""
    check_drift: bool
    """
    Whether to render the latest conversations again and report, under `drift.rendered`, where the template would
    give other tokens.
    """
    format: Literal["json", "safetensors"]
    """Default: by the `Accept` header, otherwise JSON."""
    include_messages: bool
    """Whether the conversations are part of a JSON answer."""
    model_response: Literal["counts", "arrays", "binary"]
    """
    What `model_response` of a JSON answer holds: counts only, or also ids and log-probabilities as arrays or as
    tensors.
    """
    include_provenance: bool
    """Whether entries hold the `provenance` of their trained tokens."""
    strict: bool
    """Whether to refuse the export of a session of which anything is not proven, instead of leaving it out."""
    wait_seconds: float
    """How long to wait for the end of the session before responding with 409."""
    remove_session: bool
    """Whether a complete answer acknowledges the export. Not with an `Idempotency-Key` header."""


class _ExportResponseRequired(TypedDict):
    """Always in `ExportResponse`."""

    session_id: str
    """Id of the session."""
    revision: int
    """How often a reward was set."""
    interactions: dict[str, ExportedInteraction]
    """By id, in the order of completion."""
    report: dict[str, Any]
    """What was omitted, and why."""


class ExportResponse(_ExportResponseRequired, total=False):
    """The trajectories of a session."""

    ignored: list[str]
    """Unknown fields of the request, which had no effect; the first 20."""


class _ExportedInteractionRequired(TypedDict):
    """Always in `ExportedInteraction`."""

    interaction_id: str
    """Id of the interaction; with `concat`, that of the last one."""
    parent_id: str | None
    """The interaction that it continues."""
    reward: float
    """After discounting."""
    original_reward: float | None
    """As it was set; null if there is none."""
    tensor_dict: dict[str, Tensor]
    """The tensors for training, by name."""
    model_response: ModelResponse
    """"""


class ExportedInteraction(_ExportedInteractionRequired, total=False):
    """One interaction as training data."""

    messages: list[dict[str, Any]]
    """The conversation before the answer."""
    output_message_list: list[dict[str, Any]]
    """The answer."""
    completion: dict[str, Any]
    """The answer as a chat completion."""
    provenance: dict[str, dict[str, Any] | None]
    """What made the trained tokens: by interaction, null where it was not recorded."""


class GenerationResponse(TypedDict):
    """The state of generation."""

    status: Literal["ok"]
    """The request succeeded."""
    paused: bool
    """Whether generation is paused."""


class HealthResponse(TypedDict):
    """Whether the service is up."""

    status: Literal["ok"]
    """The process is running."""
    initialized: bool
    """Whether the engine has been probed and sessions are restored."""


class InteractionSummary(TypedDict):
    """One node of the tree."""

    interaction_id: str
    """Id of the interaction."""
    parent_id: str | None
    """The interaction that it continues."""
    reward: float | None
    """Its own reward."""
    prompt_tokens: int
    """Tokens of the prompt."""
    sampled_tokens: int
    """Tokens of the answer."""


class Model(TypedDict):
    """A model."""

    id: str
    """Name of the model."""
    object: Literal["model"]
    """Always `model`."""
    created: int
    """Seconds since 1970 at which the service started."""
    owned_by: str
    """Always `weir`."""


class _ModelResponseRequired(TypedDict):
    """Always in `ModelResponse`."""

    input_tokens: int
    """Tokens of the prompt."""
    output_tokens: int
    """Sampled tokens."""
    stop_reason: str
    """Why the answer ended."""
    versions: list[list[int]]
    """Versions of the weights, each with its number of consecutive tokens."""


class ModelResponse(_ModelResponseRequired, total=False):
    """Details of the response of the engine."""

    input_ids: list[int] | Tensor
    """Tokens of the prompt, where asked for."""
    output_ids: list[int] | Tensor
    """Sampled tokens, where asked for."""
    output_logprobs: list[float] | Tensor
    """Natural logarithms of the sampled tokens, where asked for."""
    output_versions: list[int] | Tensor
    """Version of the weights of each sampled token, where asked for."""


class ModelsListResponse(TypedDict):
    """The models."""

    object: Literal["list"]
    """Always `list`."""
    data: list[Model]
    """The one model that is served."""


class ReadyResponse(TypedDict):
    """Whether model calls are accepted."""

    status: Literal["ready"]
    """Model calls are accepted."""


class _SessionDetailRequired(TypedDict):
    """Always in `SessionDetail`."""

    session_id: str
    """Id of the session."""
    task_id: str
    """The task of the session."""
    state: SessionState
    """"""
    interaction_count: int
    """Completed interactions."""
    turns_under_way: int
    """Running model calls."""
    bytes: int
    """Size of its interactions in memory."""
    sampled_tokens: int
    """Tokens sampled in the session."""
    reward_revision: int
    """How often a reward was set."""
    created_at: str
    """When it was started."""
    last_used_at: str
    """When it was last used."""
    interactions: list[InteractionSummary]
    """The tree, in the order of completion."""
    mismatches: dict[str, Any]
    """Where requests differed from known conversations, by kind."""


class SessionDetail(_SessionDetailRequired, total=False):
    """One session with its tree."""

    end_reason: Literal["client", "idle"]
    """Whether a client or the idle time ended it."""


class _SessionSummaryRequired(TypedDict):
    """Always in `SessionSummary`."""

    session_id: str
    """Id of the session."""
    task_id: str
    """The task of the session."""
    state: SessionState
    """"""
    interaction_count: int
    """Completed interactions."""
    turns_under_way: int
    """Running model calls."""
    bytes: int
    """Size of its interactions in memory."""
    sampled_tokens: int
    """Tokens sampled in the session."""
    reward_revision: int
    """How often a reward was set."""
    created_at: str
    """When it was started."""
    last_used_at: str
    """When it was last used."""


class SessionSummary(_SessionSummaryRequired, total=False):
    """One session."""

    end_reason: Literal["client", "idle"]
    """Whether a client or the idle time ended it."""


class SessionsListResponse(TypedDict):
    """All sessions."""

    sessions: list[SessionSummary]
    """In the order of their start."""


class _SetRewardRequestRequired(TypedDict):
    """Always in `SetRewardRequest`."""

    reward: float
    """A finite number."""


class SetRewardRequest(_SetRewardRequestRequired, total=False):
    """A reward of one interaction."""

    interaction_id: str | None
    """Default: the last completed interaction."""
    session_id: str | None
    """The session, if the admin key is used."""


class _SetRewardResponseRequired(TypedDict):
    """Always in `SetRewardResponse`."""

    message: str
    """`success`."""
    session_id: str
    """Id of the session."""
    interaction_id: str
    """The interaction with the reward."""
    reward: float
    """The reward that was set."""
    revision: int
    """Counts the rewards set in this session, including corrections."""


class SetRewardResponse(_SetRewardResponseRequired, total=False):
    """The reward that was set."""

    ignored: list[str]
    """Unknown fields of the request, which had no effect; the first 20."""


class SetVersionRequest(TypedDict):
    """The version of the engine's weights."""

    version: int
    """Version of the weights, from 0."""


class StartSessionRequest(TypedDict, total=False):
    """A new session."""

    task_id: str
    """The task of the session; the beginning of its id."""
    api_key: str | None
    """The key of the session: 16 to 256 printable characters. Default: generated."""


class _StartSessionResponseRequired(TypedDict):
    """Always in `StartSessionResponse`."""

    session_id: str
    """Id of the session: the task and a number."""
    session_api_key: str
    """The key of the session, returned only once."""
    api_key: str
    """The same key, for older clients."""


class StartSessionResponse(_StartSessionResponseRequired, total=False):
    """The new session."""

    ignored: list[str]
    """Unknown fields of the request, which had no effect; the first 20."""


class Tensor(TypedDict):
    """A tensor."""

    type: Literal["tensor"]
    """Always `tensor`."""
    data: str
    """The elements, little-endian and row-major, in base64."""
    shape: list[int]
    """Sizes of the axes."""
    dtype: Literal["torch.int32", "torch.float32", "torch.bool"]
    """Type of an element."""


class _UpdateWeightsRequestRequired(TypedDict):
    """Always in `UpdateWeightsRequest`."""

    version: int
    """Version of these weights, above the current one."""


class UpdateWeightsRequest(_UpdateWeightsRequestRequired, total=False):
    """New weights for the engine."""

    file: str
    """
    Embedded engine: a GGUF file on the machine of the proxy, which is copied. SGLang and vLLM: a folder on the
    machine of the engine, or the name of a model. Omitted: the trainer has loaded the weights itself.
    """
    in_flight: Literal["continue", "finish", "drop"]
    """
    What happens to generations that run: they continue on the new weights, each token with its version; finish on
    the old ones first; or are dropped.
    """


class VersionResponse(TypedDict):
    """The version of the engine's weights."""

    version: int
    """Version of the weights."""


class ExportOptions(TypedDict, total=False):
    """How to export; see `ExportRequest`."""

    discount: float
    """The part of a child's reward that its parent gets."""
    style: Literal["individual", "concat"]
    """A row for each interaction, or for each whole conversation."""
    rule: Literal["sum", "mean", "max", "linear"]
    """
    How rewards propagate to a parent: sum, mean or maximum of its children; `linear` follows the order of
    completion.
    """
    drop_retry_orphans: bool
    """Whether to omit answers that a retry replaced."""
    check_drift: bool
    """
    Whether to render the latest conversations again and report, under `drift.rendered`, where the template would
    give other tokens.
    """
    include_messages: bool
    """Whether the conversations are part of a JSON answer."""
    model_response: Literal["counts", "arrays", "binary"]
    """
    What `model_response` of a JSON answer holds: counts only, or also ids and log-probabilities as arrays or as
    tensors.
    """
    include_provenance: bool
    """Whether entries hold the `provenance` of their trained tokens."""
    strict: bool
    """Whether to refuse the export of a session of which anything is not proven, instead of leaving it out."""
    wait_seconds: float
    """How long to wait for the end of the session before responding with 409."""
    remove_session: bool
    """Whether a complete answer acknowledges the export. Not with an `Idempotency-Key` header."""
