import { readFileSync } from 'node:fs';
import { endProcessesOf } from './end-processes-of';
import { spawnProcess } from './spawn-process';
import { temporaryFolder } from './temporary-folder';

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('endProcessesOf', () => {
  it('ends processes that a killed process has left behind, and none of other folders', async () => {
    const [home, other] = [temporaryFolder(), temporaryFolder()];
    const loop = 'while :; do sleep 0.2; done';
    const shell = (script: string, folder: string) =>
      spawnProcess({ command: '/bin/sh', args: ['-c', script], env: { HOME: folder } });
    const parent = await shell(`sh -c '${loop}' >/dev/null 2>&1 & echo "left $!;"; wait`, home.path);
    const neighbour = await shell(loop, other.path);
    await parent.waitForOutput(/left \d+;/);
    const left = Number(/left (\d+);/.exec(parent.stdout())?.[1]);
    await parent.stop({ signal: 'SIGKILL' });
    expect(process.kill(left, 0)).toBe(true);

    await endProcessesOf(home.path);

    expect(() => readFileSync(`/proc/${left}/environ`)).toThrow();
    expect(neighbour.isRunning()).toBe(true);
    await neighbour.stop();
    await Promise.all([home.remove(), other.remove()]);
  });
});
