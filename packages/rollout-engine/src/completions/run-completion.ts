import { hash } from 'node:crypto';
import { AppError, yieldToEventLoop } from '@weir/foundation';
import {
  collectOutput,
  createOutputParser,
  createStopMatcher,
  collectPathIds,
  type Attachment,
  type Interaction,
  type InteractionDraft,
  type OutputEvent,
  type ReasoningParserName,
  type ToolParserName,
} from '@weir/rollout-core';
import type { EngineInfo, GenerationEnd, GenerationRequest, InferenceEngine } from '../engine/port/inference-engine';
import type { ParentCompletion, PreparedPrompt, PromptBuilder } from '../prompt/prompt-builder';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { createAnswerReader, type AnswerReader } from './answer-reader';
import { describeProvenance } from './describe-provenance';
import { assertGrammar, forcedGrammar } from './forced-grammar';
import { markerIds } from './marker-ids';
import { mergeEvents } from './merge-events';
import { readGeneration } from './read-generation';
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
  readonly now: () => Date;
  /** A random text of letters and digits, unique. */
  readonly createId: () => string;
}

const idPrefixes = {
  'chat-completions': 'chatcmpl-',
  responses: 'resp_',
  messages: 'msg_',
  'generate-content': 'gen_',
} as const;
const callPrefixes = {
  'chat-completions': 'call_',
  responses: 'call_',
  messages: 'toolu_',
  'generate-content': 'call_',
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
    this.#createdAt = dependencies.now();
    this.#id = idPrefixes[request.protocol] + dependencies.createId();
  }

  async run(emit: Emit): Promise<void> {
    const { prompts, tokenizer, toolParser, engineInfo } = this.#dependencies;
    const { messages, tools, templateArguments } = this.#request;
    const grammar = forcedGrammar(this.#request, toolParser);
    assertGrammar(grammar, engineInfo().grammar);
    // Ids of one vocabulary must not continue those of another if the service restarts with another model.
    const vocabulary = [tokenizer.digest, prompts.templateDigest];
    const contextKey = hash('sha1', JSON.stringify([tools, templateArguments, vocabulary]));
    // Reading, attaching and building each hold the event loop for tens of milliseconds with 10 MB of text.
    await yieldToEventLoop();
    const attachment = this.#session.cache.attach({ messages, contextKey });
    await yieldToEventLoop();
    const prompt = await prompts.build({
      parent: attachment.parent === undefined ? undefined : toParentCompletion(attachment.parent),
      messages,
      newMessages: attachment.newMessages,
      tools,
      templateArguments,
    });
    const generation = this.#generation(prompt, grammar);
    this.#signal.throwIfAborted();
    emit({ kind: 'started', id: this.#id, createdAt: this.#createdAt, promptTokens: prompt.ids.length });
    const answer = await this.#generate(generation, this.#reader(prompt), emit);
    const result = this.#toResult(prompt, answer);
    if (this.#request.isRecorded) await this.#store({ attachment, prompt, contextKey, answer, result, grammar });
    emit({ kind: 'finished', result });
  }

  #generation(prompt: PreparedPrompt, grammar: string | undefined): GenerationRequest {
    const { engineInfo, limits, tokenizer } = this.#dependencies;
    const { sampling, stop, topLogprobs = 0, isStreaming } = this.#request;
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
      maxNewTokens: limitNewTokens(budget, limits),
      sampling,
      stopTokenIds: tokenizer.endIds,
      stop,
      ...(grammar === undefined ? {} : { grammar }),
      topLogprobs,
      isStreaming,
    };
  }

  #reader(prompt: PreparedPrompt): AnswerReader {
    const { tokenizer, toolParser, reasoningParser, createId } = this.#dependencies;
    const { tools, toolChoice, parallelToolCalls, protocol, stop } = this.#request;
    const wantsCalls = tools.length > 0 && toolChoice.kind !== 'none';
    const callParser = wantsCalls ? toolParser : 'none';
    const parser = createOutputParser({
      toolParser: callParser,
      reasoningParser,
      tools,
      newCallId: () => callPrefixes[protocol] + createId(),
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
    const showsTokens = this.#request.topLogprobs !== undefined;
    const endIds = new Set(generation.stopTokenIds);
    const sampled = createTokenCollector();
    const events: OutputEvent[] = [];
    const emitAll = (made: readonly OutputEvent[]): void => {
      events.push(...made);
      for (const event of made) emit(event);
    };
    const end = await readGeneration(engine.generate(generation, this.#signal), {
      isOver: () => reader.isOver,
      take: (piece) => {
        sampled.add(piece.tokens);
        if (showsTokens) emit({ kind: 'tokens', tokens: toTokenLogprobs(piece, tokenizer, endIds) });
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
    };
  }

  #cutText(ids: Int32Array, { reader }: Answer, { output }: CompletionResult): string | undefined {
    const { tokenizer, toolParser, reasoningParser } = this.#dependencies;
    if (reader.stopText === undefined || (output.toolCalls ?? []).length > 0) return undefined;
    const markers = markerIds(tokenizer, toolParser, reasoningParser);
    return findCutText({ ids, content: output.content, stop: this.#request.stop, markerIds: markers }, tokenizer);
  }

  async #store({ attachment, prompt, contextKey, answer, result, grammar }: FinishedCompletion): Promise<void> {
    const { engineInfo, now, prompts, tokenizer } = this.#dependencies;
    const { sampling, protocol, model } = this.#request;
    const sampled = answer.sampled.toSampledTokens(answer.end.versions);
    const isForeign = sampled.ids.some((id) => id >= tokenizer.vocabularySize);
    const cutText = this.#cutText(sampled.ids, answer, result);
    const modeDoubt = engineInfo().mode === 'exact' ? undefined : 'engine_capture_only';
    const doubt = answer.end.doubt ?? (isForeign ? 'ids_outside_vocabulary' : modeDoubt);
    const draft: InteractionDraft = {
      id: this.#id,
      parent: attachment.parent,
      newMessages: attachment.newMessages,
      output: result.output,
      contextKey,
      contextIds: prompt.ids.slice(prompt.inherited),
      inheritedTokens: prompt.inherited,
      sampled,
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
      }),
    };
    await this.#open.commit(draft, prompt.ids, {
      tools: this.#request.tools,
      templateArguments: this.#request.templateArguments,
    });
  }
}

interface Answer {
  readonly sampled: TokenCollector;
  readonly reader: AnswerReader;
  readonly end: GenerationEnd;
  readonly events: readonly OutputEvent[];
}

interface FinishedCompletion {
  readonly attachment: Attachment;
  readonly prompt: PreparedPrompt;
  readonly contextKey: string;
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
