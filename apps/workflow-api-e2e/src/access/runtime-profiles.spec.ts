import { writeFile } from 'node:fs/promises';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { runWeir } from '../support/weir-command';
import { startWeir, type RequestOptions, type Weir } from '../support/weir-server';

const value = 'hunter22-of-staging';
const spec = `params: [{name: PARAM, default: of-param}]
env: [{ENV: of-env}, {URL: "http://\${HOST}/"}]
steps:
  - id: show
    run: echo "$HOST $PARAM $ENV $URL $ONLY \${context.profile.name} $TOKEN"
  - id: call
    call: child
    depends: show
---
name: child
steps:
  - id: show
    run: echo "child $HOST $TOKEN"
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
    await weir.request('POST', '/workspaces', { token: admin, body: { name: 'ops' } });
    await weir.request('POST', '/dags', { token: admin, body: { name: 'shows', spec } });
  }, 60_000);
  afterAll(() => weir.dispose());

  const send = async (operation: string, options: RequestOptions = {}) => {
    const [method = '', address = ''] = operation.split(' ');
    const { status, body } = await weir.request(method, address, { token: admin, ...options });
    return { status, body: body as Record<string, unknown> };
  };
  const create = (name: string, more: object = {}) => send('POST /profiles', { body: { name, ...more } });
  const set = (path: string, text: string) => send(`PUT /profiles/${path}`, { body: { value: text } });
  const logOf = async (dagRunId: string) =>
    JSON.stringify((await send(`GET /dag-runs/shows/${dagRunId}/steps/show/log`)).body);

  describe('POST /profiles', () => {
    afterAll(async () => {
      for (const key of ['ONLY', 'HOST']) await send(`DELETE /profiles/_global/entries/${key}`);
    });

    const run = async (profile: string) => {
      const { body } = await send('POST /dags/shows/start', { body: { profile } });
      const dagRunId = String(body.dagRunId);
      return { dagRunId, details: await endOfRun(weir, admin, 'shows', dagRunId) };
    };
    const expected = 'of-profile-HOST of-profile-PARAM of-profile-ENV http://of-profile-HOST/ of-defaults run *****';

    it('returns 201, and a run that names the profile gets its values, also in its retries and in the runs it calls', async () => {
      expect((await create('run')).status).toBe(201);
      for (const key of ['HOST', 'PARAM', 'ENV']) await set(`run/variables/${key}`, `of-profile-${key}`);
      await set('run/secrets/TOKEN', value);
      for (const key of ['ONLY', 'HOST']) await set(`_global/variables/${key}`, 'of-defaults');
      const { dagRunId, details } = await run('run');

      expect(details).toMatchObject({ statusLabel: 'succeeded', profile: 'run' });
      expect(await logOf(dagRunId)).toContain(expected);
      const { body: family } = await send(`GET /dag-runs/shows/${dagRunId}/sub-dag-runs`);
      const child = (family.subRuns as { dagRunId: string }[])[0]?.dagRunId ?? '';
      const called = await send(`GET /dag-runs/shows/${dagRunId}/sub-dag-runs/${child}/steps/show/log`);
      expect(JSON.stringify(called.body)).toContain('child of-profile-HOST *****');

      await set('run/variables/HOST', 'changed');
      await send(`POST /dag-runs/shows/${dagRunId}/retry`, { body: { dagRunId, stepName: 'show' } });
      await endOfRun(weir, admin, 'shows', dagRunId);
      expect(await logOf(dagRunId)).toContain(expected);
      expect((await send(`GET /dag-runs/shows/${dagRunId}/environment`)).body).toMatchObject({
        variables: expect.arrayContaining([
          expect.objectContaining({ name: 'TOKEN', source: 'profile', profile: 'run' }),
          expect.objectContaining({ name: 'ONLY', source: 'profile', profile: '_global' }),
        ]) as unknown,
      });
    });

    it('fails a run whose secret was deleted before it began, and says so', async () => {
      await create('gone');
      await set('gone/secrets/TOKEN', value);
      const { dagRunId } = await run('gone');
      await send('DELETE /profiles/gone');
      await send(`POST /dag-runs/shows/${dagRunId}/retry`, { body: { dagRunId, stepName: 'show' } });

      expect(await endOfRun(weir, admin, 'shows', dagRunId)).toMatchObject({
        statusLabel: 'failed',
        error: expect.stringContaining(
          'The secret "TOKEN" of the profile "gone" cannot be used: it was deleted',
        ) as string,
      });
    });

    it('returns 400 for a bad name, 403 for a viewer and 409 for a taken name', async () => {
      await create('taken');
      expect((await create('Not a name')).status).toBe(400);
      expect((await send('POST /profiles', { body: { name: 'viewed' }, token: viewer })).status).toBe(403);
      expect((await create('taken')).status).toBe(409);
    });
  });

  describe('GET /profiles', () => {
    it('returns 200 with the profiles, those that are protected for administrators only', async () => {
      await create('listed');
      await create('hidden', { protected: true });
      const names = async (token: string) => {
        const { body } = await send('GET /profiles', { token });
        return (body.profiles as { name: string }[]).map(({ name }) => name);
      };
      expect(await names(admin)).toEqual(expect.arrayContaining(['listed', 'hidden']));
      expect(await names(viewer)).not.toContain('hidden');
    });
  });

  describe('GET /profiles/{profileName}', () => {
    it('returns 200 with the profile, 403 for a protected one and 404 for an unknown one', async () => {
      await create('read');
      await create('protected', { protected: true });
      expect((await send('GET /profiles/read', { token: viewer })).status).toBe(200);
      expect((await send('GET /profiles/protected', { token: viewer })).status).toBe(403);
      expect((await send('GET /profiles/nobody')).status).toBe(404);
    });
  });

  describe('PATCH /profiles/{profileName}', () => {
    it('returns 200, and a disabled profile starts no run', async () => {
      await create('patched');
      expect((await send('PATCH /profiles/patched', { body: { status: 'disabled' } })).status).toBe(200);
      expect(await send('POST /dags/shows/start', { body: { profile: 'patched' } })).toMatchObject({
        status: 400,
        body: { reason: 'profile_disabled' },
      });
    });
  });

  describe('DELETE /profiles/{profileName}', () => {
    it('returns 204, and 404 once it is gone', async () => {
      await create('removed');
      expect((await send('DELETE /profiles/removed')).status).toBe(204);
      expect((await send('DELETE /profiles/removed')).status).toBe(404);
    });
  });

  describe('PUT /profiles/{profileName}/variables/{key}', () => {
    it('returns 200 with the variable, 400 for a variable about the run, and 404 for an unknown owner', async () => {
      await create('owner');
      const { status, body } = await set('owner/variables/HOST', 'h');
      expect(status).toBe(200);
      expect(body.entries).toContainEqual(expect.objectContaining({ key: 'HOST', kind: 'variable', value: 'h' }));
      expect((await set('owner/variables/DAG_NAME', 'x')).status).toBe(400);
      expect((await set('nobody/variables/HOST', 'h')).status).toBe(404);
    });
  });

  describe('PUT /profiles/{profileName}/secrets/{key}', () => {
    it('returns 200 without the value, 400 for one that could not be masked, and 404 for an unknown owner', async () => {
      await create('owner');
      const { status, body } = await set('owner/secrets/TOKEN', value);
      const shown = await send('GET /profiles/owner');
      expect(status).toBe(200);
      expect(shown.body.entries).toContainEqual(expect.objectContaining({ key: 'TOKEN', kind: 'secret' }));
      expect(JSON.stringify([body, shown])).not.toContain(value);
      expect((await set('owner/secrets/TOKEN', 'ab')).status).toBe(400);
      expect((await set('nobody/secrets/TOKEN', value)).status).toBe(404);
    });
  });

  describe('DELETE /profiles/{profileName}/entries/{key}', () => {
    it('returns 204, and 404 once it is gone', async () => {
      await create('owner');
      await set('owner/variables/GONE', 'h');
      expect((await send('DELETE /profiles/owner/entries/GONE')).status).toBe(204);
      expect((await send('DELETE /profiles/owner/entries/GONE')).status).toBe(404);
    });
  });

  describe('PUT /profiles/_global/variables/{key}', () => {
    it('returns 200 with the variable, 400 for a variable about the run', async () => {
      const { status, body } = await set('_global/variables/HOST', 'h');
      expect(status).toBe(200);
      expect(body.entries).toContainEqual(expect.objectContaining({ key: 'HOST', kind: 'variable', value: 'h' }));
      expect((await set('_global/variables/DAG_NAME', 'x')).status).toBe(400);
    });
  });

  describe('PUT /profiles/_global/secrets/{key}', () => {
    it('returns 200 without the value, 400 for one that could not be masked', async () => {
      const { status, body } = await set('_global/secrets/TOKEN', value);
      const shown = await send('GET /profiles/_global');
      expect(status).toBe(200);
      expect(shown.body.entries).toContainEqual(expect.objectContaining({ key: 'TOKEN', kind: 'secret' }));
      expect(JSON.stringify([body, shown])).not.toContain(value);
      expect((await set('_global/secrets/TOKEN', 'ab')).status).toBe(400);
    });
  });

  describe('DELETE /profiles/_global/entries/{key}', () => {
    it('returns 204, and 404 once it is gone', async () => {
      await set('_global/variables/GONE', 'h');
      expect((await send('DELETE /profiles/_global/entries/GONE')).status).toBe(204);
      expect((await send('DELETE /profiles/_global/entries/GONE')).status).toBe(404);
    });
  });

  describe('PUT /profiles/_workspaces/{workspaceName}/variables/{key}', () => {
    it('returns 200 with the variable, 400 for a variable about the run, and 404 for an unknown owner', async () => {
      const { status, body } = await set('_workspaces/ops/variables/HOST', 'h');
      expect(status).toBe(200);
      expect(body.entries).toContainEqual(expect.objectContaining({ key: 'HOST', kind: 'variable', value: 'h' }));
      expect((await set('_workspaces/ops/variables/DAG_NAME', 'x')).status).toBe(400);
      expect((await set('_workspaces/nobody/variables/HOST', 'h')).status).toBe(404);
    });
  });

  describe('PUT /profiles/_workspaces/{workspaceName}/secrets/{key}', () => {
    it('returns 200 without the value, 400 for one that could not be masked, and 404 for an unknown owner', async () => {
      const { status, body } = await set('_workspaces/ops/secrets/TOKEN', value);
      const shown = await send('GET /profiles/_workspaces/ops');
      expect(status).toBe(200);
      expect(shown.body.entries).toContainEqual(expect.objectContaining({ key: 'TOKEN', kind: 'secret' }));
      expect(JSON.stringify([body, shown])).not.toContain(value);
      expect((await set('_workspaces/ops/secrets/TOKEN', 'ab')).status).toBe(400);
      expect((await set('_workspaces/nobody/secrets/TOKEN', value)).status).toBe(404);
    });
  });

  describe('DELETE /profiles/_workspaces/{workspaceName}/entries/{key}', () => {
    it('returns 204, and 404 once it is gone', async () => {
      await set('_workspaces/ops/variables/GONE', 'h');
      expect((await send('DELETE /profiles/_workspaces/ops/entries/GONE')).status).toBe(204);
      expect((await send('DELETE /profiles/_workspaces/ops/entries/GONE')).status).toBe(404);
    });
  });

  describe('GET /profiles/_global', () => {
    it('returns 200 with the defaults, and 403 for other than administrators', async () => {
      expect(await send('GET /profiles/_global')).toMatchObject({ status: 200, body: { name: '_global' } });
      expect((await send('GET /profiles/_global', { token: viewer })).status).toBe(403);
    });
  });

  describe('PATCH /profiles/_global', () => {
    it('returns 200, and 400 for a default profile that does not exist', async () => {
      expect(await send('PATCH /profiles/_global', { body: { description: 'd' } })).toMatchObject({
        status: 200,
        body: { description: 'd' },
      });
      expect((await send('PATCH /profiles/_global', { body: { defaultProfile: 'nobody' } })).status).toBe(400);
    });
  });

  describe('GET /profiles/_workspaces/{workspaceName}', () => {
    it('returns 200 with the defaults, and 403 for a viewer', async () => {
      expect(await send('GET /profiles/_workspaces/ops')).toMatchObject({
        status: 200,
        body: { name: '_workspaces/ops' },
      });
      expect((await send('GET /profiles/_workspaces/ops', { token: viewer })).status).toBe(403);
    });
  });

  describe('PATCH /profiles/_workspaces/{workspaceName}', () => {
    it('returns 200, and 400 for a default profile that does not exist', async () => {
      expect(await send('PATCH /profiles/_workspaces/ops', { body: { description: 'd' } })).toMatchObject({
        status: 200,
        body: { description: 'd' },
      });
      expect((await send('PATCH /profiles/_workspaces/ops', { body: { defaultProfile: 'nobody' } })).status).toBe(400);
    });
  });
});

describe('weir --profile', () => {
  it('gives runs of commands the profile, without a server too', async () => {
    const weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    try {
      const token = await setUpAdmin(weir);
      await weir.request('POST', '/profiles', { token, body: { name: 'staging', protected: true } });
      await weir.request('PUT', '/profiles/staging/variables/HOST', { token, body: { value: 'of-staging' } });
      await weir.request('PUT', '/profiles/staging/secrets/TOKEN', { token, body: { value } });
      await weir.process.stop();
      const { home } = weir;
      const run = (...words: readonly string[]) => runWeir(words, { home });
      await writeFile(home.file('job.yaml'), 'name: job\nsteps:\n  - {id: show, run: "echo $HOST $TOKEN"}\n');
      const shown = async () => (await run('logs', 'job')).stdout;

      expect(await run('start', home.file('job.yaml'), '--profile', 'staging')).toMatchObject({ code: 0 });
      expect(await shown()).toContain('of-staging *****');
      expect(await run('restart', home.file('job.yaml'))).toMatchObject({ code: 0 });
      expect(await shown()).toContain('of-staging *****');
      const dry = await run('dry', home.file('job.yaml'), '--profile', 'staging');
      expect(dry.stdout).toContain('profile:\n  staging\n  HOST="of-staging"\n  TOKEN is a secret\n');
      const command = ['exec', '--profile', 'staging', '--', 'sh', '-c', 'test "$HOST" = of-staging'];
      expect(await run(...command)).toMatchObject({ code: 0 });
      const refused = await run('enqueue', home.file('job.yaml'), '--profile', 'none');
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no profile "none".') as string,
      });
      expect(await run('dry', home.file('job.yaml'), '--profile', 'none')).toMatchObject({ code: 1 });
    } finally {
      await weir.dispose();
    }
  }, 60_000);
});
