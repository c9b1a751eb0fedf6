import {
  describeUnless,
  findObjectStore,
  spawnProcess,
  startObjectStore,
  startPostgres,
  temporaryFolder,
  waitFor,
  type ObjectStore,
  type SpawnedProcess,
  type TestPostgres,
} from '@weir/test-kit';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import { program, startWeir, type Weir } from '../../support/weir-server';

const { python = '', missing } = findObjectStore();
const home = temporaryFolder();
const quietSec = 2;
/** The store looks at neither the date nor the signature. */
const authorization =
  'AWS4-HMAC-SHA256 Credential=user/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';

describeUnless(missing, 'no object has arrived')('objects that arrive', () => {
  let postgres: TestPostgres;
  let store: ObjectStore;
  let weir: Weir;
  const schedulers: SpawnedProcess[] = [];

  beforeAll(async () => {
    [postgres, store] = await Promise.all([startPostgres(), startObjectStore(python)]);
    const { url } = await postgres.createDatabase();
    const env = { WEIR_DATABASE_URL: url, WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: 'off' };
    weir = await startWeir({ home, env, ownProcess: true });
    for (let index = 0; index < 2; index += 1) {
      const scheduler = await spawnProcess({
        command: process.execPath,
        args: [program, 'scheduler'],
        env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env },
        deadlineMs: 300_000,
      });
      schedulers.push(scheduler);
    }
  }, 500_000);
  afterAll(async () => {
    for (const scheduler of schedulers) await scheduler.stop({ signal: 'SIGKILL' });
    await weir.dispose();
    await Promise.all([postgres.stop(), store.stop()]);
  });

  const put = async (key: string, body: string) => {
    const send = (init: RequestInit) =>
      fetch(`${store.endpoint}/orders/${key}`, { ...init, headers: { authorization } });
    await send({ method: 'PUT', body });
    const isQuiet = async () => {
      const { headers } = await send({ method: 'HEAD' });
      const [now = 0, changed = 0] = ['date', 'last-modified'].map((name) => Date.parse(headers.get(name) ?? ''));
      return now - changed > quietSec * 1_000 || undefined;
    };
    await waitFor(isQuiet, { what: 'the object to be quiet' });
  };
  const spec = (batch: boolean) => `
secrets: [{name: KEY_ID, ref: store/key-id}, {name: SECRET_KEY, ref: store/secret-key}]
s3: {endpoint: "${store.endpoint}", access_key_id: "\${KEY_ID}", secret_access_key: "\${SECRET_KEY}"}
triggers: [{files: "s3://orders/in/*.csv", quiet: ${quietSec}s, batch: ${batch}}]
type: chain
steps:
  - action: s3.download
    with: {bucket: orders, key: "\${WEIR_TRIGGER_FILE#s3://orders/}", destination: arrived}
  - run: cat arrived
    output: TEXT
`;

  it('start one run for each content with the secrets of the DAG, however many schedulers look', async () => {
    const token = await setUpAdmin(weir);
    const client = weir.createClient(token);
    await fetch(`${store.endpoint}/orders`, { method: 'PUT', headers: { authorization } });
    await put('in/a.csv', 'one');
    for (const [ref, value] of [
      ['store/key-id', 'the-key-id'],
      ['store/secret-key', 'hunter2-hunter2'],
    ]) {
      await weir.request('POST', '/secrets', { token, body: { ref, value, providerType: 'dagu-managed' } });
    }
    await client.createNewDag({ body: { name: 'load', spec: spec(false) } });
    const runsOf = (count: number) =>
      waitFor(
        async () => {
          const { dagRuns } = await client.listDagRuns({ query: { name: 'load' } });
          return dagRuns.length >= count ? dagRuns : undefined;
        },
        { what: `${count} runs` },
      );
    const [run] = await runsOf(1);
    expect(run).toMatchObject({ triggerType: 'file' });
    const ended = await endOfRun(weir, token, 'load', run?.dagRunId ?? '');
    expect(ended).toMatchObject({ statusLabel: 'succeeded' });
    expect(JSON.stringify(ended)).toContain('one');

    await put('in/a.csv', 'two');
    // A trigger that was changed is looked at immediately.
    await client.updateDagSpec({ params: { fileName: 'load' }, body: { spec: spec(true) } });
    const [latest, ...others] = await runsOf(2);
    expect(others).toHaveLength(1);
    await expect(endOfRun(weir, token, 'load', latest?.dagRunId ?? '')).resolves.toMatchObject({
      statusLabel: 'succeeded',
    });
    const { body } = await weir.request('GET', '/dags/load/explain', { token });
    expect(body).toMatchObject({
      files: [{ path: 's3://orders/in/a.csv', state: 'started', dagRunId: latest?.dagRunId }],
    });

    // From now on the store refuses those that it does not know.
    await fetch(`${store.endpoint}/moto-api/reset-auth`, { method: 'POST', body: '0' });
    await client.updateDagSpec({ params: { fileName: 'load' }, body: { spec: spec(false) } });
    for (const each of [weir.process, ...schedulers]) {
      const written = () => `${each.stdout()}${each.stderr()}`;
      await waitFor(() => written().includes('InvalidAccessKeyId') || undefined, { what: 'the warning' });
      expect(written()).toContain('objects of a trigger could not be listed');
      expect(written()).not.toMatch(/the-key-id|hunter2/);
    }
  }, 120_000);
});
