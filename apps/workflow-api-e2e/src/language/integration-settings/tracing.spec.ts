import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import {
  startTraceCollector,
  temporaryFolder,
  waitFor,
  type ReceivedSpan,
  type TemporaryFolder,
  type TestTraceCollector,
} from '@weir/test-kit';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import { runWeir } from '../../support/weir-command';
import { startWeir } from '../../support/weir-server';

let home: TemporaryFolder;
let collector: TestTraceCollector;

beforeEach(async () => {
  home = temporaryFolder();
  collector = await startTraceCollector();
});
afterEach(() => Promise.all([home.remove(), collector.close()]));

const spanOf = (name: string): ReceivedSpan => {
  const span = collector.spans.find((each) => each.name === name);
  if (span === undefined) throw new Error(`There is no span ${name}.`);
  return span;
};
const names = (): readonly string[] => collector.spans.map(({ name }) => name).toSorted();

describe('otel', () => {
  it('sends one trace of a run, its steps and its child run, which processes of steps can continue', async () => {
    const settings = `otel: {enabled: true, endpoint: "${collector.endpoint}", headers: {x-token: "\${TOKEN}"}}
secrets: [{name: TOKEN, provider: env, key: TRACE_TOKEN}]
`;
    await writeFile(
      home.file('orders.yaml'),
      `${settings}steps:
  - {name: load, run: 'echo "$TRACEPARENT" > "$HOME/parent"'}
  - {name: call, action: dag.run, with: {dag: child}, depends: load}
  - {name: report, run: exit 3, depends: call}
---
name: child
${settings}steps:
  - {name: inner, run: 'true'}
`,
    );
    const { code, stdout, stderr } = await runWeir(['start', 'orders.yaml'], { home, env: { TRACE_TOKEN: 'sesame' } });
    expect([code, `${stdout}${stderr}`]).toEqual([1, expect.not.stringContaining('sesame')]);

    expect(names()).toEqual(['call', 'child', 'inner', 'load', 'orders', 'report']);
    const run = spanOf('orders');
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([run.traceId]));
    expect(spanOf('load').parentSpanId).toBe(run.spanId);
    expect(spanOf('child').parentSpanId).toBe(spanOf('call').spanId);
    expect(spanOf('inner').parentSpanId).toBe(spanOf('child').spanId);
    expect(run).toMatchObject({ hasFailed: true, resource: { 'service.name': 'weir' } });
    expect(spanOf('report')).toMatchObject({ hasFailed: true, attributes: { 'process.exit.code': 3 } });
    expect(collector.headers[0]).toMatchObject({ 'x-token': 'sesame' });
    const parent = await readFile(home.file('parent'), 'utf8');
    expect(parent.trim()).toBe(`00-${run.traceId}-${spanOf('load').spanId}-01`);
  });

  it('sends the complete trace of a run whose server was killed during it', async () => {
    const first = await startWeir({ home, ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    const admin = await setUpAdmin(first);
    const spec = `type: chain
otel: {enabled: true, endpoint: "${collector.endpoint}"}
steps:
  - {name: before, run: 'true'}
  - name: middle
    run: 'test -e $HOME/again || { sleep 1; touch $HOME/again; exec sleep 300; }'
    retry_policy: {limit: 1, interval_sec: 0}
`;
    const client = first.createClient(admin);
    await client.createNewDag({ body: { name: 'orders', spec } });
    const { dagRunId } = await client.executeDag({ params: { fileName: 'orders' }, body: {} });
    await waitFor(() => existsSync(home.file('again')), { what: 'the step to start', deadlineMs: 60_000 });
    await first.process.stop({ signal: 'SIGKILL' });
    const second = await first.restart();
    try {
      await expect(endOfRun(second, admin, 'orders', dagRunId)).resolves.toMatchObject({ statusLabel: 'succeeded' });
      await waitFor(() => collector.spans.length > 0, { what: 'the trace', deadlineMs: 60_000 });
    } finally {
      await second.dispose();
    }

    expect(names()).toEqual(['before', 'middle', 'orders']);
    expect(spanOf('middle').attributes).toMatchObject({ 'weir.step.retries': 1 });
  });
});
