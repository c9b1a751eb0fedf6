import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type RequestOptions, type Weir } from '../support/weir-server';

const value = 'hunter22-of-payments';
const missing = '00000000-0000-4000-8000-000000000000';
const spec = `secrets:
  - { name: API_TOKEN, ref: payments/api }
steps:
  - id: show
    run: 'printf "%s" "$API_TOKEN" | tr a-z A-Z; echo " $API_TOKEN"'
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    await weir.request('POST', '/workspaces', { token: admin, body: { name: 'ops' } });
    await weir.request('POST', '/dags', { token: admin, body: { name: 'pays', spec } });
  }, 60_000);
  afterAll(() => weir.dispose());

  const send = async (operation: string, options: RequestOptions = {}) => {
    const [method = '', address = ''] = operation.split(' ');
    const { status, body } = await weir.request(method, address, { token: admin, ...options });
    return { status, body: body as Record<string, unknown> };
  };
  const create = (ref: string, more: object = {}) =>
    send('POST /secrets', { body: { ref, providerType: 'dagu-managed', ...more } });
  const idOf = async (ref: string, more: object = {}) => String((await create(ref, more)).body.id);
  const run = async (): Promise<{ readonly status: string; readonly output: string; readonly error: string }> => {
    const { dagRunId } = await weir.createClient(admin).executeDag({ params: { fileName: 'pays' }, body: {} });
    const details = await endOfRun(weir, admin, 'pays', dagRunId);
    const log = await weir.request('GET', `/dag-runs/pays/${dagRunId}/steps/show/log`, { token: admin });
    return { status: details.statusLabel, output: JSON.stringify(log.body), error: JSON.stringify(details) };
  };

  describe('POST /secrets', () => {
    it('returns 201, and a run gets the value, masked in its log', async () => {
      const { status, body } = await create('payments/api', { value });
      const { status: ended, output } = await run();

      expect(status).toBe(201);
      expect(JSON.stringify(body)).not.toContain(value);
      expect(ended).toBe('succeeded');
      expect(output).toContain(`${value.toUpperCase()} *****`);
      expect(output).not.toContain(value);
    });

    it('returns 400 for a bad ref or value, 404 for an unknown workspace and 409 for a taken ref', async () => {
      await create('taken');

      expect((await create('Not a ref')).status).toBe(400);
      expect((await create('short', { value: 'ab' })).status).toBe(400);
      expect((await create('elsewhere', { workspace: 'nowhere' })).status).toBe(404);
      expect((await create('taken')).status).toBe(409);
    });
  });

  describe('GET /secrets', () => {
    it('returns 200 with the secrets of a workspace without values, and 404 for an unknown workspace', async () => {
      await create('listed', { workspace: 'ops', value: 'listed-value' });
      const { status, body } = await send('GET /secrets?workspace=ops');

      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 1, secrets: [{ ref: 'listed', workspace: 'ops', currentVersion: 1 }] });
      expect(JSON.stringify(body)).not.toContain('listed-value');
      expect((await send('GET /secrets?workspace=nowhere')).status).toBe(404);
    });

    it('returns 403 for a developer', async () => {
      const { token } = await aUser(weir, admin, 'developer');
      expect((await send('GET /secrets', { token })).status).toBe(403);
    });
  });

  describe('GET /secrets/{secretId}', () => {
    it('returns 200 with the secret, and 404 for an unknown one', async () => {
      const id = await idOf('read');

      expect(await send(`GET /secrets/${id}`)).toMatchObject({ status: 200, body: { ref: 'read', hasValue: false } });
      expect((await send(`GET /secrets/${missing}`)).status).toBe(404);
    });
  });

  describe('PATCH /secrets/{secretId}', () => {
    it('returns 200 with the new description', async () => {
      const id = await idOf('described');
      const { status, body } = await send(`PATCH /secrets/${id}`, { body: { description: 'For payments.' } });

      expect(status).toBe(200);
      expect(body).toMatchObject({ description: 'For payments.' });
    });
  });

  describe('POST /secrets/{secretId}/versions', () => {
    it('returns 200, and 400 for a value that could not be masked', async () => {
      const id = await idOf('rotated', { value });
      const { status, body } = await send(`POST /secrets/${id}/versions`, { body: { value: 'another value' } });

      expect(status).toBe(200);
      expect(body).toMatchObject({ currentVersion: 2 });
      expect((await send(`POST /secrets/${id}/versions`, { body: { value: 'x' } })).status).toBe(400);
    });
  });

  describe('POST /secrets/{secretId}/disable', () => {
    it('returns 200, and runs fail with the reason', async () => {
      const { body } = await send('GET /secrets');
      const id = (body.secrets as { id: string; ref: string }[]).find(({ ref }) => ref === 'payments/api')?.id ?? '';
      expect(await send(`POST /secrets/${id}/disable`)).toMatchObject({ status: 200, body: { status: 'disabled' } });

      const { status, error } = await run();
      expect(status).toBe('failed');
      expect(error).toContain('it is disabled');
    });
  });

  describe('POST /secrets/{secretId}/enable', () => {
    it('returns 200, and runs receive it again', async () => {
      const { body } = await send('GET /secrets');
      const id = (body.secrets as { id: string; ref: string }[]).find(({ ref }) => ref === 'payments/api')?.id ?? '';
      expect(await send(`POST /secrets/${id}/enable`)).toMatchObject({ status: 200, body: { status: 'active' } });

      expect((await run()).status).toBe('succeeded');
    });
  });

  describe('DELETE /secrets/{secretId}', () => {
    it('returns 204', async () => {
      const id = await idOf('deleted', { value });

      expect((await send(`DELETE /secrets/${id}`)).status).toBe(204);
      expect((await send(`GET /secrets/${id}`)).status).toBe(404);
    });
  });
});

describe('the key of stored secrets', () => {
  const aKey = () => randomBytes(32).toString('base64');
  let weir: Weir;
  afterEach(() => weir.dispose());

  const output = async (token: string): Promise<string> => {
    const { dagRunId } = await weir.createClient(token).executeDag({ params: { fileName: 'pays' }, body: {} });
    const details = await endOfRun(weir, token, 'pays', dagRunId);
    const log = await weir.request('GET', `/dag-runs/pays/${dagRunId}/steps/show/log`, { token });
    return `${details.statusLabel} ${JSON.stringify(log.body)} ${JSON.stringify(details)}`;
  };
  const prepare = async (env: Record<string, string>): Promise<string> => {
    weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true', ...env } });
    const token = await setUpAdmin(weir);
    const client = weir.createClient(token);
    await client.createSecret({ body: { ref: 'payments/api', providerType: 'dagu-managed', value } });
    await client.createNewDag({ body: { name: 'pays', spec } });
    return token;
  };

  it('is a file that only its owner can read, and the database shows no value', async () => {
    await prepare({});
    const database = await readFile(weir.home.file('weir', 'data', 'weir.db')).catch(() => Buffer.alloc(0));
    const journal = await readFile(weir.home.file('weir', 'data', 'weir.db-wal')).catch(() => Buffer.alloc(0));

    expect((await stat(weir.home.file('weir', 'auth', 'encryption_key'))).mode & 0o777).toBe(0o600);
    expect(Buffer.concat([database, journal]).includes('payments/api')).toBe(true);
    expect(Buffer.concat([database, journal]).includes(value)).toBe(false);
  });

  it('is replaced by a restart, after which the old one is no longer needed', async () => {
    const [old, fresh] = [aKey(), aKey()];
    const token = await prepare({ WEIR_SECRETS_KEY: old });
    const restartWith = async (keys: string) => {
      const { home } = weir;
      await weir.process.stop();
      weir = await startWeir({ home, env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_SECRETS_KEY: keys } });
    };
    await restartWith(`${fresh},${old}`);
    expect(await output(token)).toContain(value.toUpperCase());
    await restartWith(fresh);
    expect(await output(token)).toContain(value.toUpperCase());
    await restartWith(aKey());
    expect(await output(token)).toContain('this server does not have its key');
  });
});
