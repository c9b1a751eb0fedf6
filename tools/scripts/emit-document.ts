import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';

export interface EmittedDocument {
  /** The committed file, from the root of the repository. */
  readonly file: string;
  readonly content: object;
  /** The command that writes it. */
  readonly command: string;
}

/** Writes a JSON document that the code gives; with `--check` it only compares and exits 1 on a difference. */
export async function emitDocument({ file, content, command }: EmittedDocument): Promise<void> {
  const target = path.resolve(__dirname, '../..', file);
  const text = await format(JSON.stringify(content), { parser: 'json', printWidth: 120 });
  if (!process.argv.includes('--check')) {
    await writeFile(target, text);
    return;
  }
  const committed = await readFile(target, 'utf8').catch(() => '');
  if (committed === text) return;
  console.error(`${file} is not what the code emits. Run: ${command}`);
  process.exitCode = 1;
}
