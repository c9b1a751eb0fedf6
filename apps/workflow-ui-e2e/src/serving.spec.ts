import { gzipSync } from 'node:zlib';
import { startServer } from './support/start-server';
import { usePages } from './support/use-pages';

const maxFirstLoadBytes = 250 * 1024;
const maxFirstLoadRequests = 6;

const pages = usePages({ WEIR_BASE_PATH: '/tools/weir' });

// Statement 1.
it('shows the screen of a nested address below a base path, and stays below it', async () => {
  const { page, complaints } = await pages.open({ path: 'runs?status=failed' });
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create the admin' }).click();

  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  await page.getByRole('link', { name: 'DAGs' }).click();
  await page.getByRole('row', { name: /merge-sources/ }).waitFor();
  expect(page.url()).toBe(`${pages.server().url}dags`);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'weir_session', path: '/tools/weir', httpOnly: true, sameSite: 'Strict' });
  expect(complaints).toEqual([]);
});

it('loads its first screen from the server alone, in few requests and few bytes', async () => {
  const { page } = await pages.open({ path: 'no-screen-of-its-own' });
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.context().clearCookies();
  await page.goto(pages.server().url, { waitUntil: 'networkidle' });

  const { origin } = new URL(pages.server().url);
  expect(addresses.filter((address) => !address.startsWith(`${origin}/tools/weir/`))).toEqual([]);
  const files = [...new Set(addresses)].filter((address) => !address.includes('/api/'));
  expect(files.length).toBeLessThanOrEqual(maxFirstLoadRequests);
  const bodies = await Promise.all(files.map(async (file) => (await fetch(file)).arrayBuffer()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(new Uint8Array(body)).length, 0);
  expect(bytes).toBeLessThanOrEqual(maxFirstLoadBytes);
});

it('answers every request below the path of the API as the API does', async () => {
  const answer = await fetch(`${pages.server().url}api/v1/no-such-thing`, { headers: { accept: 'text/html' } });

  expect(answer.status).toBe(404);
  await expect(answer.json()).resolves.toMatchObject({ code: 'not_found' });
});

it('is switched off by WEIR_UI=off', async () => {
  const server = await startServer({ WEIR_UI: 'off' });
  try {
    await expect(fetch(server.url)).resolves.toMatchObject({ status: 404 });
    await expect(fetch(`${server.url}api/v1/health`)).resolves.toMatchObject({ status: 200 });
    expect(server.process.stdout()).not.toContain('in a browser');
  } finally {
    await server.stop();
  }
});
