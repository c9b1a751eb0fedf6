import type { RolloutOutcome } from '../episode/outcome';
import { resolveWorkflow, type ResolvedAgent } from './resolve-workflow';
import type { RolloutWorkflow } from '../episode/workflow';

const outcome: RolloutOutcome = {
  kind: 'episode',
  status: 'rejected',
  reason: 'agent_failed',
  error: new Error('not played'),
  sessionId: undefined,
};

class OwnWorkflow implements RolloutWorkflow {
  readonly kwargs: unknown;

  constructor(kwargs?: unknown) {
    this.kwargs = kwargs;
  }

  arunEpisode(): Promise<RolloutOutcome> {
    return Promise.resolve(outcome);
  }
}

class OwnAgent {
  readonly kwargs: unknown;

  constructor(kwargs?: unknown) {
    this.kwargs = kwargs;
  }

  run(): Promise<number> {
    return Promise.resolve(1);
  }
}

const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'pkg/agents': { OwnAgent, alias: 'pkg/agents#OwnAgent', loop: 'pkg/agents#loop', nothing: 1 },
  'pkg/workflows': { default: OwnWorkflow, instance: new OwnWorkflow('shared') },
};

const importModule = (specifier: string) => {
  const found = modules[specifier];
  return found === undefined ? Promise.reject(new Error('no such module')) : Promise.resolve(found);
};

const wrapped: ResolvedAgent[] = [];
beforeEach(() => wrapped.splice(0));

const resolve = (given: unknown, more: Parameters<typeof resolveWorkflow>[1] = {}) =>
  resolveWorkflow(given, {
    imports: { importModule },
    wrapAgent: (resolved) => {
      wrapped.push(resolved);
      return new OwnWorkflow('wrapped');
    },
    ...more,
  });

describe('resolveWorkflow', () => {
  it('uses a workflow unchanged', async () => {
    const workflow = new OwnWorkflow();
    expect(await resolve(workflow, { kwargs: { seed: 1 } })).toBe(workflow);
  });

  it('instantiates a class of workflows with its kwargs', async () => {
    expect(await resolve(OwnWorkflow, { kwargs: { seed: 1 } })).toMatchObject({ kwargs: { seed: 1 } });
  });

  it.each([
    ['the default export', 'pkg/workflows', { kwargs: 'own' }],
    ['an instance', 'pkg/workflows#instance', { kwargs: 'shared' }],
  ])('imports %s', async (_what, path, found) => {
    expect(await resolve(path, { kwargs: 'own' })).toMatchObject(found);
  });

  it('follows an import path to another one, and keeps the last', async () => {
    await resolve('pkg/agents#alias', { kwargs: { seed: 2 } });
    expect(wrapped).toMatchObject([{ agent: { kwargs: { seed: 2 } }, importPath: 'pkg/agents#OwnAgent' }]);
  });

  it('wraps an object with run()', async () => {
    const agent = new OwnAgent();
    expect(await resolve(agent)).toMatchObject({ kwargs: 'wrapped' });
    expect(wrapped).toEqual([{ agent, importPath: undefined, kwargs: undefined }]);
  });

  it('instantiates and wraps a class with run()', async () => {
    await resolve(OwnAgent, { kwargs: 7 });
    expect(wrapped).toMatchObject([{ agent: { kwargs: 7 }, importPath: undefined }]);
  });

  it('plays each episode once per member of the group', async () => {
    const group = await resolve(OwnWorkflow, { groupSize: 3 });
    expect(await group.arunEpisode(undefined, {})).toMatchObject({
      kind: 'group',
      members: [outcome, outcome, outcome],
    });
  });

  it.each([
    ['a number', 1, 'workflow_invalid'],
    ['an object without methods', {}, 'workflow_invalid'],
    ['a function', () => 1, 'workflow_invalid'],
    ['nothing', undefined, 'workflow_invalid'],
    ['a path to a value that is no workflow', 'pkg/agents#nothing', 'workflow_invalid'],
    ['a path that leads to itself', 'pkg/agents#loop', 'workflow_invalid'],
    ['an unknown module', 'pkg/none#A', 'import_failed'],
    ['an unknown export', 'pkg/agents#None', 'import_failed'],
    ['a path without an export', 'pkg/agents#', 'import_failed'],
  ])('refuses %s', async (_what, given, reason) => {
    await expect(resolve(given)).rejects.toMatchObject({ code: 'invalid_request', reason });
  });

  it.each([0, 1.5, -1])('refuses a group of %p', async (groupSize) => {
    await expect(resolve(OwnWorkflow, { groupSize })).rejects.toMatchObject({ reason: 'workflow_invalid' });
  });

  it('refuses an agent without a proxy', async () => {
    await expect(resolveWorkflow(new OwnAgent())).rejects.toMatchObject({ reason: 'workflow_invalid' });
  });
});
