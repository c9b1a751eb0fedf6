import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Workbook } from 'exceljs';

const maxFileBytes = 52_428_800;
/** All parts together, unpacked. */
const maxContentBytes = 268_435_456;
const maxParts = 10_000;
// The library does not keep these when it writes a workbook.
const lostParts: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^xl\/charts|^xl\/chartsheets/, 'charts'],
  [/^xl\/pivot/, 'pivot tables'],
  [/^xl\/vbaProject/, 'macros'],
  [/^xl\/drawings\/drawing/, 'drawings'],
  [
    /^xl\/(?:slicer|timeline|externalLinks|activeX|ctrlProps|embeddings|connections|queryTables|model)/,
    'links or controls',
  ],
];

/** Is shown to the author of the step: it holds no content of the workbook. */
export class WorkbookProblem extends Error {}

export interface OpenWorkbook {
  readonly book: Workbook;
  /** What would be lost by writing the workbook. */
  readonly lost: string | undefined;
}

/** Reads a workbook of bounded size, packed and unpacked. */
export async function openWorkbook(file: string): Promise<OpenWorkbook> {
  if (!existsSync(file)) throw new WorkbookProblem('The workbook was not found.');
  if (statSync(file).size > maxFileBytes)
    throw new WorkbookProblem(`The workbook is larger than ${maxFileBytes} bytes.`);
  const content = readFileSync(file);
  const names = await checkParts(content);
  const book = await newWorkbook();
  try {
    await book.xlsx.load(content.buffer.slice(content.byteOffset, content.byteOffset + content.length));
  } catch {
    throw new WorkbookProblem('The file is no workbook that can be read.');
  }
  const lost = lostParts.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  return { book, lost };
}

export async function newWorkbook(): Promise<Workbook> {
  // Loaded on first use, since it is large, and without the readers of streams, which need a package without a licence.
  const { default: Workbook } = await import('exceljs/lib/doc/workbook');
  return new Workbook();
}

/** Unpacks every part without keeping it, since the sizes that an archive states may be wrong. */
async function checkParts(content: Buffer): Promise<readonly string[]> {
  const { ZipReader, Uint8ArrayReader, configure } = await import('@zip.js/zip.js');
  configure({ useWebWorkers: false });
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(content)));
  let left = maxContentBytes;
  try {
    const entries = await reader.getEntries();
    if (entries.length > maxParts) throw new WorkbookProblem(`The workbook has more than ${maxParts} parts.`);
    for (const entry of entries) {
      if (entry.directory) continue;
      const sink = new WritableStream<Uint8Array>({
        write: (part) => {
          left -= part.length;
          if (left < 0) throw new WorkbookProblem(`The workbook has more than ${maxContentBytes} bytes unpacked.`);
        },
      });
      await entry.getData(sink);
    }
    return entries.map(({ filename }) => filename);
  } catch (error) {
    if (left < 0) throw new WorkbookProblem(`The workbook has more than ${maxContentBytes} bytes unpacked.`);
    throw error instanceof WorkbookProblem ? error : new WorkbookProblem('The file is no workbook that can be read.');
  } finally {
    await reader.close().catch(() => undefined);
  }
}

/** Replaces the workbook at once; a link leads to the file that is replaced, which keeps its permissions. */
export async function saveWorkbook(book: Workbook, file: string): Promise<void> {
  const exists = existsSync(file);
  const target = exists ? realpathSync(file) : file;
  if (!existsSync(path.dirname(target))) throw new WorkbookProblem('The folder of the workbook was not found.');
  const part = `${target}.${randomUUID()}.part`;
  try {
    writeFileSync(part, new Uint8Array(await book.xlsx.writeBuffer()), { flag: 'wx' });
    if (exists) chmodSync(part, statSync(target).mode & 0o7777);
    renameSync(part, target);
  } finally {
    rmSync(part, { force: true });
  }
}
