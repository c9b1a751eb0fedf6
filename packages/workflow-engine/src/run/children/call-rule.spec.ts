import { mayCall } from './call-rule';
import { toLocalSource } from './child-source';
import { parseDag } from '@weir/workflow-spec';

const callers = (...workspaces: readonly (string | null)[]) => workspaces.map((workspace) => ({ workspace }));

describe('mayCall', () => {
  it.each([
    ['a DAG of the same workspace', ['ops', 'ops'], 'ops', true],
    ['a DAG outside of workspaces', ['ops', 'ops'], undefined, true],
    ['a DAG of another workspace', ['ops', 'ops'], 'sales', false],
    ['any DAG from outside of workspaces', [null, null], 'sales', true],
    ['no DAG of another workspace by way of one outside', [null, 'ops'], 'sales', false],
    ['no DAG of another workspace below a run outside', ['ops', null], 'sales', false],
  ] as const)('allows %s', (_, workspaces, workspace, expected) => {
    expect(mayCall(callers(...workspaces), workspace === undefined ? {} : { workspace })).toBe(expected);
  });
});

describe('toLocalSource', () => {
  const run = { specText: '', baseTexts: [], fileName: 'demo' };
  const { dag } = parseDag('steps: [x]');

  it('is in the workspace of the run that calls it', () => {
    expect(toLocalSource(dag, { ...run, workspace: 'ops' }).dag.workspace).toBe('ops');
    expect(toLocalSource(dag, { ...run, workspace: null }).dag).not.toHaveProperty('workspace');
    expect(toLocalSource({ ...dag, workspace: 'sales' }, { ...run, workspace: 'ops' }).dag.workspace).toBe('sales');
  });
});
