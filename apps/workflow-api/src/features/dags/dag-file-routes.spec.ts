import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get, post } = workflow;

describe('POST /dags', () => {
  describe('201', () => {
    it('stores the text unchanged, and lists it at once', async () => {
      const text = aSpec('# a comment\n');
      const { status, body } = await post('/dags', { name: 'made', spec: text });

      expect({ status, body }).toEqual({ status: 201, body: { name: 'made' } });
      await expect(readFile(workflow.server.folder.file('dags', 'made.yaml'), 'utf8')).resolves.toBe(text);
      await expect(get('/dags')).resolves.toMatchObject({ body: { dags: [{ fileName: 'made' }] } });
      await expect(readdir(workflow.server.folder.file('dags'))).resolves.toEqual(['made.yaml']);
    });

    it.each([undefined, '', ' \n'])('creates a DAG that runs from the spec %j', async (text) => {
      await post('/dags', { name: 'made', spec: text });

      await expect(get('/dags/made')).resolves.toMatchObject({
        body: { errors: [], dag: { steps: [{ name: 'hello' }] } },
      });
    });

    it('lets a developer of the workspace write into it', async () => {
      const as = await workflow.server.createKey('viewer', { ops: 'developer' });
      const text = aSpec('labels: workspace=ops\n');

      await expect(post('/dags', { name: 'made', spec: text }, as)).resolves.toMatchObject({ status: 201 });
    });
  });

  describe('400', () => {
    it('names every error of the spec, and stores nothing', async () => {
      const answer = await post('/dags', { name: 'made', spec: 'stepz: []\nsteps:\n  - run: a\n    depends: b\n' });

      expect(answer).toMatchObject(badRequest('spec_invalid'));
      expect(answer.body.message).toMatch(/^\[1:1\] .*; \[4:14\] /);
      expect((answer.body.details as { findings: unknown[] }).findings).toHaveLength(2);
      await expect(readdir(workflow.server.folder.file('dags'))).resolves.toEqual([]);
    });

    it.each(['', '..', '.', '...', '../up', 'a/b', 'a\\b', 'a b', 'x'.repeat(41), 'nul\u0000'])(
      'refuses the name %j',
      async (name) => {
        const { status } = await post('/dags', { name, spec: aSpec() });

        expect(status).toBe(400);
        await expect(readdir(workflow.server.folder.file('dags'))).resolves.toEqual([]);
      },
    );
  });

  describe('403', () => {
    it.each(['operator', 'viewer'] as const)('refuses a %s', async (role) => {
      await expect(post('/dags', { name: 'made' }, await workflow.server.createKey(role))).resolves.toMatchObject(
        roleMissing,
      );
    });

    it('refuses a developer of another workspace', async () => {
      const as = await workflow.server.createKey('viewer', { dev: 'developer' });
      const text = aSpec('labels: workspace=ops\n');

      await expect(post('/dags', { name: 'made', spec: text }, as)).resolves.toMatchObject(roleMissing);
      await expect(post('/dags', { name: 'made', spec: aSpec() }, as)).resolves.toMatchObject(roleMissing);
    });
  });

  describe('409', () => {
    const exists = { status: 409, body: { code: 'already_exists', reason: 'dag_exists' } };

    it('keeps the existing file', async () => {
      await workflow.server.addDag('nightly', aSpec('# first\n'));

      await expect(post('/dags', { name: 'nightly' })).resolves.toMatchObject(exists);
      await expect(readFile(workflow.server.folder.file('dags', 'nightly.yaml'), 'utf8')).resolves.toContain('# first');
    });

    it('counts a .yml, a folder and a broken link of that name', async () => {
      await writeFile(workflow.server.folder.file('dags', 'short.yml'), aSpec());
      await mkdir(workflow.server.folder.file('dags', 'folder.yaml'));
      await symlink('nowhere', workflow.server.folder.file('dags', 'link.yaml'));

      for (const name of ['short', 'folder', 'link']) {
        await expect(post('/dags', { name })).resolves.toMatchObject(exists);
      }
    });

    it('lets one of ten concurrent calls win', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => post('/dags', { name: 'made', spec: aSpec(`# ${index}\n`) })),
      );

      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
      await expect(readdir(workflow.server.folder.file('dags'))).resolves.toEqual(['made.yaml']);
    });
  });
});

describe('POST /dags into what cannot be written to', () => {
  it('returns 503 and names the folder', async () => {
    const dags = workflow.server.folder.file('dags');
    await rm(dags, { recursive: true });
    await writeFile(dags, '');
    const { status, body } = await post('/dags', { name: 'made' });

    expect({ status, body }).toMatchObject({ status: 503, body: { reason: 'dags_folder_not_writable' } });
    expect(body.message).toBe(`The DAGs folder ${dags} cannot be written to (ENOTDIR).`);
  });
});

describe('POST /dags/validate', () => {
  describe('200', () => {
    it('accepts a good spec, and stores nothing', async () => {
      const { status, body } = await post(
        '/dags/validate',
        { spec: aSpec() },
        await workflow.server.createKey('viewer'),
      );

      expect(status).toBe(200);
      expect(body).toMatchObject({
        valid: true,
        errors: [],
        findings: [],
        dag: { name: 'validated-dag' },
        localDags: [],
      });
      await expect(readdir(workflow.server.folder.file('dags'))).resolves.toEqual([]);
    });

    it('uses the given name where the spec has none', async () => {
      await expect(post('/dags/validate', { spec: aSpec(), name: 'given' })).resolves.toMatchObject({
        body: { dag: { name: 'given' } },
      });
      await expect(post('/dags/validate', { spec: aSpec('name: own\n'), name: 'given' })).resolves.toMatchObject({
        body: { dag: { name: 'own' } },
      });
    });

    it('returns all findings and the parts that could be read', async () => {
      const { body } = await post('/dags/validate', {
        spec: 'stepz: 1\nsteps:\n  - run: a\n  - run: b\n    depends: c\n',
      });

      expect(body).toMatchObject({ valid: false, dag: { steps: [{ name: 'step_1' }, { name: 'step_2' }] } });
      expect(body.errors).toHaveLength(2);
      expect(body.findings).toMatchObject([
        { code: 'unknown_key', severity: 'error', line: 1, column: 1 },
        { severity: 'error', line: 5 },
      ]);
    });

    it.each(['', '{', '- a', 'a: &x [*x]', '\u0001'])('survives %j', async (text) => {
      await expect(post('/dags/validate', { spec: text })).resolves.toMatchObject({
        status: 200,
        body: { valid: false },
      });
    });
  });

  it('returns 400 for a spec that is no text', async () => {
    await expect(post('/dags/validate', { spec: 1 })).resolves.toMatchObject(badRequest('request_invalid'));
    await expect(post('/dags/validate', {})).resolves.toMatchObject(badRequest('request_invalid'));
  });
});
