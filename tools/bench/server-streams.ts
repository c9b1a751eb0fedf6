// Measures how long after the end of a step the clients that watch its run know of it. WEIR_BENCH_CLIENTS (500) and
// WEIR_BENCH_STEPS (50). `npm run bench streams` runs it.
import { openClients, type LiveEventData } from './live-clients';
import { callsOf, endOfRun, numberOf, percentile, printRow, type RunDetails } from './server-calls';
import { startRunnerUnderTest, type ServerUnderTest } from './server-under-test';

const clients = numberOf('WEIR_BENCH_CLIENTS', 500);
const steps = numberOf('WEIR_BENCH_STEPS', 50);
const lines = Array.from({ length: steps }, (_, index) => `  - {name: s${index}, run: sleep 0.2}\n`).join('');
const dags = new Map([['watched', `type: chain\nsteps:\n${lines}`]]);

async function main(): Promise<void> {
  const server = await startRunnerUnderTest(dags, { WEIR_STEP_ISOLATION: 'off' });
  try {
    const idle = await server.residentMegabytes();
    printRow(`${clients} clients, ${steps} steps`, 'whole states', 'patches');
    printRow('---', '---:', '---:');
    const figures = [await watchRun(server, false), await watchRun(server, true)];
    const row = (name: string, read: (figure: Figures) => string | number): void =>
      printRow(name, ...figures.map(read));
    row('events', ({ delays }) => String(delays.length));
    row('p50 ms from the end of a step to a client', ({ delays }) => percentile(delays, 0.5));
    row('p99 ms', ({ delays }) => percentile(delays, 0.99));
    row('most ms', ({ delays }) => percentile(delays, 1));
    row('MB received', ({ megabytes }) => megabytes);
    row('resident MB with them', ({ residentMegabytes }) => residentMegabytes);
    printRow('resident MB before', idle, '');
  } finally {
    await server.stop();
  }
}

interface Figures {
  readonly delays: readonly number[];
  readonly megabytes: number;
  readonly residentMegabytes: number;
}

async function watchRun(server: ServerUnderTest, delta: boolean): Promise<Figures> {
  const call = callsOf(server);
  const dagRunId = delta ? 'patches' : 'states';
  await call('/dags/watched/enqueue', { dagRunId });
  const delays: number[] = [];
  const readDelay = createDelays();
  const opened = await openClients(server, {
    topic: `dagrun:watched/${dagRunId}`,
    count: clients,
    delta,
    onEvent: (data, client) => delays.push(...readDelay(data, client)),
  });
  await endOfRun(call, `/dag-runs/watched/${dagRunId}`);
  const figures = { megabytes: opened.received() / 1_000_000, residentMegabytes: await server.residentMegabytes() };
  opened.close();
  return { delays, ...figures };
}

/** Measures the delay of the step that ended last, once for each client: later events contain it too. */
function createDelays() {
  const known = new Map<number, number>();
  return (data: LiveEventData, client: number): readonly number[] => {
    const ends = readEnds(data);
    const last = known.get(client);
    if (ends.length === 0 && last === undefined) known.set(client, 0);
    if (ends.length === 0) return [];
    const end = Math.max(...ends);
    known.set(client, end);
    return last === undefined || end <= last ? [] : [Date.now() - end];
  };
}

/** Times of the ends of steps that an event tells of. */
function readEnds({ payload, patch = [] }: LiveEventData): readonly number[] {
  const nodes = (payload as { readonly dagRunDetails: RunDetails } | undefined)?.dagRunDetails.nodes ?? [];
  const told = patch.filter(({ path }) => /\/nodes\/\d+\/finishedAt$/.test(path)).map(({ value }) => String(value));
  return [...nodes.map(({ finishedAt }) => finishedAt), ...told].filter((text) => text !== '').map(Date.parse);
}

void main();
