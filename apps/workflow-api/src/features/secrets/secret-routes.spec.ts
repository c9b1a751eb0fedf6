import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const send = (operation: `${string} /${string}`, body?: unknown, as = workflow.asAdmin) =>
  workflow.server.api.send(operation, { as, body });
const create = (values: object, as?: string) =>
  send('POST /secrets', { ref: 'payments/api', providerType: 'dagu-managed', ...values }, as);
const idOf = async (values: object = {}) => String((await create(values)).body.id);
const missing = { status: 404, body: { reason: 'secret_not_found' } };

describe('stored secrets', () => {
  it('are never returned with their value', async () => {
    const created = await create({ value: 'hunter22', description: 'For payments.' });
    const address = `/secrets/${String(created.body.id)}` as const;

    expect(created).toMatchObject({
      status: 201,
      body: { ref: 'payments/api', workspace: 'global', currentVersion: 1, hasValue: true, status: 'active' },
    });
    const answers = [
      created,
      await send(`GET ${address}`),
      await send('GET /secrets'),
      await send(`POST ${address}/versions`, { value: 'hunter23' }),
      await send(`PATCH ${address}`, { description: 'Other.' }),
      await send(`POST ${address}/disable`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBeLessThan(300);
      expect(JSON.stringify(body)).not.toContain('hunter2');
    }
  });

  it('get values, are disabled and enabled, and deleted', async () => {
    const address = `/secrets/${await idOf()}` as const;

    await expect(send(`GET ${address}`)).resolves.toMatchObject({ body: { hasValue: false, currentVersion: 0 } });
    for (const number of [1, 2]) {
      const written = await send(`POST ${address}/versions`, { value: `hunter2${number}` });
      expect(written).toMatchObject({ status: 200, body: { hasValue: true, currentVersion: number } });
    }
    await expect(send(`POST ${address}/disable`)).resolves.toMatchObject({ body: { status: 'disabled' } });
    await expect(send(`POST ${address}/enable`)).resolves.toMatchObject({ body: { status: 'active' } });
    await expect(send(`PATCH ${address}`, {})).resolves.toMatchObject({ status: 200 });
    await expect(send(`DELETE ${address}`)).resolves.toMatchObject({ status: 204 });
    await expect(send(`GET ${address}`)).resolves.toMatchObject(missing);
  });

  it('have a unique ref in each workspace', async () => {
    await workflow.post('/workspaces', { name: 'ops' });
    await create({});

    await expect(create({})).resolves.toMatchObject({ status: 409, body: { reason: 'secret_ref_taken' } });
    await expect(create({ workspace: 'Ops' })).resolves.toMatchObject({ status: 201, body: { workspace: 'ops' } });
    await expect(send('GET /secrets?workspace=ops')).resolves.toMatchObject({ body: { total: 1 } });
    await expect(send('GET /secrets?workspace=global&offset=1')).resolves.toMatchObject({
      body: { secrets: [], total: 1 },
    });
  });

  it.each(['', 'A', 'a//b', '/a', 'a@1', 'a_b'])('refuse the ref %j', async (ref) => {
    await expect(create({ ref })).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it.each([
    ['that could not be masked', ' ab\n'],
    ['of more bytes than characters allow', 'ä'.repeat(40_000)],
  ])('refuse a value %s, and store nothing', async (_, value) => {
    await expect(create({ value })).resolves.toMatchObject(badRequest('secret_value_unusable'));
    await expect(send('GET /secrets')).resolves.toMatchObject({ body: { total: 0 } });
  });

  it.each(['nowhere', 'all', 'default'])('cannot belong to the missing workspace %s', async (workspace) => {
    const unknown = { status: 404, body: { reason: 'workspace_not_found' } };
    await expect(create({ workspace })).resolves.toMatchObject(unknown);
    await expect(send(`GET /secrets?workspace=${workspace}`)).resolves.toMatchObject(unknown);
  });
});

describe('the secrets of a workspace', () => {
  it('are managed only by managers of the workspace', async () => {
    for (const name of ['ops', 'lab']) await workflow.post('/workspaces', { name });
    const ofOps = await workflow.server.createKey('viewer', { ops: 'manager' });
    const ofLab = await workflow.server.createKey('viewer', { lab: 'manager' });
    const id = await idOf({ workspace: 'ops', value: 'hunter22' });

    await expect(send(`GET /secrets/${id}`, undefined, ofOps)).resolves.toMatchObject({ status: 200 });
    await expect(create({ ref: 'own', workspace: 'ops' }, ofOps)).resolves.toMatchObject({ status: 201 });
    await expect(create({ ref: 'shared' }, ofOps)).resolves.toMatchObject(roleMissing);
    for (const operation of [
      `GET /secrets/${id}`,
      `DELETE /secrets/${id}`,
      `PATCH /secrets/${id}`,
      `POST /secrets/${id}/disable`,
      `POST /secrets/${id}/enable`,
    ] as const) {
      await expect(send(operation, operation.startsWith('PATCH') ? {} : undefined, ofLab)).resolves.toMatchObject(
        missing,
      );
    }
    await expect(send(`POST /secrets/${id}/versions`, { value: 'stolen' }, ofLab)).resolves.toMatchObject(missing);
    await expect(send('GET /secrets?workspace=ops', undefined, ofLab)).resolves.toMatchObject({ status: 404 });
  });

  it('are not managed by its developers', async () => {
    await workflow.post('/workspaces', { name: 'ops' });
    const developer = await workflow.server.createKey('viewer', { ops: 'developer' });
    await expect(create({ workspace: 'ops' }, developer)).resolves.toMatchObject(roleMissing);
  });
});

describe('POST /secrets/{secretId}/versions', () => {
  it('returns 409 to all but one of several concurrent writers', async () => {
    const id = await idOf();
    const values = ['first value', 'second value', 'third value'];
    const answers = await Promise.all(values.map((value) => send(`POST /secrets/${id}/versions`, { value })));
    const statuses = answers.map(({ status }) => status).toSorted();

    expect(statuses[0]).toBe(200);
    const { body } = await send(`GET /secrets/${id}`);
    expect(body.currentVersion).toBe(statuses.filter((status) => status === 200).length);
    for (const { body: refused } of answers.filter(({ status }) => status !== 200)) {
      expect(refused.reason).toBe('secret_changed');
    }
  });
});

describe('the DAGs that take a secret', () => {
  const take = (secrets: string, workspace?: string) =>
    `${workspace === undefined ? '' : `labels: [workspace=${workspace}]\n`}secrets: [${secrets}]\nsteps: [{run: "true"}]\n`;
  const apiKey = '{name: API_KEY, ref: payments/api}';
  const list = async (query = '', as?: string) => {
    const { body } = await send(`GET /secrets${query}`, undefined, as);
    return (body.secrets as { ref: string; dags: unknown; dagCount: number }[]).map(({ ref, dags, dagCount }) => [
      ref,
      dags,
      dagCount,
    ]);
  };
  const dag = (name: string, ...variables: readonly object[]) => ({ fileName: name, name, variables });

  beforeEach(async () => {
    await workflow.post('/workspaces', { name: 'ops' });
    await workflow.post('/workspaces', { name: 'lab' });
    await workflow.post('/dags', { name: 'pays', spec: take(`${apiKey}, {name: OLD_KEY, ref: payments/api@2}`) });
    await workflow.post('/dags', { name: 'deploys', spec: take(apiKey, 'ops') });
    await workflow.post('/dags', { name: 'tries', spec: take(apiKey, 'lab') });
    await workflow.post('/dags', { name: 'reads', spec: take('{name: API_KEY, provider: env, key: HOME}') });
    await create({});
  });

  it('are listed with the variables and versions that they take', async () => {
    await create({ ref: 'unused' });

    expect(await list()).toEqual([
      [
        'payments/api',
        [
          { ...dag('deploys', { name: 'API_KEY' }), workspace: 'ops' },
          dag('pays', { name: 'API_KEY' }, { name: 'OLD_KEY', version: 2 }),
          { ...dag('tries', { name: 'API_KEY' }), workspace: 'lab' },
        ],
        3,
      ],
      ['unused', [], 0],
    ]);
  });

  it('take the secret of their workspace in the place of the shared one', async () => {
    await create({ workspace: 'ops' });
    const names = (listed: readonly (readonly unknown[])[]) =>
      listed.flatMap(([, dags]) => (dags as { name: string }[]).map(({ name }) => name));

    expect(names(await list())).toEqual(['pays', 'tries']);
    expect(names(await list('?workspace=ops'))).toEqual(['deploys']);
  });

  it('are not told to a key that may not list DAGs', async () => {
    const { key } = await workflow.server.api.addApiKey({ role: 'manager', scopes: ['listSecrets'] });

    expect(await list('', key)).toEqual([['payments/api', [], 0]]);
  });

  it('are those of the present files', async () => {
    await send('PUT /dags/pays/spec', { spec: take('') });
    await send('DELETE /dags/tries');

    expect(await list()).toMatchObject([['payments/api', [{ name: 'deploys' }], 1]]);
  });
});
