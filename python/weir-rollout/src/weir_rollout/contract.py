"""Messages of the proxy. scripts/generate_contract.py writes them from the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


ErrorCode = Literal["invalid_request", "unauthenticated", "forbidden", "not_found", "method_not_allowed", "conflict", "gone", "precondition_failed", "payload_too_large", "rate_limited", "wait_timeout", "not_implemented", "upstream_failed", "upstream_timeout", "unavailable", "internal"]
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


class AdapterSummary(TypedDict):
    """A LoRA adapter."""

    name: str
    """Name of the adapter."""
    version: int
    """Version of its weights, which new tokens have."""
    path: str | None
    """Where the engine reads it; null where it has it since its start."""
    pinned: bool
    """Whether the engine keeps it in the memory of the GPU."""
    sessions: int
    """Unfinished sessions with it, also those that are being started."""
    engine_name: str
    """Name of this version at the engine."""
    loaded: bool
    """Whether the proxy has it loaded now."""


class AdaptersResponse(TypedDict):
    """The LoRA adapters."""

    adapters: list[AdapterSummary]
    """By name."""
    in_use: list[str]
    """Names at the engine of what sessions or running generations need, also of earlier versions."""
    loaded: list[LoadedAdapter]
    """What the proxy has loaded, also earlier versions."""


_AlternativesResponseKeywords = TypedDict("_AlternativesResponseKeywords", {"from": int})


class AlternativesResponse(_AlternativesResponseKeywords):
    """The likeliest tokens at some positions of a path."""

    session_id: str
    """Id of the session."""
    interaction_id: str
    """The interaction at the end of the path."""
    to: int
    """The position after the last one; at most the length of the path."""
    positions: list[TokenAlternatives]
    """Positions between them for which any are recorded, in order."""
    tokens: list[dict[str, Any]]
    """Each token of these lists once."""


class BrowserSession(TypedDict):
    """Whether this browser may read."""

    signed_in: bool
    """Whether the cookie of the request is that of a session."""


class CapacityResponse(TypedDict):
    """The capacity that is granted."""

    capacity: int
    """Number of unused grants, including this one."""


class _ConversationMessageRequired(TypedDict):
    """Always in `ConversationMessage`."""

    role: Literal["system", "user", "assistant", "tool"]
    """Who says it."""
    content: str
    """The text."""


class ConversationMessage(_ConversationMessageRequired, total=False):
    """A message, whatever the protocol of the call."""

    reasoning: str
    """The model's reasoning before its answer."""
    tool_calls: list[ConversationToolCall]
    """Calls of tools."""
    tool_call_id: str
    """Of a result: its call."""
    name: str
    """Name of the speaker or of the tool."""


class ConversationToolCall(TypedDict):
    """A call of a tool."""

    id: str
    """Links the result to the call."""
    name: str
    """The tool."""
    arguments: str
    """JSON text as the model wrote it."""


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
    include_tensors: list[Literal["loss_weights", "top_logprobs", "sampling_mask", "ref_logprobs", "ref_top_logprobs", "prompt_logprobs", "routed_experts"]]
    """
    Further tensors of the rows. `loss_weights`: how much each trained token counts. `top_logprobs`: `top_ids` and
    `top_logprobs`, the likeliest tokens at each trained position. `sampling_mask`: the tokens that cut-offs left.
    `ref_logprobs`, and `ref_top_logprobs` with `ref_top_ids`: the same of a model that scored the session.
    `prompt_logprobs`: those of context tokens. `routed_experts`: the choices of a mixture of experts for all
    tokens.
    """
    scorer: str
    """The model whose scores `ref_…` tensors have. Default: the only one that scored the session."""
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

    adapter: str
    """The LoRA adapter whose versions the tokens have; missing without one."""
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


class ForestNode(TypedDict):
    """One interaction in the forest of its session."""

    interaction_id: str
    """Id of the interaction."""
    parent_id: str | None
    """The interaction that it continues."""
    index: int
    """Position in the session, in order of completion, from 0."""
    continuity: Literal["root", "continued", "forked"]
    """How its tokens continue those of its parent's."""
    fork_reason: str | None
    """Why it was encoded from text; null where it was not."""
    reward: float | None
    """Its own reward."""
    discounted_reward: float | None
    """With those of what follows it; null where it is omitted."""
    inherited_tokens: int
    """Tokens of its parent's path with which the prompt begins."""
    prompt_tokens: int
    """Tokens of the prompt."""
    sampled_tokens: int
    """Tokens of the answer."""
    mean_logprob: float | None
    """Mean log-probability of the answer; null for an empty one."""
    versions: list[int]
    """Versions of the weights that sampled it, in order."""
    finish_reason: str
    """Why the answer ended."""
    quarantine: str | None
    """Why it is not trained; null where it is."""
    retry: Literal["orphan", "unresolved", None]
    """`orphan`: a retry replaced the answer. `unresolved`: the client may have seen another answer."""
    protocol: str
    """The protocol of the call."""
    created_at: str
    """When the call began."""
    completed_at: str
    """When the answer was complete."""
    request_role: str
    """Who says the last message of the request."""
    request_text: str
    """The beginning of that message."""
    answer_text: str
    """The beginning of the answer."""
    tool_names: list[str]
    """Tools that the answer calls."""


class ForestResponse(TypedDict):
    """The interactions of a session as trees, with discounted rewards."""

    session_id: str
    """Id of the session."""
    revision: int
    """How often a reward was set."""
    nodes: list[ForestNode]
    """The interactions in the order of completion; parents come first."""
    mismatches: dict[str, Any]
    """Where requests differed from known conversations."""


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


class InteractionDetail(TypedDict):
    """One interaction with its conversation."""

    session_id: str
    """Id of the session."""
    task_id: str
    """Its task."""
    node: ForestNode
    """"""
    model: str
    """The model as the client named it."""
    seed: float | None
    """Of the request; null without one."""
    messages: list[ConversationMessage]
    """The conversation before the answer."""
    new_messages: int
    """How many of them, at the end, its parent does not have."""
    output: ConversationMessage
    """"""
    usage: dict[str, int]
    """Token counts as they were reported."""
    tools: list[dict[str, Any]]
    """Definitions of the tools of the request."""
    template_arguments: dict[str, Any]
    """Further variables of the chat template."""
    provenance: dict[str, Any] | None
    """What made the tokens; null if not recorded."""


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


class LeftOut(TypedDict):
    """An interaction that an export does not train."""

    interaction_id: str
    """Id of the interaction."""
    reason: str
    """Why: a reason of quarantine, or `retry_orphan`."""
    sampled_tokens: int
    """Its sampled tokens, which no row trains."""


class LoadedAdapter(TypedDict):
    """A version of a LoRA adapter at the engine."""

    name: str
    """Name of the adapter."""
    engine_name: str
    """Name of this version at the engine."""
    idle_seconds: float
    """Since its last use."""


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


class ModelTokens(TypedDict):
    """The calls of one model together."""

    model: str
    """The model that the agent asked for; `(others)` for those beyond 32 of a session."""
    calls: int
    """Completed calls."""
    prompt_tokens: int
    """Tokens of their prompts, each prompt as a whole."""
    cached_tokens: int
    """Those that the engine reported as read from its cache; 0 where it reports none."""
    sampled_tokens: int
    """Tokens of their answers."""


class ModelUsage(TypedDict):
    """What one model has read and sampled, in the stored sessions."""

    model: str
    """The model that the agent asked for; `(others)` for those beyond 32 of a session."""
    calls: int
    """Completed calls."""
    prompt_tokens: int
    """Tokens of their prompts, each prompt as a whole."""
    cached_tokens: int
    """Those that the engine reported as read from its cache; 0 where it reports none."""
    sampled_tokens: int
    """Tokens of their answers."""
    sessions: int
    """Sessions with such calls."""
    rewarded: int
    """Those of them with a reward."""
    reward_mean: float | None
    """Mean reward of these; null without any."""
    cost: float | None
    """By `ROLLOUT_PRICES`, in their currency; null where the model has no price."""


class ModelsListResponse(TypedDict):
    """The models."""

    object: Literal["list"]
    """Always `list`."""
    data: list[Model]
    """The one model that is served."""


_PathSegmentKeywords = TypedDict("_PathSegmentKeywords", {"from": int})


class PathSegment(_PathSegmentKeywords):
    """Consecutive tokens of a path that one interaction added."""

    interaction_id: str
    """Whose tokens they are."""
    sampled_from: int
    """Position of the first sampled one; `to` where there is none."""
    to: int
    """Position after the last one."""


class ReadyResponse(TypedDict):
    """Whether model calls are accepted."""

    status: Literal["ready"]
    """Model calls are accepted."""


class Recording(TypedDict, total=False):
    """What is recorded of calls besides their tokens. Default: as the service is set."""

    top_logprobs: int
    """How many of the likeliest tokens at each sampled position, with their log-probabilities."""
    prompt_logprobs: bool
    """Whether the log-probabilities of the new tokens of each prompt, which costs the engine its prefix cache."""
    sampling_mask: bool
    """Whether the tokens that top-k and other cut-offs left to sample from."""
    routed_experts: bool
    """Whether the experts that a mixture of experts chose for each token."""


class ReplicaAdapterRequest(TypedDict):
    """The current version of an adapter."""

    name: str
    """Name of the adapter."""
    path: str
    """Where the engine reads it."""
    pinned: bool
    """Whether the engine keeps it in the memory of the GPU."""
    version: int
    """Version of its weights."""
    end: Literal["interrupt", "drop", None]
    """What happens to its running generations; null: nothing."""


class ReplicaAdapterResponse(TypedDict):
    """The version of the adapter."""

    version: int
    """Version of the adapter."""


class ReplicaGenerationRequest(TypedDict):
    """What all replicas of the proxy have in common."""

    pause: Literal["wait", "abort", "drop", None]
    """How generation pauses; null where it continues."""
    version: int
    """Version of the weights."""
    weights: str | None
    """What the engine read them from; null where that is unknown."""


class ReplicaUnloadRequest(TypedDict):
    """What a replica unloads."""

    name: str
    """Name of the adapter."""
    engine_name: str | None
    """The version that is unloaded; null: every one, and the adapter is forgotten."""


class RowsResponse(TypedDict):
    """The rows that an export would hold."""

    session_id: str
    """Id of the session."""
    revision: int
    """How often a reward was set."""
    rows: list[TrainingRow]
    """In the order of the export."""
    left_out: list[LeftOut]
    """What no row trains, and why."""
    report: dict[str, Any]
    """The report that the export would have."""


class _ScoreSessionRequestRequired(TypedDict):
    """Always in `ScoreSessionRequest`."""

    session_id: str
    """Id of the session."""
    scorer: str
    """The name of the model in `ROLLOUT_SCORERS`."""


class ScoreSessionRequest(_ScoreSessionRequestRequired, total=False):
    """The session and the model that scores it."""

    top_logprobs: int
    """How many of the likeliest tokens of the model are stored at each sampled position."""
    again: bool
    """Whether calls that the model has scored are scored again."""
    timeout_seconds: float
    """How long the model may take; a repeated request goes on from there."""


class ScoreSessionResponse(TypedDict):
    """The scores are stored."""

    session_id: str
    """Id of the session."""
    scorer: str
    """The name of the model."""
    engine: str
    """The kind of its engine."""
    model: str | None
    """The model as its engine names it, where it does."""
    scored_interactions: int
    """Interactions that this request has scored."""
    total_interactions: int
    """Interactions of the session with scores of the model."""
    scored_tokens: int
    """Sampled tokens that this request has scored."""


class SearchMatch(TypedDict):
    """A place where the text was found."""

    session_id: str
    """Id of the session."""
    task_id: str
    """Its task."""
    interaction_id: str
    """Id of the interaction that added the text."""
    role: str
    """Who says it."""
    part: Literal["id", "content", "reasoning", "tool_name", "tool_arguments"]
    """The part of the message; `id` for that of the interaction or session."""
    before: str
    """Text before the match."""
    match: str
    """The match as it is written."""
    after: str
    """Text after the match."""
    position: str
    """Of the interaction among all that are searched; as a cursor, a search begins there."""


class SearchResponse(TypedDict):
    """Places where a text was found."""

    matches: list[SearchMatch]
    """The latest sessions first; one match for each part of a message."""
    next_cursor: str | None
    """Where the search goes on; null where everything was searched."""
    searched_interactions: int
    """Interactions that this call has searched."""


class ServiceStatus(TypedDict):
    """Weights, capacity and load."""

    model: str
    """Name of the model."""
    not_ready: str | None
    """Why model calls are rejected; null when they are accepted."""
    started_at: str
    """When the service was started."""
    version: int
    """Version of the weights."""
    pending_version: int | None
    """Of an update that has not succeeded; null without one."""
    paused: bool
    """Whether generation is paused."""
    running_generations: int
    """Generations that run at the engine."""
    capacity: int
    """Maximum of unused grants and unfinished sessions together."""
    unused_grants: int
    """Grants without a session."""
    unfinished_sessions: int
    """Sessions that have not ended."""
    sessions: int
    """Stored sessions."""
    max_sessions: int
    """Maximum number of them."""
    bytes: int
    """Their size in memory."""
    max_bytes: int
    """Maximum of it."""
    sampled_tokens: int
    """Their sampled tokens."""
    tokens_last_minute: int
    """Those of calls that were completed within the last minute."""
    replicas: list[dict[str, Any]]
    """The processes of the proxy that share its sessions; empty where there is one."""
    versions: list[VersionTokens]
    """Which versions sampled those without an adapter, the latest first."""
    models: list[ModelUsage]
    """By the model that agents asked for, that with the most sampled tokens first; at most 100."""


class _SessionAdapterRequired(TypedDict):
    """Always in `SessionAdapter`."""

    name: str
    """Name of the adapter: letters, digits, dots, dashes and underscores, at most 100."""


class SessionAdapter(_SessionAdapterRequired, total=False):
    """The LoRA adapter that samples all calls of a session."""

    path: str
    """
    Where the engine reads it: a folder on its machine, or what it takes for one. For a name that is known it may be
    omitted, else it must be the current one. For an unknown name without a path, the engine has the adapter since
    its start.
    """
    pinned: bool
    """
    SGLang: whether the engine keeps it in the memory of the GPU. Only with the first path of a name. Default:
    false.
    """


class _SessionDetailRequired(TypedDict):
    """Always in `SessionDetail`."""

    session_id: str
    """Id of the session."""
    task_id: str
    """The task of the session."""
    number: int
    """Orders sessions by their start, those of all replicas together."""
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
    reward: float | None
    """Sum of the rewards of its interactions; null without any."""
    adapter: str | None
    """The LoRA adapter that samples in it, whose versions its tokens have; null without one."""
    first_version: int | None
    """Smallest version of the weights that sampled in it."""
    last_version: int | None
    """Largest version of the weights that sampled in it."""
    quarantined_count: int
    """Interactions that are not trained."""
    models: list[ModelTokens]
    """Its completed calls by the model that the agent asked for."""
    mismatch_count: int
    """Requests that differed from a known conversation."""
    last_finish_reason: str | None
    """Why the answer that was completed last ended."""
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
    number: int
    """Orders sessions by their start, those of all replicas together."""
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
    reward: float | None
    """Sum of the rewards of its interactions; null without any."""
    adapter: str | None
    """The LoRA adapter that samples in it, whose versions its tokens have; null without one."""
    first_version: int | None
    """Smallest version of the weights that sampled in it."""
    last_version: int | None
    """Largest version of the weights that sampled in it."""
    quarantined_count: int
    """Interactions that are not trained."""
    models: list[ModelTokens]
    """Its completed calls by the model that the agent asked for."""
    mismatch_count: int
    """Requests that differed from a known conversation."""
    last_finish_reason: str | None
    """Why the answer that was completed last ended."""
    created_at: str
    """When it was started."""
    last_used_at: str
    """When it was last used."""


class SessionSummary(_SessionSummaryRequired, total=False):
    """One session."""

    end_reason: Literal["client", "idle"]
    """Whether a client or the idle time ended it."""


class SessionsListResponse(TypedDict):
    """Sessions."""

    sessions: list[SessionSummary]
    """By their start."""
    next_cursor: str | None
    """For the next page; null at the end."""


class SetLossWeightRequest(TypedDict, total=False):
    """How much trained tokens count in the loss."""

    session_id: str | None
    """The session, if the admin key is used."""
    interaction_id: str | None
    """The interaction. Default: all of the session, later ones too, that have no weight of their own."""
    weight: float
    """Of all its trained tokens: a number from 0, finite as a 32-bit float."""
    ranges: list[dict[str, Any]]
    """Instead of `weight`: ranges of the sampled tokens of the interaction, a later one over an earlier one."""


class SetLossWeightResponse(TypedDict):
    """The weights are set."""

    message: str
    """`success`."""
    session_id: str
    """Id of the session."""


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


class SignInRequest(TypedDict):
    """The key of a person who opens the viewer."""

    key: str
    """The admin key or the read-only key."""


class StartSessionRequest(TypedDict, total=False):
    """A new session."""

    task_id: str
    """The task of the session; the beginning of its id."""
    api_key: str | None
    """The key of the session: 16 to 256 printable characters. Default: generated."""
    record: Recording
    """"""
    adapter: SessionAdapter
    """"""


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


class TaskSummary(TypedDict):
    """The sessions of one task together."""

    task_id: str
    """The task."""
    sessions: int
    """Its sessions."""
    unfinished: int
    """Those that have not ended."""
    rewarded: int
    """Those with a reward."""
    reward_mean: float | None
    """Mean reward of these; null without any."""
    reward_min: float | None
    """Their smallest reward."""
    reward_max: float | None
    """Their largest reward."""
    sampled_tokens: int
    """Tokens sampled in all of them."""
    quarantined_count: int
    """Interactions that are not trained."""
    last_used_at: str
    """When one of them was last used."""
    models: list[ModelUsage]
    """By the model that agents asked for, that with the most sampled tokens first; at most 100."""


class TasksResponse(TypedDict):
    """Tasks with their sessions together."""

    tasks: list[TaskSummary]
    """The one with the latest session first."""
    next_cursor: str | None
    """For the next page; null at the end."""


class Tensor(TypedDict):
    """A tensor."""

    type: Literal["tensor"]
    """Always `tensor`."""
    data: str
    """The elements, little-endian and row-major, in base64."""
    shape: list[int]
    """Sizes of the axes."""
    dtype: Literal["torch.int32", "torch.float32", "torch.int16", "torch.bool"]
    """Type of an element."""


class TokenAlternatives(TypedDict):
    """What could have been sampled at a position."""

    at: int
    """Position in the path."""
    rank: int | None
    """Place of the token of the path among all that are recorded, from 1; null where it is not among them."""
    likeliest: list[TokenLogprob]
    """The likeliest tokens, likeliest first."""
    scores: list[dict[str, Any]]
    """The same by other models that scored the token with their likeliest ones."""


class TokenLogprob(TypedDict):
    """One of the likeliest tokens at a position."""

    id: int
    """Id of the token."""
    logprob: float
    """Natural logarithm of its probability; -9999 where it is excluded."""


class _TokensResponseRequired(TypedDict):
    """Always in `TokensResponse`."""

    session_id: str
    """Id of the session."""
    interaction_id: str
    """The interaction at the end of the path."""
    segments: list[PathSegment]
    """The parts of the path, in order."""
    ids: list[int]
    """Token ids of the whole path: prompt and answer."""
    logprobs: list[float | None]
    """Log-probabilities; null for what was not sampled."""
    versions: list[int]
    """Version of the weights; -1 for what was not sampled."""
    loss_mask: list[int]
    """1 where the row of this interaction trains the token."""
    sources: list[int]
    """0: rendered by the template. 1: sampled by this call. 2: sampled by an earlier one."""
    turns: list[int]
    """Position of the interaction that added the token, in the path, from 0."""
    control: list[int]
    """1 for control tokens, whose text is their name."""
    byte_offsets: list[int]
    """Where the bytes of each token begin, and where the last ones end."""
    bytes: str
    """The bytes of all tokens, in base64."""
    text: str
    """The same as text; bytes that are not UTF-8 are replaced."""
    alternatives: int
    """How many of the likeliest tokens are recorded at a position, by any model; 0 where there are none."""


class TokensResponse(_TokensResponseRequired, total=False):
    """The tokens of an interaction from the first one of its path."""

    entropies: list[float | None]
    """
    Entropy of the likeliest tokens in nats, all others together as one; null where none are recorded. Absent
    without any.
    """
    prompt_logprobs: list[float | None]
    """Log-probabilities of tokens of prompts; null where they were not recorded. Absent without any."""
    mask_sizes: list[int | None]
    """
    How many tokens the cut-offs left to sample from; 0 where nothing was cut off, null where it was not recorded.
    Absent without any.
    """
    loss_weights: list[float | None]
    """How much sampled tokens count in the loss; null for others. Absent where all weights are 1."""
    scores: dict[str, list[float | None]]
    """Log-probabilities by other models; null where a model did not score the token. Absent without any."""


_TrainedSpanKeywords = TypedDict("_TrainedSpanKeywords", {"from": int})


class TrainedSpan(_TrainedSpanKeywords):
    """Consecutive trained tokens of a row."""

    interaction_id: str
    """Whose tokens they are."""
    to: int
    """Position after the last one."""


class TrainingRow(TypedDict):
    """A row of an export, without its tensors."""

    interaction_id: str
    """Id of its last interaction."""
    reward: float
    """After discounting."""
    original_reward: float | None
    """As it was set; null if there is none."""
    tokens: int
    """Its tokens."""
    trained_tokens: int
    """Those of them that this row trains."""
    spans: list[TrainedSpan]
    """Where these are, in order."""


class _UpdateWeightsRequestRequired(TypedDict):
    """Always in `UpdateWeightsRequest`."""

    version: int
    """Version of these weights, above the current one."""


class UpdateWeightsRequest(_UpdateWeightsRequestRequired, total=False):
    """New weights for the engine, or for one adapter of it."""

    file: str
    """
    Embedded engine: a GGUF file on the machine of the proxy, which is copied. SGLang and vLLM: a folder on the
    machine of the engine, or the name of a model. Omitted: the trainer has loaded the weights itself.
    """
    adapter: str
    """
    Of the LoRA adapter that is updated, and nothing else; `file` is where the engine reads it. An unknown name is
    added.
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


class VersionTokens(TypedDict):
    """What one version of the weights has sampled."""

    version: int
    """Version of the weights; -1 where it is unknown."""
    tokens: int
    """Tokens of stored sessions without an adapter that it sampled."""


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
    include_tensors: list[Literal["loss_weights", "top_logprobs", "sampling_mask", "ref_logprobs", "ref_top_logprobs", "prompt_logprobs", "routed_experts"]]
    """
    Further tensors of the rows. `loss_weights`: how much each trained token counts. `top_logprobs`: `top_ids` and
    `top_logprobs`, the likeliest tokens at each trained position. `sampling_mask`: the tokens that cut-offs left.
    `ref_logprobs`, and `ref_top_logprobs` with `ref_top_ids`: the same of a model that scored the session.
    `prompt_logprobs`: those of context tokens. `routed_experts`: the choices of a mixture of experts for all
    tokens.
    """
    scorer: str
    """The model whose scores `ref_…` tensors have. Default: the only one that scored the session."""
    strict: bool
    """Whether to refuse the export of a session of which anything is not proven, instead of leaving it out."""
    wait_seconds: float
    """How long to wait for the end of the session before responding with 409."""
    remove_session: bool
    """Whether a complete answer acknowledges the export. Not with an `Idempotency-Key` header."""
