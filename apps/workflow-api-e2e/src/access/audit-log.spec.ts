import { writeFile } from 'node:fs/promises';
import { onEachDatabase } from '../support/databases';
import { adminName, aUser, password, setUpAdmin } from '../support/people';
import { runWeir } from '../support/weir-command';
import { startWeir, type Weir } from '../support/weir-server';

interface Entry {
  readonly action: string;
  readonly details: string;
  readonly position: number;
}

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  const list = async (query: string) => {
    const { status, body } = await weir.request('GET', `/audit?${query}`, { token: admin });
    expect(status).toBe(200);
    return body as { readonly entries: readonly Entry[]; readonly total: number };
  };

  beforeAll(async () => {
    weir = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
  }, 60_000);

  afterAll(() => weir.dispose());

  describe('GET /audit', () => {
    it('returns 200 with who changed a user, from which address, and the values before and after', async () => {
      const { id } = await aUser(weir, admin, 'viewer', 'grace');
      await weir.request('PATCH', `/users/${id}`, { token: admin, body: { role: 'operator' } });
      const { entries, total } = await list(`action=user_update&resourceId=${id}`);

      expect(total).toBe(1);
      expect(entries[0]).toMatchObject({
        category: 'user',
        result: 'success',
        username: adminName,
        credentialType: 'token',
        ipAddress: '127.0.0.1',
        resourceType: 'user',
      });
      expect(JSON.parse(entries[0]?.details ?? '')).toMatchObject({
        params: { userId: id },
        fields: ['role'],
        before: { username: 'grace', role: 'viewer' },
        after: { username: 'grace', role: 'operator' },
      });
    });

    it('returns 200 with successful and failed sign-ins, and no password', async () => {
      await weir.request('POST', '/auth/login', { body: { username: 'mallory', password: 'wrong-guess-1' } });
      const failed = await list('category=auth&action=login&result=failure');
      const all = await list('limit=500');

      expect(failed.entries[0]).toMatchObject({ username: 'mallory', credentialType: 'password' });
      expect((await list('action=login&result=success')).total).toBeGreaterThan(0);
      expect(JSON.stringify(all)).not.toContain('wrong-guess-1');
      expect(JSON.stringify(all)).not.toContain(password);
    });

    it('returns 200 with changes of files and runs, page by page, newest first', async () => {
      const client = weir.createClient(admin);
      await client.createNewDag({ body: { name: 'audited', spec: 'steps:\n  - run: "true"\n' } });
      await client.enqueueDag({ params: { fileName: 'audited' }, body: { dagRunId: 'first' } });
      await client.deleteDag({ params: { fileName: 'audited' } });
      const { entries, total } = await list('search=audited&limit=2');
      const rest = await list('search=audited&limit=2&offset=2');

      expect(total).toBe(3);
      expect([...entries, ...rest.entries].map(({ action }) => action)).toEqual([
        'dag_delete',
        'dag_run_enqueue',
        'dag_create',
      ]);
      expect(JSON.parse(entries[1]?.details ?? '')).toMatchObject({ after: { dagRunId: 'first', status: 'queued' } });
    });

    it('returns 403 to a developer', async () => {
      const { token } = await aUser(weir, admin, 'developer', 'dev');

      expect((await weir.request('GET', '/audit', { token })).status).toBe(403);
    });
  });

  describe('GET /audit/verification', () => {
    it('returns 200 with the end of the chain', async () => {
      const { status, body } = await weir.request('GET', '/audit/verification', { token: admin });
      const [newest] = (await list('limit=1')).entries;

      expect(status).toBe(200);
      expect(body).toMatchObject({ valid: true, firstPosition: 1, lastPosition: newest?.position });
    });
  });

  describe('GET /audit/export', () => {
    it('returns 200 with one entry per line, oldest first, after a position', async () => {
      const { status, body } = await weir.request('GET', '/audit/export?after=1&limit=2', { token: admin });
      const lines = String(body).trim().split('\n');

      expect(status).toBe(200);
      expect(lines.map((line) => (JSON.parse(line) as Entry).position)).toEqual([2, 3]);
    });
  });

  it('includes requests that were answered before the server was killed', async () => {
    await weir.request('POST', '/workspaces', { token: admin, body: { name: 'last-words' } });
    await weir.process.stop({ signal: 'SIGKILL' });
    weir = await weir.restart();

    expect((await list('action=workspace_create&search=last-words')).total).toBe(1);
  }, 60_000);
});

describe('weir audit', () => {
  let weir: Weir;
  const command = (...words: string[]) => runWeir(['audit', ...words], { home: weir.home });

  beforeAll(async () => {
    weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    await setUpAdmin(weir);
  }, 60_000);

  afterAll(() => weir.dispose());

  it('verify prints the end of the chain, which a later verification can require', async () => {
    const first = await command('verify');
    const [, end = ''] = /to (\d+:[0-9a-f]{64})/.exec(first.stdout) ?? [];
    await weir.request('POST', '/auth/login', { body: { username: adminName, password } });

    expect(first.code).toBe(0);
    expect(await command('verify', '--expect', end)).toMatchObject({ code: 0 });
    const other = `${end.slice(0, -1)}${end.endsWith('0') ? '1' : '0'}`;
    expect(await command('verify', '--expect', other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the one that was expected') as string,
    });
  });

  it('verify --file finds a changed, a removed and an inserted line of an export', async () => {
    await weir.request('POST', '/auth/login', { body: { username: adminName, password } });
    const { stdout, code } = await command('export');
    expect(code).toBe(0);
    const lines = stdout.trim().split('\n');
    const [first = '', second = '', ...rest] = lines;
    const verify = async (changed: readonly string[]) => {
      const file = weir.home.file('export.jsonl');
      await writeFile(file, `${changed.join('\n')}\n`);
      return command('verify', '--file', file);
    };

    expect(await verify(lines)).toMatchObject({ code: 0 });
    expect(await verify([first.replace(adminName, 'eve'), second, ...rest])).toMatchObject({
      code: 1,
      stderr: 'weir: The entry at position 1 is not the one that was written.\n',
    });
    expect(await verify([first, ...rest])).toMatchObject({
      code: 1,
      stderr: 'weir: The entry at position 2 was removed.\n',
    });
    expect(await verify([first, first, second, ...rest])).toMatchObject({
      code: 1,
      stderr: 'weir: The entry at position 1 was inserted.\n',
    });
    expect(await verify(['no entry'])).toMatchObject({
      code: 1,
      stderr: 'weir: Line 1 is no entry of an audit log.\n',
    });
  });
});
