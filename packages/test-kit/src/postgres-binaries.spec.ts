import { lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { postgresBinaries } from './postgres-binaries';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder';

describe('postgresBinaries', () => {
  let folder: TemporaryFolder;
  const present = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** Creates the folder that npm leaves when install scripts are off: the links are only described. */
  function install(): string {
    const native = folder.file('installed', 'native');
    mkdirSync(path.join(native, 'bin'), { recursive: true });
    mkdirSync(path.join(native, 'lib'));
    writeFileSync(path.join(native, 'bin', 'postgres'), 'server', { mode: 0o755 });
    writeFileSync(path.join(native, 'lib', 'libpq.so.5.18'), 'library');
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));
    return native;
  }

  it('adds the library links that npm left out, once', () => {
    const native = install();
    for (let time = 0; time < 2; time += 1) {
      expect(postgresBinaries(undefined, folder.file('copy'), native)).toBe(native);
    }
    const link = path.join(native, 'lib', 'libpq.so.5');
    expect(readlinkSync(link)).toBe('libpq.so.5.18');
    expect(readFileSync(link, 'utf8')).toBe('library');
  });

  it('copies them when the server user cannot enter the folder', () => {
    // A temporary folder is closed to everybody but its owner.
    const copy = folder.file('copy');
    expect(postgresBinaries(present, copy, install())).toBe(copy);
    expect(readFileSync(path.join(copy, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
    expect(lstatSync(path.join(copy, 'bin', 'postgres')).uid).toBe(present.uid);
  });
});
