import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from './support/databases';
import { aUser, setUpAdmin } from './support/people';
import { startWeir, type Weir } from './support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start();
    admin = await setUpAdmin(weir);
  }, 60_000);

  afterAll(() => weir.dispose());

  describe('GET /health', () => {
    it('returns 200 with status, version, uptime, time and roles, without a credential', async () => {
      const { status, body } = await weir.request('GET', '/health');

      expect(status).toBe(200);
      expect(body).toEqual({
        roles: ['api', 'scheduler', 'worker'],
        status: 'healthy',
        stepIsolation: expect.stringMatching(/^(namespaces|none)$/) as string,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
        uptime: expect.any(Number) as number,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      });
    });
  });

  describe('GET /openapi.json', () => {
    it('returns 200 with the OpenAPI document', async () => {
      const { status, body } = await weir.request('GET', '/openapi.json', { token: admin });

      expect(status).toBe(200);
      expect(body).toMatchObject({ openapi: '3.0.0', info: { version: '1.0.0' }, servers: [{ url: '/api/v1' }] });
    });

    it('returns 401 without a credential', async () => {
      const { status, body, headers } = await weir.request('GET', '/openapi.json');

      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
      expect(body).toMatchObject({ code: 'unauthorized', message: expect.any(String) as string });
    });
  });

  describe('GET /workers', () => {
    it('returns 200 with the worker of the server itself and what it executes', async () => {
      const body = { name: 'busy', spec: 'steps:\n  - run: sleep 600\n', dagRunId: 'busy-1' };
      await weir.request('POST', '/dag-runs', { token: admin, body });
      const answer = await waitFor(
        async () => {
          const found = await weir.request('GET', '/workers?remoteNode=local', { token: admin });
          const [worker] = (found.body as { workers: { busyPollers: number }[] }).workers;
          return worker?.busyPollers === 1 ? found : undefined;
        },
        { deadlineMs: 20_000, what: 'the worker to execute the run' },
      );

      expect(answer).toMatchObject({
        status: 200,
        body: {
          workers: [
            {
              ...{ id: expect.any(String) as string, totalPollers: 50, busyPollers: 1, healthStatus: 'healthy' },
              runningTasks: [{ dagName: 'busy', dagRunId: 'busy-1' }],
            },
          ],
          errors: [],
        },
      });
      await weir.request('POST', '/dag-runs/busy/busy-1/stop', { token: admin });
    });

    it('returns 403 for an operator', async () => {
      const { token } = await aUser(weir, admin, 'operator');
      expect((await weir.request('GET', '/workers', { token })).status).toBe(403);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/workers')).status).toBe(401);
    });
  });

  describe('an unknown route', () => {
    it('returns 404 with the error schema', async () => {
      const { status, body } = await weir.request('GET', '/no/such/thing', { token: admin });

      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'not_found', message: expect.any(String) as string });
    });
  });
});

describe('GET /workers with a coordinator', () => {
  let coordinator: Server;
  let weir: Weir;

  afterEach(async () => {
    coordinator.closeAllConnections();
    coordinator.close();
    await weir.dispose();
  });

  const listen = async (): Promise<string> => {
    await new Promise<void>((resolve) => coordinator.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(coordinator.address() as AddressInfo).port}`;
  };

  it('returns 503 when the coordinator cannot be reached', async () => {
    coordinator = createServer((request) => request.socket.destroy());
    weir = await startWeir({ env: { WEIR_COORDINATOR_URL: await listen() } });
    const token = await setUpAdmin(weir);

    const { status, body } = await weir.request('GET', '/workers', { token });

    expect(status).toBe(503);
    expect(body).toMatchObject({ reason: 'coordinator_unavailable' });
  });

  it('returns 200 with the workers of the coordinator', async () => {
    const worker = {
      id: 'w1',
      labels: { zone: 'a' },
      totalPollers: 4,
      busyPollers: 1,
      runningTasks: [],
      lastHeartbeatAt: '2026-01-01T00:00:00Z',
      healthStatus: 'healthy',
    };
    coordinator = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ workers: [worker], errors: [] }));
    });
    weir = await startWeir({ env: { WEIR_COORDINATOR_URL: await listen() } });
    const token = await setUpAdmin(weir);

    const { status, body } = await weir.request('GET', '/workers', { token });

    expect(status).toBe(200);
    expect(body).toEqual({ workers: [worker], errors: [] });
  });
});
