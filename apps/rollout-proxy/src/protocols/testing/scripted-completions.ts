import { collectOutput, type Message, type OutputEvent } from '@weir/rollout-core';
import type {
  CompletionEvent,
  CompletionRequest,
  CompletionResult,
  Conversations,
  RunCompletion,
  TokenLogprob,
  Usage,
} from '@weir/rollout-engine';

/** The next step of a completion. The completion starts before the first step, unless that is `refuse`. */
export type ScriptStep =
  | OutputEvent
  | { readonly kind: 'tokens'; readonly tokens: readonly TokenLogprob[] }
  /** Waits, and is broken off when the client leaves. */
  | { readonly kind: 'wait'; readonly until: Promise<void> }
  /** Fails before the completion has started. */
  | { readonly kind: 'refuse'; readonly error: Error }
  | { readonly kind: 'fail'; readonly error: Error }
  | { readonly kind: 'end'; readonly result: Partial<Omit<CompletionResult, 'output'>> }
  /** The completion ends without a result, which no completion may do. */
  | { readonly kind: 'vanish' };

export type Script = Iterable<ScriptStep>;

export interface ScriptedCompletions {
  readonly run: RunCompletion<ScriptedSession>;
  /** Sets the script of the next completion, and of all later ones without their own. Default: it says `Hello.`. */
  play(script: Script): void;
  /** The completions in the order in which they came. */
  readonly completions: readonly ScriptedCompletion[];
  readonly last: ScriptedCompletion;
}

export interface ScriptedCompletion {
  readonly request: CompletionRequest;
  readonly signal: AbortSignal;
  /** Resolves once the completion is over, however it ended. */
  readonly over: Promise<void>;
}

/** Keeps the conversations of its completions, as a session does. */
export interface ScriptedSession extends Conversations {
  readonly conversations: Map<string, readonly Message[]>;
}

export function createScriptedSession(): ScriptedSession {
  const conversations = new Map<string, readonly Message[]>();
  return { conversations, findConversation: (id) => conversations.get(id) };
}

export const scriptedUsage: Usage = { promptTokens: 12, cachedTokens: 8, completionTokens: 5, reasoningTokens: 2 };
export const scriptedAt = new Date('2026-11-21T10:00:00Z');

const idPrefixes = {
  'chat-completions': 'chatcmpl-',
  responses: 'resp_',
  messages: 'msg_',
  'generate-content': 'gen_',
  completions: 'cmpl-',
} as const;

/** Plays scripts where a real runner asks an engine. */
export function createScriptedCompletions(): ScriptedCompletions {
  const completions: ScriptedCompletion[] = [];
  let script: Script = [text('Hello.')];
  return {
    completions,
    get last() {
      const last = completions.at(-1);
      if (last === undefined) throw new Error('There was no completion yet.');
      return last;
    },
    play: (next) => {
      script = next;
    },
    run: async function* (session, request, signal) {
      let settle = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        settle = resolve;
      });
      completions.push({ request, signal, over });
      try {
        yield* playCompletion(
          script,
          session,
          `${idPrefixes[request.protocol]}turn${completions.length}`,
          request,
          signal,
        );
      } finally {
        settle();
      }
    },
  };
}

async function* playCompletion(
  script: Script,
  session: ScriptedSession,
  id: string,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent> {
  const events: OutputEvent[] = [];
  let ending: Partial<Omit<CompletionResult, 'output'>> = {};
  let hasStarted = false;
  for (const step of script) {
    if (step.kind === 'refuse' || step.kind === 'fail') throw step.error;
    if (!hasStarted) yield started(id);
    hasStarted = true;
    if (step.kind === 'vanish') return;
    if (step.kind === 'wait') await untilOrAborted(step.until, signal);
    else if (step.kind === 'end') ending = step.result;
    else {
      if (step.kind !== 'tokens') events.push(step);
      yield step;
    }
    signal.throwIfAborted();
  }
  if (!hasStarted) yield started(id);
  const output = collectOutput(events);
  const result: CompletionResult = {
    output,
    finishReason: output.toolCalls === undefined ? 'stop' : 'tool_calls',
    stopText: undefined,
    usage: scriptedUsage,
    ...ending,
  };
  if (request.isRecorded) session.conversations.set(id, [...request.messages, output]);
  yield { kind: 'finished', result };
}

function started(id: string): CompletionEvent {
  return { kind: 'started', id, createdAt: scriptedAt, promptTokens: scriptedUsage.promptTokens };
}

function untilOrAborted(until: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    until.then(resolve, reject);
  });
}

export const text = (piece: string): ScriptStep => ({ kind: 'text', text: piece });
export const reasoning = (piece: string): ScriptStep => ({ kind: 'reasoning', text: piece });
export const end = (result: Partial<Omit<CompletionResult, 'output'>>): ScriptStep => ({ kind: 'end', result });

/** Gives each completion its own script, in their order. */
export function inSequence(...scripts: readonly Script[]): Script {
  const remaining = [...scripts];
  return { [Symbol.iterator]: () => (remaining.shift() ?? [])[Symbol.iterator]() };
}

/** A whole call, its arguments in the pieces given. */
export function call(index: number, name: string, ...pieces: readonly string[]): readonly ScriptStep[] {
  return [
    { kind: 'call_started', index, id: `call_${index}`, name },
    ...pieces.map((piece): ScriptStep => ({ kind: 'call_arguments', index, text: piece })),
    { kind: 'call_ended', index },
  ];
}

/** A thought, a text and a call of `weather`. */
export const oneCall = [reasoning('Look it up.'), text('One moment.'), ...call(0, 'weather', '{"city":', '"Oslo"}')];

export function tokens(...texts: readonly string[]): ScriptStep {
  return {
    kind: 'tokens',
    tokens: texts.map((piece, id) => ({
      text: piece,
      bytes: Buffer.from(piece),
      id,
      logprob: -0.5,
      top: [{ id, text: piece, bytes: Buffer.from(piece), logprob: -0.5 }],
    })),
  };
}
