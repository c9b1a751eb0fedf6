import { AppError } from '@weir/foundation';
import { Command, CommanderError } from 'commander';
import { unreadDaguVariables, useDaguNames, usesDaguNames, type CommandLine } from '../../dagu/use-dagu-names';
import type { Config } from '../../config';
import { addAuditCommands } from './add-audit-commands';
import { addCompletionCommand, completeCommand } from './add-completion-command';
import { addContextCommands } from './add-context-commands';
import { addDecisionCommands } from './add-decision-commands';
import { addLanguageCommands, addValidateCommand } from './add-language-commands';
import { addQueueCommands } from './add-queue-commands';
import { addMcpCommand } from './add-mcp-command';
import { addRunCommands } from './add-run-commands';
import type { ListFormat } from '../shared/formats';
import { errorText } from '../shared/error-text';
import { addDoctorCommand } from './add-doctor-command';
import { addStoreCommands } from './add-store-commands';
import { addProfileCommands } from './add-profile-commands';
import { addWorkerTokenCommands } from './add-worker-token-commands';
import { listFormatOption } from '../shared/list-format-option';
import {
  createStoreCommand,
  namingInstallation,
  readConfig,
  type Exit,
  type ProgramHost,
} from '../shared/program-host';

/** The commands that are sent to the chosen context. */
const remoteCommands: readonly string[] = [
  ...['start', 'dry', 'enqueue', 'exec', 'dequeue', 'stop', 'retry', 'restart', 'rm', 'validate', 'config', 'doctor'],
  ...['status', 'watch', 'logs', 'history', 'ps', 'ls', 'human-task', 'approval', 'audit', 'queue', 'mcp'],
];

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly dags?: string;
}

/** Executes one command line; `words` follow the program's name. Returns the exit code and never rejects. */
export async function runProgram(words: readonly string[], host: ProgramHost): Promise<number> {
  let exitCode = 0;
  try {
    const line = readCommandLine(words, host);
    if (line.words.length === 0) {
      host.print(greeting(host.version));
      return 0;
    }
    const program = createProgram({ ...host, env: line.env }, (code) => {
      exitCode = code;
    });
    if (line.words[0] === completeCommand) await complete(program, line.words, { ...host, env: line.env });
    else await program.parseAsync(line.words, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Help and version are thrown too, with exit code 0; their text is already printed, as is that of wrong usage.
    if (error instanceof CommanderError) return error.exitCode;
    host.printError(`weir: ${errorText(error)}`);
    return 1;
  }
}

const greeting = (version: string): string => `Weir ${version} stores DAG definitions and runs them.

  weir start-all       serve the API and the web interface, follow schedules and execute runs
  weir start FILE      execute one run and wait for its end
  weir validate FILE   check a DAG file
  weir example         list examples of DAG files

All commands: weir --help. One of them: weir help COMMAND.`;

async function complete(program: Command, words: readonly string[], host: ProgramHost): Promise<void> {
  const { dags } = await readConfig(host, {});
  const { completeWords } = await import('../../bundles/completion.js');
  await completeWords({ program, words: words.slice(words.indexOf('--') + 1), dagsFolder: dags.folder });
}

/** Returns the command line in the names of Weir, even if it was given in other names. */
function readCommandLine(words: readonly string[], { env, programName, printError }: ProgramHost): CommandLine {
  const isTranslated = usesDaguNames(env, programName);
  const line = isTranslated ? useDaguNames({ words, env }) : { words, env, warnings: unreadDaguVariables(env) };
  for (const warning of line.warnings) printError(`weir: warning: ${warning}`);
  return line;
}

function createProgram(host: ProgramHost, exit: Exit): Command {
  const { print, printError, version } = host;
  const program = new Command('weir').description('Stores DAG definitions and runs them.');
  // These settings come before the commands, which inherit them.
  program
    .version(version, '-v, --version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => printError(text.trimEnd()) });
  program
    .option('--context <name>', 'the server that a command is for, instead of WEIR_CONTEXT and the current one')
    .hook('preAction', (_, command) => refuseContext(program, command));
  addServe(program, host, exit, ['start-all', 'serve the API, follow schedules and execute runs, in one process']);
  addServe(program, host, exit, ['server', 'serve the API alone']);
  addScheduler(program, host, exit);
  addWorker(program, host, exit);
  const forServer: ProgramHost = {
    ...host,
    get context() {
      const { WEIR_CONTEXT: fromEnvironment = '' } = host.env;
      const { context } = program.opts<{ readonly context?: string }>();
      return { name: context ?? (fromEnvironment === '' ? undefined : fromEnvironment) };
    },
  };
  addRunCommands(program, forServer, exit);
  addDecisionCommands(program, forServer, exit);
  addAuditCommands(program, forServer, exit);
  addQueueCommands(program, forServer, exit);
  addProfileCommands(program, forServer, exit);
  addContextCommands(program, host, exit);
  addConfigCommand(program, forServer, exit);
  addSecretCommand(program, host, exit);
  addStoreCommands(program, host, exit);
  addWorkerTokenCommands(program, { host, forServer }, exit);
  addDoctorCommand(program, forServer, exit);
  addMcpCommand(program, forServer, exit);
  addValidateCommand(program, forServer, exit);
  addLanguageCommands(program, host, exit);
  addCompletionCommand(program);
  program
    .command('version')
    .description('print the version')
    .action(() => print(version));
  return program;
}

/** A command that works on this machine only must not run when another machine was meant. */
function refuseContext(program: Command, command: Command): void {
  const { context } = program.opts<{ readonly context?: string }>();
  let top = command;
  while (top.parent && top.parent !== program) top = top.parent;
  const { https = false } = command.opts<{ readonly https?: boolean }>();
  if (context !== undefined && !https && !remoteCommands.includes(top.name())) {
    command.error(`error: ${top.name()} works on this machine, so --context has no meaning for it`);
  }
}

function addConfigCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('config')
    .description('print the settings and folders in use; of a context, the server and the user of its API key')
    .addOption(listFormatOption())
    .action(async (flags: { readonly format: ListFormat }) => {
      const { showConfig, showContextConfig } = await import('../../bundles/settings.js');
      const command = { ...(await createStoreCommand(host, {})), ...flags };
      const { context } = command;
      exit(context ? await showContextConfig({ ...command, context }) : showConfig(command));
    });
}

function addSecretCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('secret')
    .description('secrets of DAGs')
    .command('resolve')
    .description('read the secrets of a DAG as a run on this machine would, and print whether each is there')
    .argument('<dag>', 'a DAG file, or the name of a DAG in the DAGs folder')
    .option('--value <name>', 'print the value of this secret, and nothing else')
    .option('--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR')
    .action(async (target: string, flags: { readonly value?: string; readonly dags?: string }) => {
      const { resolveDagSecrets } = await import('../../bundles/settings.js');
      exit(await resolveDagSecrets({ ...(await createStoreCommand(host, flags)), ...flags, target }));
    });
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
      const { serve } = await import('../../bundles/server.js');
      const roles = name === 'server' ? (['api'] as const) : config.roles;
      exit(
        await serve({
          ...host,
          config,
          context: undefined,
          hostEnvironment: namingInstallation(host.env, config),
          roles,
        }),
      );
    });
}

function addScheduler(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('scheduler')
    .description('follow schedules, without the API; on SQLite also execute runs')
    .option('--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR')
    .action(async ({ dags }: Pick<ServeFlags, 'dags'>) => {
      const command = await createStoreCommand(host, { dags });
      const { serve } = await import('../../bundles/server.js');
      // No other server can open a SQLite file meanwhile, so no other worker would execute the runs.
      const isAlone = isSqlite(command.config);
      exit(await serve({ ...command, roles: isAlone ? ['scheduler', 'worker'] : ['scheduler'] }));
    });
}

interface WorkerFlags extends Pick<ServeFlags, 'dags'> {
  readonly labels?: string;
  readonly concurrency?: string;
}

function addWorker(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('worker')
    .description(
      'execute queued runs: beside servers on the same PostgreSQL database, or of the server WEIR_SERVER_URL',
    )
    .option('--labels <labels>', 'labels such as gpu=a100,region=eu, instead of WEIR_WORKER_LABELS')
    .option('--concurrency <number>', 'runs at the same time, instead of WEIR_WORKER_CONCURRENCY')
    .option('--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR')
    .action(async ({ labels, concurrency, dags }: WorkerFlags) => {
      const flags = { WEIR_WORKER_LABELS: labels, WEIR_WORKER_CONCURRENCY: concurrency, WEIR_DAGS_DIR: dags };
      const config = await readConfig(host, flags);
      const hostEnvironment = namingInstallation(host.env, config);
      if (config.server !== undefined) {
        const { serveRemoteWorker } = await import('../../bundles/remote-worker.js');
        exit(await serveRemoteWorker({ ...host, config, hostEnvironment }, config.server));
        return;
      }
      if (isSqlite(config)) throw needsPostgres();
      const { serve } = await import('../../bundles/server.js');
      exit(await serve({ ...host, config, context: undefined, hostEnvironment, roles: ['worker'] }));
    });
}

function isSqlite({ database }: Pick<Config, 'database'>): boolean {
  return database.url.reveal().startsWith('file:');
}

function needsPostgres(): AppError {
  const message =
    'A worker shares a PostgreSQL database with its servers, which WEIR_DATABASE_URL names, or speaks to the server that ' +
    'WEIR_SERVER_URL names. On SQLite, "weir start-all" executes the runs.';
  return new AppError('invalid_request', message, { reason: 'postgresql_needed' });
}
