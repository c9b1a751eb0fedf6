import { onEachDatabase } from '../support/databases';
import { adminName, aUser, password, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

onEachDatabase((start) => {
  describe('POST /auth/setup', () => {
    let weir: Weir;

    beforeEach(async () => {
      weir = await start();
    }, 60_000);

    afterEach(() => weir.dispose());

    it('returns 400 for a weak password', async () => {
      for (const weak of ['short', 'password123']) {
        const { status, body } = await weir.request('POST', '/auth/setup', {
          body: { username: adminName, password: weak },
        });
        expect(status).toBe(400);
        expect(body).toMatchObject({ code: 'bad_request' });
      }
    });

    it('returns 200 with a token that is valid at once', async () => {
      const { status, body } = await weir.request('POST', '/auth/setup', { body: { username: adminName, password } });

      expect(status).toBe(200);
      expect(body).toMatchObject({
        user: { username: adminName, role: 'admin', workspaceAccess: { all: true, grants: [] } },
      });
      const { token } = body as { token: string };
      expect((await weir.request('GET', '/users', { token })).status).toBe(200);
    });

    it('returns 403 once users exist', async () => {
      await setUpAdmin(weir);
      const { status, body } = await weir.request('POST', '/auth/setup', { body: { username: 'eve', password } });

      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'forbidden', reason: 'setup_completed' });
    });

    it('lets one of many concurrent requests succeed', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          weir.request('POST', '/auth/setup', { body: { username: `admin-${index}`, password } }),
        ),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(403)]);
    });
  });

  describe('with an admin', () => {
    let weir: Weir;
    let admin: string;

    beforeAll(async () => {
      weir = await start();
      admin = await setUpAdmin(weir);
    }, 60_000);

    afterAll(() => weir.dispose());

    describe('POST /auth/login', () => {
      it('returns 200 with a token and its expiry', async () => {
        const { status, body } = await weir.request('POST', '/auth/login', { body: { username: adminName, password } });

        expect(status).toBe(200);
        const { token, expiresAt } = body as { token: string; expiresAt: string };
        expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(23 * 3_600_000);
        expect((await weir.request('GET', '/auth/me', { token })).status).toBe(200);
      });

      it('returns 401 with the same message for an unknown user and a wrong password', async () => {
        const wrong = await weir.request('POST', '/auth/login', {
          body: { username: adminName, password: 'not this one' },
        });
        const unknown = await weir.request('POST', '/auth/login', { body: { username: 'nobody', password } });

        expect([wrong.status, unknown.status]).toEqual([401, 401]);
        expect((wrong.body as { message: string }).message).toBe((unknown.body as { message: string }).message);
      });

      it('returns 429 with Retry-After after too many failures', async () => {
        const attempt = () =>
          weir.request('POST', '/auth/login', { body: { username: 'target', password: 'wrong guess' } });
        for (let failures = 0; failures < 5; failures += 1) expect((await attempt()).status).toBe(401);
        const { status, headers, body } = await attempt();

        expect(status).toBe(429);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(body).toMatchObject({ code: 'rate_limited' });
      });
    });

    describe('GET /auth/me', () => {
      it('returns 200 with the current user', async () => {
        const { status, body } = await weir.request('GET', '/auth/me', { token: admin });

        expect(status).toBe(200);
        expect(body).toMatchObject({ user: { username: adminName, role: 'admin' } });
      });

      it('returns 401 for a token that was tampered with', async () => {
        const [head = '', claims = '', signature = ''] = admin.split('.');
        const token = `${head}.${claims}.${signature.split('').reverse().join('')}`;

        expect((await weir.request('GET', '/auth/me', { token })).status).toBe(401);
        expect((await weir.request('GET', '/auth/me')).status).toBe(401);
      });
    });

    describe('the session of a browser', () => {
      const signInBrowser = async () => {
        const { headers } = await weir.request('POST', '/auth/login', {
          body: { username: adminName, password, session: true },
          headers: { 'user-agent': 'A browser' },
        });
        return { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' };
      };

      describe('GET /auth/state', () => {
        it('returns 200 with the ways to sign in', async () => {
          const { status, body } = await weir.request('GET', '/auth/state');

          expect(status).toBe(200);
          expect(body).toEqual({ mode: 'builtin', needsSetup: false, needsSetupToken: false, providers: [] });
        });
      });

      const listSessions = async (headers: { cookie: string }) => {
        const { status, body } = await weir.request('GET', '/auth/sessions', { headers });
        return { status, sessions: (body as { sessions: { id: string; isCurrent: boolean }[] }).sessions };
      };

      describe('GET /auth/sessions', () => {
        it('returns 200 with the browsers of the caller', async () => {
          const { status, sessions } = await listSessions(await signInBrowser());

          expect(status).toBe(200);
          expect(sessions.filter(({ isCurrent }) => isCurrent)).toMatchObject([{ userAgent: 'A browser' }]);
        });
      });

      describe('DELETE /auth/sessions/{sessionId}', () => {
        it('returns 204 and ends the session, and 404 afterwards', async () => {
          const [mine, other] = [await signInBrowser(), await signInBrowser()];
          const { sessions } = await listSessions(other);
          const address = `/auth/sessions/${sessions.find(({ isCurrent }) => isCurrent)?.id ?? ''}`;

          expect((await weir.request('DELETE', address, { headers: mine })).status).toBe(204);
          expect((await weir.request('DELETE', address, { headers: mine })).status).toBe(404);
          expect((await weir.request('GET', '/auth/me', { headers: other })).status).toBe(401);
        });
      });

      describe('POST /auth/logout', () => {
        it('returns 200 and ends the session of the cookie', async () => {
          const headers = await signInBrowser();

          expect((await weir.request('GET', '/auth/me', { headers })).status).toBe(200);
          expect((await weir.request('POST', '/auth/logout', { headers })).status).toBe(200);
          expect((await weir.request('GET', '/auth/me', { headers })).status).toBe(401);
        });
      });
    });

    describe('POST /auth/change-password', () => {
      it('returns 400 for a weak new password', async () => {
        const { token } = await aUser(weir, admin, 'viewer', 'weak-changer');
        const body = { currentPassword: password, newPassword: '12345678' };
        expect((await weir.request('POST', '/auth/change-password', { token, body })).status).toBe(400);
      });

      it('returns 401 for a wrong current password and without a credential', async () => {
        const { token } = await aUser(weir, admin, 'viewer', 'wrong-changer');
        const body = { currentPassword: 'not this one', newPassword: 'another good one' };

        expect((await weir.request('POST', '/auth/change-password', { token, body })).status).toBe(401);
        expect((await weir.request('POST', '/auth/change-password', { body })).status).toBe(401);
      });

      it('returns 200 and invalidates earlier tokens', async () => {
        const { token } = await aUser(weir, admin, 'viewer', 'changer');
        const body = { currentPassword: password, newPassword: 'another good one' };

        expect((await weir.request('POST', '/auth/change-password', { token, body })).status).toBe(200);
        expect((await weir.request('GET', '/auth/me', { token })).status).toBe(401);
        const login = await weir.request('POST', '/auth/login', {
          body: { username: 'changer', password: 'another good one' },
        });
        expect(login.status).toBe(200);
      });
    });
  });
});
