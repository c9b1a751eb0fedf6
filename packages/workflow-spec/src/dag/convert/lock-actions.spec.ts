import { parseDag } from '../document/parse-dag';
import { lockActions } from './lock-actions';

const lock = (digit: string) => ({ commit: digit.repeat(40), checksum: `sha256:${digit.repeat(64)}` });
const locks = { 'acme/notify@v1': lock('1') };

describe('lockActions', () => {
  it.each([
    ['a block', '# first\nsteps:\n  - action: acme/notify@v1 # call\n'],
    ['an indented block', '  name: a\n  steps:\n    - action: acme/notify@v1\n'],
    ['a flow', '{"steps": [{"action": "acme/notify@v1"}]}'],
    [
      'a block with an older lock',
      'action_lock:\n  acme/notify@v0: {commit: a}\n# then\nsteps: [{action: acme/notify@v1}]\n',
    ],
    ['a flow with an older lock', '{action_lock: {}, steps: [{action: acme/notify@v1}]}'],
  ])('writes the locks of %s, and nothing else', (_, text) => {
    const locked = lockActions(text, [locks]);
    const { dag, findings } = parseDag(locked);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(dag.actionLocks).toEqual(locks);
    expect(lockActions(locked, [locks])).toBe(locked);
    for (const comment of text.match(/# \w+/g) ?? []) expect(locked).toContain(comment);
  });

  it("writes each document's own locks", () => {
    const text = 'steps: [{action: a/b@v1}]\n---\nname: c\nsteps: [{action: d/e@v2}]\n';
    const locked = lockActions(text, [{ 'a/b@v1': lock('2') }, { 'd/e@v2': lock('3') }]);
    const { dag, localDags } = parseDag(locked);
    expect([dag, ...localDags].map(({ actionLocks }) => actionLocks)).toEqual([
      { 'a/b@v1': lock('2') },
      { 'd/e@v2': lock('3') },
    ]);
  });

  it('writes an address as a key', () => {
    const name = 'source:file:///srv/a.git@main';
    const { dag } = parseDag(lockActions(`steps: [{action: "${name}"}]\n`, [{ [name]: lock('4') }]));
    expect(dag.steps[0]?.run).toMatchObject({
      action: 'dag.run',
      package: { repository: { url: 'file:///srv/a.git' }, version: 'main', lock: lock('4') },
    });
  });
});
