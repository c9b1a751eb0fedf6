import { performance } from 'node:perf_hooks';
import { measureLoad, openConnection, quantile, requestBytes, type LoadResult } from './rollout-client';
import {
  chatBody,
  chatPath,
  countedRequests,
  finish,
  openTrainer,
  question,
  type ChatMessage,
  type Started,
  type Trainer,
} from './rollout-episode';
import { seededText } from './rollout-text';
import type { Servers } from './rollout-servers';

export interface SideBySide {
  readonly relay: LoadResult;
  readonly proxy: LoadResult;
  /** Processor time of one call, in milliseconds. */
  readonly relayCpuMs: number;
  readonly proxyCpuMs: number;
}

export interface LoadCase {
  readonly text: string;
  /** Question after the answer to the text; without it every call is a first call. */
  readonly laterText?: string;
  readonly clients: number;
  readonly count: number;
}

/**
 * Calls of many clients, each in its own session; relay and proxy alternate, so that both run under the same
 * conditions.
 */
export async function completionsUnderLoad(servers: Servers, options: LoadCase): Promise<SideBySide> {
  const { text, laterText, clients, count } = options;
  const trainer = await openTrainer(servers.proxyPort);
  const sessions: Started[] = [];
  const requests: (() => Buffer)[] = [];
  for (let client = 0; client < clients; client += 1) {
    const session = await trainer.start();
    sessions.push(session);
    const messages = laterText === undefined ? question(text) : await continued(trainer, session, text, laterText);
    requests.push(countedRequests(session.key, messages));
  }
  const next = (client: number): Buffer => requests[client]?.() ?? Buffer.alloc(0);
  const load = (port: number, part: number) => measureLoad({ port, clients, count: Math.ceil(count * part), next });
  await load(servers.proxyPort, 0.1);
  await load(servers.relayPort, 0.1);
  const relay: Measured[] = [];
  const proxy: Measured[] = [];
  for (let round = 0; round < 3; round += 1) {
    relay.push(
      await withCpu(
        () => load(servers.relayPort, 1 / 3),
        () => servers.relayCpuMs(),
      ),
    );
    proxy.push(
      await withCpu(
        () => load(servers.proxyPort, 1 / 3),
        () => servers.proxyCpuMs(),
      ),
    );
  }
  for (const session of sessions) await finish(trainer, session);
  trainer.close();
  return {
    relay: joined(relay),
    proxy: joined(proxy),
    relayCpuMs: computeCpuMs(relay),
    proxyCpuMs: computeCpuMs(proxy),
  };
}

interface Measured extends LoadResult {
  readonly cpuMs: number;
}

async function withCpu(work: () => Promise<LoadResult>, cpuMs: () => Promise<number>): Promise<Measured> {
  const before = await cpuMs();
  const result = await work();
  return { ...result, cpuMs: (await cpuMs()) - before };
}

function computeCpuMs(parts: readonly Measured[]): number {
  const calls = parts.reduce((sum, { times }) => sum + times.length, 0);
  return parts.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / calls;
}

async function continued(
  trainer: Trainer,
  { id, key }: Started,
  text: string,
  laterText: string,
): Promise<readonly ChatMessage[]> {
  const first: ChatMessage = { role: 'user', content: `${id} ${text}` };
  const { content } = await trainer.call(key, [first]);
  return [first, { role: 'assistant', content }, ...question(laterText)];
}

function joined(results: readonly LoadResult[]): LoadResult {
  return {
    times: results.flatMap(({ times }) => times),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    perSecond: quantile(
      results.map(({ perSecond }) => perSecond),
      0.5,
    ),
  };
}

export interface ConversationCase {
  readonly firstText: string;
  readonly laterText: string;
  readonly completions: number;
  readonly conversations: number;
}

export interface TurnTimes {
  /** Medians of each completion, in milliseconds. */
  readonly proxy: readonly number[];
  readonly relay: readonly number[];
  /** Tokens of the last prompt. */
  readonly lastPromptTokens: number;
}

/** Conversations of many completions, one after another, each with the previous answer and a new question. */
export async function conversation(servers: Servers, options: ConversationCase): Promise<TurnTimes> {
  const trainer = await openTrainer(servers.proxyPort);
  const proxy = Array.from({ length: options.completions }, (): number[] => []);
  const relay = Array.from({ length: options.completions }, (): number[] => []);
  const [toProxy, toRelay] = await Promise.all([servers.proxyPort, servers.relayPort].map(openConnection));
  let lastPromptTokens = 0;
  for (let round = 0; round <= options.conversations; round += 1) {
    const session = await trainer.start();
    const messages: ChatMessage[] = [{ role: 'user', content: `conversation ${round}: ${options.firstText}` }];
    for (let position = 0; position < options.completions; position += 1) {
      const request = requestBytes({ path: chatPath, key: session.key, body: chatBody(messages) });
      const timed = async (connection: typeof toProxy, times: number[] | undefined) => {
        const start = performance.now();
        const answer = await connection?.send(request);
        // The first conversation warms everything up.
        if (round > 0) times?.push(performance.now() - start);
        if (answer?.status !== 200) throw new Error(answer?.body.toString('utf8', 0, 500));
        return answer.body;
      };
      await timed(toRelay, relay[position]);
      const answer = JSON.parse((await timed(toProxy, proxy[position])).toString()) as {
        readonly choices: readonly [{ readonly message: { readonly content: string } }];
        readonly usage: { readonly prompt_tokens: number };
      };
      lastPromptTokens = answer.usage.prompt_tokens;
      messages.push(
        { role: 'assistant', content: answer.choices[0].message.content },
        { role: 'user', content: `${round}.${position}: ${options.laterText}` },
      );
    }
    await finish(trainer, session);
  }
  trainer.close();
  for (const connection of [toProxy, toRelay]) connection?.close();
  const medians = (list: readonly (readonly number[])[]) => list.map((times) => quantile(times, 0.5));
  return { proxy: medians(proxy), relay: medians(relay), lastPromptTokens };
}

export interface FilledSession {
  readonly session: Started;
  /** Median of a call among the first hundred and among the last, in milliseconds. */
  readonly earlyMs: number;
  readonly lateMs: number;
  /** Tokens of all prompts and answers. */
  readonly tokens: number;
}

/** Creates a session with that many interactions, each about another text of as many words, or all with the same question. */
export async function fillSession(
  port: number,
  options: { readonly count: number; readonly words: number; readonly isSame?: boolean; readonly answerTokens: number },
): Promise<FilledSession> {
  const trainer = await openTrainer(port);
  const session = await trainer.start();
  const times: number[] = [];
  let promptTokens = 0;
  for (let at = 0; at < options.count; at += 1) {
    const text = seededText({ seed: options.isSame === true ? 5 : at, words: options.words });
    const start = performance.now();
    const answer = await trainer.call(session.key, question(text));
    times.push(performance.now() - start);
    promptTokens += answer.promptTokens;
  }
  trainer.close();
  return {
    session,
    earlyMs: quantile(times.slice(50, 250), 0.5),
    lateMs: quantile(times.slice(-200), 0.5),
    tokens: promptTokens + options.count * options.answerTokens,
  };
}

export interface ExportTimes {
  readonly bytes: number;
  readonly ms: number;
}

/** Returns the median of three. */
export async function timeExport(trainer: Trainer, id: string, format: 'json' | 'safetensors'): Promise<ExportTimes> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    bytes = (await trainer.export(id, format)).length;
    times.push(performance.now() - start);
  }
  return { bytes, ms: quantile(times, 0.5) };
}

export interface EpisodeMemory {
  readonly sessions: number;
  readonly megabytes: number;
}

/** Whole episodes of one call, many at a time; memory after each tenth of them. */
export async function memoryOverSessions(servers: Servers, count: number): Promise<readonly EpisodeMemory[]> {
  // Always the same: the tokenizer's cache of strings is bounded, but fills up slowly.
  const messages = question(seededText({ seed: 5, words: 40 }));
  const trainers = await Promise.all(Array.from({ length: 16 }, () => openTrainer(servers.proxyPort)));
  const found: EpisodeMemory[] = [];
  for (let done = 0; done < count;) {
    const part = count / 10;
    let left = part;
    await Promise.all(
      trainers.map(async (trainer) => {
        while (left > 0) {
          left -= 1;
          const session = await trainer.start();
          await trainer.call(session.key, messages);
          await finish(trainer, session);
        }
      }),
    );
    done += part;
    found.push({ sessions: done, megabytes: await servers.residentMegabytes() });
  }
  for (const trainer of trainers) trainer.close();
  return found;
}
