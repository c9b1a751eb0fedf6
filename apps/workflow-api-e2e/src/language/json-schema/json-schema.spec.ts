import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { readFixture } from '../../support/fixture';
import { program, startWeir } from '../../support/weir-server';
import { createCheck, type Check } from './schema-check';

const root = path.resolve(__dirname, '../../../../..');

describe('the JSON Schema of DAG files', () => {
  let home: TemporaryFolder;
  let schema: object;
  let check: Check;

  const weir = async (...args: string[]) => {
    const child = await spawnProcess({
      command: process.execPath,
      args: [program, ...args],
      env: { HOME: home.path, WEIR_HOME: home.file('weir') },
      cwd: home.path,
    });
    const { code } = await child.exited;
    return { code, stdout: child.stdout(), stderr: child.stderr() };
  };

  const partAt = async (dotted: string): Promise<Readonly<Record<string, unknown>>> => {
    const { code, stdout, stderr } = await weir('schema', 'dag', dotted);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  };

  beforeAll(async () => {
    home = temporaryFolder();
    const { stdout } = await weir('schema', 'dag');
    schema = JSON.parse(stdout) as object;
    check = createCheck(schema);
  });

  afterAll(() => home.remove());

  describe('weir schema', () => {
    it('prints the whole schema, equal to the committed one', async () => {
      const { code, stdout, stderr } = await weir('schema', 'dag');
      const committed = readFileSync(path.join(root, 'packages/workflow-spec/dag.schema.json'), 'utf8');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual(JSON.parse(committed));
      expect(schema).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', title: 'Weir DAG' });
    });

    it('prints the part at a path, through the list of steps', async () => {
      const retry = createCheck(await partAt('steps.retry_policy'));
      expect(retry('limit: 3\ninterval_sec: 5\n')).toEqual([]);
      expect(retry('limit: three\ninterval_sec: 5\n')).not.toEqual([]);
      expect(retry('limits: 3\n')).not.toEqual([]);
    });

    it('prints the part at an old spelling, which names the present one', async () => {
      expect(await partAt('steps.retryPolicy')).toMatchObject({
        deprecated: true,
        deprecationMessage: 'Write retry_policy.',
      });
    });

    it.each([
      ['a path that does not exist', ['dag', 'steps.nothing']],
      ['a path into a string', ['dag', 'name.first']],
      ['the name of a built-in property', ['dag', '__proto__']],
      ['a schema that does not exist', ['world']],
    ])('refuses %s on one line', async (_, args) => {
      const { code, stdout, stderr } = await weir('schema', ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(args.at(-1)?.split('.').at(-1));
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    });
  });

  describe('GET /schemas/dag.schema.json', () => {
    it('returns the same schema without a sign-in', async () => {
      const server = await startWeir({ command: 'server' });
      try {
        const response = await fetch(new URL('/schemas/dag.schema.json', server.baseUrl));
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toMatch(/^application\/schema\+json/);
        await expect(response.json()).resolves.toEqual(schema);
      } finally {
        await server.dispose();
      }
    }, 60_000);
  });

  describe('accepts', () => {
    const fixtures = globSync(path.join(root, 'apps/workflow-api-e2e/src/*/*/*.yaml'));

    it('every file of these specs that is read without an error', () => {
      const good = fixtures.filter((file) => readFixture(file).findings.every(({ severity }) => severity !== 'error'));
      const refused = good.flatMap((file) => {
        const reasons = check(readFileSync(file, 'utf8'));
        return reasons.length === 0 ? [] : [{ file: path.relative(root, file), reasons }];
      });
      expect(good.length).toBeGreaterThan(50);
      expect(refused).toEqual([]);
    });

    // Workflows of GitHub Actions, rules about who signs in, files of Kubernetes and of trainers are other languages.
    const others = [
      'docs/specs/access/sign-in-of-jobs.md',
      'docs/specs/access/single-sign-on.md',
      'docs/how-to/sign-in-with-your-identity-provider.md',
      'docs/how-to/run-on-kubernetes.md',
      'docs/how-to/run-several-proxies.md',
      'docs/how-to/train-with-verl.md',
    ];
    const isAboutDags = (page: string): boolean => !page.startsWith('docs/auth-action/') && !others.includes(page);
    const pages = ['README.md', 'apps/workflow-api/README.md', ...markdownIn('docs').filter(isAboutDags)];
    const examples = pages.flatMap((page) => {
      const text = readFileSync(path.join(root, page), 'utf8');
      const blocks = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block);
      return blocks.map((block, index) => [`${page} ${index + 1}`, block] as const);
    });

    it.each(examples)('the example %s', (name, block) => {
      // A base configuration has the keys of a DAG, but no steps.
      const isBase = name.includes('base-configuration') && !/^steps:/m.test(block);
      expect((isBase ? createCheck({ ...schema, required: [] }) : check)(block)).toEqual([]);
    });
  });

  describe('refuses', () => {
    it.each([
      ['a file without steps', 'name: nightly\n'],
      ['no steps', 'steps: []\n'],
      ['a key that does not exist', 'colour: red\nsteps: [echo]\n'],
      ['a key of a step that does not exist', 'steps: [{rnu: echo}]\n'],
      ['a word that is none of the choices', 'type: tree\nsteps: [echo]\n'],
      ['a string for a number', 'max_active_steps: many\nsteps: [echo]\n'],
      ['a negative number', 'timeout_sec: -1\nsteps: [echo]\n'],
      ['a name with a character that is not allowed', 'name: a/b\nsteps: [echo]\n'],
      ['a list for a string', 'description: [a]\nsteps: [echo]\n'],
      ['a string for a map', 'steps: [{run: echo, with: fast}]\n'],
      ['an action without the setting it needs', 'steps: [{action: http.request, with: {method: GET}}]\n'],
      ['a setting that the action does not have', 'steps: [{action: noop, with: {loud: true}}]\n'],
      ['a handler that does not exist', 'handler_on: {finally: echo}\nsteps: [echo]\n'],
      ['a string as a document', 'just words\n'],
    ])('%s', (_, text) => {
      expect(check(text)).not.toEqual([]);
    });
  });
});

function markdownIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name))
    .sort();
}
