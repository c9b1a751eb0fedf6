import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { lockFolder } from './folder-lock';

describe('the lock of a folder', () => {
  const root = temporaryFolder();
  const started: ChildProcess[] = [];
  /** A folder that a process with this number has locked. */
  const lockedBy = (name: string, pid: number | undefined): string => {
    mkdirSync(root.file(name));
    writeFileSync(root.file(`${name}/lock`), String(pid));
    return root.file(name);
  };
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await root.remove();
  });

  it('keeps others out while its process runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    started.push(child);
    const folder = lockedBy('running', child.pid);
    await expect(lockFolder(folder)).rejects.toMatchObject({ reason: 'data_folder_in_use' });
  });

  it('is void after the end of its process, and is acquired by only one of its contenders', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    const folder = lockedBy('stale', child.pid);
    const lock = await lockFolder(folder);
    expect(readFileSync(root.file('stale/lock'), 'utf8')).toBe(String(process.pid));
    await lock.stop();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is ignored when its process has ended without being reaped', async () => {
    if (process.platform !== 'linux') return;
    // The shell becomes a program that never asks for its children, and only then its child may end.
    const script = 'cat <&3 & echo $!; exec sleep 60 3<&-';
    const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    started.push(parent);
    if (parent.stdout === null) throw new TypeError('The output of the shell is a pipe.');
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString().trim());
    const isSleeping = () => readFileSync(`/proc/${parent.pid ?? 0}/comm`, 'utf8') === 'sleep\n';
    await waitFor(isSleeping, { what: 'the shell to become the program' });
    parent.stdio[3]?.destroy();
    await waitFor(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '), { what: 'the process to end' });
    const lock = await lockFolder(lockedBy('defunct', pid));
    await lock.stop();
  });

  it('fails with a clear error if the folder is not writable', async () => {
    writeFileSync(root.file('file'), '');
    await expect(lockFolder(root.file('file'))).rejects.toMatchObject({ reason: 'data_folder_unusable' });
  });
});
