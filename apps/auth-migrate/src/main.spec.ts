import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

const app = path.resolve(__dirname, '..');
const bin = path.join(app, 'bin/auth-migrate.cjs');
const step = (ref: string) => `jobs:\n  a:\n    steps:\n      - uses: google-github-actions/auth@${ref}\n`;

describe('auth-migrate, as built', () => {
  let folder: TemporaryFolder;
  beforeAll(() => {
    const bundler = path.join(app, '../../tools/scripts/bundle-app.mjs');
    const { status, stderr } = spawnSync(process.execPath, [bundler], { cwd: app, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  });
  beforeEach(() => void (folder = temporaryFolder('weir-migrate-')));
  afterEach(() => folder.remove());

  function write(file: string, text: string | Buffer): void {
    mkdirSync(path.dirname(folder.file(file)), { recursive: true });
    writeFileSync(folder.file(file), text);
  }

  const read = (file: string) => readFileSync(folder.file(file), 'utf8');

  function call(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
      cwd: folder.path,
      env: {},
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { status, stdout, stderr };
  }

  it('prints the changes, by file and line, without making them', () => {
    write('.github/workflows/deploy.yml', step('v3'));
    write('.github/workflows/test.yaml', 'jobs: {}\n');

    expect(call()).toEqual({
      status: 1,
      stdout:
        '.github/workflows/deploy.yml:4:15: google-github-actions/auth@v3 becomes org/auth-action@v0\n\n' +
        '1 change to make in 1 file. Nothing but the name of the action changes.\nRun again with --write to make them.\n',
      stderr: '',
    });
    expect(read('.github/workflows/deploy.yml')).toBe(step('v3'));
  });

  it('makes the changes, and finds nothing more', () => {
    write('.github/workflows/deploy.yml', step('v2'));
    write('.github/actions/sign-in/action.yml', step('v1').replace('jobs:\n  a:', 'runs:'));
    chmodSync(folder.file('.github/workflows/deploy.yml'), 0o640);

    expect(call('--write')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('2 changes were made in 2 files.') as string,
    });
    expect(read('.github/workflows/deploy.yml')).toContain('uses: org/auth-action@v0\n');
    expect(read('.github/actions/sign-in/action.yml')).toContain('uses: org/auth-action@v0\n');
    expect(call()).toEqual({ status: 0, stdout: 'No step uses the action in 2 files.\n', stderr: '' });
  });

  it('lists the remaining manual changes after writing', () => {
    write('action.yml', `${step('v2')}        with: { retries: 3, audience: a }\n`);

    const { status, stdout } = call('--write');

    expect(status).toBe(1);
    expect(stdout).toContain('action.yml:5:17: by hand: remove `retries`');
    expect(stdout).toContain('1 change was made in 1 file, 1 to make by hand.');
  });

  it('uses another name on request', () => {
    write('.github/workflows/deploy.yml', step('v3'));
    const name = 'acme/cloud-auth@0123456789abcdef0123456789abcdef01234567';

    expect(call('--write', '--to', name).status).toBe(0);
    expect(read('.github/workflows/deploy.yml')).toBe(step('v3').replace('google-github-actions/auth@v3', name));
  });

  it('prints JSON for programs', () => {
    write('.github/workflows/deploy.yml', step('v3'));
    const { status, stdout } = call('--json');

    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      target: 'org/auth-action@v0',
      written: false,
      changes: 1,
      manual: 0,
      notes: 0,
      files: [
        {
          path: '.github/workflows/deploy.yml',
          findings: [
            {
              line: 4,
              column: 15,
              kind: 'change',
              code: 'name',
              message: 'google-github-actions/auth@v3 becomes org/auth-action@v0',
            },
          ],
        },
      ],
    });
  });

  it('reads one file by its path, with any name', () => {
    write('templates/deploy.yml', step('v3'));

    expect(call('templates/deploy.yml').stdout).toContain('deploy.yml:4:15: ');
    expect(call().stdout).toBe('No step uses the action in 0 files.\n');
  });

  it('skips packages, and does not follow links', () => {
    write('node_modules/a/action.yml', step('v3'));
    write('elsewhere.yml', step('v3'));
    mkdirSync(folder.file('.github/workflows'), { recursive: true });
    symlinkSync(folder.file('elsewhere.yml'), folder.file('.github/workflows/link.yml'));
    symlinkSync(folder.path, folder.file('loop'));

    expect(call()).toMatchObject({ status: 0, stdout: 'No step uses the action in 0 files.\n' });
  });

  it.each<[string, string | Buffer, string]>([
    ['is no YAML', 'jobs: [', 'not checked: Flow sequence'],
    ['is too large', `#${' '.repeat(1024 * 1024)}`, 'not checked: It is larger than 1 MiB.'],
    ['is not UTF-8', Buffer.from([0x23, 0xff, 0x0a]), 'not checked: It is not UTF-8.'],
  ])('checks the others if one file %s', (_, content, reason) => {
    write('.github/workflows/a.yml', content);
    write('.github/workflows/b.yml', step('v3'));
    const { status, stdout } = call('--write');

    expect(status).toBe(2);
    expect(stdout).toContain(`.github/workflows/a.yml: ${reason}`);
    expect(read('.github/workflows/b.yml')).toContain('org/auth-action@v0');
  });

  it.each([
    [['--force'], "Unknown option '--force'"],
    [['a', 'b'], 'expected one path at most'],
    [['--to', 'auth'], '--to auth is not owner/name@ref'],
    [['nowhere'], 'ENOENT'],
  ])('refuses %j with exit code 2', (args, reason) => {
    expect(call(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(reason) as string });
  });

  it('prints its usage', () => {
    expect(call('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: auth-migrate') as string,
    });
  });
});
