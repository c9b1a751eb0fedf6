import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface Usage {
  /** The user and system time of the process and of those that it waited for. */
  readonly cpuSeconds: number;
  /** Until the end of the process. */
  readonly seconds: number;
  /** The largest resident size of any of these processes. */
  readonly maxMegabytes: number;
}

/** Node cannot ask what a child has used. */
const script = `
import json, resource, subprocess, sys, time
began = time.monotonic()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True, timeout=120)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = time.monotonic() - began
print(json.dumps({"cpuSeconds": used.ru_utime + used.ru_stime, "seconds": seconds, "maxMegabytes": used.ru_maxrss / 1000}))
`;

const rounds = 5;

/** The middle one of five measurements; what comes before them fills caches. Throws when the command fails. */
export function measureCommand(command: readonly string[], env: NodeJS.ProcessEnv): Usage {
  const measure = () => measureOnce(command, env);
  measure();
  return middleUsage(Array.from({ length: rounds }, measure));
}

/** Throws when the command fails. */
export function measureOnce(command: readonly string[], env: NodeJS.ProcessEnv): Usage {
  return JSON.parse(execFileSync('python3', ['-c', script, ...command], { env, encoding: 'utf8' })) as Usage;
}

/** The middle of each value. */
export function middleUsage(found: readonly Usage[]): Usage {
  const middle = (read: (usage: Usage) => number): number =>
    found.map(read).sort((left, right) => left - right)[found.length >> 1] ?? Number.NaN;
  return {
    cpuSeconds: middle((each) => each.cpuSeconds),
    seconds: middle((each) => each.seconds),
    maxMegabytes: middle((each) => each.maxMegabytes),
  };
}

/** Sums the files of a folder without following links. */
export function folderMegabytes(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const found = lstatSync(path.join(folder, name));
    return found.isFile() ? found.size : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
