import { compareVersions, publishedVersion, pulledVersion, toStatus, type Versions } from './file-state';

const contents = [undefined, 'a', 'b', 'c'] as const;
const all: readonly Versions[] = contents.flatMap((base) =>
  contents.flatMap((local) => contents.map((remote) => ({ base, local, remote }))),
);

const cases: readonly (readonly [string | undefined, string | undefined, string | undefined, string])[] = [
  [undefined, undefined, undefined, 'absent'],
  ['a', undefined, undefined, 'absent'],
  ['a', 'a', 'a', 'synced'],
  [undefined, 'a', 'a', 'synced'],
  ['a', 'b', 'b', 'synced'],
  ['a', 'a', 'b', 'incoming'],
  ['a', 'a', undefined, 'incoming'],
  [undefined, undefined, 'b', 'incoming'],
  [undefined, 'b', undefined, 'untracked'],
  ['a', 'b', 'a', 'modified'],
  ['a', undefined, 'a', 'missing'],
  ['a', 'b', 'c', 'conflict'],
  [undefined, 'b', 'c', 'conflict'],
  ['a', 'b', undefined, 'conflict'],
  ['a', undefined, 'c', 'conflict'],
];

describe('compareVersions', () => {
  it.each(cases)('of base %s, local %s and remote %s is %s', (base, local, remote, state) => {
    expect(compareVersions({ base, local, remote })).toBe(state);
  });

  it('calls a file synced exactly when both sides are the same, for any base', () => {
    for (const versions of all) {
      const isSame = versions.local === versions.remote;
      expect(['synced', 'absent'].includes(compareVersions(versions))).toBe(isSame);
    }
  });
});

describe('pulledVersion', () => {
  it('replaces no version that is not in the history of the repository', () => {
    for (const versions of all) {
      if (pulledVersion(versions) !== versions.local) expect(versions.local).toBe(versions.base);
    }
  });

  it('leaves nothing to pull, even when the base was not recorded after the file was written', () => {
    for (const versions of all) {
      const local = pulledVersion(versions);
      const isApplied = compareVersions(versions) === 'incoming';
      for (const base of isApplied ? [versions.base, versions.remote] : [versions.base]) {
        expect(compareVersions({ ...versions, base, local })).not.toBe('incoming');
      }
    }
  });
});

describe('publishedVersion', () => {
  it('replaces no version of the repository that is newer than the base, unless forced', () => {
    for (const versions of all) {
      const result = publishedVersion(versions, false);
      if (typeof result === 'object') expect(versions.remote).toBe(versions.base);
    }
  });

  it('makes both sides the same, even when the base was not recorded after the push', () => {
    for (const versions of all) {
      const result = publishedVersion(versions, true);
      if (typeof result === 'object') {
        expect(compareVersions({ ...versions, remote: result.remote })).toBe('synced');
      }
    }
  });

  it('never deletes from the repository', () => {
    for (const versions of all) {
      const result = publishedVersion(versions, true);
      if (typeof result === 'object') expect(result.remote).toBeDefined();
    }
  });
});

describe('toStatus', () => {
  it('has a status for every file that is here', () => {
    for (const versions of all.filter(({ local }) => local !== undefined)) {
      expect(toStatus(versions, compareVersions(versions))).toBeDefined();
    }
  });
});
