import { existsSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import { createSyncedServer, on, read, spec, type SyncedServer } from '../support/synced-server';
import { startWeir } from '../support/weir-server';

let server: SyncedServer;

beforeAll(async () => {
  server = await createSyncedServer(await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } }));
}, 60_000);
afterAll(() => server.dispose());

const problems = (body: Record<string, unknown>) =>
  (body.errors as { itemId: string; message: string }[]).map(({ message }) => message);

describe('a hostile repository', () => {
  it('writes no file outside of the folders, and valid files are pulled', async () => {
    const { repository } = server;
    repository.push({ 'good.yaml': spec('good'), '.git-hooks/post-checkout': '#!/bin/sh\ntouch /tmp/pwned\n' });
    symlinkSync('/etc/passwd', repository.workFile('leak.yaml'));
    symlinkSync('/etc', repository.workFile('docs'));
    writeFileSync(repository.workFile('large.yaml'), 'x'.repeat(1_048_577));
    writeFileSync(repository.workFile('binary.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
    writeFileSync(repository.workFile('both.yaml'), spec('yaml'));
    writeFileSync(repository.workFile('both.yml'), spec('yml'));
    writeFileSync(repository.workFile('a name that is no name.yaml'), spec('x'));
    writeFileSync(repository.workFile('.gitattributes'), '* filter=evil\n');
    repository.work('add', '--all');
    repository.work('commit', '--quiet', '-m', 'evil');
    repository.work('push', '--quiet', 'origin', 'HEAD:main');
    const { status, body } = await server.pull();

    expect(status).toBe(200);
    expect(body.synced).toEqual(['both', 'good']);
    expect(problems(body).sort()).toEqual([
      'The file of the repository is not UTF-8 text.',
      'both.yml is left out, as there is both.yaml.',
      'large.yaml is larger than 1048576 bytes.',
      'leak.yaml is a link, which is not followed.',
    ]);
    expect(existsSync(server.dagFile('leak'))).toBe(false);
    expect(read(server.dagFile('both'))).toBe(spec('yaml'));
  });

  it('does not write through a tree whose names lead outside', async () => {
    const { repository } = server;
    const blob = repository.git('rev-parse', 'main:good.yaml');
    // git refuses to make such trees by name, so that the object is written as it is.
    const raw = (name: string, mode: string, hash: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]);
    const store = (content: Buffer) => {
      writeFileSync(repository.workFile('object'), content);
      return repository.work('hash-object', '-t', 'tree', '-w', '--literally', repository.workFile('object'));
    };
    repository.work('cat-file', '-e', blob);
    const outside = store(raw('outside.md', '100644', blob));
    const up = store(raw('..', '40000', outside));
    const top = store(Buffer.concat([raw('..\\x.yaml', '100644', blob), raw('docs', '40000', up)]));
    const commit = repository.work('commit-tree', top, '-m', 'elsewhere');
    repository.work('push', '--quiet', 'origin', `${commit}:refs/heads/elsewhere`);
    await server.configure({ branch: 'elsewhere' });
    const { status } = await server.pull();
    await server.configure({ branch: 'main' });

    expect(status).toBe(200);
    expect(existsSync(server.weir.home.file('weir', 'dags', 'outside.md'))).toBe(false);
    expect(existsSync(server.weir.home.file('weir', 'outside.md'))).toBe(false);
  });

  it('does not make the server follow a link in the folder of documents', async () => {
    const { repository } = server;
    repository.push({ docs: undefined });
    repository.push({ 'docs/linked/inside.md': 'x' }, 'through a link');
    const target = server.weir.home.file('elsewhere');
    const link = server.weir.home.file('weir', 'dags', 'docs');
    symlinkSync(target, link);
    const { body } = await server.pull();

    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(existsSync(`${target}/linked/inside.md`)).toBe(false);
    expect(body.success).toBe(false);
  });
});

describe('hostile requests', () => {
  it.each(['../../etc/passwd', '/etc/passwd', 'docs/../../x', '.git/config', 'a\0b', '-x', 'docs/.hidden'])(
    'of the file %j find nothing',
    async (itemId) => {
      for (const operation of ['publish', 'discard', 'forget', 'delete']) {
        const { status } = await server.send(on(itemId, operation));
        expect([400, 404]).toContain(status);
      }
      const diff = await server.send(`GET /sync/items/${encodeURIComponent(itemId)}/diff`);
      expect([400, 404]).toContain(diff.status);
    },
  );

  it('of a message or name do not become headers of a commit', async () => {
    await server.synced('message');
    const { body } = await server.send('PUT /dags/message/spec', { body: { spec: spec('other') } });
    expect(body.errors).toEqual([]);
    const message = 'first\ncommitter Evil <evil@x.test> 0 +0000\n\nD message.yaml\ndone\n';
    expect((await server.send(on('message', 'publish'), { body: { message } })).status).toBe(200);
    expect(server.repository.git('log', '-1', '--format=%cn', 'main')).toBe('Weir');
    expect(server.repository.read('message.yaml')).toBe(spec('other').trim());
  });
});
