import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { parseDag } from '@weir/workflow-spec';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { loadParamSchema } from './load-param-schema';

const schema = JSON.stringify({ type: 'object', properties: { region: { type: 'string', enum: ['eu'] } } });
const dagWith = (source: string) => parseDag(`params: {schema: ${JSON.stringify(source)}}\nsteps: [x]\n`).dag;

describe('loadParamSchema', () => {
  let folder: TemporaryFolder;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    await writeFile(folder.file('in.json'), schema);
    await writeFile(folder.file('large.json'), ' '.repeat(1_048_577));
    server = createServer((request, response) => {
      if (request.url === '/in.json') response.end(schema);
      else if (request.url === '/large') response.end('x'.repeat(1_100_000));
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });

  afterAll(async () => {
    server.close();
    await folder.remove();
  });

  const load = (source: string) => loadParamSchema({ dag: dagWith(source), fileName: 'nightly', dagsDir: folder.path });

  it('reads a file in the folder of the DAG file', async () => {
    expect((await load('in.json')).params).toMatchObject([{ name: 'region', enum: ['eu'] }]);
  });

  it('reads a URL', async () => {
    expect((await load(`${url}/in.json`)).params).toMatchObject([{ name: 'region' }]);
  });

  it('returns a DAG without such a schema unchanged', async () => {
    const { dag } = parseDag('params: a=1\nsteps: [x]\n');

    expect(await loadParamSchema({ dag, fileName: 'x', dagsDir: '/' })).toBe(dag);
  });

  it.each([
    ['a file that is not there', 'none.json', 'ENOENT'],
    ['a folder', '.', 'it is not a file'],
    ['a file that is too long', 'large.json', 'longer than 1048576 bytes'],
  ])('refuses %s', async (_, source, phrase) => {
    await expect(load(source)).rejects.toMatchObject({
      reason: 'params_invalid',
      message: expect.stringContaining(phrase) as unknown,
    });
  });

  it.each([
    ['an error', '/none', 'the answer has the status 404'],
    ['too long an answer', '/large', 'longer than 1048576 bytes'],
  ])('refuses a URL with %s', async (_, source, phrase) => {
    await expect(load(url + source)).rejects.toMatchObject({
      reason: 'params_invalid',
      message: expect.stringContaining(phrase) as unknown,
    });
  });
});
