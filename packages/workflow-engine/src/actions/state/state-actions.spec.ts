import { actionFixture, type ActionFixture } from '../testing/action-fixture';
import { checkedName, chooseKeyspace } from './state-keyspace';
import { actionSettings } from '../action-settings';

const owner = { runId: 'run', fencingToken: 1, dagName: 'child', rootDagName: 'parent' };
const keyspace = (settings: Record<string, string>, workspace?: string) =>
  chooseKeyspace(actionSettings(settings), { ...owner, workspace });

describe('statePlace', () => {
  it.each([
    [{}, { scope: 'dag', namespace: 'child' }],
    [{ scope: 'dag' }, { scope: 'dag', namespace: 'child' }],
    [{ scope: 'root_dag' }, { scope: 'dag', namespace: 'parent' }],
    [{ scope: 'global' }, { scope: 'global', namespace: '' }],
    [
      { scope: 'custom', namespace: 'a' },
      { scope: 'custom', namespace: 'a' },
    ],
  ])('of %j is %j', (settings, expected) => {
    expect(keyspace(settings as Record<string, string>)).toEqual(expected);
  });

  it('keeps what belongs to no DAG inside of a workspace', () => {
    expect(keyspace({ scope: 'global' }, 'team')).toEqual({ scope: 'global@team', namespace: '' });
    expect(keyspace({ scope: 'custom', namespace: 'a' }, 'team')).toEqual({ scope: 'custom@team', namespace: 'a' });
    expect(keyspace({}, 'team')).toEqual({ scope: 'dag', namespace: 'child' });
  });

  it('refuses a namespace of another scope', () => {
    expect(() => keyspace({ scope: 'global', namespace: 'a' })).toThrow('namespace is only for the scope custom.');
  });
});

describe('checkedName', () => {
  it.each([
    ['x'.repeat(513), 'key is longer than 512 bytes.'],
    ['ü'.repeat(257), 'key is longer than 512 bytes.'],
    ['a\0b', 'key is no text that can be stored.'],
    ['\ud800', 'key is no text that can be stored.'],
  ])('refuses %j', (name, message) => {
    expect(() => checkedName('key', name)).toThrow(message);
  });
});

describe('state actions', () => {
  let fixture: ActionFixture;

  beforeEach(async () => {
    fixture = await actionFixture();
  });
  afterEach(() => fixture.remove());

  it.each(['get', 'set', 'delete', 'list', 'diff'])('state.%s fails where nothing keeps entries', async (name) => {
    const settings = name === 'list' ? {} : { key: 'k', ...(['set', 'diff'].includes(name) ? { value: 1 } : {}) };
    const { outcome } = await fixture.run(`state.${name}`, settings);

    expect(outcome).toMatchObject({ status: 'failed', error: `state.${name} is not at hand in this process.` });
  });
});
