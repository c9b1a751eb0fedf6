import { readdir } from 'node:fs/promises';
import path from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

export { script as completionScript } from '@bomb.sh/tab';

export interface CompletedLine {
  readonly program: Command;
  /** The words that were typed so far; the last one may be incomplete. */
  readonly words: readonly string[];
  readonly dagsFolder: string;
}

/** Prints the possible next words, one per line, in the form that the scripts of the library read. */
export async function completeWords({ program, words, dagsFolder }: CompletedLine): Promise<void> {
  const names = await listDagFiles(dagsFolder);
  const root = tab(program);
  for (const command of root.commands.values()) {
    const dag = command.arguments.get('dag');
    if (dag === undefined) continue;
    dag.handler = (complete) => {
      for (const name of names) complete(name, '');
    };
  }
  root.parse([...words]);
}

/** A folder that cannot be read completes nothing. */
async function listDagFiles(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => /\.ya?ml$/.test(file)).map((file) => path.parse(file).name);
}
