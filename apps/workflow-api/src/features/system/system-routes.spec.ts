import { listenHttp, type HttpServer } from '@weir/service-kit';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

let test: TestWorkflow;
afterEach(() => test.stop());

describe('GET /health', () => {
  it('returns 200 without a credential', async () => {
    test = await createTestWorkflow();
    const { status, body } = await test.api.send('GET /health');

    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'healthy',
      version: '1.2.3',
      uptime: expect.any(Number) as number,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      roles: ['api'],
    });
  });

  it('returns 200 and "unhealthy" while the database does not answer', async () => {
    test = await createTestWorkflow({ platform: { checkDatabase: () => Promise.resolve(false) } });

    await expect(test.api.send('GET /health')).resolves.toMatchObject({
      status: 200,
      body: { status: 'unhealthy', reason: 'database_unreachable' },
    });
  });
});

describe('services', () => {
  it('are the scheduler of this process, no coordinator and no tunnel', async () => {
    test = await createTestWorkflow({ roles: ['api', 'scheduler'] });
    const as = await test.createKey('developer');
    const read = async (path: string) => (await test.api.send(`GET /services/${path}`, { as })).body;

    expect(await read('scheduler')).toMatchObject({ schedulers: [{ status: 'active' }] });
    expect(await read('coordinator')).toEqual({ coordinators: [] });
    expect(await read('tunnel')).toEqual({ enabled: false, status: 'disabled' });
  });

  it('have no scheduler without its role, and a coordinator that does not answer is inactive', async () => {
    test = await createTestWorkflow({ config: { coordinatorUrl: 'http://127.0.0.1:1/base' } });
    const as = await test.createKey('developer');

    expect((await test.api.send('GET /services/scheduler', { as })).body).toEqual({ schedulers: [] });
    expect((await test.api.send('GET /services/coordinator', { as })).body).toMatchObject({
      coordinators: [{ host: '127.0.0.1', port: 1, status: 'inactive' }],
    });
  });

  it('need no licence', async () => {
    test = await createTestWorkflow();
    const answer = await test.api.send('GET /license/status', { as: await test.createKey('viewer') });

    expect(answer).toMatchObject({ status: 200, body: { valid: true, community: true } });
  });
});

describe('GET /openapi.json', () => {
  it('returns 200 with the description and the address in effect', async () => {
    test = await createTestWorkflow({ config: { basePath: '/weir' } });
    const { status, body } = await test.api.send('GET /openapi.json', { as: await test.createKey('viewer') });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      openapi: '3.0.0',
      info: { version: '1.0.0' },
      servers: [{ url: '/weir/api/v1' }],
    });
    expect(body.paths).toHaveProperty(['/dags/{fileName}/start']);
  });

  it('returns 401 without a credential', async () => {
    test = await createTestWorkflow();
    await expect(test.api.send('GET /openapi.json')).resolves.toMatchObject({ status: 401 });
  });
});

describe('GET /workers', () => {
  it('returns 200 without a worker when no process has one', async () => {
    test = await createTestWorkflow();
    const answer = await test.api.send('GET /workers', { as: await test.createKey('developer') });

    expect(answer).toMatchObject({ status: 200, body: { workers: [], errors: [] } });
  });

  it('returns 401 without a credential', async () => {
    test = await createTestWorkflow();
    await expect(test.api.send('GET /workers')).resolves.toMatchObject({ status: 401 });
  });

  it('returns 403 to an operator', async () => {
    test = await createTestWorkflow();
    await expect(test.api.send('GET /workers', { as: await test.createKey('operator') })).resolves.toMatchObject({
      status: 403,
    });
  });

  it('returns 400 for another node', async () => {
    test = await createTestWorkflow();
    const answer = await test.api.send('GET /workers?remoteNode=x', { as: await test.createKey('admin') });

    expect(answer).toMatchObject({ status: 400, body: { reason: 'remote_node_unknown' } });
  });

  describe('with a coordinator', () => {
    let coordinator: HttpServer | undefined;
    const worker = {
      id: 'worker-1',
      labels: { zone: 'a' },
      totalPollers: 4,
      busyPollers: 1,
      runningTasks: [],
      lastHeartbeatAt: '2026-01-02T03:04:05Z',
      healthStatus: 'healthy',
    };
    const workersWith = async (status: number, body: string) => {
      coordinator = await listenHttp({
        host: '127.0.0.1',
        port: 0,
        listener: (request, response) => {
          response.writeHead(request.url === '/base/workers' ? status : 404).end(body);
        },
      });
      test = await createTestWorkflow({ config: { coordinatorUrl: `${coordinator.url}/base/` } });
      return test.api.send('GET /workers', { as: await test.createKey('admin') });
    };
    const unavailable = { status: 503, body: { reason: 'coordinator_unavailable' } };

    afterEach(() => coordinator?.stop());

    it('returns 200 with its workers', async () => {
      const answer = await workersWith(200, JSON.stringify({ workers: [worker], errors: ['one is late'] }));

      expect(answer).toMatchObject({ status: 200, body: { workers: [worker], errors: ['one is late'] } });
    });

    it.each([
      ['fails', 500, '{}'],
      ['answers something else', 200, '{"workers":1}'],
      ['answers no JSON', 200, 'hello'],
      ['answers without end', 200, 'x'.repeat(5 * 1024 * 1024)],
    ])('returns 503 when it %s', async (_, status, body) => {
      await expect(workersWith(status, body)).resolves.toMatchObject(unavailable);
    });

    it('returns 503 when nobody is there', async () => {
      coordinator = await listenHttp({ host: '127.0.0.1', port: 0, listener: () => undefined });
      const { url } = coordinator;
      await coordinator.stop();
      coordinator = undefined;
      test = await createTestWorkflow({ config: { coordinatorUrl: url } });

      await expect(test.api.send('GET /workers', { as: await test.createKey('admin') })).resolves.toMatchObject(
        unavailable,
      );
    });
  });
});
