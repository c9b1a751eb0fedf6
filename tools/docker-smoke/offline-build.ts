import { cpSync, existsSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Engine } from './engine';
import { expectCommand } from './run-command';

const cacheFolder = 'tools/docker-smoke/npm-cache';

const leftOut = ['man', 'info', 'locale', 'doc', 'lintian', 'groff'].map(
  (folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`,
);

/** Debian as its slim image has it: mmdebstrap would leave Perl, which only the move of old systems to `/usr` needs. */
const slim = [
  '--variant=minbase',
  '--include=usr-is-merged',
  '--customize-hook=chroot "$1" apt-get --yes --allow-remove-essential purge usrmerge "libperl*" "perl-modules*" >&2',
];

/** The packages of the image for programs of C++ without a shell. */
export const withoutShell = [
  '--variant=extract',
  '--include=base-files,ca-certificates,libc6,libgcc-s1,libssl3,libstdc++6,netbase,tzdata',
];

/** The build arguments of an app's Dockerfile. */
export type BuildArguments = Readonly<Record<'workflow-api' | 'rollout-proxy', readonly string[]>>;

/** Build arguments that let the Dockerfiles run where nothing can be downloaded. The images' names begin with `base`. */
export async function prepareOfflineBuild(engine: Engine, context: string, base: string): Promise<BuildArguments> {
  const folder = path.dirname(context);
  await importDebian(engine, folder, { image: base, options: await nodeOptions() });
  await importDebian(engine, folder, { image: `${base}-slim`, options: slim });
  await importDebian(engine, folder, { image: `${base}-cc`, options: withoutShell });
  const registry = await fillCache(context);
  const toArguments = (runtime: string) =>
    [
      `BASE=${base}`,
      `RUNTIME=${runtime}`,
      'NPM_CONFIG_OFFLINE=true',
      `NPM_CONFIG_CACHE=/weir/${cacheFolder}`,
      // npm files what it has downloaded under the address that it came from.
      `NPM_CONFIG_REGISTRY=${registry}`,
    ].flatMap((argument) => ['--build-arg', argument]);
  return { 'workflow-api': toArguments(`${base}-slim`), 'rollout-proxy': toArguments(`${base}-cc`) };
}

/** Debian, the Node that runs this script, and its npm. */
async function nodeOptions(): Promise<readonly string[]> {
  const npm = npmFolder(await expectCommand(['npm', 'root', '--global']));
  return [
    '--variant=minbase',
    '--include=libstdc++6,ca-certificates,binutils',
    '--customize-hook=mkdir -p "$1/usr/local/lib/node_modules"',
    `--customize-hook=copy-in ${realpathSync(process.execPath)} /usr/local/bin`,
    `--customize-hook=copy-in ${npm} /usr/local/lib/node_modules`,
    '--customize-hook=ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
  ];
}

export interface DebianImage {
  readonly image: string;
  /** Options of mmdebstrap. */
  readonly options: readonly string[];
  /** Instructions of a Dockerfile. */
  readonly instructions?: readonly string[];
}

/** Makes an image of Debian's packages. `folder` is for what is made on the way. */
export async function importDebian(
  engine: Engine,
  folder: string,
  { image, options, instructions = [] }: DebianImage,
): Promise<void> {
  const archive = path.join(folder, 'image.tar');
  await expectCommand(['mmdebstrap', '--quiet', ...options, ...leftOut, 'bookworm', archive], { timeoutMs: 600_000 });
  const changes = instructions.flatMap((instruction) => ['--change', instruction]);
  const { code, stderr } = await engine.docker(['import', ...changes, archive, image], { timeoutMs: 300_000 });
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
