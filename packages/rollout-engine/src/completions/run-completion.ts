import { hash } from 'node:crypto';
import { AppError, yieldToEventLoop } from '@weir/foundation';
import {
  collectOutput,
  createOutputParser,
  createStopMatcher,
  findToolFormat,
  collectPathIds,
  type Interaction,
  type InteractionDraft,
  type Message,
  type OutputEvent,
  type PromptContext,
  type ReasoningParserName,
  type ToolParserName,
} from '@weir/rollout-core';
import { cutExperts, expertsNotConfigured } from './kept-experts';
import { hasCutoff, withMask } from './sampling-mask';
import { keptLogprobs, scoredFrom } from './prompt-logprobs';
import type {
  EngineInfo,
  ExpertRequest,
  GenerationEnd,
  GenerationRequest,
  InferenceEngine,
} from '../engine/port/inference-engine';
import type { ParentCompletion, PreparedPrompt, PromptBuilder } from '../prompt/prompt-builder';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { createAnswerReader, type AnswerReader } from './answer-reader';
import { describeProvenance } from './describe-provenance';
import { assertGrammar, forcedAfterThought, forcedGrammar } from './forced-grammar';
import { markerIds } from './marker-ids';
import { mergeEvents } from './merge-events';
import { describeTokens, readRawPrompt } from './raw-prompt';
import { readGeneration } from './read-generation';
import { recordsNothing, type ExpertShape, type Recording } from '../engine/port/recording';
import { createTokenCollector, type TokenCollector } from './token-collector';
import { toTokenLogprobs } from './token-logprobs';
import type { RunCompletion, CompletionEvent, CompletionRequest, CompletionResult } from './completion';
import { limitNewTokens, type CompletionLimits } from './completion-limits';
import { createCompletionLog } from './completion-log';
import { findCutText } from './cut-text';
import type { OpenCompletion, CompletionSession } from './completion-session';

export interface CompletionDependencies {
  readonly engine: InferenceEngine;
  /** Returns the result of the last probe. */
  readonly engineInfo: () => EngineInfo;
  readonly tokenizer: Tokenizer;
  readonly prompts: PromptBuilder;
  readonly toolParser: ToolParserName;
  readonly reasoningParser: ReasoningParserName;
  readonly limits: CompletionLimits;
  /** For sessions and calls that do not say otherwise. Default: nothing more. */
  readonly recording?: Partial<Recording> | undefined;
  /** That of the model, where experts can be recorded. */
  readonly expertShape?: ExpertShape | undefined;
  readonly now: () => Date;
  /** A random text of letters and digits, unique, also its beginning. */
  readonly createId: () => string;
}

const idPrefixes = {
  'chat-completions': 'chatcmpl-',
  responses: 'resp_',
  messages: 'msg_',
  'generate-content': 'gen_',
  completions: 'cmpl-',
} as const;
const callPrefixes = {
  'chat-completions': 'call_',
  responses: 'call_',
  messages: 'toolu_',
  'generate-content': 'call_',
  completions: 'call_',
} as const;

/** Repeated requests follow the completion of the first one; see `CompletionIdentity`. */
export function createCompletionRunner(dependencies: CompletionDependencies): RunCompletion<CompletionSession> {
  return async function* (session, request, signal) {
    const known = session.completions.find(request.identity);
    if (known !== undefined) {
      yield* known.follow(signal);
      return;
    }
    const open = session.startCompletion();
    const completion = createCompletionLog(async (emit, abandoned) => {
      try {
        await new Completion(dependencies, session, open, request, AbortSignal.any([abandoned, open.signal])).run(emit);
      } finally {
        open.close();
      }
    });
    session.completions.add(request.identity, completion);
    yield* completion.follow(signal);
  };
}

type Emit = (event: CompletionEvent) => void;

class Completion {
  readonly #dependencies: CompletionDependencies;
  readonly #session: CompletionSession;
  readonly #open: OpenCompletion;
  readonly #request: CompletionRequest;
  readonly #signal: AbortSignal;
  readonly #recording: Recording;
  readonly #createdAt: Date;
  readonly #id: string;

  constructor(
    dependencies: CompletionDependencies,
    session: CompletionSession,
    open: OpenCompletion,
    request: CompletionRequest,
    signal: AbortSignal,
  ) {
    this.#dependencies = dependencies;
    this.#session = session;
    this.#open = open;
    this.#request = request;
    this.#signal = signal;
    const recording = { ...recordsNothing, ...dependencies.recording, ...session.recording, ...request.recording };
    this.#recording = request.isRecorded ? recording : recordsNothing;
    this.#createdAt = dependencies.now();
    this.#id = idPrefixes[request.protocol] + dependencies.createId();
  }

  async run(emit: Emit): Promise<void> {
    const { engineInfo } = this.#dependencies;
    const { rawPrompt } = this.#request;
    const forced = forcedGrammar(this.#request, this.#parsers.tools);
    assertGrammar(forced, engineInfo().grammar);
    const prepared = await (rawPrompt === undefined ? this.#prepareMessages() : this.#prepareTokens(rawPrompt));
    const { prompt } = prepared;
    const grammar = forcedAfterThought(forced, this.#parsers.reasoning, prompt.startsInReasoning);
    const generation = this.#generation(prompt, grammar, prepared.parent);
    this.#signal.throwIfAborted();
    emit({ kind: 'started', id: this.#id, createdAt: this.#createdAt, promptTokens: prompt.ids.length });
    const answer = await this.#generate(generation, this.#reader(prompt), emit);
    const result = this.#toResult(prompt, answer);
    if (this.#request.isRecorded) await this.#store({ ...prepared, answer, result, grammar });
    emit({ kind: 'finished', result });
  }

  async #prepareMessages(): Promise<PreparedCall> {
    const { prompts, tokenizer } = this.#dependencies;
    const { messages, tools, templateArguments } = this.#request;
    // Ids of one vocabulary must not continue those of another if the service restarts with another model.
    const vocabulary = [tokenizer.digest, prompts.templateDigest];
    const contextKey = hash('sha1', JSON.stringify([tools, templateArguments, vocabulary]));
    // Reading, attaching and building each hold the event loop for tens of milliseconds with 10 MB of text.
    await yieldToEventLoop();
    const { parent, newMessages } = this.#session.cache.attach({ messages, contextKey });
    await yieldToEventLoop();
    const prompt = await prompts.build({
      parent: parent === undefined ? undefined : toParentCompletion(parent),
      messages,
      newMessages,
      tools,
      templateArguments,
    });
    return { parent, newMessages, contextKey, prompt, context: { tools, templateArguments } };
  }

  /** A prompt that begins with all tokens of a path continues it; what follows them is stored as a message of the user. */
  async #prepareTokens(rawPrompt: string | Int32Array): Promise<PreparedCall> {
    const { tokenizer } = this.#dependencies;
    const ids = await readRawPrompt(rawPrompt, tokenizer);
    await yieldToEventLoop();
    const parent = this.#session.cache.findByTokens(
      ids,
      ({ provenance }) => provenance?.tokenizer === tokenizer.digest,
    );
    const inherited = parent?.pathTokens ?? 0;
    return {
      parent,
      newMessages: describeTokens(ids.subarray(inherited), tokenizer),
      contextKey: hash('sha1', JSON.stringify(['tokens', tokenizer.digest])),
      prompt: {
        ids,
        inherited,
        continuity: { kind: parent === undefined ? 'root' : 'continued' },
        startsInReasoning: false,
        encodedTokens: typeof rawPrompt === 'string' ? ids.length : 0,
      },
      context: undefined,
    };
  }

  /** What reads the answer of a raw prompt would not know where its template had begun. */
  get #parsers(): { readonly tools: ToolParserName; readonly reasoning: ReasoningParserName } {
    const { toolParser, reasoningParser } = this.#dependencies;
    const isRaw = this.#request.rawPrompt !== undefined;
    return isRaw ? { tools: 'none', reasoning: 'none' } : { tools: toolParser, reasoning: reasoningParser };
  }

  #generation(prompt: PreparedPrompt, grammar: string | undefined, parent: Interaction | undefined): GenerationRequest {
    const routedExperts = this.#expertRequest(prompt, parent);
    const promptLogprobsFrom = this.#recording.promptLogprobs ? scoredFrom(prompt) : undefined;
    const { engineInfo, limits, tokenizer } = this.#dependencies;
    const { sampling, stop, topLogprobs = 0, isStreaming } = this.#request;
    const { topLogprobs: kept } = this.#recording;
    const budget = {
      promptTokens: prompt.ids.length,
      contextLength: engineInfo().contextLength,
      sessionTokens: this.#session.sampledTokens,
      requested: this.#request.maxNewTokens,
    };
    return {
      requestId: this.#id,
      sessionId: this.#session.id,
      promptIds: prompt.ids,
      ...(this.#session.adapter === undefined ? {} : { adapterName: this.#session.adapter }),
      maxNewTokens: limitNewTokens(budget, limits),
      sampling,
      stopTokenIds: tokenizer.endIds,
      stop,
      ...(grammar === undefined ? {} : { grammar }),
      topLogprobs: Math.max(topLogprobs, kept),
      ...(this.#recording.samplingMask && hasCutoff(sampling) ? { samplingMask: true } : {}),
      ...(routedExperts === undefined ? {} : { routedExperts }),
      ...(promptLogprobsFrom === undefined ? {} : { promptLogprobsFrom }),
      isStreaming,
    };
  }

  /** Rows that the path has already are not asked for again: it has all but that of its last token. */
  #expertRequest(prompt: PreparedPrompt, parent: Interaction | undefined): ExpertRequest | undefined {
    const { expertShape } = this.#dependencies;
    if (!this.#recording.routedExperts) return undefined;
    if (expertShape === undefined) throw expertsNotConfigured();
    return { ...expertShape, from: parent?.routedExperts === undefined ? 0 : Math.max(0, prompt.inherited - 1) };
  }

  #reader(prompt: PreparedPrompt): AnswerReader {
    const { tokenizer, createId } = this.#dependencies;
    const { tools: toolParser, reasoning: reasoningParser } = this.#parsers;
    const { tools, toolChoice, parallelToolCalls, protocol, stop } = this.#request;
    const wantsCalls = tools.length > 0 && toolChoice.kind !== 'none';
    const callParser = wantsCalls ? toolParser : 'none';
    const { callIdLength } = findToolFormat(callParser) ?? {};
    const parser = createOutputParser({
      toolParser: callParser,
      reasoningParser,
      tools,
      newCallId: () =>
        callIdLength === undefined ? callPrefixes[protocol] + createId() : createId().slice(0, callIdLength),
      startsInReasoning: prompt.startsInReasoning,
    });
    return createAnswerReader({
      tokenizer,
      parser,
      stops: createStopMatcher(stop),
      markerIds: markerIds(tokenizer, callParser, reasoningParser),
      endIds: new Set(tokenizer.endIds),
      countsReasoning: reasoningParser !== 'none',
      endsWithCall: wantsCalls && !parallelToolCalls,
    });
  }

  async #generate(generation: GenerationRequest, reader: AnswerReader, emit: Emit): Promise<Answer> {
    const { engine, tokenizer } = this.#dependencies;
    const shown = this.#request.topLogprobs;
    const endIds = new Set(generation.stopTokenIds);
    const sampled = createTokenCollector({
      topCount: this.#recording.topLogprobs,
      keepsMask: generation.samplingMask === true,
    });
    const events: OutputEvent[] = [];
    const emitAll = (made: readonly OutputEvent[]): void => {
      events.push(...made);
      for (const event of made) emit(event);
    };
    const end = await readGeneration(engine.generate(generation, this.#signal), {
      isOver: () => reader.isOver,
      take: (piece) => {
        sampled.add(piece);
        if (shown !== undefined) emit({ kind: 'tokens', tokens: toTokenLogprobs(piece, shown, { tokenizer, endIds }) });
        emitAll(reader.take(piece));
      },
    });
    this.#signal.throwIfAborted();
    if (end === undefined || sampled.count === 0) {
      throw new AppError('upstream_failed', 'The engine ended without an answer.', { reason: 'engine_answer_empty' });
    }
    emitAll(reader.end());
    return { sampled, reader, end, events: mergeEvents(events) };
  }

  #toResult(prompt: PreparedPrompt, { sampled, reader, end, events }: Answer): CompletionResult {
    const output = collectOutput(events);
    const isCut = end.reason !== 'stop';
    const finished = (output.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
    return {
      output,
      finishReason: isCut ? 'length' : finished,
      stopText: reader.stopText,
      usage: {
        promptTokens: prompt.ids.length,
        cachedTokens: Math.min(end.cachedTokens ?? 0, prompt.ids.length),
        completionTokens: sampled.count,
        reasoningTokens: reader.reasoningTokens,
      },
      ...(this.#request.returnsTokenIds === true && {
        tokenIds: { prompt: prompt.ids, sampled: sampled.toSampledTokens(undefined).ids },
      }),
    };
  }

  #cutText(ids: Int32Array, { reader }: Answer, { output }: CompletionResult): string | undefined {
    const { tokenizer } = this.#dependencies;
    if (reader.stopText === undefined || (output.toolCalls ?? []).length > 0) return undefined;
    const markers = markerIds(tokenizer, this.#parsers.tools, this.#parsers.reasoning);
    return findCutText({ ids, content: output.content, stop: this.#request.stop, markerIds: markers }, tokenizer);
  }

  async #store({
    parent,
    newMessages,
    contextKey,
    prompt,
    context,
    answer,
    result,
    grammar,
  }: FinishedCompletion): Promise<void> {
    const { engineInfo, now, prompts, tokenizer } = this.#dependencies;
    const { sampling, protocol, model } = this.#request;
    const tokens = answer.sampled.toSampledTokens(answer.end.versions);
    const sampled = this.#recording.samplingMask ? withMask(tokens) : tokens;
    const isForeign = sampled.ids.some((id) => id >= tokenizer.vocabularySize);
    const cutText = this.#cutText(sampled.ids, answer, result);
    const modeDoubt = engineInfo().mode === 'exact' ? undefined : 'engine_capture_only';
    const topDoubt = answer.sampled.maskDoubt ?? (answer.sampled.lacksTop ? 'top_logprobs_missing' : modeDoubt);
    const experts = this.#recording.routedExperts ? cutExperts(answer.sampled, prompt.ids.length) : undefined;
    const expertDoubt = this.#recording.routedExperts && experts === undefined ? 'routed_experts_missing' : topDoubt;
    const contextLogprobs = this.#recording.promptLogprobs ? keptLogprobs(answer.sampled, prompt) : undefined;
    const promptDoubt =
      this.#recording.promptLogprobs && contextLogprobs === undefined ? 'prompt_logprobs_missing' : expertDoubt;
    const doubt = answer.end.doubt ?? (isForeign ? 'ids_outside_vocabulary' : promptDoubt);
    const draft: InteractionDraft = {
      id: this.#id,
      parent,
      newMessages,
      output: result.output,
      contextKey,
      contextIds: prompt.ids.slice(prompt.inherited),
      inheritedTokens: prompt.inherited,
      sampled,
      ...(contextLogprobs === undefined ? {} : { contextLogprobs }),
      ...(experts === undefined ? {} : { routedExperts: experts }),
      finishReason: result.finishReason,
      ...(cutText === undefined ? {} : { cutText }),
      protocol,
      model,
      createdAt: this.#createdAt,
      completedAt: now(),
      ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
      usage: result.usage,
      ...(doubt === undefined ? {} : { quarantine: doubt }),
      continuity: prompt.continuity,
      provenance: describeProvenance({
        engine: engineInfo(),
        tokenizerDigest: tokenizer.digest,
        templateDigest: prompts.templateDigest,
        sampling,
        grammar,
        adapter: this.#session.adapter,
      }),
    };
    await this.#open.commit(draft, prompt.ids, context);
  }
}

interface Answer {
  readonly sampled: TokenCollector;
  readonly reader: AnswerReader;
  readonly end: GenerationEnd;
  readonly events: readonly OutputEvent[];
}

/** The place of a call in its session, and its prompt. */
interface PreparedCall {
  readonly parent: Interaction | undefined;
  readonly newMessages: readonly Message[];
  readonly contextKey: string;
  readonly prompt: PreparedPrompt;
  /** What a template needs to render the conversation again. */
  readonly context: PromptContext | undefined;
}

interface FinishedCompletion extends PreparedCall {
  readonly answer: Answer;
  readonly result: CompletionResult;
  readonly grammar: string | undefined;
}

function toParentCompletion(parent: Interaction): ParentCompletion {
  return {
    tokens: collectPathIds(parent),
    finishReason: parent.finishReason,
    hasReasoning: hasReasoning(parent),
    output: parent.output,
    cutText: parent.cutText,
  };
}

/** Whether any answer on the path has reasoning. */
function hasReasoning(last: Interaction): boolean {
  for (let at: Interaction | undefined = last; at !== undefined; at = at.parent) {
    if ((at.output.reasoning ?? '') !== '') return true;
  }
  return false;
}
