import { causeChain, isAppError } from '@weir/errors';
import { Command, CommanderError, Option } from 'commander';
import { addDecisionCommands } from './add-decision-commands';
import { addRunCommands } from './add-run-commands';
import { createInlineSpecReader } from './inline-spec-reader';
import { exampleText } from './print-example';
import { schemaText } from './print-schema';
import { readConfig, createStoreCommand, type Exit, type ProgramHost } from './program-host';
import { runScheduler } from './run-scheduler';
import { serve } from './serve';
import { validateFiles, validateFormats, type ValidateFormat } from './validate';

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly dags?: string;
}

interface ValidateFlags {
  readonly format: ValidateFormat;
  readonly showUnresolved: boolean;
}

/** Carries out one command line; `words` are what follows the program's name. Returns the exit code and never rejects. */
export async function runProgram(words: readonly string[], host: ProgramHost): Promise<number> {
  let exitCode = 0;
  const program = createProgram(host, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Help and version are thrown too, with exit code 0; their text is out already, as is that of wrong usage.
    if (error instanceof CommanderError) return error.exitCode;
    host.printError(failureText(error));
    return 1;
  }
}

function createProgram(host: ProgramHost, exit: Exit): Command {
  const { print, printError, version } = host;
  const program = new Command('weir').description('Stores DAG definitions and runs them.');
  // Set before commands are added: they take it over.
  program
    .exitOverride()
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => printError(text.trimEnd()) })
    .showHelpAfterError();
  addServe(program, host, exit, ['start-all', 'serve the API, follow schedules and carry out runs, in one process']);
  addServe(program, host, exit, ['server', 'serve the API alone']);
  addScheduler(program, host, exit);
  addRunCommands(program, host, exit);
  addDecisionCommands(program, host, exit);
  addValidate(program, host, exit);
  addDescriptions(program, print);
  program
    .command('version')
    .description('print the version')
    .action(() => print(version));
  return program;
}

function addServe(
  program: Command,
  host: ProgramHost,
  exit: Exit,
  [name, description]: readonly ['start-all' | 'server', string],
): void {
  program
    .command(name)
    .description(description)
    .option('--host <address>', 'address to listen on, in place of WEIR_HOST')
    .option('--port <number>', 'port to listen on, in place of WEIR_PORT')
    .option('--dags <folder>', 'folder of the DAG files, in place of WEIR_DAGS_DIR')
    .action(async (flags: ServeFlags) => {
      const config = readConfig(host, { WEIR_HOST: flags.host, WEIR_PORT: flags.port, WEIR_DAGS_DIR: flags.dags });
      exit(await serve({ ...host, config, hostEnvironment: host.env, withWorker: name === 'start-all' }));
    });
}

function addScheduler(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('scheduler')
    .description('follow schedules and carry out runs, without the API')
    .option('--dags <folder>', 'folder of the DAG files, in place of WEIR_DAGS_DIR')
    .action(async ({ dags }: Pick<ServeFlags, 'dags'>) => {
      exit(await runScheduler(createStoreCommand(host, { dags })));
    });
}

function addValidate(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('validate')
    .description('check DAG files')
    .argument('<file...>', 'DAG files')
    .addOption(new Option('--format <format>', 'how findings are printed').choices(validateFormats).default('text'))
    .option('--show-unresolved', 'also show references that nothing is known of and that stay as they are', false)
    .action(async (files: string[], flags: ValidateFlags) => {
      exit(await validateFiles({ ...host, files, ...flags, specs: createInlineSpecReader(readConfig(host, {})) }));
    });
}

/** Commands that tell about the language and need nothing of this installation. */
function addDescriptions(program: Command, print: (text: string) => void): void {
  program
    .command('schema')
    .description('print the JSON Schema of DAG files, or a part of it')
    .argument('[schema]', 'which schema', 'dag')
    .argument('[path]', 'keys with dots between them, such as steps.retry_policy', '')
    .action((name: string, path: string) => print(schemaText(name, path)));
  program
    .command('example')
    .description('print an example of a DAG file; without a name, what examples there are')
    .argument('[name]', 'name of the example')
    .action((name?: string) => print(exampleText(name)));
}

/** For a person, without a stack. */
function failureText(error: unknown): string {
  if (isAppError(error)) return `weir: ${error.message}`;
  const messages = causeChain(error).map((cause) => (cause instanceof Error ? cause.message : String(cause)));
  return `weir: ${messages.join(': ')}`;
}
