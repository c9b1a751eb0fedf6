import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, runPage, spawnProcess, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { packageFile, type Product } from './artefacts';
import { folderMegabytes, measureCommand } from './measure';
import type { Reading } from './table';

export interface TryOptions {
  readonly root: string;
  /** The folder of the artefacts. */
  readonly output: string;
  /** The binary of the Node that the packages are tried with. */
  readonly node: string;
}

interface Installed {
  readonly program: string;
  readonly readings: readonly Reading[];
}

const oneStep = 'steps: [{name: only, run: "true"}]\n';

/** Installs both packages into empty folders and goes through the first screens of their pages. Throws where one fails. */
export async function tryPackages(options: TryOptions): Promise<readonly Reading[]> {
  const home = temporaryFolder('weir-release-');
  try {
    return [...(await tryServer(options, home)), ...(await tryProxy(options, home))];
  } finally {
    await home.remove();
  }
}

async function tryServer(options: TryOptions, home: TemporaryFolder): Promise<readonly Reading[]> {
  const { program, readings } = install('workflow-api', options, home);
  const { node, root } = options;
  const env = { PATH: process.env.PATH, HOME: home.path, WEIR_SKIP_EXAMPLES: 'true' };
  writeFileSync(home.file('one.yaml'), oneStep);
  const version = measureCommand([node, program, 'version'], env);
  const start = measureCommand([node, program, 'start', home.file('one.yaml')], env);
  await tryFirstScreen(options, program);
  await tryPage(options, 'docs/guide/first-workflow.md', { weir: program }, 'WEIR_PORT', 8080);
  const healthSeconds = await untilHealthy({ node, args: [program, 'start-all'], portName: 'WEIR_PORT', home });
  return [
    ...readings,
    { what: 'server: first answer of `/health`', value: healthSeconds, unit: 's', goal: 0.6 },
    { what: '`weir version`: processor time', value: version.cpuSeconds, unit: 's', goal: 0.12 },
    { what: '`weir version`: memory', value: version.maxMegabytes, unit: 'MB', goal: 60 },
    { what: '`weir start` of one step: processor time', value: start.cpuSeconds, unit: 's', goal: 0.3 },
    { what: '`weir start` of one step: memory', value: start.maxMegabytes, unit: 'MB', goal: 100 },
  ];

  /** Follows the page of the server from its start over the set-up of the first admin to the log of a step. */
  async function tryFirstScreen({ node: binary }: TryOptions, file: string): Promise<void> {
    const port = String(await freePort());
    const page = path.join(root, 'apps/workflow-api/README.md');
    const { code, stdout, stderr } = await runPage({
      page,
      programs: { weir: file },
      node: binary,
      env: { WEIR_PORT: port },
      replace: {
        'npm install --global ./weir-workflow-api.tgz\nweir start-all\n': `weir start-all &\ncurl -sf --retry 20 --retry-all-errors --retry-delay 1 http://127.0.0.1:${port}/health\n`,
        // A process that is left running would keep the shell waiting.
        '/steps/report/log -H "Authorization: Bearer $TOKEN"\n':
          '/steps/report/log -H "Authorization: Bearer $TOKEN"\nkill %1\n',
        '127.0.0.1:8080': `127.0.0.1:${port}`,
      },
    });
    if (code !== 0 || !stdout.includes('3 prices, 13.20 in all')) {
      throw new Error(`The first screen of ${page} ended with ${code}:\n${stdout}${stderr}`);
    }
  }
}

async function tryProxy(options: TryOptions, home: TemporaryFolder): Promise<readonly Reading[]> {
  const { program, readings } = install('rollout-proxy', options, home);
  const { node, root } = options;
  execFileSync(node, [program, '--help'], { env: { HOME: home.path }, encoding: 'utf8' });
  // The engine is optional. It is the one of this checkout, as if it were installed beside the proxy.
  const modules = path.resolve(path.dirname(program), '../../..');
  symlinkSync(path.join(root, 'node_modules/node-llama-cpp'), path.join(modules, 'node-llama-cpp'));
  await tryPage(options, 'docs/guide/first-episode.md', { 'rollout-proxy': program }, 'ROLLOUT_PORT', 8090);
  const healthSeconds = await untilHealthy({ node, args: [program], portName: 'ROLLOUT_PORT', home });
  return [
    ...readings,
    { what: 'proxy with a model: first answer of `/health`', value: healthSeconds, unit: 's', goal: 0.6 },
  ];
}

/** Works like `npm install --global` into a separate prefix. */
function install(product: Product, { output, node }: TryOptions, home: TemporaryFolder): Installed {
  const prefix = home.file(product);
  const since = performance.now();
  execFileSync(
    'npm',
    [
      'install',
      '--global',
      '--prefix',
      prefix,
      packageFile(product, output),
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { env: { ...process.env, PATH: `${path.dirname(node)}:${process.env.PATH ?? ''}` }, stdio: 'pipe' },
  );
  const seconds = (performance.now() - since) / 1000;
  const name = product === 'workflow-api' ? 'server' : 'proxy';
  return {
    program: path.join(prefix, 'lib/node_modules/@weir', product, 'dist/main.js'),
    readings: [
      {
        what: `${name}: installed`,
        value: folderMegabytes(prefix),
        unit: 'MB',
        ...(name === 'server' && { goal: 60 }),
      },
      { what: `${name}: installation`, value: seconds, unit: 's', ...(name === 'server' && { goal: 10 }) },
    ],
  };
}

async function tryPage(
  { root, node }: TryOptions,
  page: string,
  programs: Readonly<Record<string, string>>,
  portName: string,
  documentedPort: number,
): Promise<void> {
  const port = String(await freePort());
  const { code, stdout, stderr } = await runPage({
    page: path.join(root, page),
    programs,
    node,
    env: { [portName]: port },
    replace: { [`127.0.0.1:${documentedPort}`]: `127.0.0.1:${port}` },
  });
  if (code !== 0) throw new Error(`${page} ended with ${code}:\n${stdout}${stderr}`);
}

interface HealthOptions {
  readonly node: string;
  readonly args: readonly string[];
  readonly portName: string;
  readonly home: TemporaryFolder;
}

/** The middle of three starts: the seconds from the start of the process to its first healthy answer. */
async function untilHealthy({ node, args, portName, home }: HealthOptions): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const port = String(await freePort());
    const since = performance.now();
    // Under its own name of Node, so that its compiled code is stored in the home folder, as for everyone.
    const server = await spawnProcess({ command: node, args, env: { HOME: home.path, [portName]: port } });
    while (!(await isHealthy(port))) if (!server.isRunning()) throw new Error(`It ended: ${server.stderr()}`);
    found.push((performance.now() - since) / 1000);
    await server.stop();
  }
  return found.sort((left, right) => left - right)[1] ?? Number.NaN;
}

async function isHealthy(port: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return false;
  }
}
