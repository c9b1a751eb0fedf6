import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openConnection, quantile, requestBytes } from './rollout-client';
import { chatBody, chatPath, finish, openTrainer } from './rollout-episode';
import type { Servers } from './rollout-servers';
import { seededText } from './rollout-text';

export interface LargePrompt {
  readonly name: string;
  /** The texts of the messages. */
  readonly texts: readonly string[];
}

const megabytes = 10;
const length = megabytes * 1_000_000;
const controlToken = '<|im_end|>';
/** The largest number of names that a conversation may hold. */
const allowedNames = 65_000;

/** Prompts of ten megabytes that cost most to encode for their size, and one of as many messages as there may be. */
export function largePrompts(): readonly LargePrompt[] {
  const between = Math.floor(length / allowedNames) - controlToken.length;
  const words = seededText({ seed: 5, words: length / 4 }).slice(0, length);
  const piece = (index: number): string => words.slice(index * between, (index + 1) * between);
  return [
    { name: 'control tokens alone', texts: [controlToken.repeat(length / controlToken.length)] },
    {
      name: 'control tokens and new text between them',
      texts: [Array.from({ length: allowedNames }, (_, index) => piece(index) + controlToken).join('')],
    },
    { name: 'control tokens and the same text', texts: [(piece(0) + controlToken).repeat(allowedNames)] },
    { name: 'words', texts: [words] },
    { name: 'few words in 10,000 messages', texts: inMessages(words.slice(0, 200_000), 10_000) },
    { name: 'words in 1,000 messages', texts: inMessages(words, 1_000) },
    { name: 'words in 10,000 messages', texts: inMessages(words, 10_000) },
    { name: 'numbers of 15 digits', texts: ['123456789012345 '.repeat(length / 16)] },
    { name: 'one letter', texts: ['a'.repeat(length)] },
    { name: 'blanks', texts: [' '.repeat(length)] },
  ];
}

const inMessages = (text: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    text.slice((index * text.length) / count, ((index + 1) * text.length) / count),
  );

export interface HealthDuring {
  /** The answer, with the reason of a refusal. */
  readonly answer: string;
  /** The duration of the large call. */
  readonly callMs: number;
  /** The duration of each answer of `/health` during the call. */
  readonly times: readonly number[];
}

const restMs = 2;

/** Asks for the health again and again while one call with a large prompt is answered. */
export async function healthDuring({ proxyPort }: Servers, { texts }: LargePrompt): Promise<HealthDuring> {
  const trainer = await openTrainer(proxyPort);
  const session = await trainer.start();
  const body = chatBody(texts.map((content) => ({ role: 'user', content })));
  const request = requestBytes({ path: chatPath, key: session.key, body });
  const [caller, observer] = [await openConnection(proxyPort), await openConnection(proxyPort)];
  const health = Buffer.from('GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  const start = performance.now();
  let callMs: number | undefined;
  const call = caller.send(request).then(({ status, body }) => {
    callMs = performance.now() - start;
    return `${status} ${/"code":"(\w+)"/.exec(body.toString('utf8', 0, 1_000))?.[1] ?? ''}`;
  });
  const times: number[] = [];
  while (callMs === undefined) {
    const asked = performance.now();
    await observer.send(health);
    times.push(performance.now() - asked);
    await delay(restMs);
  }
  const answer = await call;
  caller.close();
  observer.close();
  await finish(trainer, session);
  trainer.close();
  return { answer, callMs, times };
}

export const slowest = (times: readonly number[]): number => quantile(times, 1 - 1e-9);
