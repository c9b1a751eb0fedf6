import { spawnProcess, waitFor } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { program } from '../../support/weir-server';
import { homeWithDags, skipExamples } from './support/run-control-home';

describe('a run in the foreground', () => {
  it('is seen and stopped by other commands while it has the database open', async () => {
    const home = await homeWithDags();
    const child = await spawnProcess({
      command: process.execPath,
      args: [program, 'start', 'slow', '--run-id', 'front', '--trigger-type', 'webhook'],
      env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...skipExamples },
      cwd: home.path,
    });
    const weir = (...args: readonly string[]) => runWeir(args, { home, env: skipExamples });
    await child.waitForOutput('started');

    const running = /^running\nslow front: running\n {2}hang: running/;
    await waitFor(async () => running.test((await weir('status', 'slow')).stdout), { what: 'the step to run' });
    expect((await weir('ps')).stdout).toMatch(/running +- +slow +front +webhook/);
    expect((await weir('rm', 'slow', '--run-id', 'front')).code).toBe(1);
    expect((await weir('start', 'hello')).code).toBe(0);
    expect((await weir('stop', 'slow')).stdout).toBe('slow front: asked to stop\n');
    expect((await child.exited).code).toBe(1);
    expect(child.stdout()).toContain('slow front: aborted');
    await home.remove();
  }, 60_000);
});
