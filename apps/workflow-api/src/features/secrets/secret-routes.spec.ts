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
