import { collectOutput, type Message, type OutputEvent } from '@weir/rollout-core';
import type { RunTurn, ShownToken, TurnEvent, TurnRequest, TurnResult, Usage } from '../../turns/turn';
import type { Conversations } from '../model-protocol';

/** What a turn does next. It has started before the first one, unless that is `refuse`. */
export type ScriptStep =
  | OutputEvent
  | { readonly kind: 'tokens'; readonly tokens: readonly ShownToken[] }
  /** Waits, and is broken off when the client leaves. */
  | { readonly kind: 'wait'; readonly until: Promise<void> }
  /** Fails before the turn has started. */
  | { readonly kind: 'refuse'; readonly error: Error }
  | { readonly kind: 'fail'; readonly error: Error }
  | { readonly kind: 'end'; readonly result: Partial<Omit<TurnResult, 'output'>> }
  /** The turn ends without a result, which no turn may do. */
  | { readonly kind: 'vanish' };

export type Script = Iterable<ScriptStep>;

export interface ScriptedTurns {
  readonly run: RunTurn<ScriptedSession>;
  /** What the next turn does, and all later ones that have none of their own. Default: it says `Hello.`. */
  play(script: Script): void;
  /** In the order in which they came. */
  readonly turns: readonly ScriptedTurn[];
  readonly last: ScriptedTurn;
}

export interface ScriptedTurn {
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  /** Resolves once the turn is over, however it ended. */
  readonly over: Promise<void>;
}

/** Keeps the conversations of its turns, as a session does. */
export interface ScriptedSession extends Conversations {
  readonly conversations: Map<string, readonly Message[]>;
}

export function createScriptedSession(): ScriptedSession {
  const conversations = new Map<string, readonly Message[]>();
  return { conversations, conversationOf: (id) => conversations.get(id) };
}

export const scriptedUsage: Usage = { promptTokens: 12, cachedTokens: 8, completionTokens: 5, reasoningTokens: 2 };
export const scriptedAt = new Date('2026-11-21T10:00:00Z');

const idPrefixes = { 'chat-completions': 'chatcmpl-', responses: 'resp_', messages: 'msg_' } as const;

/** Plays scripts where a real runner asks an engine. */
export function createScriptedTurns(): ScriptedTurns {
  const turns: ScriptedTurn[] = [];
  let script: Script = [text('Hello.')];
  return {
    turns,
    get last() {
      const last = turns.at(-1);
      if (last === undefined) throw new Error('There was no turn yet.');
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
      turns.push({ request, signal, over });
      try {
        yield* playTurn(script, session, `${idPrefixes[request.protocol]}turn${turns.length}`, request, signal);
      } finally {
        settle();
      }
    },
  };
}

async function* playTurn(
  script: Script,
  session: ScriptedSession,
  id: string,
  request: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const events: OutputEvent[] = [];
  let ending: Partial<Omit<TurnResult, 'output'>> = {};
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
  const result: TurnResult = {
    output,
    finishReason: output.toolCalls === undefined ? 'stop' : 'tool_calls',
    stopText: undefined,
    usage: scriptedUsage,
    ...ending,
  };
  if (request.isRecorded) session.conversations.set(id, [...request.messages, output]);
  yield { kind: 'finished', result };
}

function started(id: string): TurnEvent {
  return { kind: 'started', id, createdAt: scriptedAt, promptTokens: scriptedUsage.promptTokens };
}

function untilOrAborted(until: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    until.then(resolve, reject);
  });
}

export const text = (piece: string): ScriptStep => ({ kind: 'text', text: piece });
export const reasoning = (piece: string): ScriptStep => ({ kind: 'reasoning', text: piece });
export const end = (result: Partial<Omit<TurnResult, 'output'>>): ScriptStep => ({ kind: 'end', result });

/** Another script for each turn, in their order. */
export function oneAfterAnother(...scripts: readonly Script[]): Script {
  const left = [...scripts];
  return { [Symbol.iterator]: () => (left.shift() ?? [])[Symbol.iterator]() };
}

/** A whole call, its arguments in the pieces given. */
export function call(index: number, name: string, ...pieces: readonly string[]): readonly ScriptStep[] {
  return [
    { kind: 'call_started', index, id: `call_${index}`, name },
    ...pieces.map((piece): ScriptStep => ({ kind: 'call_arguments', index, text: piece })),
    { kind: 'call_ended', index },
  ];
}

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
