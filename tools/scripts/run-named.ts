import process from 'node:process';

/** A program by its name: what it does, and its module. */
export type NamedPrograms = Readonly<Record<string, { readonly does: string; readonly load: () => Promise<unknown> }>>;

/** Executes the program that the command line names first, with the words after it; without a name, lists them. */
export async function runNamed(command: string, programs: NamedPrograms): Promise<void> {
  const [node = '', script = '', name, ...words] = process.argv;
  const program = name !== undefined && Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program === undefined) {
    const width = Math.max(...Object.keys(programs).map(({ length }) => length));
    const lines = Object.entries(programs).map(([each, { does }]) => `  ${each.padEnd(width)}  ${does}`);
    process.stdout.write(`Usage: npm run ${command} <name> [-- <options>]\n\n${lines.join('\n')}\n`);
    process.exitCode = name === undefined ? 0 : 2;
    return;
  }
  // The program reads its own words where any program finds them.
  process.argv = [node, script, ...words];
  await program.load();
}
