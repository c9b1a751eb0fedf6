import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

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

  describe('GET /health/live', () => {
    it('returns 200 with the state of the process', async () => {
      const { status, body } = await weir.request('GET', '/health/live');

      expect(status).toBe(200);
      expect(body).toEqual({ status: 'alive', roles: ['api', 'scheduler', 'worker'] });
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
    it('returns 200 with the worker of the server itself and its runs', async () => {
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
              id: expect.any(String) as string,
              totalPollers: 50,
              busyPollers: 1,
              healthStatus: 'healthy',
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
