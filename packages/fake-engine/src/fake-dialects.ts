import type { FakeEngineDialect, FakeEngineRequest } from './fake-engine-types';
import { sglangExperts, vllmExperts } from './fake-experts';
import type { FakeSample } from './fake-sampling';

type Body = Readonly<Record<string, unknown>>;

/** The tokens from `from` to `to` of a response; the last part contains the finish reason. */
export interface FakePart {
  readonly from: number;
  readonly to: number;
  readonly isLast: boolean;
}

export interface EngineDialect {
  readonly generatePath: string;
  /** Events after the last part. */
  readonly streamEnd: readonly string[];
  read(body: Body): Omit<FakeEngineRequest, 'callNumber' | 'routingKey' | 'adapter' | 'body'>;
  render(request: FakeEngineRequest, sample: FakeSample, part: FakePart, versions: 'spans' | 'answer' | 'none'): Body;
}

/** Replaced by a bare NaN, which engines in Python write. */
export const nanMark = '@@NaN@@';

const numbers = (value: unknown): readonly number[] => (Array.isArray(value) ? (value as number[]) : []);
const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const object = (value: unknown): Body => (typeof value === 'object' && value !== null ? (value as Body) : {});

export const engineDialects: Readonly<Record<FakeEngineDialect, EngineDialect>> = {
  sglang: {
    generatePath: '/generate',
    streamEnd: ['[DONE]'],
    read: (body) => {
      const sampling = object(body.sampling_params);
      return {
        requestId: text(body.rid),
        promptIds: numbers(body.input_ids),
        maxNewTokens: number(sampling.max_new_tokens, 128),
        isStreaming: body.stream === true,
        temperature: number(sampling.temperature, 1),
        topLogprobs: number(body.top_logprobs_num, 0),
        scores: sglangScores(body),
        wantsMask: body.return_sampling_mask === true,
        expertsFrom: body.return_routed_experts === true ? number(body.routed_experts_start_len, 0) : undefined,
      };
    },
    render: renderSglang,
  },
  vllm: {
    generatePath: '/v1/completions',
    streamEnd: ['[DONE]'],
    read: (body) => readFlat(body, body, body.prompt),
    render: (request, sample, part, versions) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      choices: [
        {
          index: 0,
          text: '',
          ...vllmChoice(request, sample, part, versions),
          ...completionTokens(request, sample, part),
          ...(request.scores === undefined ? {} : { prompt_logprobs: vllmScores(request, sample) }),
        },
      ],
      ...vllmUsage(request, sample, part),
    }),
  },
  'vllm-generate': {
    generatePath: '/inference/v1/generate',
    streamEnd: ['[DONE]'],
    read: (body) => readFlat(body, object(body.sampling_params), body.token_ids),
    render: (request, sample, part, versions) => ({
      request_id: request.requestId,
      choices: [
        {
          index: 0,
          ...vllmChoice(request, sample, part, versions),
          ...generateTokens(request, sample, part),
          sampling_mask: sample.masks,
        },
      ],
      ...(request.scores === undefined ? {} : { prompt_logprobs: vllmScores(request, sample) }),
      ...vllmUsage(request, sample, part),
    }),
  },
  'llama-cpp': {
    generatePath: '/completion',
    streamEnd: [],
    read: (body) => ({
      requestId: '',
      promptIds: numbers(body.prompt),
      maxNewTokens: number(body.n_predict, 128),
      isStreaming: body.stream === true,
      temperature: number(body.temperature, 1),
      topLogprobs: number(body.n_probs, 0),
      scores: undefined,
      expertsFrom: undefined,
      wantsMask: false,
    }),
    render: renderLlamaCpp,
  },
};

function readFlat(body: Body, sampling: Body, prompt: unknown): ReturnType<EngineDialect['read']> {
  return {
    requestId: text(body.request_id),
    promptIds: numbers(prompt),
    maxNewTokens: number(sampling.max_tokens, 16),
    isStreaming: body.stream === true,
    temperature: number(sampling.temperature, 1),
    topLogprobs: number(sampling.logprobs, 0),
    expertsFrom: number(body.routed_experts_prompt_start, 0),
    wantsMask: body.stream !== true,
    scores: typeof sampling.prompt_logprobs === 'number' ? { from: 0, top: sampling.prompt_logprobs } : undefined,
  };
}

/** Log-probabilities of a part. A fault affects the one in the middle of the response. */
function reportLogprobs({ answer, logprobs }: FakeSample, { from, to }: FakePart): readonly unknown[] {
  const faultIndex = Math.floor(logprobs.length / 2);
  const reported: unknown[] = Array.from(logprobs.subarray(from, to));
  const at = faultIndex - from;
  if (at < 0 || at >= reported.length) return answer.faults?.logprobs === 'missing' ? [] : reported;
  if (answer.faults?.logprobs === 'missing') return [];
  if (answer.faults?.logprobs === 'short') return reported.slice(0, -1);
  if (answer.faults?.logprobs === 'null') reported[at] = null;
  if (answer.faults?.logprobs === 'nan') reported[at] = nanMark;
  if (answer.faults?.logprobs === 'minus-9999') reported[at] = -9999;
  if (answer.faults?.logprobs === 'positive') reported[at] = 0.5;
  return reported;
}

function reportIds({ answer, ids }: FakeSample, { from, to }: FakePart): readonly unknown[] {
  const reported: unknown[] = Array.from(ids.subarray(from, to));
  if (answer.faults?.malformedId === true && reported.length > 0) reported[reported.length - 1] = -7;
  return reported;
}

/** The second list of ids, which normally equals the first one. */
function reportSecondIds(sample: FakeSample, part: FakePart): readonly unknown[] {
  const reported = reportIds(sample, part);
  return sample.answer.faults?.disagreeingIds === true ? reported.map((id) => Number(id) + 1) : reported;
}

function reportSpans({ labels, answer }: FakeSample, to: number): readonly Body[] {
  const spans: { version: string; start: number; end: number }[] = [];
  for (const [index, label] of labels.slice(0, to).entries()) {
    const last = spans.at(-1);
    if (last?.version === label) last.end = index + 1;
    else spans.push({ version: label, start: index, end: index + 1 });
  }
  const [first] = spans;
  if (answer.faults?.brokenSpans === true && first !== undefined) first.start = 1;
  return spans;
}

/** The sampled token and less likely ones. */
function topTokens(sample: FakeSample, index: number, count: number): readonly (readonly [number, number])[] {
  if (sample.answer.faults?.topLogprobs === 'missing') return [];
  const id = sample.ids[index] ?? 0;
  const logprob = sample.logprobs[index] ?? 0;
  return Array.from({ length: count }, (_, rank) => [id + rank, logprob - rank] as const);
}

/** The prompt is scored only from a start from 0; -1 is the default of the engine and means the answer alone. */
function sglangScores(body: Body): FakeEngineRequest['scores'] {
  const from = number(body.logprob_start_len, -1);
  return from < 0 ? undefined : { from, top: number(body.top_logprobs_num, 0) };
}

/** The log-probability of a token of the prompt: determined by its id and its position. */
export const promptLogprob = (id: number, position: number): number => -((id % 89) / 16 + position / 1_024);

function scoredIds({ promptIds }: FakeEngineRequest, { answer: { faults } }: FakeSample): readonly number[] {
  if (faults?.scores === 'missing') return [];
  if (faults?.scores === 'short') return promptIds.slice(0, -1);
  return faults?.scores === 'other'
    ? promptIds.map((id, at) => (at === promptIds.length - 1 ? id + 1 : id))
    : promptIds;
}

/** The likeliest tokens at a position are two others and the token itself. */
function scoredTop(id: number, position: number, count: number): readonly (readonly [number, number])[] {
  const value = promptLogprob(id, position);
  const all = [
    [id + 1, value / 2],
    [id, value],
    [id + 2, value - 1],
  ] as const;
  return all.slice(0, count);
}

function vllmScores(request: FakeEngineRequest, sample: FakeSample): readonly unknown[] {
  const top = request.scores?.top ?? 0;
  return scoredIds(request, sample).map((id, position) =>
    position === 0
      ? null
      : Object.fromEntries(
          [[id, promptLogprob(id, position)] as const, ...scoredTop(id, position, top)].map(([token, logprob]) => [
            token,
            { logprob, rank: 1, decoded_token: '' },
          ]),
        ),
  );
}

function sglangInput(request: FakeEngineRequest, sample: FakeSample): Body {
  const { scores } = request;
  if (scores === undefined) return {};
  const scored = scoredIds(request, sample).slice(scores.from);
  return {
    input_token_logprobs: scored.map((id, at) => [at === 0 ? null : promptLogprob(id, scores.from + at), id, null]),
    input_top_logprobs: scored.map((id, at) =>
      at === 0 ? null : scoredTop(id, scores.from + at, scores.top).map(([token, value]) => [value, token, null]),
    ),
  };
}

function indexes({ from, to }: FakePart): readonly number[] {
  return Array.from({ length: to - from }, (_, offset) => from + offset);
}

function echoPrompt(request: FakeEngineRequest, sample: FakeSample): readonly number[] {
  return sample.answer.faults?.wrongPromptEcho === true
    ? [...request.promptIds.slice(0, -1), 7_777]
    : request.promptIds;
}

function readFinishReason(sample: FakeSample, part: FakePart): string | null {
  return part.isLast && sample.answer.faults?.noFinishReason !== true ? sample.finishReason : null;
}

function renderSglang(
  request: FakeEngineRequest,
  sample: FakeSample,
  part: FakePart,
  versions: 'spans' | 'answer' | 'none',
): Body {
  const shown = sample.answer.isCumulative === true ? { ...part, from: 0 } : part;
  const logprobs = reportLogprobs(sample, shown);
  const finish = readFinishReason(sample, part);
  const triples = reportIds(sample, shown)
    .slice(0, logprobs.length)
    .map((id, index) => [logprobs[index], id, null]);
  return {
    text: '',
    output_ids: reportSecondIds(sample, shown),
    meta_info: {
      id: request.requestId,
      finish_reason: finish === null ? null : { type: finish },
      prompt_tokens: request.promptIds.length + (sample.answer.faults?.wrongPromptEcho === true ? 1 : 0),
      completion_tokens: part.to,
      cached_tokens: sample.answer.cachedTokens ?? 0,
      ...(versions === 'none' ? {} : { weight_version: sample.labels[Math.max(0, part.to - 1)] ?? 'default' }),
      ...(versions === 'spans' ? { weight_versions: reportSpans(sample, part.to) } : {}),
      output_token_logprobs: triples,
      ...sglangInput(request, sample),
      output_token_sampling_mask: sample.masks?.slice(0, part.to),
      ...(part.isLast ? sglangExperts(request, sample) : {}),
      output_top_logprobs:
        request.topLogprobs > 0
          ? indexes(shown).map((index) =>
              topTokens(sample, index, request.topLogprobs).map(([id, value]) => [value, id, null]),
            )
          : undefined,
    },
  };
}

function vllmChoice(
  request: FakeEngineRequest,
  sample: FakeSample,
  part: FakePart,
  versions: 'spans' | 'answer' | 'none',
): Body {
  return {
    token_ids: reportIds(sample, part),
    finish_reason: readFinishReason(sample, part),
    ...(part.from === 0 ? { prompt_token_ids: echoPrompt(request, sample) } : {}),
    ...(part.isLast ? vllmExperts(request, sample) : {}),
    ...(part.isLast && versions === 'spans' ? { weight_versions: reportSpans(sample, part.to) } : {}),
  };
}

function completionTokens(request: FakeEngineRequest, sample: FakeSample, part: FakePart): Body {
  const logprobs = reportLogprobs(sample, part);
  return {
    logprobs: {
      tokens: reportSecondIds(sample, part).map((id) => `token_id:${String(id)}`),
      token_logprobs: logprobs,
      top_logprobs: indexes(part).map((index) =>
        Object.fromEntries(
          topTokens(sample, index, Math.max(1, request.topLogprobs)).map(([id, value]) => [`token_id:${id}`, value]),
        ),
      ),
    },
  };
}

function generateTokens(request: FakeEngineRequest, sample: FakeSample, part: FakePart): Body {
  const others = reportSecondIds(sample, part);
  return {
    logprobs: {
      content: reportLogprobs(sample, part).map((logprob, offset) => ({
        token_id: others[offset],
        logprob,
        rank: 1,
        top_logprobs: topTokens(sample, part.from + offset, request.topLogprobs).map(([id, value]) => ({
          token_id: id,
          logprob: value,
        })),
      })),
    },
  };
}

function vllmUsage(request: FakeEngineRequest, sample: FakeSample, part: FakePart): Body {
  if (!part.isLast) return {};
  return {
    usage: {
      prompt_tokens: request.promptIds.length,
      completion_tokens: part.to,
      total_tokens: request.promptIds.length + part.to,
      prompt_tokens_details: { cached_tokens: sample.answer.cachedTokens ?? 0 },
    },
  };
}

const llamaStops = { stop: 'eos', length: 'limit', abort: 'none' } as const;

function renderLlamaCpp(request: FakeEngineRequest, sample: FakeSample, part: FakePart): Body {
  const { faults, cachedTokens } = sample.answer;
  const cached = cachedTokens ?? 0;
  const others = reportSecondIds(sample, part);
  const probability = (value: unknown): unknown =>
    typeof value === 'number' && value !== -9999 ? Math.exp(value) : value;
  return {
    content: '',
    tokens: reportIds(sample, part),
    completion_probabilities: reportLogprobs(sample, part).map((value, offset) => ({
      id: others[offset],
      token: '',
      bytes: [],
      prob: probability(value),
      top_probs: topTokens(sample, part.from + offset, request.topLogprobs).map(([id, logprob]) => ({
        id,
        token: '',
        prob: Math.exp(logprob),
      })),
    })),
    stop: part.isLast,
    stop_type: faults?.noFinishReason === true ? 'none' : llamaStops[sample.finishReason],
    truncated: false,
    tokens_predicted: part.to,
    tokens_evaluated: request.promptIds.length,
    timings: {
      cache_n: cached,
      prompt_n: request.promptIds.length - cached + (faults?.wrongPromptEcho === true ? 1 : 0),
      predicted_n: part.to,
    },
  };
}
