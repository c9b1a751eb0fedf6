import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface Usage {
  /** The user and system time of the process and of those that it waited for. */
  readonly cpuSeconds: number;
  /** The largest resident size of any of these processes. */
  readonly maxMegabytes: number;
}

/** Node cannot ask what a child has used. */
const script = `
import json, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True, timeout=120)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"cpuSeconds": used.ru_utime + used.ru_stime, "maxMegabytes": used.ru_maxrss / 1000}))
`;

const rounds = 5;

/** The middle one of five measurements; what comes before them fills caches. Throws when the command fails. */
export function measureCommand(command: readonly string[], env: NodeJS.ProcessEnv): Usage {
  const measure = (): Usage => {
    return JSON.parse(execFileSync('python3', ['-c', script, ...command], { env, encoding: 'utf8' })) as Usage;
  };
  measure();
  const found = Array.from({ length: rounds }, measure);
  const middle = (read: (usage: Usage) => number): number =>
    found.map(read).sort((left, right) => left - right)[(rounds - 1) / 2] ?? Number.NaN;
  return { cpuSeconds: middle((each) => each.cpuSeconds), maxMegabytes: middle((each) => each.maxMegabytes) };
}

/** Sums the files of a folder without following links. */
export function folderMegabytes(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const found = lstatSync(path.join(folder, name));
    return found.isFile() ? found.size : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
