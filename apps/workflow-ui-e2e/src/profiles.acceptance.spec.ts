import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();
const spec = `steps:
  - {id: show, run: 'echo "$API_HOST $API_TOKEN"'}
`;

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  await server.call('POST', '/dags', { name: 'deploy', spec });
  await server.call('POST', '/dags', { name: 'asks', spec: `params: [{name: WHO, default: you}]\n${spec}` });
  await startAndWait(server, 'deploy', 'succeeded');
});

it('keeps profiles with variables and secrets, starts a run with one, and shows it on the run', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'secrets' });
  await page.getByRole('link', { name: 'Runtime profiles' }).click();
  await page.getByRole('heading', { name: 'There is no profile' }).waitFor();
  await page.getByRole('button', { name: 'Add a profile' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('staging');
  await dialog.getByLabel('Description').fill('Before production');
  await dialog.getByRole('button', { name: 'Add a profile' }).click();
  await page.getByRole('link', { name: 'staging' }).click();
  for (const [button, key, value] of [
    ['Set a variable', 'API_HOST', 'staging.example'],
    ['Set a secret', 'API_TOKEN', 's3cr3t-value'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await dialog.getByLabel('Name').fill(key);
    await dialog.getByLabel('Value').fill(value);
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await page
    .getByRole('row', { name: /API_HOST/ })
    .filter({ hasText: 'staging.example' })
    .waitFor();
  await page
    .getByRole('row', { name: /API_TOKEN/ })
    .filter({ hasText: 'hidden' })
    .waitFor();
  await expect(page.getByText('s3cr3t-value').count()).resolves.toBe(0);

  await page.goto(`${pages.server().url}dags/asks`);
  await page.getByRole('button', { name: 'Start', exact: true }).first().click();
  await dialog.getByRole('button', { name: /Profile/ }).click();
  await page.getByRole('option', { name: 'staging' }).click();
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/dag-runs\/asks\//);
  await page.getByText('staging', { exact: true }).waitFor();
  await page.goto(`${page.url().split('?')[0]}?tab=inputs`);
  await page
    .getByRole('row', { name: /API_HOST/ })
    .filter({ hasText: 'the profile staging' })
    .waitFor();
  expect(complaints).toEqual([]);
});

it('gives defaults to all runs, and chooses the profile of starts that name none', async () => {
  await pages.server().call('POST', '/profiles', { name: 'production', protected: true });
  const { page, complaints } = await pages.openAsAdmin({ path: 'profiles' });
  await page.getByRole('button', { name: 'Defaults' }).click();
  await page.getByRole('menuitem', { name: 'Defaults of all runs' }).click();
  await page.getByRole('button', { name: /Profile of starts that name none/ }).click();
  await page.getByRole('option', { name: 'production' }).click();
  await page.getByText('Defaults was saved.').waitFor();
  await startAndWait(pages.server(), 'deploy', 'succeeded');
  await page.goto(`${pages.server().url}dag-runs/deploy/latest`);
  await page.getByText('production', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
