import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';

const root = path.resolve(__dirname, '../..');
const dag = `steps:
  - id: count
    run: 'echo "{\\"n\\": 3}"'
    stdout: {outputs: {fields: {n: {decode: json, select: .n}}}}
  - id: query
    action: sqlite.query
    with: {dsn: ./numbers.db, query: "select \${steps.count.outputs.n} + 1 as n"}
    depends: count
`;

/** Runs a program to its end. The home folder is empty, so nothing of this repository is found. */
function run(command: string, args: readonly string[], home: TemporaryFolder) {
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`, HOME: home.path };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: home.path,
    env,
    encoding: 'utf8',
    timeout: 300_000,
  });
  return { status, stdout, output: stdout + stderr };
}

describe('pack-app', () => {
  let home: TemporaryFolder;
  beforeAll(() => {
    home = temporaryFolder();
    for (const app of ['workflow-api', 'rollout-proxy']) {
      const packed = spawnSync(process.execPath, ['tools/scripts/pack-app.mjs', `apps/${app}`, home.path], {
        cwd: root,
        encoding: 'utf8',
        timeout: 300_000,
      });
      expect(packed).toMatchObject({ status: 0, stderr: '' });
      // The settings and the cache of npm are those with which this repository was installed.
      const args = ['install', '--global', '--prefix', home.file(app), packed.stdout.trim(), '--prefer-offline'];
      const installed = spawnSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], {
        encoding: 'utf8',
        timeout: 300_000,
      });
      expect(installed.status).toBe(0);
    }
  });
  afterAll(() => home.remove());
  const weir = () => home.file('workflow-api', 'bin', 'weir');

  it('makes a package of the workflow server that executes a run where nothing else is installed', () => {
    writeFileSync(home.file('numbers.yaml'), dag);
    expect(run(weir(), ['version'], home)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
    const { status, output } = run(weir(), ['start', home.file('numbers.yaml')], home);
    expect(output).toContain('query: succeeded');
    expect(status).toBe(0);
  });

  it('makes a package of the workflow server that serves the API and the web interface', async () => {
    const server = await spawnProcess({
      command: process.execPath,
      args: [home.file('workflow-api', 'lib', 'node_modules', '@weir', 'workflow-api', 'dist', 'main.js'), 'start-all'],
      env: { HOME: home.path, WEIR_PORT: '0' },
      deadlineMs: 120_000,
    });
    const [, address = ''] = await waitFor(() => /Weir is up: (\S+)/.exec(server.stdout()), { what: 'the server' });
    const health = await fetch(`${address}/health`);
    expect(await health.json()).toMatchObject({ status: 'healthy' });
    const page = await fetch(new URL('/', address));
    expect(await page.text()).toContain('<div id="root">');
    await server.stop();
  });

  it('makes a package with the licences of what it bundles, and lists that for the bill of materials', () => {
    const dist = home.file('workflow-api', 'lib', 'node_modules', '@weir', 'workflow-api', 'dist');
    const names = (
      JSON.parse(readFileSync(path.join(dist, 'packages.json'), 'utf8')) as { readonly name: string }[]
    ).map(({ name }) => name);
    // The packages are of the program, of one of its entry points, and of the web interface.
    expect(names).toEqual(expect.arrayContaining(['zod', 'express', 'ajv', 'react']));
    const licences = readFileSync(path.join(dist, 'LICENSES.txt'), 'utf8');
    expect(names.filter((name) => !licences.includes(`${name} `))).toEqual([]);
    const listed = spawnSync(process.execPath, ['tools/scripts/list-packages.mjs', 'apps/workflow-api'], {
      cwd: root,
      encoding: 'utf8',
    });
    const all = JSON.parse(listed.stdout) as {
      readonly name: string;
      readonly version?: string;
      readonly license?: string;
    }[];
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['zod', 'react', 'better-sqlite3', '@prisma/client', '@node-rs/argon2']),
    );
    // Its manifest names no licence; its text says MIT.
    expect(all.filter(({ version, license }) => !version || license === 'unknown').map(({ name }) => name)).toEqual([
      'pause',
    ]);
  });

  it('gives the same bytes each time', () => {
    const args = ['tools/scripts/pack-app.mjs', 'apps/rollout-proxy', home.file('again')];
    const again = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).stdout.trim();
    expect(readFileSync(again).equals(readFileSync(home.file(path.basename(again))))).toBe(true);
  });

  it('makes a package of the proxy that starts without the embedded engine', () => {
    const proxy = home.file('rollout-proxy', 'bin', 'rollout-proxy');
    expect(run(proxy, ['--version'], home)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
    expect(run(proxy, ['--help'], home).stdout).toContain('ROLLOUT_ENGINE');
  });
});
