import { writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { runWeir } from '../support/weir-command';
import { startWeir, type Weir } from '../support/weir-server';

describe('contexts', () => {
  let home: TemporaryFolder;
  let server: Weir;
  beforeAll(async () => {
    server = await startWeir();
  });
  afterAll(() => server.dispose());
  beforeEach(() => {
    home = temporaryFolder();
  });
  afterEach(() => home.remove());
  const weir = (...args: string[]) => runWeir(args, { home });

  it('send commands to a server with an API key, whose role counts', async () => {
    const token = await setUpAdmin(server);
    const createKey = async (role: string) => {
      const { body } = await server.request('POST', '/api-keys', { token, body: { name: role, role } });
      return (body as { readonly key: string }).key;
    };
    const dag = { name: 'there', spec: 'steps: [{name: a, run: "true"}]\n' };
    await server.request('POST', '/dags', { token, body: dag });
    const address = new URL(server.baseUrl).origin;
    await writeFile(home.file('key'), await createKey('operator'));
    await weir('context', 'add', 'prod', '--url', address, '--api-key-file', home.file('key'));
    await weir('context', 'add', 'reader', '--url', address, '--api-key', await createKey('viewer'));

    expect(await weir('--context', 'prod', 'start', 'there')).toMatchObject({ code: 0 });
    expect((await weir('history', '--context', 'prod')).stdout).toContain('there');
    const refused = await weir('--context', 'reader', 'start', 'there');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('role') as string });
    expect((await weir('history')).stdout).not.toContain('there');
  });
});
