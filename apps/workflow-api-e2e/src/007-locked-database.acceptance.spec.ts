import path from 'node:path';
import { spawnProcess, type SpawnedProcess } from '@weir/test-kit';
import { setUpAdmin } from './support/people';
import { startWeir, type Weir } from './support/weir-server';

const holdLock = path.resolve(__dirname, '../../../packages/workflow-db/src/__fixtures__/hold-lock.mjs');

describe('a SQLite file that another process has locked', () => {
  let weir: Weir;
  let holder: SpawnedProcess | undefined;

  beforeAll(async () => {
    weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  });
  afterAll(async () => {
    await holder?.stop({ signal: 'SIGKILL' });
    await weir.dispose();
  });

  it('stops changes only: the server answers meanwhile, and the change is stored afterwards', async () => {
    const token = await setUpAdmin(weir);
    const file = weir.home.file('weir', 'data', 'weir.db');
    holder = await spawnProcess({ command: process.execPath, args: [holdLock, file] });
    await holder.waitForOutput('held', 20_000);

    const body = { username: 'grace', password: 'a rather long sentence', role: 'viewer' };
    const change = weir.request('POST', '/users', { token, body });
    // Sent one after the other while the lock is held: each is answered before the next and before the lock ends.
    for (let request = 0; request < 3; request += 1) {
      expect((await weir.request('GET', '/health')).status).toBe(200);
    }
    expect(holder.isRunning()).toBe(true);
    await holder.stop({ signal: 'SIGTERM' });

    await expect(change).resolves.toMatchObject({ status: 201 });
  });
});
