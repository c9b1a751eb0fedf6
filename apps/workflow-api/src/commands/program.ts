import { causeChain, isAppError } from '@weir/errors';
import { Command, CommanderError, Option } from 'commander';
import { addDecisionCommands } from './decisions/add-decision-commands';
import { addRunCommands } from './runs/add-run-commands';
import { validateFormats, type ValidateFormat } from './shared/formats';
import { createStoreCommand, namingInstallation, readConfig, type Exit, type ProgramHost } from './shared/program-host';

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly dags?: string;
}

interface ValidateFlags {
  readonly format: ValidateFormat;
  readonly showUnresolved: boolean;
}

/** Executes one command line; `words` are what follows the program's name. Returns the exit code and never rejects. */
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
  // Set before commands are added, which inherit it.
  program
    .exitOverride()
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => printError(text.trimEnd()) })
    .showHelpAfterError();
  addServe(program, host, exit, ['start-all', 'serve the API, follow schedules and execute runs, in one process']);
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
    .option('--host <address>', 'address to listen on, instead of WEIR_HOST')
    .option('--port <number>', 'port to listen on, instead of WEIR_PORT')
    .option('--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR')
    .action(async (flags: ServeFlags) => {
      const given = { WEIR_HOST: flags.host, WEIR_PORT: flags.port, WEIR_DAGS_DIR: flags.dags };
      const config = await readConfig(host, given);
      const { serve } = await import('../parts/server.js');
      const roles = name === 'server' ? (['api'] as const) : config.roles;
      exit(await serve({ ...host, config, hostEnvironment: namingInstallation(host.env, config), roles }));
    });
}

function addScheduler(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('scheduler')
    .description('follow schedules and execute runs, without the API')
    .option('--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR')
    .action(async ({ dags }: Pick<ServeFlags, 'dags'>) => {
      const command = await createStoreCommand(host, { dags });
      const { serve } = await import('../parts/server.js');
      exit(await serve({ ...command, roles: ['scheduler', 'worker'] }));
    });
}

function addValidate(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('validate')
    .description('check DAG files')
    .argument('<file...>', 'DAG files')
    .addOption(new Option('--format <format>', 'output format of findings').choices(validateFormats).default('text'))
    .option('--show-unresolved', 'also show references that cannot be resolved and are left unchanged', false)
    .action(async (files: string[], flags: ValidateFlags) => {
      const config = await readConfig(host, {});
      const { validateFiles, createInlineSpecReader } = await import('../parts/language.js');
      exit(await validateFiles({ ...host, files, ...flags, specs: createInlineSpecReader(config) }));
    });
}

/** Commands that describe the language and need nothing of this installation. */
function addDescriptions(program: Command, print: (text: string) => void): void {
  program
    .command('schema')
    .description('print the JSON Schema of DAG files, or a part of it')
    .argument('[schema]', 'which schema', 'dag')
    .argument('[path]', 'dotted path of keys, such as steps.retry_policy', '')
    .action(async (name: string, path: string) => {
      const { schemaText } = await import('../parts/language.js');
      print(schemaText(name, path));
    });
  program
    .command('example')
    .description('print an example of a DAG file, or list the examples')
    .argument('[name]', 'name of the example')
    .action(async (name?: string) => {
      const { exampleText } = await import('../parts/language.js');
      print(exampleText(name));
    });
}

/** For a person, without a stack. */
function failureText(error: unknown): string {
  if (isAppError(error)) return `weir: ${error.message}`;
  const messages = causeChain(error).map((cause) => (cause instanceof Error ? cause.message : String(cause)));
  return `weir: ${messages.join(': ')}`;
}
