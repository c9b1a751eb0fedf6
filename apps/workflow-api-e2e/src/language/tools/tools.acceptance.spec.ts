import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { describeFixtures } from '../../support/fixtures';
import { runWeir } from '../../support/weir-command';
import { startWeir } from '../../support/weir-server';

describeFixtures('mistakes in tools', __dirname);

const script = (text: string) => `#!/bin/sh\necho ${text} "$@"\n`;
const hex = (content: Buffer | string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;
const integrity = (content: Buffer) => `sha512-${createHash('sha512').update(content).digest('base64')}`;

describe('tools', () => {
  const home = temporaryFolder();
  const requests: string[] = [];
  const contents = new Map<string, Buffer | string>();
  let site: Server;
  let origin: string;

  beforeAll(async () => {
    site = createServer(({ url = '' }, response) => {
      requests.push(url);
      const content = contents.get(url);
      if (content === 'stall') return;
      response.writeHead(content === undefined ? 404 : 200).end(content);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    site.closeAllConnections();
    site.close();
    await home.remove();
  });

  /** Packs files of these names and contents with tar. */
  function pack(name: string, files: Readonly<Record<string, string>>): Buffer {
    const folder = home.file(name);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
      if (text.startsWith('#!')) chmodSync(path.join(folder, file), 0o755);
    }
    execFileSync('tar', ['-czf', home.file(`${name}.tgz`), '-C', folder, ...readdirSync(folder)]);
    return readFileSync(home.file(`${name}.tgz`));
  }

  const environment = () => ({
    npm_config_registry: `${origin}/npm/`,
    npm_config_userconfig: home.file('npmrc'),
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: home.file('wheels'),
    PIP_CONFIG_FILE: '/dev/null',
  });
  const start = (tools: readonly object[], run: string) => {
    const file = home.file('tools.yaml');
    writeFileSync(file, JSON.stringify({ type: 'graph', tools, steps: [{ name: 'use', run, output: 'OUT' }] }));
    return runWeir(['start', file], { home, env: environment() });
  };
  const lastOutput = async () => {
    const { stdout } = await runWeir(['logs', 'tools'], { home });
    return stdout;
  };

  it('from a URL are on the path of the steps, downloaded once, and installed again after a change', async () => {
    contents.set('/plain', script('plain'));
    const archive = pack('archive', { 'tool-1.0/bin/packed': script('packed') });
    contents.set('/tool-1.0.tar.gz', archive);
    const tools = [
      { name: 'plain', version: '1.0', provider: 'url', url: `${origin}/plain`, checksum: hex(script('plain')) },
      {
        name: 'packed',
        version: '1.0',
        provider: 'url',
        url: `${origin}/tool-1.0.tar.gz`,
        path: 'tool-1.0/bin/packed',
        checksum: hex(archive),
      },
    ];
    const ends = await Promise.all([start(tools, 'plain a; packed b'), start(tools, 'plain a; packed b')]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(await lastOutput()).toMatch(/plain a\n.*packed b\n/);
    expect(requests.filter((url) => url === '/plain' || url === '/tool-1.0.tar.gz')).toHaveLength(2);
    const folder = home.file('weir', 'tools');
    const installed = readdirSync(folder).find((name) => name.startsWith('plain-')) ?? '';
    writeFileSync(path.join(folder, installed, 'bin', 'plain'), script('changed'));
    expect(await start(tools, 'plain c')).toMatchObject({ code: 0 });
    expect(await lastOutput()).toContain('plain c');
    expect(requests.filter((url) => url === '/plain')).toHaveLength(2);
  });

  it('are refused with a wrong checksum, and fail the run before its steps', async () => {
    contents.set('/other', script('other'));
    const tool = { name: 'other', version: '2.0', provider: 'url', url: `${origin}/other`, checksum: hex('expected') };
    const { code, stdout } = await start([tool], `touch ${home.file('executed')}`);
    expect(code).toBe(1);
    expect(stdout).toContain('The tool "other@2.0" was not installed: its checksum is another one.');
    expect(readdirSync(home.path)).not.toContain('executed');
    const missing = { ...tool, url: `${origin}/missing` };
    expect((await start([missing], 'true')).stdout).toContain('its address answered with 404.');
  });

  it('of npm come from its registry, without scripts, and with the integrity of the lock', async () => {
    const manifest = {
      name: '@acme/hello',
      version: '1.2.3',
      bin: { hello: 'hello.js' },
      scripts: { postinstall: `touch ${home.file('postinstall')}` },
    };
    const archive = pack('npm', {
      'package/package.json': JSON.stringify(manifest),
      'package/hello.js': "#!/usr/bin/env node\nconsole.log('hello from npm');\n",
    });
    contents.set('/npm/hello.tgz', archive);
    const dist = { tarball: `${origin}/npm/hello.tgz`, integrity: integrity(archive) };
    const packument = {
      name: manifest.name,
      'dist-tags': { latest: '1.2.3' },
      versions: { '1.2.3': { ...manifest, dist } },
    };
    contents.set('/npm/@acme%2fhello', JSON.stringify(packument));
    const tool = { name: '@acme/hello', version: '1.2.3', provider: 'npm', checksum: integrity(archive) };
    expect(await start([tool], 'hello')).toMatchObject({ code: 0 });
    expect(await lastOutput()).toContain('hello from npm');
    expect(readdirSync(home.path)).not.toContain('postinstall');
    const refused = await start([{ ...tool, checksum: integrity(Buffer.from('x')) }], 'hello');
    expect(refused.stdout).toContain('The tool "@acme/hello@1.2.3" was not installed: its checksum is another one.');
  });

  it('of pip are wheels with the hash of the lock', async () => {
    mkdirSync(home.file('wheels'));
    const wheel = home.file('wheels', 'greet-3.0-py3-none-any.whl');
    execFileSync('python3', [
      '-c',
      `
import zipfile, sys
files = {
  'greet.py': 'def main():\\n    print("greetings from pip")\\n',
  'greet-3.0.dist-info/METADATA': 'Metadata-Version: 2.1\\nName: greet\\nVersion: 3.0\\n',
  'greet-3.0.dist-info/WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',
  'greet-3.0.dist-info/entry_points.txt': '[console_scripts]\\ngreet = greet:main\\n',
}
record = ''.join(f'{name},,\\n' for name in files) + 'greet-3.0.dist-info/RECORD,,\\n'
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for name, text in files.items():
        archive.writestr(name, text)
    archive.writestr('greet-3.0.dist-info/RECORD', record)
`,
      wheel,
    ]);
    const tool = { name: 'greet', version: '3.0', provider: 'pip', checksum: hex(readFileSync(wheel)) };
    expect(await start([tool], 'greet')).toMatchObject({ code: 0 });
    expect(await lastOutput()).toContain('greetings from pip');
    const refused = await start([{ ...tool, checksum: hex('x') }], 'greet');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('The tool "greet@3.0" was not installed');
  });

  it('with a long installation do not delay a stop', async () => {
    contents.set('/stall', 'stall');
    const server = await startWeir({ env: { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' } });
    try {
      const tool = { name: 'slow', version: '1', provider: 'url', url: `${origin}/stall`, checksum: hex('x') };
      const spec = JSON.stringify({ type: 'graph', tools: [tool], steps: ['true'] });
      await server.request('POST', '/dag-runs', { body: { spec, name: 'slow', dagRunId: 'slow' } });
      await waitFor(() => requests.includes('/stall'), { what: 'the download' });
      await server.request('POST', '/dag-runs/slow/slow/stop', { body: {} });
      await waitFor(
        async () => {
          const { body } = await server.request('GET', '/dag-runs/slow/slow');
          return (body as { dagRunDetails: { statusLabel: string } }).dagRunDetails.statusLabel === 'aborted';
        },
        { what: 'the end of the run' },
      );
    } finally {
      await server.dispose();
    }
  });
});
