import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeUnless } from '@weir/test-kit';
import { parse } from 'yaml';
import { createGit } from './git';
import { publishThisCheckout, type PublishedAction } from './testing/published-action';
import { findRunnerNode } from './testing/runner-node';

const repository = 'acme/weir-cloud-auth';
const missing = spawnSync('git', ['--version']).status === 0 ? undefined : 'git is not installed';

const colors = ['white', 'black', 'yellow', 'blue', 'green', 'orange', 'red', 'purple', 'gray-dark'];
/** Icons of the set that the Marketplace leaves out. */
const iconsWithoutListing = [
  ...['coffee', 'columns', 'divide-circle', 'divide-square', 'divide', 'frown', 'hexagon', 'key', 'meh'],
  ...['mouse-pointer', 'smile', 'tool', 'x-octagon'],
];

describeUnless(missing, 'using the published action')('the published action', () => {
  let published: PublishedAction;
  beforeAll(() => void (published = publishThisCheckout(repository)));
  afterAll(() => published.remove());

  for (const major of [20, 24]) {
    const found = findRunnerNode(major);
    const node = 'node' in found ? found.node : '';
    describeUnless('node' in found ? undefined : found.missing, 'a runner')(`on Node ${major}`, () => {
      it.each<[string, () => string]>([
        ['its line', () => 'v0'],
        ['its version', () => `v${published.version}`],
        ['the branch', () => 'main'],
      ])('gives a job its credentials by %s', async (_, ref) => {
        const end = await published.runJob({
          node,
          steps: (fake, fetch) => [
            {
              id: 'auth',
              action: fetch(ref()),
              uses: { repository, ref: ref() },
              with: {
                workload_identity_provider: fake.provider,
                service_account: fake.account.email,
                token_format: 'access_token',
              },
            },
          ],
        });

        expect(end.log).not.toContain('##[error]');
        expect(end.outcome).toBe('success');
        expect(end.steps[0]?.outputs.access_token).toBe(end.fake.tokens.ofKind('access token').at(-1)?.secret);
        expect(end.leftovers.filter(({ path: file }) => file.includes('gha-creds-'))).toEqual([]);
        expect(end.leaks).toEqual([]);
      });
    });
  }

  it('has the files of this checkout', () => {
    const folder = published.fetch('v0', 'files');
    const own = path.resolve(__dirname, '../../packages/auth-action');

    for (const name of ['action.yml', 'dist/main.js', 'dist/post.js']) {
      expect(readFileSync(path.join(folder, name)).equals(readFileSync(path.join(own, name)))).toBe(true);
    }
  });

  // By the rules of GitHub for listings. Whether a name is free is known only there.
  it('can be listed on the Marketplace: one action at the root, no workflow, and fields of the allowed form', () => {
    const files = createGit(published.remote).text(['ls-tree', '-r', '--name-only', 'v0']).split('\n');
    const folder = published.fetch('v0', 'listing');
    const { name, description, author, branding } = parse(readFileSync(path.join(folder, 'action.yml'), 'utf8')) as {
      readonly name: string;
      readonly description: string;
      readonly author: string;
      readonly branding: { readonly icon: string; readonly color: string };
    };

    expect(files.filter((file) => /(?:^|\/)(?:action\.ya?ml|Dockerfile)$/i.test(file))).toEqual(['action.yml']);
    expect(files.filter((file) => file.startsWith('.github/'))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE']));
    expect(name).toMatch(/^(?!GitHub|Google|AWS|Azure)[A-Za-z][A-Za-z0-9 -]{2,49}$/);
    expect(description.length).toBeLessThan(125);
    expect(description).toMatch(/^[^\n]+$/);
    expect(author).not.toBe('');
    expect(colors).toContain(branding.color);
    expect(branding.icon).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    expect(iconsWithoutListing).not.toContain(branding.icon);
  });

  it('has a name of its own, and pages that name its repository and link to each other', () => {
    const folder = published.fetch('v0', 'pages');
    const files = createGit(published.remote).text(['ls-tree', '-r', '--name-only', 'v0']).split('\n');
    const pages = files.filter((file) => file.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...readFileSync(path.join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
        ([, target = '']) => path.posix.join(path.posix.dirname(page), target),
      ),
    );
    const { name } = parse(readFileSync(path.join(folder, 'action.yml'), 'utf8')) as { readonly name: string };
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');

    expect(name).toBe('Weir Cloud Auth');
    expect(readme).toMatch(/^# Weir Cloud Auth\n/);
    expect(readme).toContain(`uses: ${repository}@v0`);
    expect(pages.map((page) => readFileSync(path.join(folder, page), 'utf8')).join()).not.toContain('org/auth-action');
    expect(pages).toEqual(expect.arrayContaining(['CHANGELOG.md', 'README.md', 'security.md', 'docs/examples.md']));
    expect(links.filter((target) => !files.includes(target))).toEqual([]);
    expect(links).toContain('security.md');
  });
});
