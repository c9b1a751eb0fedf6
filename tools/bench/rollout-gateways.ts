// Measures the built rollout proxy beside two gateways that record no tokens, LiteLLM's proxy and Portkey's gateway, and
// a bare relay, all in front of the same engine and in turn. Only ratios and differences mean something. `npm run bench
// rollout-gateways` runs it after a build and installs the gateways; WEIR_BENCH_QUICK=1 takes a fifth of the calls.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadTokenizerFolder } from '@weir/rollout-engine';
import {
  freePort,
  spawnProcess,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  type TemporaryFolder,
} from '@weir/test-kit';
import { measureLoad, quantile, type LoadResult } from './rollout-client';
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
import { familyCpuMs, startServers, type ServerOptions, type Servers } from './rollout-servers';
import { seededText, seededTokens } from './rollout-text';
import { benchTokenizerFolder } from './rollout-tokenizer';

const scale = process.env.WEIR_BENCH_QUICK === '1' ? 0.2 : 1;
const portkeyVersion = '1.15.2';
const gatewayFolder = path.resolve(__dirname, '../../.runtime/gateways');
const startDeadlineMs = 120_000;
const lifeTimeMs = 30 * 60_000;
const answerTokens = 64;
const warmCalls = 5_000 * scale;
const warmMs = 20_000;
/** A slow gateway makes fewer calls than the others. */
const roundMs = 20_000;
const inFlight = 2_000;
const engineMs = 2_000;

/** A server under measurement: the bytes of the next call of a client, and its processor time so far. */
interface Target {
  readonly name: string;
  readonly port: number;
  readonly next: (client: number) => Buffer;
  readonly cpuMs: () => Promise<number>;
}

interface Gateway {
  readonly name: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cpuMs: () => Promise<number>;
  stop(): Promise<void>;
}

function findLiteLlm(): string | undefined {
  const script = path.resolve(__dirname, '../setup/python-environment.mjs');
  const { stdout } = spawnSync(process.execPath, [script, 'gateways'], { encoding: 'utf8' });
  const { python, missing } = JSON.parse(stdout) as { readonly python?: string; readonly missing?: string };
  if (python === undefined) console.log(`LiteLLM was not measured: ${missing}`);
  return python && path.join(path.dirname(python), 'litellm');
}

function findPortkey(): string | undefined {
  const program = path.join(gatewayFolder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const wanted = `@portkey-ai/gateway@${portkeyVersion}`;
  const args = ['install', '--prefix', gatewayFolder, '--ignore-scripts', '--no-audit', '--no-fund', wanted];
  if (!existsSync(program)) spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (existsSync(program)) return program;
  console.log(`Portkey was not measured: ${wanted} could not be installed.`);
  return undefined;
}

async function startPortkey(program: string, enginePort: number): Promise<Gateway> {
  const port = await freePort();
  const child = await spawnProcess({
    command: process.execPath,
    args: [program, `--port=${port}`, '--headless'],
    env: { TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
    deadlineMs: lifeTimeMs,
  });
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `http://127.0.0.1:${enginePort}/v1` };
  return ready({ name: 'Portkey', port, headers }, child);
}

async function startLiteLlm(program: string, enginePort: number, home: TemporaryFolder): Promise<Gateway> {
  const port = await freePort();
  const engine = { model: 'openai/bench', api_base: `http://127.0.0.1:${enginePort}/v1`, api_key: 'bench-key' };
  // JSON is YAML.
  const config = JSON.stringify({ model_list: [{ model_name: 'bench', litellm_params: engine }] });
  await writeFile(home.file('config.yaml'), config);
  const child = await spawnProcess({
    command: program,
    args: ['--config', home.file('config.yaml'), '--host', '127.0.0.1', '--port', String(port)],
    // Otherwise it asks a server on the internet for prices, and logs every call.
    env: { HOME: home.path, LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR' },
    deadlineMs: lifeTimeMs,
  });
  return ready({ name: 'LiteLLM', port, headers: {} }, child);
}

/** Waits until the gateway answers a call. */
async function ready(gateway: Omit<Gateway, 'cpuMs' | 'stop'>, child: SpawnedProcess): Promise<Gateway> {
  const { name, port, headers } = gateway;
  const body = chatBody(question('ready?'));
  await waitFor(
    async () => {
      if (!child.isRunning()) throw new Error(`${name} ended: ${child.stdout()}${child.stderr()}`);
      const call = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
      return fetch(`http://127.0.0.1:${port}${chatPath}`, call).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      );
    },
    { deadlineMs: startDeadlineMs, intervalMs: 200, what: `${name} to answer: ${child.stdout()}${child.stderr()}` },
  );
  return { ...gateway, cpuMs: () => familyCpuMs(child.pid), stop: async () => void (await child.stop()) };
}

interface Found extends LoadResult {
  readonly cpuMs: number;
}

/** Calls to every target in turn, in three rounds, so that all run under the same conditions. */
async function inTurn(targets: readonly Target[], clients: number, count: number): Promise<readonly Found[]> {
  const load = ({ port, next }: Target) =>
    measureLoad({ port, next, clients, count: Math.max(clients, Math.ceil(count / 3)), maxMs: roundMs, mayFail: true });
  // Programs compile what they repeat: the first thousands of calls say how they start, not what they can do.
  for (const { port, next } of targets) {
    await measureLoad({ port, next, clients, count: warmCalls, maxMs: warmMs, mayFail: true });
  }
  const found = targets.map((): { result: LoadResult; cpuMs: number }[] => []);
  for (let round = 0; round < 3; round += 1) {
    for (const [at, target] of targets.entries()) {
      const before = await target.cpuMs();
      const result = await load(target);
      found[at]?.push({ result, cpuMs: (await target.cpuMs()) - before });
    }
  }
  return found.map((rounds) => {
    const times = rounds.flatMap(({ result }) => result.times);
    const cpuMs = rounds.reduce((sum, round) => sum + round.cpuMs, 0) / times.length;
    const failed = rounds.reduce((sum, { result }) => sum + result.failed, 0);
    const perSecond = quantile(
      rounds.map(({ result }) => result.perSecond),
      0.5,
    );
    return { times, failed, cpuMs, perSecond };
  });
}

interface Sides {
  readonly servers: Servers;
  readonly gateways: readonly Gateway[];
}

interface Case {
  readonly name: string;
  readonly clients: number;
  readonly count: number;
  /** The conversation of a session; its first message has the mark of a counted request. */
  readonly messages: (trainer: Trainer, session: Started) => Promise<readonly ChatMessage[]>;
  /** Whether the servers end after it, and its sessions with them. Default false. */
  readonly isLast?: boolean;
}

/** Every client has a session of its own, which the relay and the gateways do not know. */
async function measure({ servers, gateways }: Sides, { clients, count, messages, isLast = false }: Case) {
  const trainer = await openTrainer(servers.proxyPort);
  const sessions: Started[] = [];
  const requests = new Map<string, (() => Buffer)[]>();
  const callers = ['relay', 'Weir', ...gateways.map(({ name }) => name)];
  for (let client = 0; client < clients; client += 1) {
    const session = await trainer.start();
    sessions.push(session);
    const asked = await messages(trainer, session);
    for (const name of callers) {
      const { headers = {} } = gateways.find((gateway) => gateway.name === name) ?? {};
      requests.set(name, [...(requests.get(name) ?? []), countedRequests(session.key, asked, headers)]);
    }
  }
  const nextOf = (name: string) => (client: number) => requests.get(name)?.[client]?.() ?? Buffer.alloc(0);
  const targets: readonly Target[] = [
    { name: 'relay', port: servers.relayPort, next: nextOf('relay'), cpuMs: () => servers.relayCpuMs() },
    { name: 'Weir', port: servers.proxyPort, next: nextOf('Weir'), cpuMs: () => servers.proxyCpuMs() },
    ...gateways.map(({ name, port, cpuMs }) => ({ name, port, cpuMs, next: nextOf(name) })),
  ];
  const found = await inTurn(targets, clients, count);
  if (!isLast) for (const session of sessions) await finish(trainer, session);
  trainer.close();
  return targets.map(({ name }, at) => ({ name, ...(found[at] ?? { times: [], failed: 0, perSecond: 0, cpuMs: 0 }) }));
}

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
const ms = (value: number): string => `${value.toFixed(2)} ms`;

async function print(sides: Sides, wanted: Case): Promise<void> {
  const found = await measure(sides, wanted);
  const [relay] = found;
  for (const { name, times, failed, perSecond, cpuMs } of found) {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    row(
      wanted.name,
      String(wanted.clients),
      name,
      ms(p50),
      ms(p50 - quantile(relay?.times ?? [], 0.5)),
      ms(p99),
      (p99 / quantile(relay?.times ?? [], 0.99)).toFixed(2),
      perSecond.toFixed(0),
      (perSecond / (relay?.perSecond ?? 0)).toFixed(2),
      ms(cpuMs),
      String(failed),
    );
  }
}

async function withSides(options: ServerOptions, work: (sides: Sides) => Promise<void>): Promise<void> {
  const servers = await startServers(options);
  const home = temporaryFolder('weir-gateway-');
  const gateways: Gateway[] = [];
  try {
    const [portkey, liteLlm] = [findPortkey(), findLiteLlm()];
    if (portkey !== undefined) gateways.push(await startPortkey(portkey, servers.enginePort));
    if (liteLlm !== undefined) gateways.push(await startLiteLlm(liteLlm, servers.enginePort, home));
    await work({ servers, gateways });
  } finally {
    for (const gateway of gateways) await gateway.stop();
    await servers.stop();
    await home.remove();
  }
}

async function main(): Promise<void> {
  const tokenizerFolder = await benchTokenizerFolder();
  const tokenizer = await loadTokenizerFolder(tokenizerFolder, { cacheBytes: 0 });
  const encode = (text: string): Promise<Int32Array> => tokenizer.encode(text, { control: false });
  const words = await encode(seededText({ seed: 3, words: 200 }));
  const answerIds = [...words.subarray(0, answerTokens - 1), ...tokenizer.endIds];
  // Marks of the template, the system message and the number take some.
  const text = await seededTokens(encode, { seed: 1600, tokens: 1573 });
  const later = await seededTokens(encode, { seed: 78, tokens: 180 });
  await tokenizer.stop();
  const allNew = () => Promise.resolve(question(text));
  const laterTurn = async (trainer: Trainer, { id, key }: Started): Promise<readonly ChatMessage[]> => {
    const first: ChatMessage = { role: 'user', content: `${id} ${text}` };
    const { content } = await trainer.call(key, [first]);
    return [first, { role: 'assistant', content }, ...question(later)];
  };
  const heads = ['calls', 'clients', 'through', 'p50', 'added', 'p99', 'of the relay', 'calls/s', 'of the relay'];
  row(...heads, 'CPU of a call', 'failed');
  row(...heads.map(() => '---'), '---', '---');
  await withSides({ tokenizerFolder, answerIds }, async (sides) => {
    for (const clients of [1, 16]) {
      const count = Math.round((clients === 1 ? 900 : 3_000) * scale);
      await print(sides, { name: 'first calls of 1.6k tokens', clients, count, messages: allNew });
      await print(sides, { name: 'later calls, 200 tokens new', clients, count, messages: laterTurn });
    }
  });
  await withSides({ tokenizerFolder, answerIds, engineMs }, (sides) =>
    print(sides, {
      name: `first calls, the engine takes ${engineMs / 1000} s`,
      clients: inFlight,
      count: 3 * inFlight,
      messages: allNew,
      isLast: true,
    }),
  );
}

void main();
