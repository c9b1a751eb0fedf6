// Measures how long after the end of a step the clients that watch its run know of it. WEIR_BENCH_CLIENTS (500) and
// WEIR_BENCH_STEPS (50). `npm run bench:streams` runs it.
import { openClients } from './live-clients';
import { callsOf, endOfRun, numberOf, percentile, printRow, type RunDetails } from './server-calls';
import { startRunnerUnderTest } from './server-under-test';

const clients = numberOf('WEIR_BENCH_CLIENTS', 500);
const steps = numberOf('WEIR_BENCH_STEPS', 50);
const lines = Array.from({ length: steps }, (_, index) => `  - {name: s${index}, run: sleep 0.2}\n`).join('');
const dags = new Map([['watched', `type: chain\nsteps:\n${lines}`]]);

async function main(): Promise<void> {
  const server = await startRunnerUnderTest(dags, { WEIR_STEP_ISOLATION: 'off' });
  try {
    const call = callsOf(server);
    const idle = await server.residentMegabytes();
    await call('/dags/watched/enqueue', { dagRunId: 'one' });
    const delays: number[] = [];
    const readDelay = createDelays();
    const opened = await openClients(server, {
      topic: 'dagrun:watched/one',
      count: clients,
      onEvent: (data, client) => delays.push(...readDelay(data, client)),
    });
    await endOfRun(call, '/dag-runs/watched/one');
    printRow(`${clients} clients, ${steps} steps`, 'figure');
    printRow('---', '---:');
    printRow('events', String(delays.length));
    printRow('p50 ms from the end of a step to a client', percentile(delays, 0.5));
    printRow('p99 ms', percentile(delays, 0.99));
    printRow('MB received', opened.received() / 1_000_000);
    printRow('resident MB before', idle);
    printRow('resident MB with them', await server.residentMegabytes());
    await opened.close();
  } finally {
    await server.stop();
  }
}

/** Of the step that ended last, once for each client: later events tell of it too. */
function createDelays() {
  const known = new Map<number, number>();
  return (data: unknown, client: number): readonly number[] => {
    const { payload } = data as { readonly payload?: { readonly dagRunDetails: RunDetails } };
    const ends = (payload?.dagRunDetails.nodes ?? []).flatMap(({ finishedAt }) =>
      finishedAt === '' ? [] : [Date.parse(finishedAt)],
    );
    const isFirst = !known.has(client);
    const isNew = ends.length > (known.get(client) ?? 0);
    known.set(client, ends.length);
    return isNew && !isFirst ? [Date.now() - Math.max(...ends)] : [];
  };
}

void main();
