import { waitFor } from '@weir/test-kit';
import { useCommands } from './testing/use-commands';

const here = useCommands();
const there = useCommands();
const { run, begin } = here;

describe('weir worker-token … --https on SQLite', () => {
  it('prints the variables of the worker alone, and what they are on standard error', async () => {
    const { exitCode, out, errors } = await run('worker-token', 'create', 'gpu-1', '--https', '--labels', 'gpu=a100');

    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(
        /^WEIR_SERVER_URL=http:\/\/127\.0\.0\.1:\d+\nWEIR_WORKER_TOKEN=weirw_[1-9A-HJ-NP-Za-km-z]{32,44}$/,
      ) as string,
    });
    expect(errors).toContain('"weir worker-token revoke gpu-1 --https" ends it');
    expect(errors).toContain('WEIR_PUBLIC_URL');
  });

  it('names the public address of the server', async () => {
    const command = begin(['worker-token', 'create', 'gpu-1', '--https'], {
      WEIR_PUBLIC_URL: 'https://weir.example.com/base/',
    });
    await command.exitCode;

    expect(command.out()).toContain('WEIR_SERVER_URL=https://weir.example.com/base\n');
    expect(command.errors()).not.toContain('WEIR_PUBLIC_URL');
  });

  it('lists tokens without their texts, and revokes them', async () => {
    const { out: printed } = await run('worker-token', 'create', 'gpu-1', '--https', '--labels', 'gpu=a100,region=eu');
    const { out: table } = await run('worker-token', 'list');
    const listed = await run('worker-token', 'list', '--https', '--format', 'json');

    expect(table).toMatch(/^NAME +KIND +LABELS +CREATED BY +LAST USED\ngpu-1 +server +gpu=a100,region=eu +\S+$/);
    expect(JSON.parse(listed.out)).toMatchObject({
      tokens: [{ kind: 'server', name: 'gpu-1', labels: { gpu: 'a100', region: 'eu' }, lastUsedAt: null }],
    });
    expect(listed.out).not.toContain(printed.slice(printed.indexOf('weirw_') + 6));

    await expect(run('worker-token', 'revoke', 'gpu-1', '--https')).resolves.toMatchObject({
      exitCode: 0,
      out: 'The worker token gpu-1 is revoked.',
    });
    await expect(run('worker-token', 'list', '--https', '--format', 'json')).resolves.toMatchObject({
      out: '{"tokens":[]}',
    });
  });

  it('refuses names that are taken, invalid or none', async () => {
    await run('worker-token', 'create', 'gpu-1', '--https');
    const refusals = [
      await run('worker-token', 'create', 'gpu-1', '--https'),
      await run('worker-token', 'create', 'No Name', '--https'),
      await run('worker-token', 'revoke', 'none', '--https'),
    ];

    expect(refusals.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
    expect(refusals.map(({ errors }) => errors)).toEqual([
      expect.stringContaining('There is a worker token "gpu-1" already'),
      expect.stringContaining('is no name of a worker token'),
      expect.stringContaining('There is no worker token "none"'),
    ]);
  });
});

describe('weir worker-token', () => {
  it.each([
    ['create', 'gpu-1'],
    ['revoke', 'gpu-1'],
  ])('%s without --https needs PostgreSQL', async (...words) => {
    await expect(run('worker-token', ...words)).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('With --https, they speak to a server') as string,
    });
  });

  it('creates a token of the server of a context with --https, and refuses the context without', async () => {
    const server = there.begin(['start-all', '--port', '0'], { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' });
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });
    const url = /http:\/\/[\d.]+:\d+/.exec(server.out())?.[0] ?? '';
    await run('context', 'add', 'other', '--url', url);

    const { out, errors } = await run('--context', 'other', 'worker-token', 'create', 'gpu-1', '--https');
    const ofThisMachine = await run('worker-token', 'list', '--format', 'json');
    const refused = await run('--context', 'other', 'worker-token', 'list');
    const listedThere = await there.run('worker-token', 'list', '--https');
    server.signals.emit('SIGTERM', 'SIGTERM');
    await server.exitCode;

    expect(out).toMatch(new RegExp(`^WEIR_SERVER_URL=${url}\nWEIR_WORKER_TOKEN=weirw_`));
    expect(errors).not.toContain('WEIR_PUBLIC_URL');
    expect(ofThisMachine.out).toBe('{"tokens":[]}');
    expect(refused.errors).toContain('worker-token works on this machine');
    expect(listedThere.out).toContain('gpu-1');
  });
});
