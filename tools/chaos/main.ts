// Kills the built server at random moments, starts it again, and counts what was lost, stuck or done twice. The seed
// decides the moments, as far as a clock can be decided. `npm run chaos server -- --rounds 200 --seed 1` runs it after a build;
// with `--postgres` two servers share a database, and the other one has to take over.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSeededRandom, startPostgres, temporaryFolder } from '@weir/test-kit';
import { openEffects, type Effects } from './effects';
import { waitForEnd, enqueue, succeeded } from './runs';
import { kill, spawnServer, startServer, type ServerOptions } from './server';

const moments = ['enqueue', 'claimed', 'started', 'mid-step', 'done, not stored', 'migration'] as const;
type Moment = (typeof moments)[number];

interface Round {
  readonly moment: Moment;
  /** Runs that the server said it has. */
  readonly acknowledged: readonly string[];
  /** The time from the new start to the end of the last run. */
  readonly recoveredMs: number;
  /** The time from the kill until the runs in progress were claimed by another owner. */
  readonly takenOverMs: number | undefined;
  readonly lost: number;
  readonly stuck: number;
  readonly failed: number;
}

const dag = 'effects';
const steps = ['one', 'two', 'three'] as const;
const runsARound = 3;
const roundDeadlineMs = 60_000;
const stepMs = 60;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      postgres: { type: 'boolean', default: false },
    },
  });
  const postgres = values.postgres ? await startPostgres() : undefined;
  const database = await postgres?.createDatabase();
  const rounds = Number(values.rounds);
  const random = createSeededRandom(Number(values.seed));
  const home = temporaryFolder('weir-chaos-');
  const effects = openEffects(home.file('effects.db'));
  const options = { folder: home.path, databaseUrl: database?.url };
  await writeDag(home.file('weir', 'dags'), effects.file);
  const done: Round[] = [];
  try {
    for (let index = 0; index < rounds; index += 1) {
      const moment = moments[index % moments.length] ?? 'enqueue';
      done.push(
        await (moment === 'migration' ? killWhileMigrating(random) : play(options, effects, { index, moment, random })),
      );
      process.stdout.write(`\r${index + 1} of ${rounds} rounds`);
    }
    report(done, effects);
  } finally {
    effects.close();
    await postgres?.stop();
    await home.remove();
  }
}

async function writeDag(folder: string, effectsFile: string): Promise<void> {
  const script = path.resolve(__dirname, 'write-effect.mjs');
  const command = (step: string) => `${process.execPath} ${script} ${effectsFile} ${step} ${stepMs}`;
  const step = (name: string, index: number) =>
    `  - id: ${name}\n    run: ${command(name)}\n    idempotent: true\n${index === 0 ? '' : `    depends: ${steps[index - 1]}\n`}`;
  await mkdir(folder, { recursive: true });
  // A queue of its own would run them one after the other.
  await writeFile(path.join(folder, `${dag}.yaml`), `queue: chaos\nsteps:\n${steps.map(step).join('')}`);
}

interface Play {
  readonly index: number;
  readonly moment: Moment;
  readonly random: () => number;
}

async function play(options: ServerOptions, effects: Effects, { index, moment, random }: Play): Promise<Round> {
  const server = await startServer(options);
  // With a database for several servers another one is up already, and has to notice by itself.
  const standby = options.databaseUrl === undefined ? undefined : await startServer(options);
  const ids = Array.from({ length: runsARound }, (_, run) => `round-${index}-${run}`);
  const before = { executions: effects.executions(), written: effects.written() };
  const asked = ids.map((id) => enqueue(server.baseUrl, dag, id));
  if (moment !== 'enqueue') await Promise.all(asked);
  await until(moment, { effects, before, random });
  const killedAt = Date.now();
  await kill(server.process);
  const acknowledged = (await Promise.all(asked)).flatMap((isStored, run) => (isStored ? [ids[run] ?? ''] : []));

  const next = standby ?? (await startServer(options));
  const restartedAt = Date.now();
  const deadline = restartedAt + roundDeadlineMs;
  const ends = await Promise.all(ids.map((id) => waitForEnd(next.baseUrl, dag, id, deadline)));
  const recoveredMs = Date.now() - restartedAt;
  const takenOverMs = await takeOver(options, ids, killedAt);
  await kill(next.process);
  const count = (isSo: (end: (typeof ends)[number], id: string) => boolean): number =>
    ids.filter((id, run) => acknowledged.includes(id) && isSo(ends[run], id)).length;
  return {
    moment,
    acknowledged,
    recoveredMs,
    takenOverMs,
    lost: Date.now() > deadline ? 0 : count((end) => end === undefined),
    stuck: Date.now() > deadline ? count((end) => end === undefined) : 0,
    failed: count((end) => end !== undefined && end.status !== succeeded),
  };
}

interface Sight {
  readonly effects: Effects;
  readonly before: { readonly executions: number; readonly written: number };
  readonly random: () => number;
}

/** Waits for the moment, and a random bit longer. */
async function until(moment: Moment, { effects, before, random }: Sight): Promise<void> {
  const deadline = Date.now() + 20_000;
  const wait = async (isSo: () => boolean): Promise<void> => {
    while (!isSo() && Date.now() < deadline) await delay(1);
  };
  switch (moment) {
    case 'enqueue':
      await delay(random() * 150);
      return;
    case 'claimed':
      await delay(random() * 15);
      return;
    case 'started':
      await delay(20 + random() * 120);
      return;
    case 'mid-step':
      await wait(() => effects.executions() > before.executions + Math.floor(random() * 6));
      await delay(random() * stepMs);
      return;
    default: {
      // The effect is there, and its process is about to end: what comes of it is not stored yet.
      const wanted = before.written + 1 + Math.floor(random() * 6);
      await wait(() => effects.written() >= wanted);
      await delay(random() * 12);
      return;
    }
  }
}

/** The time from the kill to the log line of the new owner; undefined when no run was in progress. */
async function takeOver(
  { folder }: ServerOptions,
  ids: readonly string[],
  killedAt: number,
): Promise<number | undefined> {
  const logs = await Promise.all(ids.map((id) => runLog(folder, id)));
  const times = logs.flatMap((log) => /^(\S+) run resumed/m.exec(log)?.[1] ?? []);
  const last = times.map((time) => new Date(time).getTime()).sort((left, right) => right - left)[0];
  return last === undefined ? undefined : last - killedAt;
}

async function runLog(folder: string, id: string): Promise<string> {
  const { glob } = await import('node:fs/promises');
  for await (const file of glob(`weir/logs/${dag}/*_${id}/run.log`, { cwd: folder })) {
    return readFile(path.join(folder, file), 'utf8');
  }
  return '';
}

/** A first start is killed while it makes its tables; the next one must come up and work. */
async function killWhileMigrating(random: () => number): Promise<Round> {
  const home = temporaryFolder('weir-chaos-');
  try {
    const effects = openEffects(home.file('effects.db'));
    await writeDag(home.file('weir', 'dags'), effects.file);
    const first = await spawnServer({ folder: home.path });
    await delay(200 + random() * 500);
    if (first.isRunning()) await kill(first);
    const server = await startServer({ folder: home.path });
    const restartedAt = Date.now();
    const id = 'after-migration';
    const isStored = await enqueue(server.baseUrl, dag, id);
    const end = await waitForEnd(server.baseUrl, dag, id, restartedAt + roundDeadlineMs);
    await kill(server.process);
    effects.close();
    return {
      moment: 'migration',
      acknowledged: isStored ? [id] : [],
      recoveredMs: Date.now() - restartedAt,
      takenOverMs: undefined,
      lost: isStored && end !== undefined ? 0 : 1,
      stuck: 0,
      failed: end?.status === succeeded ? 0 : 1,
    };
  } finally {
    await home.remove();
  }
}

function report(rounds: readonly Round[], effects: Effects): void {
  const sum = (of: readonly Round[], value: (round: Round) => number): number =>
    of.reduce((total, round) => total + value(round), 0);
  const longest = (times: readonly number[]): string => (times.length === 0 ? '-' : `${Math.max(...times)} ms`);
  console.log(
    '\n\n| killed | rounds | acknowledged | lost | stuck | not succeeded | longest take-over | longest recovery |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const moment of [...moments, undefined]) {
    const of = rounds.filter((round) => moment === undefined || round.moment === moment);
    const cells = [
      moment ?? 'all',
      of.length,
      sum(of, ({ acknowledged }) => acknowledged.length),
      sum(of, ({ lost }) => lost),
      sum(of, ({ stuck }) => stuck),
      sum(of, ({ failed }) => failed),
      longest(of.flatMap(({ takenOverMs }) => takenOverMs ?? [])),
      longest(of.map(({ recoveredMs }) => recoveredMs)),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const runs = rounds.filter(({ moment }) => moment !== 'migration').flatMap(({ acknowledged }) => acknowledged);
  const missing = effects.missing(runs, steps);
  console.log(
    `\neffects: ${effects.written()} written in ${effects.executions()} executions, ${effects.doubles()} double, ${missing} missing`,
  );
  const bad = sum(rounds, ({ lost, stuck, failed }) => lost + stuck + failed) + effects.doubles() + missing;
  if (bad > 0) process.exitCode = 1;
}

void main();
