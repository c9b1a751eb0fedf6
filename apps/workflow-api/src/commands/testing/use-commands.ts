import { EventEmitter } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { hostEnvironment } from '../../testing/workflow-api';
import { runProgram } from '../program/program';

const migrationsFolder = path.resolve(__dirname, '../../../../../packages/workflow-db/prisma/migrations');
/** The spec of the DAG `hello`. */
export const hello =
  'params:\n  - {name: who, default: you}\nsteps:\n  - {name: greet, run: "echo hello ${params.who} > said"}\nworking_dir: .\n';

/** Provides command lines with one home folder per case, which holds the DAG `hello`. */
export function useCommands() {
  let home: TemporaryFolder;
  beforeEach(async () => {
    home = temporaryFolder();
    await mkdir(home.file('dags'));
    await writeFile(home.file('dags', 'hello.yaml'), hello);
  });
  afterEach(() => home.remove());

  /** Starts a command line and collects its output. */
  function begin(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const out: string[] = [];
    const errors: string[] = [];
    const signals = new EventEmitter();
    const exitCode = runProgram(words, {
      env: { ...hostEnvironment, WEIR_HOME: home.path, WEIR_LOG_LEVEL: 'silent', ...env },
      version: '1.2.3',
      migrationsFolder,
      uiFolder: undefined,
      loadOwnStore: () => import('../serve/own-application.js'),
      // The parser is not built: the specs of these tests are small.
      parserFile: path.join(home.path, 'parse-worker.js'),
      userHome: home.path,
      workingDirectory: home.path,
      signals,
      print: (text) => out.push(text),
      printError: (text) => errors.push(text),
      logDestination: { write: (line) => errors.push(line) },
    });
    return { exitCode, signals, out: () => out.join('\n'), errors: () => errors.join('\n') };
  }

  async function run(...words: readonly string[]) {
    const command = begin(words);
    return { exitCode: await command.exitCode, out: command.out(), errors: command.errors() };
  }

  return { home: () => home, begin, run };
}
