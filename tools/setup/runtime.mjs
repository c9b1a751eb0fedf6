// The Node that everything runs under: the machine's own when it is new enough, else one from npm in `.runtime`.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runQuietly } from './command.mjs';
import { withLock } from './lock.mjs';
import { npmCommand, npmEnvironment } from './npm.mjs';
import { phase } from './progress.mjs';
import { root, runtimeFolder, SetupError } from './workspace.mjs';

const oldest = [22, 16];
const packages = JSON.parse(readFileSync(path.join(root, 'tools/setup/runtime-packages.json'), 'utf8'));

const isNewEnough = (version) => {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
};

// Without Nx Cloud, its daemon and every kind of usage report, whatever the machine's own settings say.
const calm = {
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  NX_CACHE_DIRECTORY: path.join(root, '.nx/cache'),
  CHECKPOINT_DISABLE: '1',
  DO_NOT_TRACK: '1',
};

function environmentWith(folder) {
  const env = { ...npmEnvironment(process.env), ...calm };
  // Nx turns colours on for its children even when its output is a file.
  if (!process.stdout.isTTY) env.FORCE_COLOR ??= '0';
  if (!folder) return env;
  // Windows spells it `Path`, and two spellings in one environment hide each other.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  env[name] = [path.join(folder, 'bin'), env[name]].filter(Boolean).join(path.delimiter);
  // A person's npm may name the headers of the old Node; an addon built with those would not load.
  env.npm_config_nodedir = folder;
  return env;
}

/** The version that the binary prints, or undefined when it does not run here. */
async function versionOf(binary) {
  if (!existsSync(binary)) return undefined;
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 10_000 });
    return stdout.trim();
  } catch {
    // It does not run here, which is all the caller asks.
    return undefined;
  }
}

// A lockfile of its own pins the content and not only the version.
function writeRuntimeManifest({ name, version, integrity }) {
  const manifest = { name: 'weir-runtime', version: '1.0.0', private: true, dependencies: { [name]: version } };
  const lock = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, [`node_modules/${name}`]: { version, integrity } },
  };
  mkdirSync(runtimeFolder, { recursive: true });
  writeFileSync(path.join(runtimeFolder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(path.join(runtimeFolder, 'package-lock.json'), JSON.stringify(lock, null, 2));
}

async function install(wanted, binary) {
  writeRuntimeManifest(wanted);
  const args = ['ci', '--ignore-scripts', '--no-workspaces', '--prefix', runtimeFolder];
  await runQuietly(npmCommand(process.execPath, args), {
    env: npmEnvironment(process.env),
    cwd: runtimeFolder,
    log: 'runtime',
    what: `bringing in Node ${wanted.version}`,
  });
  const found = await versionOf(binary);
  if (found !== `v${wanted.version}`) {
    throw new SetupError(
      `Node ${wanted.version} from the package ${wanted.name} does not run here; install Node 22.16 or newer yourself`,
    );
  }
}

/** Gives the node binary and the environment that every child runs with. */
export async function ensureRuntime() {
  if (isNewEnough(process.version)) return { node: process.execPath, version: process.version, env: environmentWith() };
  const platform = `${process.platform}-${process.arch}`;
  const wanted = packages[platform];
  if (!wanted) {
    throw new SetupError(
      `Node ${process.version} is too old and none is known for ${platform}; install Node 22.16 or newer yourself`,
    );
  }
  const folder = path.join(runtimeFolder, 'node_modules', wanted.name);
  const node = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const isReady = async () => (await versionOf(node)) === `v${wanted.version}`;
  if (!(await isReady())) {
    await withLock(async () => {
      if (await isReady()) return;
      await phase(`bringing in Node ${wanted.version}, this machine has ${process.version}`, () =>
        install(wanted, node),
      );
    });
  }
  return { node, version: `v${wanted.version}`, env: environmentWith(folder) };
}
