import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';

const root = path.resolve(__dirname, '../..');
const deadlineMs = 120_000;

/** Follows the instructions of a Dockerfile as far as possible without an engine. */
function readDockerfile(app: string) {
  const text = readFileSync(path.join(root, 'apps', app, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const runtime = text.slice(text.lastIndexOf('\nFROM '));
  const find = (pattern: RegExp, part = text) => pattern.exec(part)?.[1] ?? '';
  const env = [...find(/^ENV (.*)$/m, runtime).matchAll(/(\w+)=(\S+)/g)].map(
    ([, name, value]) => [name, value] as const,
  );
  return {
    context: [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) => names.split(' ')),
    stage: find(/node (tools\/scripts\/stage-app\.mjs apps\/\S+) \S+/).split(' '),
    folder: find(/^WORKDIR (.*)$/m, runtime),
    env,
    entrypoint: JSON.parse(find(/^ENTRYPOINT (.*)$/m, runtime)) as readonly string[],
    command: JSON.parse(find(/^CMD (.*)$/m, runtime) || '[]') as readonly string[],
    healthCheck: JSON.parse(find(/^HEALTHCHECK.*CMD (.*)$/m, runtime)) as readonly string[],
  };
}

describe.each([
  { app: 'workflow-api', prefix: 'WEIR_', home: 'WEIR_HOME', isUp: /Weir is up: http:\/\/[\d.]+:(\d+)/ },
  { app: 'rollout-proxy', prefix: 'ROLLOUT_', home: 'ROLLOUT_DATA_DIR', isUp: /Rollout proxy: http:\/\/[\d.]+:(\d+)/ },
])('the image of $app', ({ app, prefix, home, isUp }) => {
  const file = readDockerfile(app);
  let folder: TemporaryFolder;
  const image = () => folder.file('image');
  beforeAll(() => {
    folder = temporaryFolder();
    execFileSync(process.execPath, [...file.stage, image()], { cwd: root, timeout: deadlineMs });
  });
  afterAll(() => folder.remove());
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnProcess({ command: process.execPath, args, cwd: image(), env: { HOME: folder.path, ...env }, deadlineMs });

  it('is built from files that the context has', () => {
    const ignored = readFileSync(path.join(root, 'apps', app, 'Dockerfile.dockerignore'), 'utf8').split('\n');

    expect(file.context.length).toBeGreaterThan(4);
    const missing = file.context.filter((name) => !existsSync(path.join(root, name)) || !ignored.includes(`!${name}`));
    expect(missing).toEqual([]);
  });

  it('has a program that runs from its folder alone, with the packages that have a part for each platform', async () => {
    const { installed, optional = [] } = JSON.parse(
      readFileSync(path.join(root, 'apps', app, 'bundle.json'), 'utf8'),
    ) as {
      readonly installed: readonly string[];
      readonly optional?: readonly string[];
    };
    for (const name of [...installed, ...optional]) {
      const loaded = await run(['-e', `import(${JSON.stringify(name)}).then(() => process.exit(0))`]);
      await expect(loaded.exited).resolves.toMatchObject({ code: 0 });
    }
    const program = await run([...file.entrypoint.slice(1), '--version']);
    await expect(program.exited).resolves.toMatchObject({ code: 0 });
    expect(program.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('serves, and its health check tells whether it does', async () => {
    const own = { [home]: folder.file('state'), [`${prefix}PORT`]: '0', [`${prefix}HOST`]: '127.0.0.1' };
    const places = file.env.map(([name, value = '']) => [name, value.replace(file.folder, image())] as const);
    const env = { ...(Object.fromEntries(places) as Record<string, string>), ...own };
    const server = await run([...file.entrypoint.slice(1), ...file.command], env);
    const found = await waitFor(() => isUp.exec(server.stdout()) ?? undefined, { what: 'the server', deadlineMs });
    const port = { [`${prefix}PORT`]: found[1] ?? '' };
    const check = async () => (await run(file.healthCheck.slice(1), { ...env, ...port })).exited;

    expect(file.healthCheck[0]).toBe('node');
    await expect(check()).resolves.toMatchObject({ code: 0 });
    await server.stop();
    await expect(check()).resolves.toMatchObject({ code: 1 });
  });
});
