import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { usePages } from './support/use-pages';

const pages = usePages({ WEIR_SKIP_EXAMPLES: 'true' });
const spec = (text: string) => `steps:\n  - run: echo ${text}\n`;

let folder: TemporaryFolder;
const git = (at: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: folder.file(at),
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder.path,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'Grace',
      GIT_AUTHOR_EMAIL: 'grace@x.test',
      GIT_COMMITTER_NAME: 'Grace',
      GIT_COMMITTER_EMAIL: 'grace@x.test',
    },
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: 60_000,
  }).trim();
const push = (name: string, text: string, message: string): void => {
  git('work', 'pull', '--quiet', 'origin', 'main');
  writeFileSync(folder.file('work', name), text);
  git('work', 'add', '--all');
  git('work', 'commit', '--quiet', '-m', message);
  git('work', 'push', '--quiet', 'origin', 'HEAD:main');
};

beforeAll(async () => {
  await pages.server().setUp();
  folder = temporaryFolder();
  mkdirSync(folder.file('dags.git'));
  git('dags.git', 'init', '--quiet', '--bare', '--initial-branch=main', '.');
  git('.', 'clone', '--quiet', 'dags.git', 'work');
  git('work', 'commit', '--quiet', '--allow-empty', '-m', 'begin');
  git('work', 'push', '--quiet', 'origin', 'HEAD:main');
  push('nightly.yaml', spec('first'), 'Add nightly');
});
afterAll(() => folder.remove());

const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true });

async function openMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions of nightly', exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

it('is configured, pulls, publishes, and resolves a conflict, statement 50', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'sync' });
  await page.getByRole('heading', { name: 'Git sync is off' }).waitFor();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByText('Synchronise with a repository').click();
  await form.getByLabel('Repository', { exact: true }).fill(folder.file('dags.git'));
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Pull', exact: true }).click();
  await rowOf(page, 'nightly.yaml').filter({ hasText: 'Synchronised' }).waitFor();

  await pages.server().call('PUT', '/dags/nightly/spec', { spec: spec('mine') });
  await page.reload();
  await rowOf(page, 'nightly.yaml').filter({ hasText: 'Changed here' }).waitFor();
  await openMenu(page, 'Publish');
  await page.getByText('1 published.').waitFor();
  await rowOf(page, 'nightly.yaml').filter({ hasText: 'Synchronised' }).waitFor();
  expect(git('dags.git', 'log', '-1', '--format=%an: %s', 'main')).toBe('ada: Update nightly');

  push('nightly.yaml', spec('theirs'), 'Change nightly');
  await pages.server().call('PUT', '/dags/nightly/spec', { spec: spec('ours') });
  await page.getByRole('button', { name: 'Pull', exact: true }).click();
  await rowOf(page, 'nightly.yaml').filter({ hasText: 'Conflict' }).filter({ hasText: 'by Grace' }).waitFor();
  await openMenu(page, 'Compare');
  await page.getByRole('dialog').getByText('echo theirs').first().waitFor();
  await page.getByRole('dialog').getByText('echo ours').first().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await openMenu(page, 'Take the repository’s version');
  await page.getByRole('dialog').getByRole('button', { name: 'Take the repository’s version' }).click();
  await rowOf(page, 'nightly.yaml').filter({ hasText: 'Synchronised' }).waitFor();
  const answer = await pages.server().call('GET', '/dags/nightly/spec');
  await expect(answer.json()).resolves.toMatchObject({ spec: spec('theirs') });
  expect(complaints).toEqual([]);
});

it('shows in the form why settings are refused, and the state of the connection', async () => {
  const { page } = await pages.openAsAdmin({ path: 'sync' });
  await pages.server().call('PUT', '/sync/config', { enabled: true, repository: '/nowhere/x.git' });
  await page.reload();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByText('The repository was not reached').first().waitFor();
  await form.getByLabel('Branch').fill('--force');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').getByText('The branch is not a valid name.').waitFor();
});
