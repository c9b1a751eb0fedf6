import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

interface DagList {
  readonly dags: readonly {
    readonly fileName: string;
    readonly errors: readonly string[];
    readonly nextRun?: string;
  }[];
  readonly pagination: object;
}

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
    const specs: Record<string, string> = {
      alpha: 'labels: team=data, nightly\nschedule: "0 3 1 1 *"\nsteps:\n  - run: echo alpha\n',
      Beta: 'labels: [team=data]\nsteps:\n  - run: echo beta\n',
      gamma: 'schedule: "* * * * *"\nsteps:\n  - run: echo gamma\n',
    };
    for (const [name, spec] of Object.entries(specs))
      await weir.createClient(admin).createNewDag({ body: { name, spec } });
  }, 60_000);

  afterAll(() => weir.dispose());

  const list = async (query = '') => (await weir.request('GET', `/dags${query}`, { token: viewer })).body as DagList;
  const listNames = async (query: string) => (await list(query)).dags.map((dag) => dag.fileName);

  describe('GET /dags', () => {
    it('returns 200 with the DAGs by name, case-insensitively, and the position of the page', async () => {
      const { status, body } = await weir.request('GET', '/dags?remoteNode=local&perPage=2', { token: viewer });

      expect(status).toBe(200);
      expect(body).toMatchObject({
        dags: [
          {
            fileName: 'alpha',
            suspended: false,
            errors: [],
            latestDAGRun: { status: 0, statusLabel: 'not_started', dagRunId: '' },
          },
          { fileName: 'Beta' },
        ],
        errors: [],
        pagination: { totalRecords: 3, currentPage: 1, totalPages: 2, nextPage: 2, prevPage: 1 },
      });
    });

    it('returns 200 with the next page', async () => {
      expect(await listNames('?perPage=2&page=2')).toEqual(['gamma']);
      expect(await listNames('?perPage=2&page=9')).toEqual([]);
    });

    it('returns 200 in the requested order', async () => {
      expect(await listNames('?order=desc')).toEqual(['gamma', 'Beta', 'alpha']);
      expect(await listNames('?sort=nextRun')).toEqual(['gamma', 'alpha', 'Beta']);
      expect(await listNames('?sort=nextRun&order=desc')).toEqual(['alpha', 'gamma', 'Beta']);
    });

    it('returns 200 with the filtered list', async () => {
      expect(await listNames('?name=BET')).toEqual(['Beta']);
      expect(await listNames('?labels=team=data')).toEqual(['alpha', 'Beta']);
      expect(await listNames('?labels=team=data,nightly')).toEqual(['alpha']);
      expect(await listNames('?tags=nightly')).toEqual(['alpha']);
      expect(await listNames('?labels=!team')).toEqual(['gamma']);
      expect(await listNames('?labels=team=d*')).toEqual(['alpha', 'Beta']);
    });

    it('returns 200 with DAGs by the status of their latest run, and with their last runs', async () => {
      expect(await listNames('?status=0')).toEqual(['alpha', 'Beta', 'gamma']);
      expect(await listNames('?status=2&status=4')).toEqual([]);
      expect(await listNames('?suspended=true')).toEqual([]);
      expect((await list('?recentRuns=3&name=alpha')).dags).toMatchObject([{ recentRuns: [] }]);
      expect((await weir.request('GET', '/dags?recentRuns=21', { token: viewer })).status).toBe(400);
    });

    it('returns 400 when labels and tags are both given', async () => {
      const { status, body } = await weir.request('GET', '/dags?labels=a&tags=b', { token: viewer });

      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'bad_request', message: expect.stringContaining('labels') as string });
    });

    it('returns 400 for an invalid sort, order or page', async () => {
      for (const query of [
        '?sort=size',
        '?order=up',
        '?page=abc',
        '?remoteNode=elsewhere',
        '?workspaceScope=workspace',
      ]) {
        expect((await weir.request('GET', `/dags${query}`, { token: viewer })).status).toBe(400);
      }
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/dags')).status).toBe(401);
    });

    it('lists a file with errors, and follows changes of files', async () => {
      const file = path.join(weir.home.path, 'weir', 'dags', 'edited.yaml');
      await writeFile(file, 'steps: 5\n');
      const broken = await waitFor(async () => (await list('?name=edited')).dags[0], {
        what: 'the new file in the list',
      });
      expect(broken.errors.length).toBeGreaterThan(0);

      await writeFile(file, 'steps:\n  - run: echo fixed\n');
      await waitFor(async () => (await list('?name=edited')).dags[0]?.errors.length === 0, {
        what: 'the change in the list',
      });
    });
  });

  describe('POST /dags', () => {
    const post = (body: object, token = admin) => weir.request('POST', '/dags', { token, body });

    it('returns 201 with the name, and the file contains the spec', async () => {
      const spec = 'steps:\n  - run: echo created\n';
      const { status, body } = await post({ name: 'created', spec });

      expect(status).toBe(201);
      expect(body).toEqual({ name: 'created' });
      expect(await readFile(path.join(weir.home.path, 'weir', 'dags', 'created.yaml'), 'utf8')).toBe(spec);
    });

    it('returns 201 without a spec, and the DAG can run', async () => {
      expect((await post({ name: 'blank' })).status).toBe(201);
      const { body } = await weir.request('GET', '/dags/blank', { token: viewer });
      expect(body).toMatchObject({ errors: [], dag: { steps: [{ name: expect.any(String) as string }] } });
    });

    it('returns 400 for a spec with errors, lists all of them, and stores nothing', async () => {
      const { status, body } = await post({
        name: 'broken',
        spec: 'colour: red\nsteps:\n  - run: echo\n    depends: nobody\n',
      });

      expect(status).toBe(400);
      const { message } = body as { message: string };
      expect(message).toContain('colour');
      expect(message).toContain('nobody');
      expect((await weir.request('GET', '/dags/broken', { token: viewer })).status).toBe(404);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/dags', { body: { name: 'x' } })).status).toBe(401);
    });

    it('returns 403 for a viewer', async () => {
      expect((await post({ name: 'forbidden' }, viewer)).status).toBe(403);
    });

    it('returns 409 when the DAG exists, even for concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => post({ name: 'contended' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    });
  });

  describe('POST /dags/validate', () => {
    const validate = (body: object) => weir.request('POST', '/dags/validate', { token: viewer, body });

    it('returns 200 and valid for a valid spec', async () => {
      const { status, body } = await validate({ spec: 'steps:\n  - run: echo hi\n', name: 'given' });

      expect(status).toBe(200);
      expect(body).toMatchObject({
        valid: true,
        errors: [],
        dag: { name: 'given', steps: [{ commands: [{ command: 'echo hi' }] }] },
      });
    });

    it('returns 200, every error with its location, and the part that could be parsed for an invalid spec', async () => {
      const { status, body } = await validate({
        spec: 'colour: red\nsteps:\n  - name: one\n    run: echo\n    depends: nobody\n',
      });

      expect(status).toBe(200);
      const { valid, errors, dag } = body as { valid: boolean; errors: string[]; dag: { steps: { name: string }[] } };
      expect(valid).toBe(false);
      expect(errors).toHaveLength(2);
      expect(errors[0]).toMatch(/^\[1:1\] /);
      expect(errors[1]).toMatch(/^\[5:\d+\] /);
      expect(dag.steps[0]?.name).toBe('one');
    });

    it('returns 400 without a spec', async () => {
      expect((await validate({})).status).toBe(400);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/dags/validate', { body: { spec: '' } })).status).toBe(401);
    });
  });

  describe('GET /dags/{fileName}', () => {
    it('returns 200 with file, DAG, spec, editor hints and an empty latest run', async () => {
      const { status, body } = await weir.request('GET', '/dags/alpha', { token: viewer });

      expect(status).toBe(200);
      expect(body).toMatchObject({
        filePath: path.join(weir.home.path, 'weir', 'dags', 'alpha.yaml'),
        dag: { name: 'alpha', labels: ['nightly', 'team=data'], schedule: [{ expression: '0 3 1 1 *' }] },
        localDags: [],
        latestDAGRun: { status: 0, statusLabel: 'not_started', nodes: [{ statusLabel: 'not_started' }] },
        suspended: false,
        errors: [],
        spec: expect.stringContaining('echo alpha') as string,
        editorHints: { inheritedCustomStepTypes: [] },
      });
    });

    it('returns 400 for a name that leaves the folder', async () => {
      expect((await weir.request('GET', '/dags/..%2F..%2Fetc%2Fpasswd', { token: viewer })).status).toBe(400);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/dags/alpha')).status).toBe(401);
    });

    it('returns 404 for an unknown DAG', async () => {
      expect((await weir.request('GET', '/dags/nobody', { token: viewer })).status).toBe(404);
    });
  });

  describe('POST /dags/{fileName}/suspend', () => {
    const suspend = (name: string, value: unknown, token = admin) =>
      weir.request('POST', `/dags/${name}/suspend`, { token, body: { suspend: value } });

    it('returns 200, and the DAG has no next run until it is resumed', async () => {
      const { token } = await aUser(weir, admin, 'operator', 'suspender');
      expect((await suspend('gamma', true, token)).status).toBe(200);
      const [row] = (await list('?name=gamma')).dags;
      expect(row).toMatchObject({ suspended: true });
      expect(row).not.toHaveProperty('nextRun');
      expect(await listNames('?suspended=true')).toEqual(['gamma']);
      expect(await listNames('?suspended=false&labels=team')).toEqual(['alpha', 'Beta']);

      expect((await suspend('gamma', false, token)).status).toBe(200);
      expect((await list('?name=gamma')).dags[0]).toMatchObject({
        suspended: false,
        nextRun: expect.any(String) as string,
      });
    });

    it('returns 400 when the flag is not a boolean', async () => {
      expect((await suspend('gamma', 'yes')).status).toBe(400);
    });

    it('returns 403 for a viewer', async () => {
      expect((await suspend('gamma', true, viewer)).status).toBe(403);
    });

    it('returns 404 for an unknown DAG', async () => {
      expect((await suspend('nobody', true)).status).toBe(404);
    });
  });
});
