import os from 'node:os';
import path from 'node:path';
import { runProgram } from './commands/program';

// Put in by the build; run from its sources, the program has none.
declare const WEIR_VERSION: string;

void runProgram(process.argv.slice(2), {
  // A copy: each look at the original asks the system.
  env: { ...process.env },
  version: typeof WEIR_VERSION === 'string' ? WEIR_VERSION : 'unbuilt',
  migrationsFolder: path.join(__dirname, 'migrations'),
  parserFile: path.join(__dirname, 'parse-worker.js'),
  userHome: os.homedir(),
  workingDirectory: process.cwd(),
  signals: process,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
  logDestination: process.stderr,
}).then(async (exitCode) => {
  await Promise.all([process.stdout, process.stderr].map(written));
  // A handle that somebody forgot must not keep the process up once the work is done.
  process.exit(exitCode);
});

/** Waits until a pipe has taken all of a long text, which would end with the process; or until nobody reads it. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}
