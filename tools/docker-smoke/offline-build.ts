import { cpSync, existsSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Engine } from './engine';
import { expectCommand } from './run-command';

const cacheFolder = 'tools/docker-smoke/npm-cache';

/** Build arguments that let the Dockerfile run where nothing can be downloaded. */
export async function prepareOfflineBuild(engine: Engine, context: string, base: string): Promise<readonly string[]> {
  const runtime = `${base}-runtime`;
  await importBase(engine, context, base);
  await importRuntime(engine, context, runtime);
  const registry = await fillCache(context);
  return [
    `BASE=${base}`,
    `RUNTIME=${runtime}`,
    'NPM_CONFIG_OFFLINE=true',
    `NPM_CONFIG_CACHE=/weir/${cacheFolder}`,
    // npm files what it has downloaded under the address that it came from.
    `NPM_CONFIG_REGISTRY=${registry}`,
  ].flatMap((argument) => ['--build-arg', argument]);
}

/** Debian, the Node that runs this script, and its npm: what the official image consists of. */
async function importBase(engine: Engine, context: string, image: string): Promise<void> {
  const npm = npmFolder(await expectCommand(['npm', 'root', '--global']));
  await importDebian(engine, context, image, [
    '--include=libstdc++6,ca-certificates',
    '--customize-hook=mkdir -p "$1/usr/local/lib/node_modules"',
    `--customize-hook=copy-in ${realpathSync(process.execPath)} /usr/local/bin`,
    `--customize-hook=copy-in ${npm} /usr/local/lib/node_modules`,
    '--customize-hook=ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
  ]);
}

/** Debian without what its slim image leaves out. */
async function importRuntime(engine: Engine, context: string, image: string): Promise<void> {
  const leftOut = ['man', 'info', 'locale', 'doc', 'lintian'];
  const options = leftOut.map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`);
  await importDebian(engine, context, image, options);
}

async function importDebian(engine: Engine, context: string, image: string, options: readonly string[]): Promise<void> {
  const archive = path.join(path.dirname(context), 'image.tar');
  await expectCommand(['mmdebstrap', '--quiet', '--variant=minbase', ...options, 'bookworm', archive], {
    timeoutMs: 600_000,
  });
  const { code, stderr } = await engine.docker(['import', archive, image], { timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`the image of Debian could not be imported: ${stderr}`);
  rmSync(archive);
}

function npmFolder(globalFolder: string): string {
  const candidates = [path.join(globalFolder, 'npm'), '/usr/lib/node_modules/npm', '/usr/share/nodejs/npm'];
  const found = candidates.find((folder) => existsSync(path.join(folder, 'bin/npm-cli.js')));
  if (found === undefined) throw new Error('the folder of npm was not found');
  return realpathSync(found);
}

/** Downloads what the lockfile names into the build context; gives the registry it came from. */
async function fillCache(context: string): Promise<string> {
  const scratch = path.join(path.dirname(context), 'install');
  cpSync(context, scratch, { recursive: true });
  const cache = path.join(context, cacheFolder);
  await expectCommand(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', cache], {
    cwd: scratch,
    timeoutMs: 600_000,
  });
  rmSync(scratch, { recursive: true });
  return expectCommand(['npm', 'config', 'get', 'registry']);
}
