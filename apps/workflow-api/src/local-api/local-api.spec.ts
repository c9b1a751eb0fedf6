import { existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { ApiError } from '@weir/workflow-client';
import { createRecordingLogger, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createLocalApp } from '../server';
import { createTestWorkflow, type TestWorkflow } from '../testing/workflow-api';
import { connectToServer, connectWithin, controlSocket, createLocalClient, listenLocally } from '.';

const spec = 'steps:\n  - run: "true"\n';
let test: TestWorkflow;
let data: TemporaryFolder;

beforeEach(async () => {
  test = await createTestWorkflow();
  data = temporaryFolder();
});
afterEach(async () => {
  await test.stop();
  await data.remove();
});

const createListener = () => {
  const { application } = test;
  return createLocalApp({
    logger: createRecordingLogger(),
    features: [application],
    audit: application.audit,
    passOn: application.passOn,
  });
};
const createConfig = () => ({ data: { folder: data.path } });

describe('the control socket', () => {
  it('serves the API to the user of the server, as an admin', async () => {
    const options = {
      socket: controlSocket(createConfig()),
      listener: createListener(),
      logger: createRecordingLogger(),
    };
    const server = await listenLocally(options);
    const connection = await connectToServer(createConfig());

    expect(statSync(options.socket).mode & 0o777).toBe(0o600);
    expect(connection?.roles).toEqual(['api']);
    await connection?.client.POST('/dags', { body: { name: 'made', spec } });
    expect(await test.application.files.has('made')).toBe(true);
    await server.stop();
    expect(existsSync(options.socket)).toBe(false);
  });

  it('replaces one that a dead process left', async () => {
    const options = {
      socket: controlSocket(createConfig()),
      listener: createListener(),
      logger: createRecordingLogger(),
    };
    const dead = await listenLocally(options);
    const server = await listenLocally(options);

    await expect(createLocalClient(() => connect(options.socket)).GET('/health')).resolves.toMatchObject({
      data: { status: 'healthy' },
    });
    await server.stop();
    await dead.stop();
  });

  it('does not exist where no server listens', async () => {
    await expect(connectToServer(createConfig())).resolves.toBeUndefined();
  });
});

describe('a client within the process', () => {
  it('gets the answers and the refusals of the API', async () => {
    const client = createLocalClient(connectWithin(createListener()));

    await expect(client.GET('/dags')).resolves.toMatchObject({ data: { dags: [] } });
    const missing = await client
      .GET('/dag-runs/{name}/{dagRunId}', { params: { path: { name: 'a', dagRunId: 'b' } } })
      .catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ApiError);
    expect(missing).toMatchObject({ status: 404, reason: 'dag_run_not_found' });
  });

  it('may set the origin of a run', async () => {
    const client = createLocalClient(connectWithin(createListener()));
    const origin = { fileName: '/elsewhere/a.yaml', triggerType: 'scheduler', priority: 7 } as const;
    const { name, dagRunId } = (await client.POST('/dag-runs/enqueue', { body: { spec, name: 'a', origin } })).data;

    await expect(test.application.runs.find(name, dagRunId)).resolves.toMatchObject({
      fileName: '/elsewhere/a.yaml',
      triggerType: 'scheduler',
      priority: 7,
    });
  });
});
