import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { describeUnless } from '@weir/test-kit';
import { createGit } from './git';
import { publishAction } from './publish-action';
import { createGh } from './release';
import { createFakeGithub, type FakeGithub, type FakeRelease } from './testing/fake-github';
import { setVersion, smallRepository, type SourceRepository } from './testing/source-repository';

const repository = 'acme/auth';
const missing = ['git', 'sh'].find((program) => spawnSync(program, ['--version']).error !== undefined);

describeUnless(missing && `${missing} is not installed`, 'releases')('the release on GitHub', () => {
  let source: SourceRepository;
  let github: FakeGithub;
  beforeEach(() => {
    source = smallRepository('0.1.0');
    github = createFakeGithub(source, repository);
    writeFileSync(source.file('provenance.json'), '{"provenance":true}');
  });
  afterEach(() => source.remove());

  function release(isDraft = false): string {
    const lines: string[] = [];
    publishAction(
      {
        repository,
        source: source.folder,
        tag: true,
        output: undefined,
        push: source.remote,
        release: { gh: createGh(github.program), isDraft, assets: [source.file('provenance.json')] },
      },
      (line) => void lines.push(line),
    );
    return lines.join('\n');
  }

  const findRelease = (tag: string) => github.read().releases.find(({ tag_name: name }) => name === tag);
  /** In the form of `sha256sum`, by the names of the files. */
  const checksumsAt = (tag: string): string => {
    const git = createGit(source.remote);
    const files = git.text(['ls-tree', '-r', '--name-only', tag]).split('\n');
    const sums = files.map((file) => createHash('sha256').update(git.bytes(['cat-file', 'blob', `${tag}:${file}`])));
    return sums.map((sum, index) => `${sum.digest('hex')}  ${String(files[index])}\n`).join('');
  };
  const commitOf = (tag: string) => source.git('-C', source.remote, 'rev-parse', tag);

  it('is immutable, has the checksums and the provenance of the files, and says how to pin it', () => {
    expect(release()).toContain('published the release v0.1.0');

    const { assets = {}, notes, ...state } = findRelease('v0.1.0') ?? {};
    expect(state).toMatchObject({ draft: false, immutable: true, latest: true });
    expect(assets['provenance.json']).toBe('{"provenance":true}');
    expect(assets.SHA256SUMS).toBe(checksumsAt('v0.1.0'));
    expect(notes).toMatch(/^- Is new\.\n/);
    expect(notes).toContain(`- uses: acme/auth@${commitOf('v0.1.0')} # v0.1.0\n`);
    expect(notes).toContain(source.git('rev-parse', 'HEAD'));
  });

  it('is made after the push, gets its files as a draft, and is published last', () => {
    release();

    expect(github.read().calls.filter((call) => call.startsWith('release'))).toEqual([
      'release create v0.1.0',
      'release upload v0.1.0',
      'release edit v0.1.0',
    ]);
  });

  it('is none of the line, so that its tag moves with the next release', () => {
    release();
    setVersion(source, '0.2.0');
    source.commit();
    release();

    expect(github.read().releases.map(({ tag_name: tag }) => tag)).toEqual(['v0.1.0', 'v0.2.0']);
    expect(commitOf('v0')).toBe(commitOf('v0.2.0'));
  });

  it('is not the latest one if there is a newer version', () => {
    setVersion(source, '0.2.0');
    source.commit();
    release();
    setVersion(source, '0.1.9');
    source.commit();
    release();

    expect(findRelease('v0.1.9')?.latest).toBe(false);
  });

  it('remains a draft on request, which the next call completes and publishes', () => {
    expect(release(true)).toContain('drafted the release v0.1.0');
    expect(findRelease('v0.1.0')).toMatchObject({ draft: true });

    github.change({ releases: github.read().releases.map((found) => ({ ...found, assets: {} })) });
    release();
    expect(findRelease('v0.1.0')).toMatchObject({ draft: false, immutable: true });
    expect(Object.keys(findRelease('v0.1.0')?.assets ?? {})).toEqual(['SHA256SUMS', 'provenance.json']);
    expect(release()).toContain('The release is published.');
  });

  const published: FakeRelease = { tag_name: 'v0.1.0', draft: false, immutable: false, assets: {} };

  it.each<[string, Parameters<FakeGithub['change']>[0], string]>([
    ['the repository does not make them immutable', { immutable: false }, 'Enable release immutability'],
    ['the tag of the line has one', { releases: [{ ...published, tag_name: 'v0' }] }, 'v0 has a release'],
    ['it is published and can be changed', { releases: [published] }, 'can be changed. Raise the version.'],
  ])('is refused before the push if %s', (_, changes, reason) => {
    github.change(changes);

    expect(() => release()).toThrow(reason);
    expect(source.git('ls-remote', source.remote)).toBe('');
  });
});
