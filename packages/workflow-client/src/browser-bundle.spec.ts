import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const maxBytes = 12 * 1024;

describe('the package in the bundle of a browser', () => {
  it(`has at most ${maxBytes} bytes after gzip, and no schemas or parts of Node`, async () => {
    const options = ['--bundle', '--minify', '--format=esm', '--platform=browser', '--conditions=@weir/source'];
    // Its package.json exports no binary; a built-in module of Node fails the build.
    const esbuild = path.join(path.dirname(require.resolve('esbuild/package.json')), 'bin/esbuild');
    const { stdout } = await promisify(execFile)(esbuild, [path.join(__dirname, 'index.ts'), ...options]);

    expect(gzipSync(stdout).length).toBeLessThanOrEqual(maxBytes);
    expect(stdout).not.toMatch(/zod|invalid_type|node:/i);
  });
});
