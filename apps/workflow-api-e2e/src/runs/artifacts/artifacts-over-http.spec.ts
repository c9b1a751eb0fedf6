import { onEachDatabase } from '../../support/databases';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import type { Weir } from '../../support/weir-server';

const spec = `
artifacts: { enabled: true }
type: chain
steps:
  - run: |
      cd "$DAG_RUN_ARTIFACTS_DIR"
      mkdir -p b/deep empty
      echo '# Title' > b/deep/page.md
      echo '<script>1</script>' > page.html
      printf 'a\\000b' > data.bin
      echo text > A.txt
      ln -s /etc/passwd link.txt
      ln -s /etc outside
      head -c 3000000 /dev/zero | tr '\\000' x > large.log
`;

interface Tree {
  readonly items: readonly { readonly name: string; readonly type: string; readonly children?: Tree['items'] }[];
}

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let base: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    for (const [name, text] of [
      ['kept', spec],
      ['bare', 'steps:\n  - run: echo hello\n'],
    ] as const) {
      await weir.createClient(admin).createNewDag({ body: { name, spec: text } });
    }
    base = await findRun('kept');
  }, 60_000);

  afterAll(() => weir.dispose());

  const findRun = async (name: string): Promise<string> => {
    const { body } = await weir.request('POST', `/dags/${name}/start`, { token: admin, body: {} });
    const { dagRunId } = body as { dagRunId: string };
    await endOfRun(weir, admin, name, dagRunId);
    return `/dag-runs/${name}/${dagRunId}/artifacts`;
  };
  const get = (path: string, token: string | undefined = admin) => weir.request('GET', path, { token });

  describe('GET /dag-runs/{name}/{dagRunId}/artifacts', () => {
    it('returns 200 with folders first, then by name, and without links', async () => {
      const { status, body } = await get(base);

      expect(status).toBe(200);
      expect((body as Tree).items.map(({ name }) => name)).toEqual([
        'b',
        'empty',
        'A.txt',
        'data.bin',
        'large.log',
        'page.html',
      ]);
      expect((body as Tree).items[0]).not.toHaveProperty('children');
    });

    it('returns 200 with the contents of folders', async () => {
      const { body } = await get(`${base}?recursive=true`);

      expect((body as Tree).items[0]?.children?.[0]).toMatchObject({
        name: 'deep',
        path: 'b/deep',
        children: [{ name: 'page.md', path: 'b/deep/page.md', type: 'file', size: 8 }],
      });
      expect((body as Tree).items[1]).not.toHaveProperty('children');
    });

    it('returns 400 for another node', async () => {
      expect(await get(`${base}?remoteNode=other`)).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', base)).toMatchObject({ status: 401 });
    });

    it('returns 404 for a run without artifacts and for an unknown run', async () => {
      const bare = await findRun('bare');

      expect(await get(bare)).toMatchObject({ status: 404, body: { reason: 'artifacts_not_found' } });
      expect(await get('/dag-runs/kept/none/artifacts')).toMatchObject({ status: 404 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/artifacts/preview', () => {
    it('returns 200 with kind and text', async () => {
      expect(await get(`${base}/preview?path=b/deep/page.md`)).toMatchObject({
        status: 200,
        body: { name: 'page.md', kind: 'markdown', mimeType: 'text/markdown', content: '# Title\n', tooLarge: false },
      });
      expect(await get(`${base}/preview?path=page.html`)).toMatchObject({ body: { kind: 'html' } });
    });

    it('returns 200 without content for a file that is binary or too large', async () => {
      const [binary, large] = [await get(`${base}/preview?path=data.bin`), await get(`${base}/preview?path=large.log`)];

      expect(binary.body).toMatchObject({ kind: 'binary', size: 3, tooLarge: false });
      expect(large.body).toMatchObject({ kind: 'text', size: 3_000_000, tooLarge: true });
      expect([binary.body, large.body].some((body) => Object.hasOwn(body as object, 'content'))).toBe(false);
    });

    it.each(['../x', '/etc/passwd', 'a/../../x', '%5Cx', 'b%5C..%5Cx', 'a%00b'])(
      'refuses the path %s',
      async (path) => {
        expect(await get(`${base}/preview?path=${path}`)).toMatchObject({ status: 400 });
      },
    );

    it('returns 400 without a path', async () => {
      expect(await get(`${base}/preview`)).toMatchObject({ status: 400, body: { reason: 'request_invalid' } });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', `${base}/preview?path=A.txt`)).toMatchObject({ status: 401 });
    });

    it('returns 404 for links, folders and missing files', async () => {
      for (const path of ['link.txt', 'outside/passwd', 'b', 'none', 'A.txt/x']) {
        expect(await get(`${base}/preview?path=${path}`)).toMatchObject({
          status: 404,
          body: { reason: 'artifact_not_found' },
        });
      }
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/artifacts/download', () => {
    const download = (path: string) =>
      fetch(`${weir.baseUrl}${base}/download?path=${path}`, { headers: { authorization: `Bearer ${admin}` } });

    it('returns 200 with the file as an attachment that browsers do not display', async () => {
      const response = await download('page.html');

      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename=page.html',
        'content-length': '19',
        'x-content-type-options': 'nosniff',
      });
      expect(await response.text()).toBe('<script>1</script>\n');
    });

    it('returns 200 with every byte', async () => {
      expect(Buffer.from(await (await download('data.bin')).arrayBuffer())).toEqual(Buffer.from('a\0b'));
      expect((await (await download('large.log')).arrayBuffer()).byteLength).toBe(3_000_000);
    });

    it('returns 400 for a path that leads outside', async () => {
      expect((await download('../x')).status).toBe(400);
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', `${base}/download?path=A.txt`)).toMatchObject({ status: 401 });
    });

    it('returns 404 for a link', async () => {
      expect((await download('link.txt')).status).toBe(404);
    });
  });

  it('reports whether a run has artifacts', async () => {
    await findRun('bare');
    const { body } = await get('/dag-runs');

    const runs = (body as { dagRuns: { name: string; artifactsAvailable: boolean }[] }).dagRuns;
    expect(runs.find(({ name }) => name === 'kept')?.artifactsAvailable).toBe(true);
    expect(runs.find(({ name }) => name === 'bare')?.artifactsAvailable).toBe(false);
  });
});
