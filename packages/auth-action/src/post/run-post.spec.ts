import { freePort, mailServerCertificate, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { excludeFromGit } from '../publish/credentials-file/exclude-from-git';
import { writeCredentialsFile } from '../publish/credentials-file/write-credentials-file';
import { runPost } from './run-post';
import { cleanUpState, stateNames, formatState, type CleanUpState, type RevocationState } from '../runner/state';

describe('runPost', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  let next = 0;
  const writeFile = (): CleanUpState => {
    const random = (bytes: number) => new Uint8Array(bytes).fill((next += 1));
    const { identity } = writeCredentialsFile({
      folder: folder.path,
      format: () => `{"n":${next}}`,
      mode: 0o600,
      random,
    });
    return { file: identity, exclusion: undefined };
  };
  const post = async (cleanUp?: string, revocation?: RevocationState | string, timeoutMs = 5000): Promise<string> => {
    let written = '';
    const token = typeof revocation === 'object' ? formatState(revocation) : revocation;
    await runPost({
      env: { [`STATE_${cleanUpState}`]: cleanUp, [`STATE_${stateNames.revocation}`]: token },
      write: (text) => (written += text),
      revocationTimeoutMs: timeoutMs,
    });
    return written;
  };
  const findPath = ({ file }: CleanUpState): string => folder.file(file.name);

  it('reports that only the credentials file was cleaned up when the rest of post cannot be loaded', async () => {
    const state = writeFile();
    let written = '';
    await runPost({
      env: { [`STATE_${cleanUpState}`]: formatState(state), [`STATE_${stateNames.docker}`]: '{}' },
      write: (text) => (written += text),
      revocationTimeoutMs: 5000,
      loadUndo: () => Promise.reject(new Error('no undo.js')),
    });
    expect(written).toContain('::warning::Only the credentials file was cleaned up: no undo.js\n');
    expect(existsSync(findPath(state))).toBe(false);
  });

  describe('the credentials file', () => {
    it('is the only file that is removed', async () => {
      const [first, second] = [writeFile(), writeFile()];
      expect(await post(formatState(first))).toBe(`The credentials file ${first.file.name} was removed.\n`);
      expect(existsSync(findPath(first))).toBe(false);
      expect(existsSync(findPath(second))).toBe(true);
    });

    it('is retained unless main requested its removal', async () => {
      const state = writeFile();
      expect(await post()).toBe('There is no credentials file to remove.\n');
      expect(existsSync(findPath(state))).toBe(true);
    });

    it('may already be missing, alone or with its folder', async () => {
      const state = writeFile();
      rmSync(findPath(state));
      expect(await post(formatState(state))).toContain('was already removed');
      await folder.remove();
      expect(await post(formatState(state))).toContain('was already removed');
    });

    it('is removed when it was changed in place', async () => {
      const state = writeFile();
      writeFileSync(findPath(state), 'changed');
      await post(formatState(state));
      expect(existsSync(findPath(state))).toBe(false);
    });

    it('is removed when it was replaced by a copy', async () => {
      const state = writeFile();
      copyFileSync(findPath(state), folder.file('copy'));
      renameSync(folder.file('copy'), findPath(state));
      await post(formatState(state));
      expect(existsSync(findPath(state))).toBe(false);
    });

    it.each([
      ['a file of another size', 'longer than it was'],
      ['a file with other content', '{"n":x}'],
    ])('stays when it was replaced by %s', async (_case, text) => {
      const state = writeFile();
      writeFileSync(folder.file('other'), text);
      renameSync(folder.file('other'), findPath(state));
      expect(await post(formatState(state))).toBe(
        `::warning::The credentials file ${state.file.name} was not removed: it was replaced by another file.\n`,
      );
      expect(readFileSync(findPath(state), 'utf8')).toBe(text);
    });

    it('stays when it was replaced by a folder or a link', async () => {
      const state = writeFile();
      renameSync(findPath(state), folder.file('moved'));
      symlinkSync('moved', findPath(state));
      expect(await post(formatState(state))).toContain('::warning::');
      rmSync(findPath(state));
      mkdirSync(findPath(state));
      writeFileSync(folder.file(state.file.name, 'inner'), '');
      expect(await post(formatState(state))).toContain('no longer a regular file');
      expect(existsSync(folder.file('moved'))).toBe(true);
      expect(existsSync(folder.file(state.file.name, 'inner'))).toBe(true);
    });

    it('stays when its folder was replaced by a link', async () => {
      const state = writeFile();
      mkdirSync(folder.file('a'));
      symlinkSync(folder.path, folder.file('a', 'link'));
      const moved = { ...state, file: { ...state.file, folder: folder.file('a', 'link') } };
      expect(await post(formatState(moved))).toContain('replaced by a symbolic link');
      expect(existsSync(findPath(state))).toBe(true);
    });

    it('is reported with owners and permissions if it cannot be removed', async () => {
      const state = writeFile();
      writeFileSync(folder.file('100%\nfile'), '', { mode: 0o640 });
      const impossible = { ...state, file: { ...state.file, folder: folder.file('100%\nfile') } };
      const written = await post(formatState(impossible));
      expect(written).toMatch(
        /^::warning::[^\n]*ENOTDIR; [^\n]*100%25%0Afile: owner \d+:\d+, mode 640; [^\n]*ENOTDIR\.\n$/,
      );
    });

    it.each([
      ['no JSON', () => 'x'],
      ['a JSON text', () => '"x"'],
      ['no file', () => '{}'],
      ['another name', (state: CleanUpState) => formatState({ ...state, file: { ...state.file, name: '../passwd' } })],
      ['a size as text', (state: CleanUpState) => formatState(state).replace(/"size":\d+/, '"size":"1"')],
      ['an empty hash', (state: CleanUpState) => formatState({ ...state, file: { ...state.file, sha256: '' } })],
      ['a list of exclude lines', (state: CleanUpState) => JSON.stringify({ ...state, exclusion: [] })],
      [
        'the exclude line of another file',
        (state: CleanUpState) => formatState({ ...state, exclusion: { path: '/a/info/exclude', line: '/other.log' } }),
      ],
      [
        'an exclude line for every folder',
        (state: CleanUpState) =>
          formatState({ ...state, exclusion: { path: '/a/info/exclude', line: `**/${state.file.name}` } }),
      ],
    ])('stays when the state has %s', async (_case, change) => {
      const state = writeFile();
      expect(await post(change(state))).toContain('::warning::The saved state of the main step is invalid');
      expect(existsSync(findPath(state))).toBe(true);
    });
  });

  describe('the info/exclude', () => {
    const exclude = (): string => folder.file('.git', 'info', 'exclude');
    const excluded = (before: string): CleanUpState => {
      mkdirSync(folder.file('.git', 'info'), { recursive: true });
      writeFileSync(folder.file('.git', 'HEAD'), 'ref: refs/heads/main\n');
      writeFileSync(exclude(), before);
      const state = writeFile();
      excludeFromGit(folder.path, state.file.name);
      return { ...state, exclusion: { path: exclude(), line: `/${state.file.name}` } };
    };

    it('is restored except for lines that were added since', async () => {
      const state = excluded('*.log\n');
      writeFileSync(exclude(), `${readFileSync(exclude(), 'utf8')}later\n`);
      expect(await post(formatState(state))).not.toContain('::warning::');
      expect(readFileSync(exclude(), 'utf8')).toBe('*.log\nlater\n');
    });

    it('may be missing', async () => {
      const state = excluded('');
      rmSync(folder.file('.git'), { recursive: true });
      expect(await post(formatState(state))).not.toContain('::warning::');
    });

    it('is not followed through a link, and no other file is changed', async () => {
      const state = excluded('');
      renameSync(exclude(), folder.file('other'));
      symlinkSync(folder.file('other'), exclude());
      expect(await post(formatState(state))).toContain(`::warning::The line /${state.file.name}`);
      const elsewhere = { path: folder.file('other'), line: `/${state.file.name}` };
      expect(await post(formatState({ ...state, exclusion: elsewhere }))).toContain('not an exclude file');
      expect(readFileSync(folder.file('other'), 'utf8')).toContain(state.file.name);
    });

    it('is not changed if it is too large', async () => {
      const state = excluded('');
      writeFileSync(exclude(), Buffer.alloc(1_048_577, '\n'));
      expect(await post(formatState(state))).toContain('not a regular file');
    });
  });

  describe('the access token', () => {
    let server: Server | undefined;
    afterEach(() => {
      server?.closeAllConnections();
      server?.close();
      server = undefined;
    });
    const listen = async (created: Server): Promise<number> => {
      server = created;
      await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
      return (created.address() as { readonly port: number }).port;
    };

    const state = { userAgent: 'action/1', requestReason: 'ticket' };

    it('is revoked', async () => {
      let seen = '';
      const port = await listen(
        createServer((request, response) => {
          seen += `${String(request.method)} ${String(request.url)} ${String(request.headers['content-type'])} `;
          seen += `${String(request.headers['user-agent'])} ${String(request.headers['x-goog-request-reason'])} `;
          request.on('data', (chunk) => (seen += String(chunk)));
          request.on('end', () => response.end('{}'));
        }),
      );
      const written = await post(undefined, { url: `http://127.0.0.1:${port}/revoke`, ...state, token: 'ya29.a+b' });
      expect(written).toContain('The access token was revoked.\n');
      expect(seen).toBe('POST /revoke application/x-www-form-urlencoded action/1 ticket token=ya29.a%2Bb');
    });

    it('is revoked despite a temporary failure of the service', async () => {
      let requests = 0;
      const port = await listen(
        createServer((_request, response) => {
          requests += 1;
          response.writeHead(requests === 1 ? 503 : 200).end('{}');
        }),
      );
      const written = await post(undefined, { url: `http://127.0.0.1:${port}/revoke`, ...state, token: 'secret' });
      expect(written).toContain('The access token was revoked.\n');
      expect(requests).toBe(2);
    });

    it('is reported if the service rejects the revocation', async () => {
      const port = await listen(createServer((_request, response) => response.writeHead(400).end()));
      const written = await post(undefined, { url: `http://127.0.0.1:${port}/revoke`, ...state, token: 'secret' });
      expect(written).toMatch(
        /^::warning::The access token was not revoked: 127\.0\.0\.1:\d+ rejected the revocation with status 400\./m,
      );
      expect(written).not.toContain('secret');
    });

    it('is awaited only up to a limit', async () => {
      const port = await listen(createServer(() => undefined));
      const written = await post(undefined, { url: `http://127.0.0.1:${port}/revoke`, ...state, token: 'secret' }, 50);
      expect(written).toContain('not revoked: The revocation timed out');
    });

    it('is not sent to a server with an untrusted certificate', async () => {
      const { key, cert } = mailServerCertificate;
      const port = await listen(createTlsServer({ key, cert }, (_request, response) => response.end()));
      const written = await post(undefined, { url: `https://127.0.0.1:${port}/revoke`, ...state, token: 'secret' });
      expect(written).toContain('DEPTH_ZERO_SELF_SIGNED_CERT. If a proxy');
    });

    it.each([
      ['over http to another machine', 'http://192.0.2.1/revoke', 'Tokens are not sent to http://192.0.2.1'],
      ['to what is not a URL', 'revoke', 'A service address is not a valid URL.'],
    ])('does not go %s', async (_case, url, text) => {
      expect(await post(undefined, { url, ...state, token: 'secret' })).toContain(`not revoked: ${text}`);
    });

    it('is reported if the service is unreachable', async () => {
      const url = `http://127.0.0.1:${await freePort()}/revoke`;
      const written = await post(undefined, { url, ...state, token: 'secret' }, 500);
      expect(written).toMatch(/^::warning::.*not revoked: The revocation timed out.*ECONNREFUSED/m);
      expect(written).toMatch(
        /^::debug::POST 127\.0\.0\.1:\d+ revocation: network_unreachable ECONNREFUSED, attempt 1, /m,
      );
    });

    it.each([
      'x',
      '{}',
      '{"url":"https://a.test"}',
      '{"url":"https://a.test","token":"a","userAgent":1}',
      '{"url":"https://a.test","token":"a","userAgent":"a","requestReason":1}',
    ])('is not revoked by the state %j', async (state) => {
      expect(await post(undefined, state)).toContain('::warning::The saved state of the main step is invalid');
    });
  });
});
