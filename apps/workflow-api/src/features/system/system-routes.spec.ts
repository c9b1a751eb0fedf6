import { createInMemoryWorkerRepository } from '../worker';
import { localRunFiles } from '../../run-files';
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

  it('returns 503 with the health while the database does not answer', async () => {
    test = await createTestWorkflow({ platform: { checkDatabase: () => Promise.resolve(false) } });

    await expect(test.api.send('GET /health')).resolves.toMatchObject({
      status: 503,
      body: { reason: 'database_unreachable', details: { status: 'unhealthy', version: '1.2.3', roles: ['api'] } },
    });
  });
});

describe('GET /health with a bucket', () => {
  it('returns 503 with the health while the bucket does not answer', async () => {
    const runFiles = { ...localRunFiles, isReachable: () => Promise.resolve(false) };
    test = await createTestWorkflow({ platform: { runFiles } });

    await expect(test.api.send('GET /health')).resolves.toMatchObject({
      status: 503,
      body: { reason: 'store_unavailable', details: { status: 'unhealthy', roles: ['api'] } },
    });
  });
});

describe('GET /health/live', () => {
  it('returns 200 while the database does not answer', async () => {
    test = await createTestWorkflow({ platform: { checkDatabase: () => Promise.resolve(false) } });

    await expect(test.api.send('GET /health/live')).resolves.toMatchObject({
      status: 200,
      body: { status: 'alive', roles: ['api'] },
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

  it('have no scheduler without its role', async () => {
    test = await createTestWorkflow();
    const as = await test.createKey('developer');

    expect((await test.api.send('GET /services/scheduler', { as })).body).toEqual({ schedulers: [] });
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

  it('returns 503 while the database, through which workers coordinate, cannot be read', async () => {
    const full = Object.assign(new Error('disk full'), { code: 'ENOSPC' });
    const workers = { ...createInMemoryWorkerRepository(), list: () => Promise.reject(full) };
    test = await createTestWorkflow({ platform: { workers } });

    await expect(test.api.send('GET /workers', { as: await test.createKey('developer') })).resolves.toMatchObject({
      status: 503,
      body: { reason: 'coordinator_unavailable' },
    });
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
});
