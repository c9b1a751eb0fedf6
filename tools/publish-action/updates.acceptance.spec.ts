import { spawnSync } from 'node:child_process';
import { describeUnless } from '@weir/test-kit';
import { publishAction } from './publish-action';
import { setVersion, smallRepository, type SourceRepository } from './testing/source-repository';

const missing = spawnSync('git', ['--version']).status === 0 ? undefined : 'git is not installed';

// Dependabot takes tags and branches of this form for versions.
const looksLikeVersion = /(?:^v\d+(?:-[a-z0-9]+)?|\d+\.\d+(?:\.[a-z0-9-]+)*)$/i;

describeUnless(missing, 'updates of the action')('Dependabot and Renovate', () => {
  let source: SourceRepository;
  let refs: ReadonlyMap<string, string>;
  beforeAll(() => {
    source = smallRepository('0.1.0');
    // The last two are of older lines.
    for (const version of ['0.1.0', '0.9.0', '0.10.0', '1.0.0', '1.1.0', '0.10.1']) {
      setVersion(source, version);
      source.commit();
      const options = { repository: 'acme/auth', source: source.folder, tag: true, push: source.remote };
      publishAction({ ...options, output: undefined, release: undefined }, () => undefined);
    }
    const lines = source.git('ls-remote', '--tags', '--heads', source.remote).split('\n');
    refs = new Map(lines.map((line) => [line.replace(/^.*refs\/(?:tags|heads)\//, ''), line.slice(0, 40)]));
  });
  afterAll(() => source.remove());

  const parts = (tag: string): readonly number[] => tag.slice(1).split('.').map(Number);
  const versions = () =>
    [...refs.keys()]
      .filter((name) => looksLikeVersion.test(name))
      .toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }));
  /** Both replace a version by the greatest one with as many parts. */
  const newest = (tag: string) => versions().findLast((other) => parts(other).length === parts(tag).length);
  /** Both find the version of a commit by its tags; the one with most parts is in the comment. */
  const versionOf = (commit: string | undefined) =>
    versions()
      .filter((tag) => refs.get(tag) === commit)
      .toSorted((left, right) => parts(right).length - parts(left).length)[0];

  it('see versions of two forms only', () => {
    expect(versions()).toEqual(['v0', 'v0.1.0', 'v0.9.0', 'v0.10.0', 'v0.10.1', 'v1', 'v1.0.0', 'v1.1.0']);
  });

  it.each([
    ['v0.1.0', 'v1.1.0'],
    ['v0.10.1', 'v1.1.0'],
    ['v0', 'v1'],
  ])('replace %s by %s', (used, expected) => {
    expect(newest(used)).toBe(expected);
  });

  it.each(['v0.1.0', 'v0.9.0', 'v0.10.0', 'v1.0.0'])(
    'replace the commit of %s by that of the newest version, with the version in the comment',
    (used) => {
      expect(versionOf(refs.get(used))).toBe(used);
      expect(versionOf(refs.get(newest(used) ?? ''))).toBe('v1.1.0');
    },
  );

  it('find every commit that was ever released below its version', () => {
    const commits = versions()
      .filter((tag) => parts(tag).length === 3)
      .map((tag) => refs.get(tag));

    expect(new Set(commits).size).toBe(6);
  });
});
