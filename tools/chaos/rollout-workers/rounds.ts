import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { createRolloutClient, type RolloutClient } from '@weir/rollout-sdk';
import { loadTokenizerFolder, writeTinyModel } from '@weir/rollout-engine';
import { createSeededRandom, freePort, spawnProcess, temporaryFolder, waitFor } from '@weir/test-kit';

export interface WorkerChaosOptions {
  readonly rounds: number;
  /** No further round begins after that time. */
  readonly minutes: number;
  /** Model calls that are unanswered at every kill. */
  readonly calls: number;
  readonly workers: number;
  readonly seed: number;
  readonly onRound?: (round: number) => void;
}

export interface WorkerChaosReport {
  readonly rounds: number;
  readonly workersKilled: number;
  /** Times that the process that leads the workers was killed. */
  readonly leadersKilled: number;
  /** Model calls that were unanswered at the kills, all rounds together. */
  readonly inFlight: number;
  readonly answered: number;
  /** From a kill until a call that was under way then, or that came after it, was answered: the longest time. */
  readonly longestGapMs: number;
  /** Everything below is a defect. */
  readonly lost: number;
  readonly twice: number;
  readonly stuck: number;
  readonly orphanedProcesses: number;
  readonly refused: readonly string[];
}

const program = path.resolve(__dirname, '../../../apps/rollout-proxy/dist/main.js');
const adminKey = 'chaos-admin-key-0123456789';
const lifetimeMs = 4 * 60 * 60_000;
const deadlineMs = 300_000;
/** A call without an answer for so long counts as stuck. */
const stuckMs = 240_000;
const turnsOfConversation = 3;
const answerTokens = 48;

/** Kills workers, or the process that leads them, while many calls are held by the engine; then counts. */
export async function playWorkerChaos(options: WorkerChaosOptions): Promise<WorkerChaosReport> {
  const { rounds, calls, seed, onRound } = options;
  if (!existsSync(program)) throw new Error('Build the rollout proxy first: npm run build.');
  const random = createSeededRandom(seed);
  const home = temporaryFolder('weir-chaos-');
  const { endId } = await createTokenizer(home.file('tokenizer'));
  const engine = await startFakeEngine({
    dialect: 'sglang',
    vocabularySize: 600,
    script: ({ promptIds, maxNewTokens }) => ({
      ids: [...promptIds.slice(-16), endId].slice(0, maxNewTokens),
      // Not the probe of a worker that starts.
      faults: { isHeld: maxNewTokens === answerTokens },
    }),
  });
  const group = await startGroup(home.path, engine, options);
  const client = createRolloutClient({ url: group.url, adminKey });
  const account = { answered: new Map<string, string[]>(), stuck: 0, refused: [] as string[] };
  const stopping = new AbortController();
  const totals = { rounds: 0, workersKilled: 0, leadersKilled: 0, inFlight: 0, longestGapMs: 0, orphanedProcesses: 0 };
  try {
    const sessions = await startSessions(group.url, calls);
    const running = sessions.map((session) => runAgent(group.url, session, account, stopping.signal));
    const endMs = performance.now() + options.minutes * 60_000;
    for (let round = 1; round <= rounds && performance.now() < endMs && account.stuck === 0; round += 1) {
      // The engine has fewer of them at a time: a worker has a limit of connections.
      totals.inFlight += await waitFor(
        async () => (account.stuck > 0 || (await countRunning(group.url)) >= calls) && calls,
        {
          deadlineMs,
          intervalMs: 200,
          what: `${calls} calls in flight`,
        },
      );
      const pids = group.workers();
      if (round % 10 === 0) {
        totals.orphanedProcesses += await group.killLeader();
        totals.leadersKilled += 1;
      } else {
        const victims = round % 5 === 0 ? pids : [pids[Math.floor(random() * pids.length)] ?? 0];
        for (const pid of victims) process.kill(pid, 'SIGKILL');
        totals.workersKilled += victims.length;
      }
      const killedAtMs = performance.now();
      // The calls of the workers that stay are answered, and those of the others are repeated.
      const before = countAnswers(account.answered);
      await waitFor(
        () => {
          engine.release();
          return account.stuck > 0 || countAnswers(account.answered) >= before + calls;
        },
        { deadlineMs, intervalMs: 50, what: 'as many calls to be answered' },
      );
      totals.longestGapMs = Math.max(totals.longestGapMs, Math.round(performance.now() - killedAtMs));
      totals.rounds = round;
      onRound?.(round);
    }
    stopping.abort();
    const releasing = setInterval(() => engine.release(), 50);
    await Promise.all(running);
    clearInterval(releasing);
    return {
      ...totals,
      answered: countAnswers(account.answered),
      ...(await compare(client, account.answered)),
      ...faults(account),
    };
  } finally {
    stopping.abort();
    await client.close();
    await group.stop();
    await engine.stop();
    await home.remove();
  }
}

const faults = ({ stuck, refused }: { readonly stuck: number; readonly refused: readonly string[] }) => ({
  stuck,
  refused: [...new Set(refused)],
});

const countAnswers = (answered: ReadonlyMap<string, readonly string[]>): number =>
  [...answered.values()].reduce((sum, ids) => sum + ids.length, 0);

async function countRunning(url: string): Promise<number> {
  const response = await fetch(`${url}/rl/status`, { headers: { 'x-api-key': adminKey } });
  return ((await response.json()) as { readonly running_generations: number }).running_generations;
}

async function createTokenizer(folder: string): Promise<{ readonly endId: number }> {
  await writeTinyModel(folder);
  const tokenizer = await loadTokenizerFolder(folder);
  const [endId = 0] = tokenizer.endIds;
  await tokenizer.stop();
  return { endId };
}

async function startGroup(home: string, engine: FakeEngine, { calls, workers }: WorkerChaosOptions) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const leader = await spawnProcess({
      command: process.execPath,
      args: [program, '--workers', String(workers)],
      env: {
        HOME: home,
        ROLLOUT_PORT: String(port),
        ROLLOUT_ENGINE: 'sglang',
        ROLLOUT_ENGINE_URLS: engine.url,
        ROLLOUT_TOKENIZER: path.join(home, 'tokenizer'),
        ROLLOUT_ADMIN_KEY: adminKey,
        ROLLOUT_DATA_DIR: path.join(home, 'data'),
        ROLLOUT_CAPACITY: String(calls + 10),
        ROLLOUT_LOG_LEVEL: 'error',
      },
      deadlineMs: lifetimeMs,
    });
    await leader.waitForOutput('Rollout proxy: ', deadlineMs);
    return leader;
  };
  let leader = await start();
  const workersNow = (): readonly number[] =>
    readFileSync(`/proc/${leader.pid}/task/${leader.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  return {
    url,
    workers: workersNow,
    /** Kills the leader and starts it again; returns how many workers were still there after that. */
    killLeader: async (): Promise<number> => {
      const before = workersNow();
      await leader.stop({ signal: 'SIGKILL' });
      leader = await start();
      return before.filter(isAlive).length;
    },
    stop: () => leader.stop({ deadlineMs: 60_000 }),
  };
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

interface Session {
  readonly id: string;
  readonly key: string;
}

async function startSessions(url: string, count: number): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  const post = async (address: string, body?: object): Promise<Record<string, string>> => {
    const response = await fetch(`${url}${address}`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${address} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  for (let index = 0; index < count; index += 1) {
    await post('/grant_capacity');
    const { session_id: id = '', session_api_key: key = '' } = await post('/rl/start_session', { task_id: 'chaos' });
    sessions.push({ id, key });
  }
  return sessions;
}

interface Account {
  readonly answered: Map<string, string[]>;
  stuck: number;
  readonly refused: string[];
}

interface Message {
  readonly role: string;
  readonly content: string;
}

/** Asks and repeats what was not answered, as clients do, until the signal. */
async function runAgent(url: string, { id, key }: Session, account: Account, signal: AbortSignal): Promise<void> {
  const answers: string[] = [];
  account.answered.set(id, answers);
  let messages: readonly Message[] = [];
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (turn % turnsOfConversation === 0) messages = [];
    const asked = [...messages, { role: 'user', content: `Question ${turn} of ${id}.` }];
    const startedAtMs = performance.now();
    let answer: { readonly id: string; readonly message: Message } | undefined;
    while (answer === undefined) {
      if (performance.now() - startedAtMs > stuckMs) {
        account.stuck += 1;
        return;
      }
      answer = await ask(url, key, asked, account.refused);
      if (answer === undefined) await delay(100);
    }
    answers.push(answer.id);
    messages = [...asked, answer.message];
  }
}

async function ask(url: string, key: string, messages: readonly Message[], refused: string[]) {
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', messages, max_tokens: answerTokens }),
      signal: AbortSignal.timeout(stuckMs),
    });
    const text = await response.text();
    if (response.status >= 500) return undefined;
    if (!response.ok) {
      refused.push(`${response.status}: ${text.slice(0, 200)}`);
      return undefined;
    }
    const { id, choices } = JSON.parse(text) as { id: string; choices: readonly { message: Message }[] };
    return { id, message: { role: 'assistant', content: choices[0]?.message.content ?? '' } };
  } catch {
    // The connection broke.
    return undefined;
  }
}

async function compare(client: RolloutClient, answered: ReadonlyMap<string, readonly string[]>) {
  let [lost, twice] = [0, 0];
  for (const [id, ids] of answered) {
    const stored = (await client.interactions(id)).map((interaction) => interaction.id);
    const known = new Set(stored);
    lost += ids.filter((one) => !known.has(one)).length;
    twice += stored.length - known.size + (ids.length - new Set(ids).size);
  }
  return { lost, twice };
}
