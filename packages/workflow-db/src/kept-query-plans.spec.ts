import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { withKeptQueryPlans } from './kept-query-plans';

const query = '{"modelName":"User","action":"findMany"}';
const options = { datamodel: 'models', provider: 'sqlite', connectionInfo: { supportsRelationJoins: false } } as const;
const start = '0061736d0100000001040160000003020100071401105f5f7762696e6467656e5f737461727400000a040102000b';

let cache: TemporaryFolder;
beforeEach(() => {
  cache = temporaryFolder();
});
afterEach(() => cache.remove());

/** Opens a compiler as Prisma does, over one that lists what it compiles. */
async function open({ folder = cache.path, version = '1.0.0' }: { folder?: string; version?: string } = {}) {
  const compiled: string[] = [];
  class QueryCompiler {
    compile(text: string) {
      compiled.push(text);
      return { planOf: text, values: [1, null, 'é'] } as never;
    }
    compileBatch(text: string) {
      compiled.push(text);
      return { type: 'multi', plans: [] } as never;
    }
    readonly free = (): void => undefined;
  }
  const source = {
    loadModule: () => ({ QueryCompiler, __wbg_set_wasm: () => undefined }),
    loadProgram: () => Buffer.from(start, 'hex').toString('base64'),
    importName: './compiler.js',
    clientVersion: version,
  };
  const { getRuntime } = withKeptQueryPlans(source, folder);
  const compiler = new (await getRuntime()).QueryCompiler(options);
  return { compiler, compiled };
}

const listFiles = () => readdirSync(cache.path).map((name) => path.join(cache.path, name));

describe('kept query plans', () => {
  it('are found by the next client, which loads no compiler', async () => {
    const first = await open();
    const plan = first.compiler.compile(query);
    first.compiler.free();
    const second = await open();

    expect(second.compiler.compile(query)).toEqual(plan);
    expect(first.compiled).toEqual([query]);
    expect(second.compiled).toEqual([]);
  });

  it('are added to those that other clients have kept', async () => {
    const clients = [await open(), await open()];
    clients.forEach(({ compiler }, index) => compiler.compile(`${query} ${index}`));
    for (const { compiler } of clients) compiler.free();
    const last = await open();
    for (const index of clients.keys()) last.compiler.compile(`${query} ${index}`);

    expect(last.compiled).toEqual([]);
  });

  it('are not those of another version', async () => {
    const first = await open();
    first.compiler.compile(query);
    first.compiler.free();
    const other = await open({ version: '1.0.1' });
    other.compiler.compile(query);

    expect(other.compiled).toEqual([query]);
  });

  it('belong to the user alone', async () => {
    const { compiler } = await open();
    compiler.compile(query);
    compiler.free();

    expect(listFiles().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  });

  it('are at most 500, the newest ones', async () => {
    for (const part of [0, 1]) {
      const { compiler } = await open();
      for (let index = 0; index < 400; index += 1) compiler.compile(`${part} ${index}`);
      compiler.free();
    }
    const last = await open();
    last.compiler.compile('1 399');
    last.compiler.compile('0 0');

    expect(last.compiled).toEqual(['0 0']);
    expect(
      readFileSync(listFiles()[0] ?? '', 'utf8')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(500);
  });

  it('of very long queries are compiled each time', async () => {
    const long = query.padEnd(70_000);
    const first = await open();
    first.compiler.compile(long);
    first.compiler.free();

    expect(listFiles()).toEqual([]);
  });

  it('are compiled again when their file is damaged or cannot be written', async () => {
    const first = await open();
    first.compiler.compile(query);
    first.compiler.free();
    for (const file of listFiles()) writeFileSync(file, readFileSync(file, 'utf8').replace('"planOf"', 'planOf'));
    const second = await open();
    second.compiler.compile(query);
    const elsewhere = await open({ folder: path.join(cache.path, 'missing') });
    elsewhere.compiler.compile(query);
    elsewhere.compiler.free();

    expect([second.compiled, elsewhere.compiled]).toEqual([[query], [query]]);
  });
});
