import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

const bundler = path.join(__dirname, 'bundle-action.mjs');

let folder: TemporaryFolder;
let action: string;

beforeEach(() => {
  folder = temporaryFolder();
  action = folder.file('an-action');
  mkdirSync(path.join(action, 'src/post'), { recursive: true });
  write('action.yml', "inputs:\n  name:\n    default: 'Ada'\n  title: {}\n");
  write('src/main.ts', "import { greet } from './greet';\nprocess.stdout.write(greet());\n");
  write('src/greet.ts', "export const greet = (): string => 'main';\nexport const unused = 'never seen';\n");
  write('src/post.ts', "process.stdout.write('post');\n");
  write('package.json', JSON.stringify({ name: 'an-action', version: '0.1.0', license: 'Apache-2.0' }));
});

afterEach(() => folder.remove());

function write(file: string, text: string): void {
  writeFileSync(path.join(action, file), text);
}

function run(args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  return { status, stdout, stderr };
}

const bundle = (...args: readonly string[]) => run([bundler, ...args], action);

describe('bundle-action', () => {
  it('makes files that run by themselves, without what nobody uses, and the same bytes each time', () => {
    bundle();
    const first = readFileSync(path.join(action, 'dist/main.js'));
    expect(readdirSync(path.join(action, 'dist')).sort()).toEqual(['licences.txt', 'main.js', 'post.js']);
    expect(first.toString()).not.toContain('never seen');
    cpSync(path.join(action, 'dist'), folder.file('alone'), { recursive: true });
    expect(run([folder.file('alone', 'main.js')], folder.path).stdout).toBe('main');
    bundle();
    expect(readFileSync(path.join(action, 'dist/main.js')).equals(first)).toBe(true);
    expect(bundle('--check')).toMatchObject({ status: 0, stderr: '' });
  });

  it('gives main the defaults of the inputs in action.yml', () => {
    write('src/main.ts', 'process.stdout.write(JSON.stringify(WEIR_INPUT_DEFAULTS));\n');
    bundle();
    expect(run([path.join(action, 'dist/main.js')], folder.path).stdout).toBe('{"name":"Ada","title":""}');
  });

  it.each([
    ['are missing', () => rmSync(path.join(action, 'dist'), { recursive: true }), 'dist/main.js is missing.'],
    ['are older than the sources', () => write('src/post.ts', ''), 'dist/post.js is not what the sources give.'],
    ['come from nowhere', () => write('dist/odd.js', ''), 'dist/odd.js is nothing that the sources give.'],
  ])('says what to do when committed files %s', (_, spoil, problem) => {
    bundle();
    spoil();
    const { status, stderr } = bundle('--check');
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).toContain('auth-action:build');
  });

  it('keeps what post loads at run time in a file of the same folder', () => {
    write('src/post.ts', "void import('./post/revoke-token.js').then(({ revoke }) => revoke());\n");
    write('src/post/revoke-token.ts', "export const revoke = (): void => void process.stdout.write('revoked');\n");
    bundle();
    expect(readdirSync(path.join(action, 'dist')).sort()).toEqual(['licences.txt', 'main.js', 'post.js', 'revoke.js']);
    expect(readFileSync(path.join(action, 'dist/post.js'), 'utf8')).not.toContain('revoked');
    expect(run([path.join(action, 'dist/post.js')], folder.path).stdout).toBe('revoked');
  });

  it('refuses a second HTTP stack', () => {
    write('src/main.ts', "import { request } from 'undici';\nvoid request('');\n");
    const { status, stderr } = bundle();
    expect(status).not.toBe(0);
    expect(stderr).toContain('must not hold undici');
  });
});
