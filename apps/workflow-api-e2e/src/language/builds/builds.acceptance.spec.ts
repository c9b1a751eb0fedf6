import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { describeFixtures } from '../../support/fixtures';
import { runWeir } from '../../support/weir-command';
import { startWeir } from '../../support/weir-server';

describeFixtures('mistakes in builds', __dirname);

const build = `
type: build
params: { MODE: fast }
steps:
  - id: link
    inputs: [{ name: object, path: out/app.o }]
    outputs: [{ name: app, path: out/app }]
    run: (echo linked; cat \${inputs.object}) > \${outputs.app}; chmod 755 \${outputs.app}; echo link >> executed
  - id: compile
    inputs: [{ name: source, path: app.c }]
    outputs: [{ name: object, path: out/app.o }]
    run: tr a-z A-Z < \${inputs.source} | grep -v COMMENT > \${outputs.object}; echo compile >> executed
  - id: check
    depends: link
    run: test -x \${steps.link.outputs.app} && echo "checked $MODE in $DAG_RUN_ID" > result
`;

describe('builds', () => {
  const home = temporaryFolder();
  let count = 0;

  /** A folder with a build, and what can be done with it. */
  async function project(spec = build) {
    const folder = home.file(`project-${(count += 1)}`);
    const file = path.join(folder, 'app.yaml');
    await mkdir(folder);
    await writeFile(file, spec);
    const at = (name: string) => path.join(folder, name);
    return {
      file,
      at,
      read: (name: string) => readFileSync(at(name), 'utf8'),
      write: (name: string, text: string) => writeFile(at(name), text),
      start: (...words: string[]) => runWeir(['start', file, ...words], { home, env }),
      /** The steps that were executed since the last call. */
      executed: async () => {
        const steps = existsSync(at('executed'))
          ? readFileSync(at('executed'), 'utf8').split('\n').filter(Boolean)
          : [];
        await rm(at('executed'), { force: true });
        return steps;
      },
    };
  }
  const env: Record<string, string> = {};

  afterAll(() => home.remove());

  it('execute a step again only when its files, its command or its environment have changed', async () => {
    const { start, write, read, executed, at, file } = await project();
    await write('app.c', 'main\n');
    expect(await start()).toMatchObject({ code: 0 });
    expect(await executed()).toEqual(['compile', 'link']);
    expect(read('out/app')).toBe('linked\nMAIN\n');

    const again = await start();
    expect(again.stdout).toMatch(/compile: succeeded, up to date/);
    expect(again.stdout).toMatch(/link: succeeded, up to date/);
    expect(await executed()).toEqual([]);
    expect((await stat(at('out/app'))).mode & 0o777).toBe(0o755);

    await write('app.c', 'main\ncomment\n');
    const same = await start();
    expect(same.stdout).toMatch(/link: succeeded, up to date/);
    expect(await executed()).toEqual(['compile']);

    await write('app.c', 'other\n');
    await start();
    expect(await executed()).toEqual(['compile', 'link']);
    await start('--', 'MODE=slow');
    expect(await executed()).toEqual(['compile', 'link']);
    await writeFile(file, build.replace('echo linked', 'echo bound'));
    await start('--', 'MODE=slow');
    expect(await executed()).toEqual(['link']);
    expect(read('out/app')).toBe('bound\nOTHER\n');
  });

  it('restore files that were removed or changed, and those of earlier inputs', async () => {
    const { start, write, read, executed, at } = await project();
    await write('app.c', 'one\n');
    await start();
    await write('app.c', 'two\n');
    await start();
    await executed();
    await write('app.c', 'one\n');
    await chmod(at('out/app'), 0o600);
    expect((await start()).stdout).toMatch(/compile: succeeded, restored/);
    expect([await executed(), read('out/app')]).toEqual([[], 'linked\nONE\n']);
    expect((await stat(at('out/app'))).mode & 0o777).toBe(0o755);
    await rm(at('out'), { recursive: true });
    expect(await start()).toMatchObject({ code: 0 });
    expect([await executed(), read('out/app')]).toEqual([[], 'linked\nONE\n']);
    await start('--no-reuse');
    expect(await executed()).toEqual(['compile', 'link']);
  });

  it('execute a step whose cached file was damaged', async () => {
    const { start, write, read, executed, at } = await project();
    await write('app.c', 'precious\n');
    await start();
    await executed();
    await rm(at('out'), { recursive: true });
    const contents = home.file('weir', 'data', 'builds', 'contents');
    for (const name of readdirSync(contents)) await writeFile(path.join(contents, name), 'damaged');
    expect(await start()).toMatchObject({ code: 0 });
    expect([await executed(), read('out/app')]).toEqual([['compile', 'link'], 'linked\nPRECIOUS\n']);
  });

  it('keep the last file if a step fails, and report missing files', async () => {
    const spec = (command: string) => `
type: build
steps:
  - name: make
    inputs: [{ name: source, path: a.txt }]
    outputs: [{ name: made, path: b.txt }]
    run: ${command}
`;
    const { start, write, read, at } = await project(
      spec('cat ${inputs.source} > ${outputs.made}; grep -q good a.txt'),
    );
    await write('a.txt', 'good\n');
    expect(await start()).toMatchObject({ code: 0 });
    await write('a.txt', 'bad\n');
    expect(await start()).toMatchObject({ code: 1 });
    expect(read('b.txt')).toBe('good\n');
    await rm(at('a.txt'));
    expect((await start()).stdout).toContain('The input "source" is not there, or is no file.');
    await write('a.txt', 'good\n');
    await write('app.yaml', spec('ln -s /etc/hostname ${outputs.made}'));
    expect((await start()).stdout).toContain('The step has not written the file ${outputs.made}.');
    expect((await readdir(at('.'))).sort()).toEqual(['a.txt', 'app.yaml', 'b.txt']);
  });

  it('detect through links that two steps create one file', async () => {
    const { start, write, at } = await project(`
type: build
steps:
  - { name: first, outputs: [{ name: a, path: real/x }], run: 'echo 1 > \${outputs.a}' }
  - { name: second, outputs: [{ name: b, path: link/x }], run: 'echo 2 > \${outputs.b}' }
`);
    await mkdir(at('real'));
    await symlink('real', at('link'));
    await write('unused', '');
    expect((await start()).stdout).toContain('The step "second" also makes the output "a".');
  });

  it('create a file once for concurrent runs, continue after kill -9, and report over HTTP what was built', async () => {
    const slow = `
type: build
steps:
  - id: slow
    inputs: [{ name: source, path: in.txt }]
    outputs: [{ name: made, path: out.txt }]
    run: |
      echo begun >> begun
      echo partial > \${outputs.made}
      while test ! -e go; do sleep 0.1; done
      cat \${inputs.source} > \${outputs.made}
`;
    const { file, at, write, read } = await project(slow);
    await write('in.txt', 'content\n');
    const options = { home, env: { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' } };
    let server = await startWeir({ ...options, ownProcess: true });
    try {
      const start = (dagRunId: string) => {
        const spec = readFileSync(file, 'utf8').replace('type: build', `type: build\nworking_dir: ${at('.')}`);
        return server.request('POST', '/dag-runs', { body: { spec, name: 'slow', dagRunId } });
      };
      for (const id of ['one', 'two']) expect((await start(id)).status).toBe(200);
      await waitFor(() => existsSync(at('begun')), { what: 'the first of both' });
      await server.process.stop({ signal: 'SIGKILL' });
      expect(existsSync(at('out.txt'))).toBe(false);
      await write('go', '');
      server = await server.restart();
      const nodeOf = async (id: string) => {
        const { body } = await server.request('GET', `/dag-runs/slow/${id}`);
        const { nodes, statusLabel } = (body as { dagRunDetails: { statusLabel: string; nodes: { build?: string }[] } })
          .dagRunDetails;
        return statusLabel === 'succeeded' ? nodes[0]?.build : undefined;
      };
      const builds = await waitFor(
        async () => {
          const found = [await nodeOf('one'), await nodeOf('two')];
          return found.includes(undefined) ? undefined : found;
        },
        { what: 'the ends of both runs' },
      );
      expect(builds.sort()).toEqual(['executed', 'up_to_date']);
      expect(read('out.txt')).toBe('content\n');
      expect(read('begun')).toBe('begun\nbegun\n');
      expect((await readdir(at('.'))).filter((name) => name.startsWith('.weir'))).toEqual([]);
    } finally {
      await server.dispose();
    }
  });
});
