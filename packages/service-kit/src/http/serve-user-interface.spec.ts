import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '@weir/test-kit';
import express from 'express';
import { listenHttp, type HttpServer } from './http-server';
import { serveUserInterface } from './serve-user-interface';

const folder = temporaryFolder();
let server: HttpServer;

beforeAll(async () => {
  mkdirSync(folder.file('assets'), { recursive: true });
  writeFileSync(folder.file('index.html'), '<html><head><base href="/" /></head></html>');
  writeFileSync(folder.file('icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(folder.file('assets/index-1a2b.js'), 'const built = true;');
  writeFileSync(folder.file('assets/removed-5e6f.js'), 'const removed = true;');
  writeFileSync(folder.file('assets/index-1a2b.js.gz'), gzipSync('const built = true;'));
  const app = express();
  app.use('/weir', serveUserInterface({ folder: folder.path, basePath: '/weir' }));
  app.use((_req, res) => void res.status(404).json({ code: 'not_found' }));
  server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const get = (address: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${address}`, { headers });

/** Asks as a browser does; `fetch` would ask for the whole file. */
function askAgain(address: string, etag: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${server.url}${address}`, { headers: { 'if-none-match': etag } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

it('serves no file that another version has removed', async () => {
  rmSync(folder.file('assets/removed-5e6f.js'));

  expect((await get('/weir/assets/removed-5e6f.js')).status).toBe(404);
});

it.each(['/weir', '/weir/', '/weir/dags', '/weir/runs/nightly/1'])('answers %s with the page', async (address) => {
  const answer = await get(address);

  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  await expect(answer.text()).resolves.toContain('<base href="/weir/" />');
});

it('makes browsers revalidate the page each time, and sends it once', async () => {
  const first = await get('/weir/');
  const etag = first.headers.get('etag') ?? '';

  expect(first.headers.get('cache-control')).toBe('no-cache');
  await expect(askAgain('/weir/', etag)).resolves.toBe(304);
});

it('forbids the page scripts and styles inside of it, and every foreign origin', async () => {
  const policy = (await get('/weir/')).headers.get('content-security-policy') ?? '';

  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toMatch(/unsafe|http|\*/);
});

it('lets browsers cache files, whose names change with their contents, and sends them compressed', async () => {
  const answer = await get('/weir/assets/index-1a2b.js', { 'accept-encoding': 'gzip' });

  expect(answer.headers.get('cache-control')).toBe('public,max-age=31536000,immutable');
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(answer.headers.get('vary')).toBe('Accept-Encoding');
  await expect(answer.text()).resolves.toBe('const built = true;');
});

it('serves the icon', async () => {
  await expect(get('/weir/icon.svg')).resolves.toMatchObject({ status: 200 });
});

it.each(['/weir/api/v1/nope', '/weir/api', '/weir/assets/index-old.js', '/dags', '/'])(
  'leaves %s to others',
  async (address) => {
    await expect(get(address)).resolves.toMatchObject({ status: 404 });
  },
);
