import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const deadlineMs = 20_000;

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Run {
  child: ChildProcess;
  /** Waits until standard output holds the text. */
  prints: (text: string) => Promise<void>;
  finished: Promise<Finished>;
}

/** A checkout of nothing but the set-up scripts, with a stand-in for npm, in a temporary folder. */
export interface SetupWorkspace {
  folder: string;
  write: (file: string, text: string) => void;
  remove: (file: string) => void;
  /** The calls of npm and Nx. */
  calls: () => string[];
  run: (script: string, ...args: string[]) => Run;
  stop: () => Promise<void>;
}

async function within<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} took longer than ${deadlineMs} ms`));
    }, deadlineMs);
  });
  return Promise.race([promise, deadline]).finally(() => {
    clearTimeout(timer);
  });
}

/** Waits for a condition that no event announces. */
export async function until(what: string, isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(`${what} took longer than ${deadlineMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function follow(child: ChildProcess): Run {
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      output[stream] += chunk;
    });
  }
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    child,
    prints: (text) => until(`printing "${text}"`, () => output.stdout.includes(text)),
    finished: within('the script', closed).then(([code, signal]) => ({ code, signal, ...output })),
  };
}

/** `findPrograms` names the folders of PATH besides that of the stand-in for npm; by default those of this process. */
export function createSetupWorkspace(
  findPrograms: (folder: string) => string | undefined = () => process.env.PATH,
): SetupWorkspace {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-setup-'));
  const programs = path.join(folder, 'npm');
  const children = new Set<ChildProcess>();
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };

  cpSync(__dirname, path.join(folder, 'tools/setup'), { recursive: true });
  cpSync(path.join(__dirname, '__fixtures__/npm-cli.cjs'), path.join(programs, 'npm'));
  chmodSync(path.join(programs, 'npm'), 0o755);
  cpSync(path.join(__dirname, '../../package.json'), path.join(folder, 'package.json'));
  write('package-lock.json', JSON.stringify({ packages: {} }));

  return {
    folder,
    write,
    remove: (file) => {
      rmSync(path.join(folder, file), { recursive: true });
    },
    calls: () => {
      const file = path.join(folder, 'calls.txt');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    },
    run: (script, ...args) => {
      const child = spawn(process.execPath, [path.join(folder, 'tools/setup', script), ...args], {
        cwd: folder,
        env: { PATH: [programs, findPrograms(folder)].join(path.delimiter) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.add(child);
      return follow(child);
    },
    stop: async () => {
      for (const child of children) {
        if (child.exitCode === null && child.signalCode === null) {
          const closed = once(child, 'close');
          child.kill('SIGKILL');
          await within('stopping', closed);
        }
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
