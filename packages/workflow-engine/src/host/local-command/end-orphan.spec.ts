import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endOrphan } from './end-orphan';
import { endProcessGroup, isGroupAlive } from './process-group';
import { processIdentity } from './process-identity';

const graceMs = 100;
let children: ChildProcess[] = [];

afterEach(async () => {
  for (const { pid } of children) await endProcessGroup(pid ?? 0, graceMs);
  children = [];
});

/** A leader with a child, both up and both deaf to SIGTERM. */
const anOrphan = async () => {
  const script = 'trap "" TERM; sh -c "echo up; while :; do sleep 0.05; done" & wait';
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(10_000) });
  const identity = await processIdentity(child.pid ?? 0);
  if (identity === undefined) throw new Error('the process is not there');
  return identity;
};

describe('endOrphan', () => {
  it('ends the whole group of the process', async () => {
    const orphan = await anOrphan();

    expect(await endOrphan(orphan, graceMs)).toBe('ended');
    expect(isGroupAlive(orphan.pid)).toBe(false);
  });

  it('spares another process with the same number', async () => {
    const orphan = await anOrphan();

    expect(await endOrphan({ ...orphan, startedAt: 'an-earlier-boot:1' }, graceMs)).toBe('gone');
    expect(isGroupAlive(orphan.pid)).toBe(true);
  });

  it.each([0, 1, -1, 2 ** 22 + 1])('finds nothing to end under the number %d', async (pid) => {
    expect(await endOrphan({ pid, startedAt: 'boot:1' }, graceMs)).toBe('gone');
  });
});

describe('processIdentity', () => {
  it('is the same at each reading', async () => {
    expect(await processIdentity(process.pid)).toEqual(await processIdentity(process.pid));
  });

  it('is missing for a number without a process', async () => {
    expect(await processIdentity(2 ** 22 + 1)).toBeUndefined();
  });
});
