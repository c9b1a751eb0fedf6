import { actionFixture, type ActionFixture } from '../testing/action-fixture';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { checkName, chooseKeyspace } from './state-keyspace';

const owner = { runId: 'run', fencingToken: 1, dagName: 'child', rootDagName: 'parent' };
type Settings = Pick<SettingsFor<'state.get'>, 'scope' | 'namespace'>;
const keyspace = (settings: Settings, workspace?: string) => chooseKeyspace(settings, { ...owner, workspace });

describe('chooseKeyspace', () => {
  it.each<[Settings, object]>([
    [{}, { scope: 'dag', namespace: 'child' }],
    [{ scope: 'dag' }, { scope: 'dag', namespace: 'child' }],
    [{ scope: 'root_dag' }, { scope: 'dag', namespace: 'parent' }],
    [{ scope: 'global' }, { scope: 'global', namespace: '' }],
    [
      { scope: 'custom', namespace: 'a' },
      { scope: 'custom', namespace: 'a' },
    ],
  ])('of %j is %j', (settings, expected) => {
    expect(keyspace(settings)).toEqual(expected);
  });

  it('keeps entries of no DAG inside of a workspace', () => {
    expect(keyspace({ scope: 'global' }, 'team')).toEqual({ scope: 'global@team', namespace: '' });
    expect(keyspace({ scope: 'custom', namespace: 'a' }, 'team')).toEqual({ scope: 'custom@team', namespace: 'a' });
    expect(keyspace({}, 'team')).toEqual({ scope: 'dag', namespace: 'child' });
  });

  it('refuses a namespace of another scope', () => {
    expect(() => keyspace({ scope: 'global', namespace: 'a' })).toThrow('namespace is only for the scope custom.');
  });
});

describe('checkName', () => {
  it.each([
    ['x'.repeat(513), 'key is longer than 512 bytes.'],
    ['ü'.repeat(257), 'key is longer than 512 bytes.'],
    ['a\0b', 'key is not a string that can be stored.'],
    ['\ud800', 'key is not a string that can be stored.'],
  ])('refuses %j', (name, message) => {
    expect(() => checkName('key', name)).toThrow(message);
  });
});

describe('state actions', () => {
  let fixture: ActionFixture;

  beforeEach(async () => {
    fixture = await actionFixture();
  });
  afterEach(() => fixture.remove());

  it.each(['get', 'set', 'delete', 'list', 'diff'] as const)(
    'state.%s fails without a store of entries',
    async (name) => {
      const settings = name === 'list' ? {} : { key: 'k', ...(['set', 'diff'].includes(name) ? { value: 1 } : {}) };
      const { outcome } = await fixture.run(`state.${name}`, settings);

      expect(outcome).toMatchObject({ status: 'failed', error: `state.${name} is not available in this process.` });
    },
  );
});
