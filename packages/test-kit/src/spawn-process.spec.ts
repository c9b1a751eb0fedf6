import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { spawnProcess, type SpawnProcessOptions } from './spawn-process';
import { temporaryFolder } from './temporary-folder';
import { waitFor } from './wait-for';

const node = (script: string, options: Partial<SpawnProcessOptions> = {}) =>
  spawnProcess({ command: process.execPath, args: ['-e', script], ...options });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('spawnProcess', () => {
  it('collects both streams and the exit code', async () => {
    const child = await node('console.log("out"); console.error("err"); process.exitCode = 3');
    await expect(child.exited).resolves.toEqual({ code: 3, signal: null });
    expect(child.stdout()).toBe('out\n');
    expect(child.stderr()).toBe('err\n');
    expect(child.isRunning()).toBe(false);
  });

  it('passes on the given environment only, and the folder of compiled code to Node', async () => {
    const child = await node('console.log(Object.keys(process.env).sort().join())', { env: { WEIR_PORT: '0' } });
    await child.exited;
    expect(child.stdout()).toBe('NODE_COMPILE_CACHE,PATH,WEIR_PORT\n');
  });

  it('rejects for a missing program', async () => {
    await expect(spawnProcess({ command: '/nowhere/program' })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('waits for output, and reports the actual output when the process ends first', async () => {
    const child = await node('setTimeout(() => console.log("ready on 1234"), 20); setInterval(() => {}, 1000)');
    await child.waitForOutput(/ready on \d+/);
    await child.stop();

    const failing = await node('console.error("no such file")');
    await expect(failing.waitForOutput('ready')).rejects.toThrow(/ended before.*\nno such file/);
  });

  it('stops with the requested signal, and with SIGKILL when that is ignored', async () => {
    const obedient = await node('setInterval(() => {}, 1000)');
    await expect(obedient.stop({ signal: 'SIGINT' })).resolves.toEqual({ code: null, signal: 'SIGINT' });

    const stubborn = await node('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
    await stubborn.waitForOutput('up');
    await expect(stubborn.stop({ deadlineMs: 50 })).resolves.toEqual({ code: null, signal: 'SIGKILL' });
    await expect(stubborn.stop()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('kills a process that outlives its deadline', async () => {
    const child = await node('setInterval(() => {}, 1000)', { deadlineMs: 100 });
    await expect(child.exited).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('leaves neither process nor folder behind when the test process itself is killed', async () => {
    const folder = temporaryFolder();
    const script = folder.file('test-run.ts');
    await writeFile(
      script,
      `import { spawnProcess, temporaryFolder } from ${JSON.stringify(__dirname)};
       void (async () => {
         const folder = temporaryFolder();
         const child = await spawnProcess({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] });
         console.log(JSON.stringify({ pid: child.pid, path: folder.path }) + ';');
       })();`,
    );
    const args = ['--conditions=@weir/source', '--import', 'tsx', script];
    const testRun = await spawnProcess({ command: process.execPath, args });
    await testRun.waitForOutput(';', 20_000);
    const left = JSON.parse(testRun.stdout().split(';')[0] ?? '') as { pid: number; path: string };
    expect(isAlive(left.pid) && existsSync(left.path)).toBe(true);

    await testRun.stop({ signal: 'SIGKILL' });
    await waitFor(() => !isAlive(left.pid) && !existsSync(left.path), { what: 'the watchdog to clean up' });
    await folder.remove();
  });
});
