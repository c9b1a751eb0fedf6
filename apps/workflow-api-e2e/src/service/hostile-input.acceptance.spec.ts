import { access, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostileRequests } from '../support/hostile-requests';
import { setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

describe('hostile input', () => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    await weir.createClient(admin).createNewDag({ body: { name: 'victim', spec: 'steps:\n  - run: echo\n' } });
  }, 60_000);

  afterAll(() => weir.dispose());

  it('has at least 50 cases with unique names', () => {
    expect(new Set(hostileRequests.map(({ name }) => name)).size).toBeGreaterThanOrEqual(50);
  });

  it.each(hostileRequests.map((request) => [request.name, request] as const))('refuses %s', async (_, request) => {
    const { status, body } = await weir.request(request.method, request.path, { token: admin, ...request.options });

    expect(request.expected).toContain(status);
    // What Node itself refuses before any of our code runs has no body of ours.
    if (![414, 431].includes(status))
      expect(body).toMatchObject({
        code: expect.any(String) as string,
        message: expect.stringMatching(/\S/) as string,
      });
  });

  it('has written nothing outside the folder and only the valid DAG into it', async () => {
    expect(await readdir(weir.home.file('weir', 'dags'))).toEqual(['victim.yaml']);
    await expect(access(weir.home.file('weir', 'outside.yaml'))).rejects.toThrow('ENOENT');
  });

  it('still answers afterwards', async () => {
    expect((await weir.request('GET', '/health')).body).toMatchObject({ status: 'healthy' });
  });

  it('closes a connection whose request is not HTTP', async () => {
    const { hostname, port } = new URL(weir.baseUrl);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write('NOT HTTP AT ALL\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});
