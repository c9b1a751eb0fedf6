// Measures the built rollout proxy in front of an instant engine, compared with a bare relay in front of the same
// engine in the same minute. Only ratios and differences mean something: machines differ and are noisy. `npm run
// bench rollout` runs it after a build; WEIR_BENCH_QUICK=1 takes a tenth of the requests.
import { performance } from 'node:perf_hooks';
import { loadTokenizerFolder, type Tokenizer } from '@weir/rollout-engine';
import {
  conversation,
  fillSession,
  completionsUnderLoad,
  memoryOverSessions,
  timeExport,
  type SideBySide,
} from './rollout-cases';
import { quantile } from './rollout-client';
import { openTrainer } from './rollout-episode';
import { healthDuring, largePrompts, slowest } from './rollout-large-prompts';
import { startServers, type ServerOptions, type Servers } from './rollout-servers';
import { seededText, seededTokens } from './rollout-text';
import { benchTokenizerFolder } from './rollout-tokenizer';

const answerTokens = 64;
const scale = process.env.WEIR_BENCH_QUICK === '1' ? 0.1 : 1;
const times = (count: number): number => Math.max(30, Math.round(count * scale));
const wanted = new Set((process.env.WEIR_BENCH_ONLY ?? 'load,completions,session,health,memory').split(','));

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const met = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');
const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

function table(...names: readonly string[]): void {
  console.log('');
  row(...names);
  row(...names.map(() => '---'));
}

interface Prompt {
  readonly name: string;
  readonly text: string;
  readonly encodeMs: number;
}

/** A prompt of about so many tokens, and how long it takes to encode. */
async function createPrompt(tokenizer: Tokenizer, name: string, tokens: number): Promise<Prompt> {
  const encode = (text: string): Promise<Int32Array> => tokenizer.encode(text, { control: true });
  // Marks of the template, the system message and the number take some.
  const text = await seededTokens(encode, { seed: tokens, tokens: tokens - 27 });
  const found: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const start = performance.now();
    await encode(`${round} ${text}`);
    found.push(performance.now() - start);
  }
  return { name, text, encodeMs: quantile(found, 0.5) };
}

async function measureLoads(servers: Servers, prompts: readonly Prompt[]): Promise<void> {
  table(
    'completions',
    'clients',
    'relay p50',
    'proxy p50',
    'added p50',
    'added p99',
    'relay/s',
    'proxy/s',
    'CPU of a call: relay',
    'proxy',
    'target',
  );
  const counts = [3000, 3000, 1200, 450];
  const laterText = seededText({ seed: 78, words: 120 });
  for (const [at, { name, text, encodeMs }] of prompts.entries()) {
    for (const clients of [1, 16, 64]) {
      const load = { text, clients, count: times(counts[at] ?? 450) };
      const first = await completionsUnderLoad(servers, load);
      row(
        ...loadCells(`${name}, all new (encoding alone ${ms(encodeMs)})`, clients, first),
        firstTarget(name, clients, encodeMs, first),
      );
      if (at === 0) continue;
      const later = await completionsUnderLoad(servers, { ...load, laterText });
      row(...loadCells(`${name} and an answer, then 200 new`, clients, later), laterTarget(name, clients, later));
    }
  }
}

const p50 = (list: readonly number[]): number => quantile(list, 0.5);
const p99 = (list: readonly number[]): number => quantile(list, 0.99);

function loadCells(name: string, clients: number, result: SideBySide): readonly string[] {
  const { relay, proxy, relayCpuMs, proxyCpuMs } = result;
  return [
    name,
    String(clients),
    ms(p50(relay.times)),
    ms(p50(proxy.times)),
    ms(added(result)),
    ms(p99(proxy.times) - p99(relay.times)),
    relay.perSecond.toFixed(0),
    proxy.perSecond.toFixed(0),
    ms(relayCpuMs),
    ms(proxyCpuMs),
  ];
}

const added = ({ relay, proxy }: SideBySide): number => p50(proxy.times) - p50(relay.times);
const isFastEnough = ({ proxy }: SideBySide): string => `>= 600/s: ${met(proxy.perSecond >= 600)}`;

function firstTarget(name: string, clients: number, encodeMs: number, result: SideBySide): string {
  if (name !== '1.6k tokens') return '';
  if (clients === 16) return isFastEnough(result);
  const beyond = added(result) - encodeMs;
  return clients === 1 ? `<= 4 ms beyond the encoding: ${ms(beyond)}, ${met(beyond <= 4)}` : '';
}

function laterTarget(name: string, clients: number, result: SideBySide): string {
  if (clients === 1) return `<= 2 ms: ${met(added(result) <= 2)}`;
  return clients === 16 && name === '1.6k tokens' ? isFastEnough(result) : '';
}

async function measureConversations(servers: Servers, prompts: readonly Prompt[]): Promise<void> {
  table('completions of one conversation', 'completion', 'relay p50', 'proxy p50', 'added', 'target');
  const laterText = seededText({ seed: 77, words: 120 });
  for (const { name, text } of prompts.slice(1)) {
    const options = {
      firstText: text,
      laterText,
      completions: 20,
      conversations: times(name === '21k tokens' ? 15 : 40),
    };
    const { proxy, relay, lastPromptTokens } = await conversation(servers, options);
    for (const completion of [1, 2, 10, 20]) {
      const [floor = Number.NaN, taken = Number.NaN] = [relay[completion - 1], proxy[completion - 1]];
      const target = completion === 1 ? '' : `<= 2 ms: ${met(taken - floor <= 2)}`;
      const of = `from ${name}${completion === 20 ? ` to ${lastPromptTokens}` : ''}`;
      row(of, String(completion), ms(floor), ms(taken), ms(taken - floor), target);
    }
  }
}

const megabyte = 1024 * 1024;

async function measureSessions(servers: Servers, prompts: readonly Prompt[]): Promise<void> {
  table('session', 'early call', 'late call', 'late/early', 'export', 'bytes a token', 'MB/s', 'target');
  const [, middle] = prompts;
  const cases = [
    { name: '300 interactions', count: 300 },
    { name: '3,000 interactions', count: 3000 },
    { name: '300 identical prompts', count: 300, isSame: true },
  ];
  const trainer = await openTrainer(servers.proxyPort);
  for (const { name, ...options } of cases) {
    const filled = await fillSession(servers.proxyPort, {
      ...options,
      words: middle?.text.split(' ').length ?? 0,
      answerTokens,
    });
    const { session, earlyMs, lateMs, tokens } = filled;
    await trainer.end(session.key);
    for (const format of ['safetensors', 'json'] as const) {
      const made = await timeExport(trainer, session.id, format);
      const perToken = made.bytes / tokens;
      const calls = format === 'json' ? ['', '', ''] : [ms(earlyMs), ms(lateMs), (lateMs / earlyMs).toFixed(2)];
      const targets =
        format === 'json' ? '' : `no slope: ${met(lateMs <= 1.2 * earlyMs)}; <= 4 bytes: ${met(perToken <= 4)}`;
      const speed = (made.bytes * 1000) / megabyte / made.ms;
      row(name, ...calls, format, perToken.toFixed(2), speed.toFixed(0), targets);
    }
    await trainer.acknowledge(session.id);
  }
  trainer.close();
}

async function measureMemory(servers: Servers): Promise<void> {
  const found = await memoryOverSessions(servers, times(10_000));
  table('memory', ...found.map(({ sessions }) => `${sessions} sessions`), 'target');
  // The first fifth warms up: code is compiled, pools and caches fill.
  const [base, last] = [found[found.length >> 1]?.megabytes ?? 0, found.at(-1)?.megabytes ?? 0];
  row('resident MB', ...found.map(({ megabytes }) => String(megabytes)), `flat: ${met(last <= 1.1 * base)}`);
}

async function measureHealth(servers: Servers): Promise<void> {
  table(
    '/health during a prompt of 10 MB',
    'answer',
    'the call takes',
    'CPU of the proxy',
    'longest part on the CPU',
    'p50',
    'p99',
    'slowest',
    'target',
  );
  for (const prompt of largePrompts()) {
    const before = await servers.proxyCpuMs();
    const partsBefore = (await servers.proxyParts()).length;
    const { answer, callMs, times } = await healthDuring(servers, prompt);
    const cpu = (await servers.proxyCpuMs()) - before;
    const longest = Math.max(0, ...(await servers.proxyParts()).slice(partsBefore));
    const worst = slowest(times);
    const target = `<= 50 ms: ${met(worst <= 50)}`;
    row(prompt.name, answer, ms(callMs), ms(cpu), ms(longest), ms(p50(times)), ms(p99(times)), ms(worst), target);
  }
}

async function main(): Promise<void> {
  const tokenizerFolder = await benchTokenizerFolder();
  const tokenizer = await loadTokenizerFolder(tokenizerFolder, { cacheBytes: 0 });
  const words = await tokenizer.encode(seededText({ seed: 3, words: 200 }), { control: false });
  const answerIds = [...words.subarray(0, answerTokens - 1), ...tokenizer.endIds];
  const prompts: Prompt[] = [];
  for (const [name, tokens] of [
    ['61 tokens', 61],
    ['1.6k tokens', 1600],
    ['6.4k tokens', 6400],
    ['21k tokens', 21_000],
  ] as const)
    prompts.push(await createPrompt(tokenizer, name, tokens));
  const options = { tokenizerFolder, answerIds };
  await withServers(options, async (servers) => {
    if (wanted.has('load')) await measureLoads(servers, prompts);
    if (wanted.has('completions')) await measureConversations(servers, prompts);
    if (wanted.has('session')) await measureSessions(servers, prompts);
  });
  if (wanted.has('health')) await withServers({ ...options, measuresParts: true }, measureHealth);
  // This runs in a new process: in one that once held large exports a leak would stay hidden.
  if (wanted.has('memory')) await withServers(options, measureMemory);
}

async function withServers(options: ServerOptions, work: (servers: Servers) => Promise<void>): Promise<void> {
  const servers = await startServers(options);
  try {
    await work(servers);
  } finally {
    await servers.stop();
  }
}

void main();
