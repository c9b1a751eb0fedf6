import {
  createRecordingLogger,
  startTraceCollector,
  type TestTraceCollector,
  type TraceCollectorOptions,
} from '@weir/test-kit';
import type { JsonObject } from '@weir/workflow-spec';
import type { Timer } from '../../model/ports/timer';
import { aRun, aRunStep } from '../../testing/run-builders';
import { traceRun, type RunTracerOptions } from './run-tracer';
import { traceIdOf } from '../../values/run-values/trace-ids';

const startedAt = new Date('2026-01-02T03:04:05.678Z');
const end = { status: 'succeeded', finishedAt: new Date('2026-01-02T03:05:05.999Z'), error: null } as const;

let collector: TestTraceCollector;
afterEach(() => collector.close());

async function send(otel: JsonObject, options: TraceCollectorOptions = {}, more: Partial<RunTracerOptions> = {}) {
  collector = await startTraceCollector(options);
  const run = aRun({ startedAt });
  const lines: string[] = [];
  const steps = Array.from({ length: 600 }, (_, position) =>
    aRunStep({ position, status: 'succeeded', startedAt, finishedAt: startedAt, exitCode: 0 }),
  );
  await traceRun(
    {
      runs: { findById: () => Promise.resolve(undefined), listAllSteps: () => Promise.resolve(steps) },
      run,
      root: run,
      dag: { otel },
      scope: {
        params: new Map(),
        env: new Map([
          ['ENDPOINT', collector.endpoint],
          ['TOKEN', 'sesame'],
        ]),
      },
      log: { write: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`) },
      logger: createRecordingLogger(),
      ...more,
    },
    end,
  );
  return { run, lines };
}

const settings = {
  enabled: true,
  endpoint: '${ENDPOINT}',
  headers: { 'x-token': '${TOKEN}' },
  resource: { 'service.name': 'etl', 'deployment.region': 'eu' },
  insecure: true,
};

const ofServer = { OTEL_EXPORTER_OTLP_HEADERS: 'x-server-key=secret' };

/** The exporters read variables of the process. */
async function withVariables(variables: Readonly<Record<string, string>>, work: () => Promise<unknown>) {
  // oxlint-disable-next-line no-restricted-properties -- what is under test is that they are not read
  const { env } = process;
  Object.assign(env, variables);
  try {
    await work();
  } finally {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(env, name);
  }
}

describe('traceRun', () => {
  it.each(['http', 'grpc'] as const)('sends every span to a collector over %s', async (protocol) => {
    const { run, lines } = await send(settings, { protocol });

    expect(collector.spans).toHaveLength(601);
    expect(collector.spans[0]).toMatchObject({
      traceId: traceIdOf(run),
      parentSpanId: undefined,
      name: 'nightly',
      startedAt: startedAt.getTime(),
      endedAt: end.finishedAt.getTime(),
      hasFailed: false,
      attributes: { 'weir.run.id': 'run-1', 'weir.run.attempt': 1 },
      resource: { 'service.name': 'etl', 'deployment.region': 'eu' },
    });
    expect(collector.headers).toHaveLength(2);
    expect(collector.headers[0]).toMatchObject({ 'x-token': 'sesame' });
    expect(lines).toEqual([`trace sent {"traceId":"${traceIdOf(run)}","spans":601}`]);
  });

  it.each(['http', 'grpc'] as const)(
    'does not send the credentials of the server to an endpoint that the DAG names, over %s',
    async (protocol) => {
      await withVariables(ofServer, () => send(settings, { protocol }));

      expect(collector.spans).toHaveLength(601);
      expect(JSON.stringify(collector.headers)).not.toContain('secret');
    },
  );

  it('sends to the collector of the server, with its credentials, if the DAG names none', async () => {
    const server = await startTraceCollector();
    const variables = { ...ofServer, OTEL_EXPORTER_OTLP_ENDPOINT: server.endpoint };
    // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for it
    await withVariables(variables, () => send({ enabled: true })).finally(() => server.close());

    expect(server.spans).toHaveLength(601);
    expect(server.headers[0]).toMatchObject({ 'x-server-key': 'secret' });
  });

  it.each([
    ['http', 'The collector answered with code 401.'],
    ['grpc', 'The collector answered with code 16.'],
  ] as const)('notes in the log of the run that a collector refuses over %s', async (protocol, reason) => {
    const { lines } = await send(settings, { protocol, behaviour: 'refuses' });

    expect(lines).toEqual([`trace not sent ${JSON.stringify({ reason })}`]);
  });

  it('gives up on a collector that does not answer', async () => {
    const due: (() => void)[] = [];
    const timer: Timer = { start: (_, callback) => (due.push(callback), () => undefined) };
    const sending = send(settings, { behaviour: 'silent' }, { timer, sendTrace: () => new Promise(() => undefined) });
    while (due.length === 0) await new Promise(setImmediate);
    due[0]?.();

    await expect(sending).resolves.toMatchObject({
      lines: ['trace not sent {"reason":"There was no answer within 30 seconds."}'],
    });
  });

  it('notes an endpoint that is no URL, without repeating it', async () => {
    const { lines } = await send({ ...settings, endpoint: 'http://${TOKEN}@[' });

    expect(lines).toEqual(['trace not sent {"reason":"ERR_INVALID_URL"}']);
  });

  it('sends nothing for a DAG that is not traced', async () => {
    const { lines } = await send({ ...settings, enabled: false });

    expect([collector.headers, lines]).toEqual([[], []]);
  });
});
