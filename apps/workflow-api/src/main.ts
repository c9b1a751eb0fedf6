import os from 'node:os';
import path from 'node:path';
import { runProgram } from './commands/program';

// Put in by the build.
declare const WEIR_VERSION: string;

void runProgram(process.argv.slice(2), {
  env: process.env,
  version: WEIR_VERSION,
  migrationsFolder: path.join(__dirname, 'migrations'),
  parserFile: path.join(__dirname, 'parse-worker.js'),
  userHome: os.homedir(),
  workingDirectory: process.cwd(),
  signals: process,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
  logDestination: process.stderr,
}).then((exitCode) => {
  // A handle that somebody forgot must not keep the process up once the work is done.
  process.exit(exitCode);
});
