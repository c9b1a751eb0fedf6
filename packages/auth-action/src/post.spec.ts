import { spawnProcess, temporaryFolder } from '@weir/test-kit';
import { build } from 'esbuild';
import fs, { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeCredentialsFile } from './publish/credentials-file/write-credentials-file';
import { cleanUpState, formatState } from './runner/state';

describe('the entry of post', () => {
  it('does nothing without state', async () => {
    // Standard output belongs to the process that runs the specs, and the compiler writes to its own files too.
    const texts: string[] = [];
    const { writeSync } = fs;
    const write = jest.spyOn(fs, 'writeSync').mockImplementation((...args: readonly unknown[]) => {
      const [descriptor, bytes] = args;
      if (descriptor !== 1 || !Buffer.isBuffer(bytes)) return Number(Reflect.apply(writeSync, fs, args));
      texts.push(bytes.toString());
      return bytes.length;
    });
    try {
      // The compiler does not resolve this path: it requires an extension in imports at run time.
      await import(path.join(__dirname, 'post'));
      expect(texts).toEqual(['There is no credentials file to remove.\n']);
    } finally {
      write.mockRestore();
    }
  });

  it('is a small program that cleans up', async () => {
    const folder = temporaryFolder();
    const outfile = folder.file('post.cjs');
    const entry = path.join(__dirname, 'post.ts');
    const options = { bundle: true, minify: true, platform: 'node', target: 'node20', format: 'cjs' } as const;
    const conditions = ['@weir/source'];
    await build({ ...options, conditions, external: ['./undo-saved.js'], entryPoints: [entry], outfile });
    expect(statSync(outfile).size).toBeLessThanOrEqual(6 * 1024);

    const random = (bytes: number) => new Uint8Array(bytes);
    const written = writeCredentialsFile({ folder: folder.path, format: () => '{}', mode: 0o600, random });
    const state = formatState({ file: written.identity, exclusion: undefined });
    const { exited, stdout } = await spawnProcess({
      command: process.execPath,
      args: [outfile],
      env: { [`STATE_${cleanUpState}`]: state },
    });
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(stdout()).toBe(`The credentials file ${written.identity.name} was removed.\n`);
    expect(existsSync(written.path)).toBe(false);
    await folder.remove();
  });
});
