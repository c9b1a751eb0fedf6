import { causeChain, isAppError } from '@weir/errors';
import type { LoggerOptions, SignalSource } from '@weir/service-kit';
import { Command, CommanderError, Option } from 'commander';
import { loadConfig, type Config, type HostFacts } from '../config';
import { createInlineSpecReader } from './inline-spec-reader';
import { exampleText } from './print-example';
import { schemaText } from './print-schema';
import { serve } from './serve';
import { startRun } from './start-run';
import { validateFiles, validateFormats, type ValidateFormat } from './validate';

/** Everything a command line has of its process. */
export interface ProgramHost extends HostFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly migrationsFolder: string;
  readonly parserFile: string;
  readonly signals: SignalSource;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly logDestination: NonNullable<LoggerOptions['destination']>;
}

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly dags?: string;
}

interface StartFlags {
  readonly params?: string;
  readonly runId?: string;
  readonly dags?: string;
}

interface ValidateFlags {
  readonly format: ValidateFormat;
  readonly showUnresolved: boolean;
}

type Exit = (code: number) => void;

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
  addServe(program, host, exit, ['start-all', 'serve the API and carry out runs, in one process']);
  addServe(program, host, exit, ['server', 'serve the API alone']);
  addStart(program, host, exit);
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
      const config = configOf(host, { WEIR_HOST: flags.host, WEIR_PORT: flags.port, WEIR_DAGS_DIR: flags.dags });
      exit(await serve({ ...host, config, hostEnvironment: host.env, withRunner: name === 'start-all' }));
    });
}

function addStart(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('start')
    .description('carry out one run and wait for its end')
    .argument('<dag>', 'a DAG file, or the name of a DAG in the DAGs folder')
    .argument('[params...]', 'parameters after "--": name=value or positional')
    .option('--params <text>', 'parameters as one text: JSON, or words such as name=value')
    .option('--run-id <id>', 'id of the run')
    .option('--dags <folder>', 'folder of the DAG files, in place of WEIR_DAGS_DIR')
    .action(async (target: string, params: string[], flags: StartFlags, command: Command) => {
      if (flags.params !== undefined && params.length > 0) {
        command.error('error: give parameters with --params or after "--", not both');
      }
      const config = configOf(host, { WEIR_DAGS_DIR: flags.dags });
      const given = flags.params ?? (params.length > 0 ? JSON.stringify(params) : undefined);
      const options = { ...host, config, hostEnvironment: host.env, target, params: given, dagRunId: flags.runId };
      exit(await startRun(options));
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
      exit(await validateFiles({ ...host, files, ...flags, specs: createInlineSpecReader(configOf(host, {})) }));
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

/** Flags win over the environment. */
function configOf(host: ProgramHost, flags: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return loadConfig({ ...host.env, ...Object.fromEntries(given) }, host);
}

/** For a person, without a stack. */
function failureText(error: unknown): string {
  if (isAppError(error)) return `weir: ${error.message}`;
  const messages = causeChain(error).map((cause) => (cause instanceof Error ? cause.message : String(cause)));
  return `weir: ${messages.join(': ')}`;
}
