import { hash } from 'node:crypto';
import { AppError } from '@weir/errors';
import {
  collectOutput,
  createOutputParser,
  createStopMatcher,
  tokensOf,
  type Attachment,
  type Interaction,
  type InteractionDraft,
  type OutputEvent,
  type ReasoningParserName,
  type ToolParserName,
} from '@weir/rollout-core';
import type { EngineFacts, GenerationEnd, GenerationRequest, InferenceEngine } from '../engine/inference-engine';
import type { ParentTurn, PreparedPrompt, PromptBuilder } from '../prompt/prompt-builder';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { createAnswerReader, type AnswerReader } from './answer-reader';
import { assertGrammar, forcedGrammar } from './forced-grammar';
import { mergeEvents } from './merge-events';
import { readGeneration } from './read-generation';
import { createSampledSoFar, type SampledSoFar } from './sampled-so-far';
import { shownTokens } from './shown-tokens';
import type { RunTurn, TurnEvent, TurnRequest, TurnResult } from './turn';
import { newTokensFor, type TurnLimits } from './turn-limits';
import { createTurnLog } from './turn-log';
import type { OpenTurn, TurnSession } from './turn-session';

export interface TurnDependencies {
  readonly engine: InferenceEngine;
  /** What the engine was last seen to be able to do. */
  readonly facts: () => EngineFacts;
  readonly tokenizer: Tokenizer;
  readonly prompts: PromptBuilder;
  readonly toolParser: ToolParserName;
  readonly reasoningParser: ReasoningParserName;
  /** Whether the parsers look for names of control tokens. */
  readonly showsControl: boolean;
  readonly limits: TurnLimits;
  readonly now: () => Date;
  /** A random text of letters and digits, unique. */
  readonly newId: () => string;
}

const idPrefixes = { 'chat-completions': 'chatcmpl-', responses: 'resp_', messages: 'msg_' } as const;
const callPrefixes = { 'chat-completions': 'call_', responses: 'call_', messages: 'toolu_' } as const;

/** Turns are carried out once, however often they are asked for; see `TurnIdentity`. */
export function createTurnRunner(dependencies: TurnDependencies): RunTurn<TurnSession> {
  return async function* (session, request, signal) {
    const known = session.turns.find(request.identity);
    if (known !== undefined) {
      yield* known.follow(signal);
      return;
    }
    const open = session.beginTurn();
    const turn = createTurnLog(async (emit, left) => {
      try {
        await new Turn(dependencies, session, open, request, AbortSignal.any([left, open.signal])).run(emit);
      } finally {
        open.close();
      }
    });
    session.turns.remember(request.identity, turn);
    yield* turn.follow(signal);
  };
}

type Emit = (event: TurnEvent) => void;

class Turn {
  readonly #dependencies: TurnDependencies;
  readonly #session: TurnSession;
  readonly #open: OpenTurn;
  readonly #request: TurnRequest;
  readonly #signal: AbortSignal;
  readonly #createdAt: Date;
  readonly #id: string;

  constructor(
    dependencies: TurnDependencies,
    session: TurnSession,
    open: OpenTurn,
    request: TurnRequest,
    signal: AbortSignal,
  ) {
    this.#dependencies = dependencies;
    this.#session = session;
    this.#open = open;
    this.#request = request;
    this.#signal = signal;
    this.#createdAt = dependencies.now();
    this.#id = idPrefixes[request.protocol] + dependencies.newId();
  }

  async run(emit: Emit): Promise<void> {
    const { prompts, tokenizer, toolParser, facts } = this.#dependencies;
    const { messages, tools, templateArguments } = this.#request;
    const grammar = forcedGrammar(this.#request, toolParser);
    assertGrammar(grammar, facts().grammar);
    // Ids of one vocabulary are not continued in another one's, should the service be started again with it.
    const vocabulary = [tokenizer.digest, prompts.templateDigest];
    const contextKey = hash('sha1', JSON.stringify([tools, templateArguments, vocabulary]));
    const attachment = this.#session.cache.attach({ messages, contextKey });
    const prompt = await prompts.build({
      parent: attachment.parent === undefined ? undefined : parentTurn(attachment.parent),
      messages,
      newMessages: attachment.newMessages,
      tools,
      templateArguments,
    });
    const generation = this.#generation(prompt, grammar);
    this.#signal.throwIfAborted();
    emit({ kind: 'started', id: this.#id, createdAt: this.#createdAt, promptTokens: prompt.ids.length });
    const answer = await this.#generate(generation, this.#reader(prompt), emit);
    const result = this.#resultOf(prompt, answer);
    if (this.#request.isRecorded) await this.#store({ attachment, prompt, contextKey, answer, result });
    emit({ kind: 'finished', result });
  }

  #generation(prompt: PreparedPrompt, grammar: string | undefined): GenerationRequest {
    const { facts, limits, tokenizer } = this.#dependencies;
    const { sampling, stop, topLogprobs = 0, isStreaming } = this.#request;
    const room = {
      promptTokens: prompt.ids.length,
      contextLength: facts().contextLength,
      sessionTokens: this.#session.sampledTokens,
      asked: this.#request.maxNewTokens,
    };
    return {
      requestId: this.#id,
      sessionId: this.#session.id,
      promptIds: prompt.ids,
      maxNewTokens: newTokensFor(room, limits),
      sampling,
      stopTokenIds: tokenizer.endIds,
      stop,
      ...(grammar === undefined ? {} : { grammar }),
      topLogprobs,
      isStreaming,
    };
  }

  #reader(prompt: PreparedPrompt): AnswerReader {
    const { tokenizer, toolParser, reasoningParser, newId } = this.#dependencies;
    const { tools, toolChoice, parallelToolCalls, protocol, stop, isStreaming } = this.#request;
    const wantsCalls = tools.length > 0 && toolChoice.kind !== 'none';
    const parser = createOutputParser({
      toolParser: wantsCalls ? toolParser : 'none',
      reasoningParser,
      tools,
      newCallId: () => callPrefixes[protocol] + newId(),
      startsInReasoning: prompt.startsInReasoning,
      // A call that is told as it comes cannot be taken back; where nobody reads along it is told when it is whole.
      callDelivery: isStreaming ? 'streamed' : 'whole',
    });
    return createAnswerReader({
      tokenizer,
      parser,
      stops: createStopMatcher(stop),
      showsControl: this.#dependencies.showsControl,
      endIds: new Set(tokenizer.endIds),
      countsReasoning: reasoningParser !== 'none',
      endsWithCall: wantsCalls && !parallelToolCalls,
    });
  }

  /** Reads the engine to its end, or until the answer is over. */
  async #generate(generation: GenerationRequest, reader: AnswerReader, emit: Emit): Promise<Answer> {
    const { engine, tokenizer } = this.#dependencies;
    const showsTokens = this.#request.topLogprobs !== undefined;
    const endIds = new Set(generation.stopTokenIds);
    const sampled = createSampledSoFar();
    const events: OutputEvent[] = [];
    const tell = (made: readonly OutputEvent[]): void => {
      events.push(...made);
      for (const event of made) emit(event);
    };
    const end = await readGeneration(engine.generate(generation, this.#signal), {
      isOver: () => reader.isOver,
      take: (piece) => {
        sampled.add(piece.tokens);
        if (showsTokens) emit({ kind: 'tokens', tokens: shownTokens(piece, tokenizer, endIds) });
        tell(reader.take(piece));
      },
    });
    this.#signal.throwIfAborted();
    if (end === undefined || sampled.count === 0) {
      throw new AppError('upstream_failed', 'The engine ended without an answer.', { reason: 'engine_answer_empty' });
    }
    tell(reader.end());
    return { sampled, reader, end, events: mergeEvents(events) };
  }

  #resultOf(prompt: PreparedPrompt, { sampled, reader, end, events }: Answer): TurnResult {
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

  async #store({ attachment, prompt, contextKey, answer, result }: FinishedTurn): Promise<void> {
    const { facts, now } = this.#dependencies;
    const { sampling, protocol, model } = this.#request;
    const sampled = answer.sampled.all(answer.end.versions);
    const { vocabularySize } = this.#dependencies.tokenizer;
    const isForeign = sampled.ids.some((id) => id >= vocabularySize);
    const modeDoubt = facts().mode === 'exact' ? undefined : 'engine_capture_only';
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
      protocol,
      model,
      createdAt: this.#createdAt,
      completedAt: now(),
      ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
      usage: result.usage,
      ...(doubt === undefined ? {} : { quarantine: doubt }),
      continuity: prompt.continuity,
    };
    await this.#open.commit(draft, prompt.ids, {
      tools: this.#request.tools,
      templateArguments: this.#request.templateArguments,
    });
  }
}

interface Answer {
  readonly sampled: SampledSoFar;
  readonly reader: AnswerReader;
  readonly end: GenerationEnd;
  readonly events: readonly OutputEvent[];
}

interface FinishedTurn {
  readonly attachment: Attachment;
  readonly prompt: PreparedPrompt;
  readonly contextKey: string;
  readonly answer: Answer;
  readonly result: TurnResult;
}

function parentTurn(parent: Interaction): ParentTurn {
  return {
    tokens: tokensOf(parent),
    finishReason: parent.finishReason,
    hasReasoning: hasThought(parent),
    output: parent.output,
  };
}

/** Whether anything on the way to here was thought. */
function hasThought(last: Interaction): boolean {
  for (let at: Interaction | undefined = last; at !== undefined; at = at.parent) {
    if ((at.output.reasoning ?? '') !== '') return true;
  }
  return false;
}
