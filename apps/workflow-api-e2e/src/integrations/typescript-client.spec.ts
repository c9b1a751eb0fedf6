import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

const page = path.resolve(__dirname, '../../../../docs/how-to/call-weir-from-typescript.md');
const addressOfPage = 'http://127.0.0.1:8080/api/v1';

/** The TypeScript of the page: its blocks are one program. */
function readProgram(): string {
  return [...readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
}

/** The program and the sources of the client in one file. */
async function bundle(program: string, file: string): Promise<void> {
  const esbuild = path.join(path.dirname(require.resolve('esbuild/package.json')), 'bin/esbuild');
  const options = ['--loader=ts', '--bundle', '--platform=node', '--format=esm', '--conditions=@weir/source'];
  const building = promisify(execFile)(esbuild, [...options, `--outfile=${file}`], { cwd: __dirname });
  building.child.stdin?.end(program);
  await building;
}

describe('the page about calling Weir from TypeScript', () => {
  let weir: Weir;

  beforeAll(async () => {
    weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  }, 60_000);
  afterAll(() => weir.dispose());

  it('is a program that stores, starts, follows and edits a DAG', async () => {
    const admin = await setUpAdmin(weir);
    const program = weir.home.file('program.mjs');
    expect(readProgram()).toContain(addressOfPage);
    await bundle(readProgram().replace(addressOfPage, weir.baseUrl), program);
    const env = { PATH: process.env.PATH, WEIR_API_KEY: admin };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env, timeout: 60_000 });

    expect(stdout.split('\n')).toEqual([
      'the run has succeeded',
      'hello Ada',
      '10 bytes',
      '409 already_exists dag_exists The DAG "greeting" already exists.',
      '',
    ]);
    expect(await weir.request('GET', '/dags/greeting/spec', { token: admin })).toMatchObject({
      body: { spec: expect.stringContaining('good morning') as string },
    });
  });
});
