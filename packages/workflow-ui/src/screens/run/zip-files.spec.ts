import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipFiles } from './zip-files';

const folder = mkdtempSync(path.join(tmpdir(), 'weir-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read =
  'import sys, zipfile, json; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))';

it('creates an archive that other programs can read', async () => {
  const text = new TextEncoder();
  const archive = zipFiles([
    { path: 'report.md', bytes: text.encode('# Report') },
    { path: 'tabelle/größe.csv', bytes: text.encode('a,b\n1,2\n') },
    { path: 'empty', bytes: new Uint8Array() },
  ]);
  const file = path.join(folder, 'all.zip');
  writeFileSync(file, Buffer.from(await archive.arrayBuffer()));

  expect(JSON.parse(execFileSync('python3', ['-c', read, file], { encoding: 'utf8' }))).toEqual({
    'report.md': '# Report',
    'tabelle/größe.csv': 'a,b\n1,2\n',
    empty: '',
  });
});
