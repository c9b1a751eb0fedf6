import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();

describe('GET /permissions', () => {
  it('returns 200 with what an admin may do everywhere', async () => {
    await workflow.post('/workspaces', { name: 'ops' });
    const { status, body } = await workflow.get('/permissions');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      role: 'admin',
      workspaces: [
        { role: 'admin', mayRun: true, mayWrite: true },
        { workspace: 'ops', role: 'admin', mayRun: true, mayWrite: true },
      ],
    });
    expect(body.operations).toContain('createUser');
    expect(body.requirements).toEqual(
      expect.arrayContaining([
        { operationId: 'createUser', role: 'admin' },
        { operationId: 'getWorkers', role: 'developer' },
        { operationId: 'executeDAG', role: 'operator' },
      ]),
    );
  });

  it('returns 200 with the grants of a principal of some workspaces', async () => {
    await workflow.post('/workspaces', { name: 'hidden' });
    const as = await workflow.server.createKey('viewer', { ops: 'operator' });
    const { body } = await workflow.get('/permissions', as);

    expect(body.workspaces).toEqual([
      { role: 'viewer', mayRun: false, mayWrite: false },
      { workspace: 'ops', role: 'operator', mayRun: true, mayWrite: false },
    ]);
    expect(body.operations).not.toContain('createUser');
    expect(body.operations).toContain('listDAGs');
  });
});
