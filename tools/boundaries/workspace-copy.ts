import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../..');
const stepLimitMs = 600_000;
const skipped = new Set(['node_modules', 'out-tsc', '.composed']);

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** A copy of this repository's sources in a temporary folder that shares the installed packages. */
export interface WorkspaceCopy {
  readonly folder: string;
  /** Runs an installed tool or a script with Node; the working folder is relative to the copy. */
  run(file: string, args: readonly string[], workingFolder?: string): Promise<CommandResult>;
  remove(): void;
}

export function copyWorkspace(): WorkspaceCopy {
  // The real path is used: tools compare paths, and the temporary folder may be behind a link.
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'weir-boundaries-')));
  copySources(folder);
  linkPackages(folder);
  const link = (name: string, place: string): void => {
    symlinkSync(path.join(folder, place), path.join(folder, 'node_modules/@weir', name), 'junction');
  };
  for (const place of projectFolders(folder)) link(path.basename(place), place);
  link('tools', 'tools');
  return {
    folder,
    run: (file, args, workingFolder = '.') => run(folder, file, args, workingFolder),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function copySources(folder: string): void {
  const files = [
    'package.json',
    'nx.json',
    'tsconfig.base.json',
    'jest.config.cjs',
    'jest.preset.js',
    'oxlint.config.mts',
    '.gitignore',
    // Nx reads from it which npm packages exist.
    'package-lock.json',
  ];
  for (const file of files) cpSync(path.join(root, file), path.join(folder, file));
  for (const part of ['packages', 'apps', 'tools']) {
    cpSync(path.join(root, part), path.join(folder, part), {
      recursive: true,
      // The compiler takes what is built and up to date; it compares times.
      preserveTimestamps: true,
      filter: (source) => !skipped.has(path.basename(source)),
    });
  }
}

/**
 * npm packages come from the checkout, our own from the copy: two copies of one source would be two different types.
 */
function linkPackages(folder: string): void {
  const installed = path.join(root, 'node_modules');
  const target = path.join(folder, 'node_modules');
  mkdirSync(path.join(target, '@weir'), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== '@weir') symlinkSync(path.join(installed, name), path.join(target, name), 'junction');
  }
  // Versions that npm installs in the one project that requires them.
  for (const place of projectFolders(folder)) {
    const own = path.join(root, place, 'node_modules');
    if (existsSync(own)) symlinkSync(own, path.join(folder, place, 'node_modules'), 'junction');
  }
}

function projectFolders(folder: string): readonly string[] {
  const groups = ['packages', 'apps'];
  return groups.flatMap((group) => readdirSync(path.join(folder, group)).map((name) => `${group}/${name}`));
}

async function run(
  folder: string,
  file: string,
  args: readonly string[],
  workingFolder: string,
): Promise<CommandResult> {
  // Nx tells its children which workspace and task they belong to; here it must find the copy.
  const isOurs = (name: string) => !name.startsWith('NX_') && name !== 'JEST_WORKER_ID' && name !== 'FORCE_COLOR';
  const inherited = Object.entries(process.env).filter(([name]) => isOurs(name));
  const env = {
    ...Object.fromEntries(inherited),
    CI: 'true',
    NO_COLOR: '1',
    NX_DAEMON: 'false',
    NX_NO_CLOUD: 'true',
    NX_TUI: 'false',
    NX_CACHE_DIRECTORY: path.join(folder, '.nx/cache'),
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [path.join(folder, file), ...args], {
      cwd: path.join(folder, workingFolder),
      env,
      timeout: stepLimitMs,
      maxBuffer: 16 * 1024 * 1024,
    });
    return { code: 0, output: `${stdout}${stderr}` };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, output: `${stdout}${stderr}` };
  }
}
