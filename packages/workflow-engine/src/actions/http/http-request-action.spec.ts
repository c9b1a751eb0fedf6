import { readFile, readdir, truncate, writeFile } from 'node:fs/promises';
import type { JsonObject } from '@weir/workflow-spec';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';
import { loopbackServer, type LoopbackServer } from '../testing/loopback-server';

let fixture: ActionFixture;
let server: LoopbackServer;
let other: LoopbackServer;

beforeAll(async () => {
  other = await loopbackServer((_, response) => response.end('other'));
  server = await loopbackServer(({ url, method }, response) => {
    const path = new URL(url, 'http://x').pathname;
    if (path === '/json') response.setHeader('content-type', 'application/json; charset=utf-8').end('{"a":[1]}');
    else if (path === '/missing') response.writeHead(404).end('no such token hunter2');
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (path === '/away') response.writeHead(302, { location: `${other.origin}/there` }).end();
    else if (path === '/strange') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    else if (path === '/again') response.writeHead(307, { location: '/text' }).end();
    else if (path === '/see') response.writeHead(303, { location: '/text' }).end();
    else if (path === '/long') response.end('x'.repeat(10_000));
    else if (path === '/cut') response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    else if (path === '/silent') response.socket?.setTimeout(20_000);
    else response.setHeader('x-method', method).end('hello');
  });
});
beforeEach(async () => (fixture = await actionFixture()));
afterEach(() => fixture.remove());
afterAll(() => Promise.all([server.close(), other.close()]));

const request = (path: string, settings: JsonObject = {}, options?: RunOptions) =>
  fixture.run('http.request', { method: 'GET', url: `${server.origin}${path}`, ...settings }, options);
const lastSeen = (at: LoopbackServer = server) => at.seen.at(-1);

describe('what is printed', () => {
  it('is status, headers and body', async () => {
    const { outcome, stdout } = await request('/text');

    expect(outcome).toEqual({ status: 'succeeded' });
    expect(stdout).toMatch(/^HTTP 200 OK\n/);
    expect(stdout).toContain('\nx-method: GET\n');
    expect(stdout).toMatch(/\n\nhello\n$/);
  });

  it.each([
    [{ silent: true }, 'hello\n'],
    [{ format: 'raw' }, 'hello'],
  ])('is the body alone with %j', async (settings, expected) => {
    expect((await request('/text', settings)).stdout).toBe(expected);
  });

  it.each([{ json: true }, { format: 'json' }])('is one JSON object with %j', async (settings) => {
    const answer = JSON.parse((await request('/json', settings)).stdout) as unknown;

    expect(answer).toMatchObject({
      status: 200,
      status_code: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { a: [1] },
    });
    expect(JSON.parse((await request('/text', settings)).stdout)).toMatchObject({ body: 'hello' });
  });

  it('names the request with debug, without values of headers or of the query', async () => {
    const headers = { Authorization: 'Bearer hunter2' };
    const { stderr } = await request('/text', { debug: true, headers, query: { token: 'hunter2' } });

    expect(stderr).toContain(`GET ${server.origin}/text\n`);
    expect(stderr).toContain('authorization: …\n');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('what is sent', () => {
  it('has the query, the headers and an unchanged string', async () => {
    const settings = { method: 'POST', query: { q: 'a b&c' }, headers: { 'X-Own': 'yes' }, body: 'plain' };
    await request('/text?p=1', settings);

    expect(lastSeen()).toMatchObject({ method: 'POST', url: '/text?p=1&q=a+b%26c', body: 'plain' });
    expect(lastSeen()?.headers).toMatchObject({ 'x-own': 'yes', 'content-length': '5' });
  });

  it('has a map as JSON, with a type that the step may replace', async () => {
    await request('/text', { method: 'PUT', body: { a: [1, null] } });
    expect(lastSeen()).toMatchObject({ body: '{"a":[1,null]}', headers: { 'content-type': 'application/json' } });
    await request('/text', { method: 'PUT', body: [], headers: { 'Content-Type': 'application/own+json' } });
    expect(lastSeen()?.headers['content-type']).toBe('application/own+json');
  });

  it('has the fields of a form', async () => {
    await request('/text', { method: 'POST', form: { a: '1 2', b: 'ä' } });

    expect(lastSeen()).toMatchObject({
      body: 'a=1+2&b=%C3%A4',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  });

  it('has files of a form by the working folder, with names and types that a server reads', async () => {
    const large = 'line\n'.repeat(1_000_000);
    await writeFile(fixture.path('a "1".csv'), 'a,b\n');
    await writeFile(fixture.path('large'), large);
    const files = { upload: ['a "1".csv', 'large'] };
    await request('/text', { method: 'POST', form: { 'fi"eld': 'väl\nue' }, files });

    const { headers = {}, body = '' } = lastSeen() ?? {};
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
    // The platform decodes what the action has encoded by itself.
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated for servers, and this is a spec
    const form = await new Response(body, { headers: { 'content-type': String(headers['content-type']) } }).formData();
    expect(form.get('fi"eld')).toBe('väl\r\nue');
    const [first, second] = form.getAll('upload') as File[];
    expect(first).toMatchObject({ name: 'a "1".csv', type: 'text/csv' });
    expect(second).toMatchObject({ name: 'large', type: 'application/octet-stream' });
    expect(await first?.text()).toBe('a,b\n');
    expect((await second?.text()) === large).toBe(true);
  });

  it('has files of more than 1 GiB together as a failure, before anything is sent', async () => {
    await writeFile(fixture.path('sparse'), '');
    await truncate(fixture.path('sparse'), 600_000_000);
    const sent = server.seen.length;
    const { outcome } = await request('/text', { method: 'POST', files: { upload: ['sparse', 'sparse'] } });

    expect(outcome.error).toBe('files contains more than 1073741824 bytes.');
    expect(server.seen).toHaveLength(sent);
  });
});

describe('a redirection', () => {
  it('is followed with its body, or as a GET where the status says so', async () => {
    await request('/again', { method: 'POST', body: 'kept' });
    expect(lastSeen()).toMatchObject({ method: 'POST', url: '/text', body: 'kept' });
    await writeFile(fixture.path('a.txt'), 'file text');
    await request('/again', { method: 'POST', files: { upload: 'a.txt' } });
    expect(lastSeen()).toMatchObject({ url: '/text', body: expect.stringContaining('file text') as string });
    await request('/see', { method: 'POST', body: 'dropped' });
    expect(lastSeen()).toMatchObject({ method: 'GET', url: '/text', body: '' });
  });

  it('sends no credentials to another server', async () => {
    const { outcome } = await request('/away', { headers: { Authorization: 'Bearer hunter2', 'X-Own': 'yes' } });

    expect(outcome.status).toBe('succeeded');
    expect(lastSeen(other)?.headers.authorization).toBeUndefined();
    expect(lastSeen(other)?.headers['x-own']).toBe('yes');
  });

  it('is followed at most ten times, and only to HTTP addresses', async () => {
    expect((await request('/loop')).outcome.error).toBe('More than 10 redirects.');
    expect((await request('/strange')).outcome.error).toBe('A redirect leads to a URL that is not http or https.');
  });
});

describe('a failure', () => {
  it('is a printed answer other than 2xx, with only its status in the error', async () => {
    const { outcome, stdout } = await request('/missing?token=hunter2', { silent: true });

    expect(outcome).toMatchObject({ status: 'failed', error: 'The response has HTTP status 404.' });
    expect(stdout).toBe('no such token hunter2\n');
  });

  it('is an answer that is too long, or breaks off', async () => {
    expect((await request('/long', {}, { maxOutputBytes: 9_999 })).outcome.error).toBe(
      'The response is longer than 9999 bytes.',
    );
    expect((await request('/cut')).outcome.error).toBe('The response was interrupted (ECONNRESET).');
  });

  it('is an answer that does not come in time', async () => {
    const { outcome } = await request('/silent', { timeout: 0.1 });

    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'There was no complete response within 0.1 seconds.',
    });
  });

  it('is an address without a listener', async () => {
    const gone = await loopbackServer(() => undefined);
    await gone.close();
    const { outcome } = await fixture.run('http.request', { method: 'GET', url: `${gone.origin}/hunter2` });

    expect(outcome).toMatchObject({ status: 'failed', error: 'The request got no response (ECONNREFUSED).' });
  });

  it('is a header that cannot be sent, without its value in the error', async () => {
    const { outcome } = await request('/text', { headers: { 'X-Own': 'hunter2\r\nX-More: 1' } });

    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'A header of the request contains an invalid character.',
    });
  });

  it.each([
    ['none', 'files was not found (ENOENT).'],
    ['.', 'files is not a regular file.'],
  ])('is %s instead of a file', async (upload, error) => {
    expect((await request('/text', { method: 'POST', files: { upload } })).outcome.error).toBe(error);
  });
});

describe('output', () => {
  it('saves the body to a file', async () => {
    const { outcome, stdout } = await request('/long', { output: 'saved', silent: true }, { maxOutputBytes: 10 });

    expect(outcome).toEqual({ status: 'succeeded' });
    expect(stdout).toBe('');
    expect(await readFile(fixture.path('saved'), 'utf8')).toBe('x'.repeat(10_000));
  });

  it.each(['/missing', '/cut'])('keeps the file unchanged when %s fails', async (path) => {
    await writeFile(fixture.path('saved'), 'before');
    const { outcome } = await request(path, { output: 'saved' });

    expect(outcome.status).toBe('failed');
    expect(await readFile(fixture.path('saved'), 'utf8')).toBe('before');
    expect((await readdir(fixture.folder)).sort()).toEqual(['logs', 'saved']);
  });

  it('reports that the file cannot be written', async () => {
    expect((await request('/text', { output: 'no/folder' })).outcome.error).toBe('output cannot be written (ENOENT).');
  });
});

it('is ended by a stop', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const { outcome } = await request('/silent', {}, { signal: stop.signal });

  expect(outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
});
