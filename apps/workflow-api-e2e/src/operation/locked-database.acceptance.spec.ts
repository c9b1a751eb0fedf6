import path from 'node:path';
import { spawnProcess, type SpawnedProcess } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

const holdLock = path.resolve(__dirname, '../../../../packages/workflow-db/src/__fixtures__/hold-lock.mjs');

describe('a SQLite file that another process has locked', () => {
  let weir: Weir;
  let token: string;
  let holder: SpawnedProcess | undefined;

  beforeAll(async () => {
    weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    token = await setUpAdmin(weir);
  });
  afterEach(() => holder?.stop({ signal: 'SIGKILL' }));
  afterAll(() => weir.dispose());

  const lockFile = async (): Promise<SpawnedProcess> => {
    const args = [holdLock, weir.home.file('weir', 'data', 'weir.db')];
    holder = await spawnProcess({ command: process.execPath, args });
    await holder.waitForOutput('held', 20_000);
    return holder;
  };
  const addUser = (username: string) =>
    weir.request('POST', '/users', { token, body: { username, password: 'a rather long sentence', role: 'viewer' } });

  it('blocks only changes: the server answers meanwhile, and the change is stored afterwards', async () => {
    const lock = await lockFile();
    const change = addUser('grace');
    // Sent one after the other while the lock is held: each is answered before the next and before the lock ends.
    for (let request = 0; request < 3; request += 1) {
      expect((await weir.request('GET', '/health')).status).toBe(200);
    }
    expect(lock.isRunning()).toBe(true);
    await lock.stop({ signal: 'SIGTERM' });

    await expect(change).resolves.toMatchObject({ status: 201 });
  });

  it('refuses changes that have waited for five seconds', async () => {
    const lock = await lockFile();
    const refused = { status: 503, body: { reason: 'database_busy' } };

    expect(await Promise.all([addUser('joan'), addUser('mary')])).toMatchObject([refused, refused]);
    expect(lock.isRunning()).toBe(true);
    await lock.stop({ signal: 'SIGTERM' });

    expect((await addUser('joan')).status).toBe(201);
  });
});
