import { setTimeout as wait } from 'node:timers/promises';

/** The meaning of an answer of a store; any other answer is a refusal. */
export type AnswerKind = 'found' | 'missing' | 'forbidden' | 'busy' | 'refused';

export interface StoreAnswer {
  readonly status: number;
  readonly text: string;
}

export interface StoreRequest {
  /** The name of the store in messages: `Vault`. */
  readonly store: string;
  /** Sends the request once. Throws `StoreProblem` with a sentence, or anything when there was no answer. */
  readonly send: (signal: AbortSignal) => Promise<Response>;
  /** Default: by the status alone. */
  readonly classify?: (answer: StoreAnswer) => AnswerKind;
}

/** A problem that is known, which is not asked for again. The message ends a sentence and shows no secret. */
export class StoreProblem extends Error {}

const requestMs = 10_000;
const attempts = 3;
const pauseMs = 500;
const maxAnswerLength = 1_048_576;

/** Asks a store at most three times, for ten seconds each, while it is busy or cannot be reached: its JSON, or a problem. */
export async function queryStore(question: StoreRequest): Promise<{ readonly json: unknown } | { problem: string }> {
  let problem = '';
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (attempt > 1) await wait(pauseMs * attempt);
    const asked = await askOnce(question);
    if (!('isPassing' in asked)) return asked;
    problem = asked.problem;
  }
  return { problem };
}

interface Passing {
  readonly problem: string;
  /** The same request may succeed later. */
  readonly isPassing: true;
}

async function askOnce({
  store,
  send,
  classify = byStatus,
}: StoreRequest): Promise<{ readonly json: unknown } | { readonly problem: string } | Passing> {
  let answer: StoreAnswer;
  try {
    const response = await send(AbortSignal.timeout(requestMs));
    answer = { status: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof StoreProblem) return { problem: error.message };
    return { problem: `${store} cannot be reached`, isPassing: true };
  }
  const refusal = `${store} has refused it (status ${answer.status})`;
  switch (classify(answer)) {
    case 'found':
      return parseAnswer(store, answer.text);
    case 'missing':
      return { problem: `${store} has no such secret` };
    case 'forbidden':
      return { problem: `${store} does not allow it to this server` };
    case 'busy':
      return { problem: refusal, isPassing: true };
    case 'refused':
      return { problem: refusal };
  }
}

export function byStatus({ status }: StoreAnswer): AnswerKind {
  if (status >= 200 && status < 300) return 'found';
  if (status === 404) return 'missing';
  if (status === 401 || status === 403) return 'forbidden';
  return status === 429 || status >= 500 ? 'busy' : 'refused';
}

function parseAnswer(store: string, text: string): { readonly json: unknown } | { readonly problem: string } {
  const problem = `${store} has sent something that is no secret`;
  if (text.length > maxAnswerLength) return { problem };
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return { problem };
  }
}
