import type { JournalEntry } from './parse-journal-line';

/** One execution of a step. */
export interface Attempt {
  /** Attempts are counted from 1. */
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly status?: string;
  readonly exitCode?: number;
  readonly error?: string;
  /** The time when it stopped executing, and began to wait for a person. */
  readonly waitsSince?: number;
}

/** The executions of every step, by its name in the journal; names of steps of a loop include their iteration. */
export type AttemptsByStep = ReadonlyMap<string, readonly Attempt[]>;

const ends: ReadonlySet<string> = new Set(['step ended', 'attempt failed', 'iteration ended']);

export function listAttempts(entries: readonly JournalEntry[]): AttemptsByStep {
  const byStep = new Map<string, Attempt[]>();
  for (const { message, time, fields } of entries) {
    const { step } = fields;
    if (typeof step !== 'string') continue;
    const attempts = byStep.get(step) ?? [];
    byStep.set(step, attempts);
    const last = attempts.at(-1);
    if (message === 'step started') attempts.push({ number: attempts.length + 1, startedAt: time });
    else if (last === undefined || last.endedAt !== undefined) continue;
    else if (message === 'step waits for a person') attempts[attempts.length - 1] = { ...last, waitsSince: time };
    else if (ends.has(message)) attempts[attempts.length - 1] = { ...last, endedAt: time, ...toEnd(fields) };
  }
  return byStep;
}

function toEnd({ status, exitCode, error }: JournalEntry['fields']): Partial<Attempt> {
  return {
    ...(typeof status === 'string' ? { status } : {}),
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
    ...(typeof error === 'string' ? { error } : {}),
  };
}
