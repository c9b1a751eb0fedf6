import {
  describeUnless,
  missingForDockerEngine,
  spawnProcess,
  startDockerEngine,
  temporaryFolder,
  waitFor,
  type TestDockerEngine,
} from '@weir/test-kit';
import { program, startWeir } from '../../support/weir-server';

describeUnless(missingForDockerEngine(), 'no container was left by a crash')('containers after a crash', () => {
  let engine: TestDockerEngine;

  beforeAll(async () => {
    engine = await startDockerEngine();
  }, 600_000);

  afterAll(() => engine.stop(), 60_000);

  const running = () => engine.docker('ps', '--quiet').trim();

  it.each(['long', 'of-dag-long'])(
    'removes the containers of a run whose owner was killed (%s)',
    async (file) => {
      const home = temporaryFolder();
      const env = { HOME: home.path, WEIR_HOME: home.file('weir'), DOCKER_HOST: engine.host };
      const first = await spawnProcess({
        command: process.execPath,
        args: [program, 'start', `crash/${file}.yaml`],
        env,
        cwd: __dirname,
      });
      await waitFor(() => running() || undefined, { deadlineMs: 60_000, what: 'the container' });
      await first.stop({ signal: 'SIGKILL' });
      const next = await startWeir({ home, env });
      try {
        await waitFor(() => running() === '' || undefined, { deadlineMs: 45_000, what: 'the end of the container' });
      } finally {
        await next.dispose();
      }
    },
    120_000,
  );
});
