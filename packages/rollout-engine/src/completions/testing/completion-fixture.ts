import {
  chooseReasoningParser,
  chooseToolParser,
  createInteractionCache,
  type Interaction,
  type Message,
} from '@weir/rollout-core';
import { startFakeEngine, type FakeEngine, type FakeEngineDialect, type FakeEngineOptions } from '@weir/fake-engine';
import { createGenerationControl, type GenerationControl } from '../../engine/control/generation-control';
import { createHttpEngine } from '../../engine/dialects/http-engine';
import { createPromptBuilder } from '../../prompt/create-prompt-builder';
import type { TestFamilyName } from '../../testing/test-families';
import { tinyTokenizer } from '../../testing/tiny-tokenizer';
import { createHuggingFaceTokenizer, type HuggingFaceTokenizer } from '../../tokenizer/hugging-face-tokenizer';
import { createCompletionRunner } from '../run-completion';
import type { RunCompletion, CompletionEvent, CompletionRequest, CompletionResult } from '../completion';
import type { CompletionLimits } from '../completion-limits';
import { createCompletionRegistry } from '../completion-registry';
import type { CompletionSession } from '../completion-session';

export interface TestSession extends CompletionSession {
  /** Behaves like a session whose client disconnects. */
  disconnect(): void;
  readonly runningCompletions: number;
}

export interface CompletionFixture {
  readonly fake: FakeEngine;
  readonly control: GenerationControl;
  readonly tokenizer: HuggingFaceTokenizer;
  readonly runCompletion: RunCompletion<CompletionSession>;
  stop(): Promise<void>;
}

/** Starts completions on a real tokenizer and a real engine client, before an engine that follows a script. */
export async function startCompletionFixture(
  dialect: FakeEngineDialect,
  options: {
    readonly family?: TestFamilyName;
    readonly engine?: Partial<FakeEngineOptions>;
    readonly limits?: Partial<CompletionLimits>;
  } = {},
): Promise<CompletionFixture> {
  const tiny = tinyTokenizer(options.family ?? 'chatml');
  const tokenizer = createHuggingFaceTokenizer(tiny);
  const fake = await startFakeEngine({ dialect, vocabularySize: 256, weightVersion: '3', ...options.engine });
  const engine = createHttpEngine({
    dialect,
    url: fake.url,
    contextLength: options.engine?.contextLength ?? 4_096,
    // Endless answers that come whole end here.
    limits: { maxBytes: 200_000, answerTimeoutMs: 30_000, totalTimeoutMs: 30_000 },
  });
  const control = createGenerationControl(engine, { maxSegments: 2, retryDelayMs: 0, initialVersion: 3 });
  const info = await control.probe(new AbortController().signal);
  const prompts = createPromptBuilder({ tokenizer, retention: 'all', addedTokens: tokenizer.addedTokens });
  let ids = 0;
  const runCompletion = createCompletionRunner({
    engine: control,
    engineInfo: () => info,
    tokenizer,
    prompts,
    toolParser: chooseToolParser(tiny.chatTemplate),
    reasoningParser: chooseReasoningParser(tiny.chatTemplate),
    expertShape: options.engine?.experts,
    limits: { defaultNewTokens: 256, maxNewTokens: 256, maxSessionTokens: 100_000, ...options.limits },
    now: () => new Date(),
    createId: () => `id${String((ids += 1)).padStart(7, '0')}`,
  });
  return {
    fake,
    control,
    tokenizer,
    runCompletion,
    stop: async () => {
      await control.stop();
      await fake.stop();
      await prompts.stop();
      await tokenizer.stop();
    },
  };
}

/** Creates a session that keeps its records in memory only. */
export function aSession(): TestSession {
  const cache = createInteractionCache();
  const gone = new AbortController();
  let runningCompletions = 0;
  let sampledTokens = 0;
  return {
    id: 'session',
    cache,
    completions: createCompletionRegistry(),
    get sampledTokens() {
      return sampledTokens;
    },
    get runningCompletions() {
      return runningCompletions;
    },
    disconnect: () => gone.abort(new Error('The session went away.')),
    startCompletion: () => {
      runningCompletions += 1;
      return {
        signal: gone.signal,
        commit: (draft, promptIds): Promise<Interaction> => {
          sampledTokens += draft.sampled.ids.length;
          return Promise.resolve(cache.add(draft, promptIds));
        },
        close: () => void (runningCompletions -= 1),
      };
    },
  };
}

let bodies = 0;

export function aCompletion(changes: Partial<CompletionRequest> = {}): CompletionRequest {
  bodies += 1;
  return {
    protocol: 'chat-completions',
    model: 'm',
    messages: [{ role: 'user', content: 'hello' }],
    tools: [],
    toolChoice: { kind: 'none' },
    parallelToolCalls: true,
    sampling: {},
    maxNewTokens: undefined,
    stop: [],
    topLogprobs: undefined,
    format: { kind: 'text' },
    templateArguments: {},
    isRecorded: true,
    isStreaming: true,
    identity: { key: undefined, bodyDigest: `body ${bodies}`, attempt: 0 },
    ...changes,
  };
}

export interface PlayedCompletion {
  readonly id: string;
  readonly events: readonly CompletionEvent[];
  readonly result: CompletionResult;
  readonly output: Message;
  /** Assembled from the streamed events. */
  readonly text: string;
}

/** Follows a completion to its end. */
export async function play(events: AsyncIterable<CompletionEvent>): Promise<PlayedCompletion> {
  const emitted: CompletionEvent[] = [];
  for await (const event of events) emitted.push(event);
  const [first, last] = [emitted[0], emitted.at(-1)];
  if (first?.kind !== 'started' || last?.kind !== 'finished')
    throw new Error('The completion has no beginning or no end.');
  const { result } = last;
  const text = emitted.map((event) => (event.kind === 'text' ? event.text : '')).join('');
  return { id: first.id, events: emitted, result, output: result.output, text };
}

/** A signal that is never aborted. */
export const forever = (): AbortSignal => new AbortController().signal;
