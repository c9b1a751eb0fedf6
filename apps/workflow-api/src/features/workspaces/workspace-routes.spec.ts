import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const send = (operation: `${string} /${string}`, body?: unknown) =>
  workflow.server.api.send(operation, { as: workflow.asAdmin, body });
const create = (name: string, as?: string) => workflow.post('/workspaces', { name }, as);
const idOf = async (name: string) => String((await create(name)).body.id);
const missing = { status: 404, body: { reason: 'workspace_not_found' } };
const taken = { status: 409, body: { reason: 'workspace_name_taken' } };

describe('workspaces', () => {
  it('are created in lower case, read, changed and deleted', async () => {
    const created = await workflow.post('/workspaces', { name: 'TeamA', description: 'The first.' });
    const address = `/workspaces/${String(created.body.id)}` as const;

    expect(created).toMatchObject({ status: 201, body: { name: 'teama', description: 'The first.' } });
    await expect(workflow.get(address)).resolves.toMatchObject({ status: 200, body: created.body });
    await expect(send(`PATCH ${address}`, { name: 'team-b' })).resolves.toMatchObject({
      status: 200,
      body: { name: 'team-b', description: 'The first.' },
    });
    await expect(send(`DELETE ${address}`)).resolves.toMatchObject({ status: 204 });
    for (const operation of [`GET ${address}`, `DELETE ${address}`] as const)
      await expect(send(operation)).resolves.toMatchObject(missing);
    await expect(send(`PATCH ${address}`, {})).resolves.toMatchObject(missing);
  });

  it('are listed by name as far as they are visible', async () => {
    const [b] = [await idOf('b'), await idOf('a')];
    const as = await workflow.server.createKey('viewer', { a: 'viewer' });

    await expect(workflow.get('/workspaces')).resolves.toMatchObject({
      body: { workspaces: [{ name: 'a' }, { name: 'b' }] },
    });
    await expect(workflow.get('/workspaces', as)).resolves.toMatchObject({ body: { workspaces: [{ name: 'a' }] } });
    await expect(workflow.get(`/workspaces/${b}`, as)).resolves.toMatchObject(missing);
  });

  it('have unique names, in any letter case', async () => {
    const id = await idOf('a');
    await create('b');

    await expect(create('B')).resolves.toMatchObject(taken);
    await expect(send(`PATCH /workspaces/${id}`, { name: 'b' })).resolves.toMatchObject(taken);
  });

  it.each(['', 'all', 'Default', 'GLOBAL', 'a b'])('refuse the name %j', async (name) => {
    await expect(create(name)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('are created by developers only', async () => {
    await expect(create('a', await workflow.server.createKey('operator'))).resolves.toMatchObject(roleMissing);
  });
});
