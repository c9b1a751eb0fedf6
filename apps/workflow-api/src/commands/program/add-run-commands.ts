import { runStatus, type RunStatus } from '@weir/workflow-engine/model';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { dryFormats, type DryFormat, type ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';
import {
  addRunFlags,
  parseDuration,
  parsePriority,
  parseTime,
  parseWords,
  withParams,
  type RunFlags,
} from '../runs/run-flags';

interface AddressFlags {
  readonly runId?: string;
  readonly dags?: string;
}

interface StatusFlags extends AddressFlags {
  readonly format: ListFormat;
}

interface DryFlags extends RunFlags {
  readonly format: DryFormat;
}

interface ExecFlags {
  readonly name?: string;
  readonly runId?: string;
  readonly profile?: string;
  readonly workdir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly quiet?: boolean;
}

interface LogsFlags {
  readonly follow: boolean;
  readonly times: boolean;
  readonly attempt?: number;
  readonly dags?: string;
}

interface ListFlags {
  readonly format: ListFormat;
  readonly dags?: string;
}

interface HistoryFlags extends ListFlags {
  readonly runId?: string;
  readonly status?: readonly RunStatus[];
  readonly labels?: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
  readonly last?: number;
  readonly limit: number;
}

interface ActiveFlags {
  readonly dag?: string;
  readonly runId?: string;
  readonly format: ListFormat;
}

interface RemoveFlags extends AddressFlags {
  readonly history: boolean;
  readonly olderThan?: number;
  readonly dryRun: boolean;
}

const defaultLimit = 50;
const dagsFlag = ['--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR'] as const;
const priorityFlag = ['--priority <number>', 'higher comes first; a minute of waiting makes up for one point'] as const;
const dagArgument = 'name of a DAG, or its file';

/** Adds the commands that start, stop, list and delete runs. */
export function addRunCommands(program: Command, host: ProgramHost, exit: Exit): void {
  addStartCommands(program, host, exit);
  addExecCommand(program, host, exit);
  addStopCommands(program, host, exit);
  addRunViews(program, host, exit);
  addListCommands(program, host, exit);
  addRemoveCommand(program, host, exit);
}

function addStartCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const commands = [
    ['start', 'execute one run and wait for its end', async () => (await import('../../bundles/runs.js')).startRun],
    ['enqueue', 'queue a run for a server to execute', async () => (await import('../../bundles/runs.js')).enqueueRun],
  ] as const;
  for (const [name, description, load] of commands) {
    const command = addRunFlags(program.command(name).description(description))
      .option('-N, --name <name>', 'name of the DAG that the run belongs to, instead of that in the file')
      .option('--labels <list>', 'labels added to those of the DAG, comma-separated: env=prod,nightly', parseWords);
    if (name === 'enqueue') command.option(...priorityFlag, parsePriority);
    if (name === 'start') {
      command
        .option('-q, --quiet', 'print only errors')
        .option('--from-run-id <id>', 'use the spec of this run of the DAG, and its parameters if none are given');
    }
    command.action(async (target: string, params: string[], flags: RunFlags, command: Command) => {
      const options = { ...(await createStoreCommand(host, flags)), ...withParams(flags, params, command), target };
      const { fromRunId } = flags;
      if (fromRunId !== undefined) {
        const { startFromRun } = await import('../../bundles/runs.js');
        exit(await startFromRun({ ...options, fromRunId }));
        return;
      }
      const execute = await load();
      exit(await execute(options));
    });
  }
  addRunFlags(program.command('dry').description('print what a start would execute, and execute nothing'))
    .addOption(new Option('--format <format>', 'how it is printed').choices(dryFormats).default('text'))
    .action(async (target: string, params: string[], flags: DryFlags, command: Command) => {
      const { dryRun } = await import('../../bundles/runs.js');
      const { format } = flags;
      const options = { ...(await createStoreCommand(host, flags)), ...withParams(flags, params, command), target };
      exit(await dryRun({ ...options, format }));
    });
}

function addExecCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('exec')
    .description('execute a command as a run, with log and history')
    .argument('<command...>', 'the program and its arguments, after "--"')
    .option('-N, --name <name>', 'name of the DAG that the run belongs to; default: that of the program')
    .option('-r, --run-id <id>', 'id of the run')
    .option('-w, --workdir <folder>', 'where the command is executed; default: this folder')
    .option('--profile <name>', 'profile whose variables and secrets the command gets; "" for none')
    .option('-E, --env <name=value>', 'variable of the command; may be repeated', collectEnv)
    .option('-q, --quiet', 'print only errors')
    .action(async (command: string[], { env: variables, ...flags }: ExecFlags) => {
      const { execRun } = await import('../../bundles/runs.js');
      exit(await execRun({ ...(await createStoreCommand(host, {})), ...flags, variables, command }));
    });
}

function addStopCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const commands = [
    [
      'stop',
      'end the active runs of a DAG, or one of them',
      async () => (await import('../../bundles/runs.js')).stopRuns,
    ],
    [
      'dequeue',
      'take the queued runs of a DAG out of the queue, or one of them',
      async () => (await import('../../bundles/runs.js')).dequeueRuns,
    ],
  ] as const;
  for (const [name, description, load] of commands) {
    program
      .command(name)
      .description(description)
      .argument('<dag>', dagArgument)
      .option('-r, --run-id <id>', 'id of the run')
      .option(...dagsFlag)
      .action(async (dag: string, { runId, dags }: AddressFlags) => {
        const execute = await load();
        exit(await execute({ ...(await createStoreCommand(host, { dags })), dag, runId }));
      });
  }
}

function addRunViews(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('status')
    .description('show the status of a run and its steps')
    .argument('<dag>', dagArgument)
    .option('-r, --run-id <id>', 'id of the run; without it, the newest run')
    .addOption(listFormatOption())
    .option(...dagsFlag)
    .action(async (dag: string, { runId, dags, format }: StatusFlags) => {
      const { showStatus } = await import('../../bundles/runs.js');
      exit(await showStatus({ ...(await createStoreCommand(host, { dags })), dag, runId, format }));
    });
  program
    .command('watch')
    .description('show a run and its steps as they change, until it has ended or waits for a person')
    .argument('<dag>', dagArgument)
    .option('-r, --run-id <id>', 'id of the run; without it, the newest run')
    .option(...dagsFlag)
    .action(async (dag: string, { runId, dags }: AddressFlags) => {
      const { watchRun } = await import('../../bundles/runs.js');
      exit(await watchRun({ ...(await createStoreCommand(host, { dags })), dag, runId }));
    });
  program
    .command('logs')
    .description('print the logs of a run, the last lines of failed steps first')
    .argument('<dag>', dagArgument)
    .argument('[run]', 'id of the run, or "latest"; without it, the newest run')
    .argument('[step]', 'name of a step, or LOOP/INDEX/STEP for one in a loop; without it, every step')
    .option('-f, --follow', 'print what is written until the run has ended', false)
    .option('--times', 'print when each line was written', false)
    .option('--attempt <number>', 'only the output of this attempt of the step, counted from 1', parseAttempt)
    .option(...dagsFlag)
    .action(async (dag: string, runId: string | undefined, step: string | undefined, flags: LogsFlags) => {
      const { showLogs } = await import('../../bundles/runs.js');
      exit(await showLogs({ ...(await createStoreCommand(host, flags)), ...flags, dag, runId, step }));
    });
}

function addListCommands(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('history')
    .description('list runs, newest first')
    .argument('[dag]', dagArgument)
    .option('-r, --run-id <id>', 'only the run of this id')
    .option('--status <words>', `only these statuses, comma-separated: ${runStatus.all.join(', ')}`, parseStatuses)
    .option('--labels <list>', 'only runs that have all these labels, comma-separated', parseWords)
    .option('--last <time>', 'only runs created since so long ago, such as 7d', parseDuration)
    .option('--from <time>', 'only runs created at this time or later', parseTime)
    .option('--to <time>', 'only runs created before this time', parseTime)
    .option('--limit <number>', 'maximum number of runs to list, up to 1000', parseLimit, defaultLimit)
    .addOption(listFormatOption())
    .option(...dagsFlag)
    .action(async (dag: string | undefined, flags: HistoryFlags) => {
      const { showHistory } = await import('../../bundles/runs.js');
      exit(await showHistory({ ...(await createStoreCommand(host, flags)), ...flags, dag }));
    });
  program
    .command('ps')
    .description('list the runs that are queued, running or waiting')
    .option('-d, --dag <dag>', 'only those of this DAG, by its name or its file')
    .option('-r, --run-id <id>', 'only the run of this id')
    .addOption(listFormatOption())
    .action(async (flags: ActiveFlags) => {
      const { showActive } = await import('../../bundles/runs.js');
      exit(await showActive({ ...(await createStoreCommand(host, {})), ...flags }));
    });
  program
    .command('ls')
    .description('list the DAG files, with their errors and next starts')
    .addOption(listFormatOption())
    .option(...dagsFlag)
    .action(async (flags: ListFlags) => {
      const { listDagFiles, listRemoteDags } = await import('../../bundles/runs.js');
      const command = { ...(await createStoreCommand(host, flags)), ...flags };
      exit(await (command.context ? listRemoteDags(command) : listDagFiles(command)));
    });
}

function addRemoveCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('rm')
    .description('delete runs that have ended, with their logs')
    .argument('[dag]', dagArgument)
    .option('-r, --run-id <id>', 'the run of this id')
    .option('--history', 'every run that has ended', false)
    .option('--older-than <time>', 'only runs that ended longer ago, such as 30d', parseDuration)
    .option('--dry-run', 'list the runs, and delete none', false)
    .option(...dagsFlag)
    .action(async (dag: string | undefined, flags: RemoveFlags) => {
      const { removeRuns } = await import('../../bundles/runs.js');
      exit(await removeRuns({ ...(await createStoreCommand(host, flags)), ...flags, dag }));
    });
}

function collectEnv(text: string, others: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Use NAME=value.');
  return { ...others, [name]: value };
}

function parseStatuses(text: string): readonly RunStatus[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !runStatus.is(word));
  if (unknown !== undefined) throw new InvalidArgumentError(`Use words out of ${runStatus.all.join(', ')}.`);
  return words.filter(runStatus.is);
}

function parseAttempt(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Use the number of an attempt, counted from 1.');
  return Number(text);
}

function parseLimit(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 1000) throw new InvalidArgumentError('Use a number from 1 to 1000.');
  return number;
}
