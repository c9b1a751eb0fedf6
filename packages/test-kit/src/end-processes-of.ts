import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from './wait-for';

/**
 * Ends the processes whose environment names the folder, such as the steps of a server that was killed: otherwise a
 * loop among them would keep running beside all later specs. Reads /proc, so it ends nothing on systems without it.
 */
export async function endProcessesOf(folder: string): Promise<void> {
  // A process that is found may have started another one since.
  const noneIsLeft = () => processesOf(folder).filter(end).length === 0;
  await waitFor(noneIsLeft, { what: `the processes of ${folder} to end` });
}

function processesOf(folder: string): readonly number[] {
  return processIds().filter((pid) => pid !== process.pid && environmentOf(pid).includes(folder));
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // It has ended, or is of another user.
    return '';
  }
}

/** Whether it was still there. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
