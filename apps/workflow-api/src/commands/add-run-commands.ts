import { runStatus, type RunStatus } from '@weir/workflow-engine';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { dryRun } from './dry-run';
import { enqueueRun } from './enqueue-run';
import { listDagFiles } from './list-dags';
import { createStoreCommand, type Exit, type ProgramHost } from './program-host';
import { parseDuration, removeRuns } from './remove-runs';
import { addRunFlags, parsePriority, parseTime, withParams, type RunFlags } from './run-flags';
import { listFormats, showActive, showHistory, type ListFormat } from './show-history';
import { showStatus } from './show-status';
import { startRun } from './start-run';
import { dequeueRuns, stopRuns } from './stop-run';

interface AddressFlags {
  readonly runId?: string;
  readonly dags?: string;
}

interface ListFlags {
  readonly format: ListFormat;
  readonly dags?: string;
}

interface HistoryFlags extends ListFlags {
  readonly runId?: string;
  readonly status?: readonly RunStatus[];
  readonly from?: Date;
  readonly to?: Date;
  readonly limit: number;
}

interface RemoveFlags extends AddressFlags {
  readonly history: boolean;
  readonly olderThan?: number;
}

const defaultLimit = 50;
const dagsFlag = ['--dags <folder>', 'folder of the DAG files, in place of WEIR_DAGS_DIR'] as const;
const priorityFlag = ['--priority <number>', 'higher comes first; a minute of waiting makes up for one point'] as const;
const dagArgument = 'name of a DAG, or its file';

/** The commands that make runs, end them, and tell of them. */
export function addRunCommands(program: Command, host: ProgramHost, exit: Exit): void {
  addStartCommands(program, host, exit);
  addStopCommands(program, host, exit);
  addListCommands(program, host, exit);
  addRemoveCommand(program, host, exit);
}

function addStartCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const commands = [
    ['start', 'carry out one run and wait for its end', startRun],
    ['dry', 'print what a start would carry out, and carry out nothing', dryRun],
    ['enqueue', 'queue a run for a server to carry out', enqueueRun],
  ] as const;
  for (const [name, description, execute] of commands) {
    const command = addRunFlags(program.command(name).description(description));
    if (name === 'enqueue') command.option(...priorityFlag, parsePriority);
    command.action(async (target: string, params: string[], flags: RunFlags, command: Command) => {
      exit(await execute({ ...createStoreCommand(host, flags), ...withParams(flags, params, command), target }));
    });
  }
}

function addStopCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const commands = [
    ['stop', 'end the active runs of a DAG, or one of them', stopRuns],
    ['dequeue', 'take the queued runs of a DAG out of the queue, or one of them', dequeueRuns],
  ] as const;
  for (const [name, description, execute] of commands) {
    program
      .command(name)
      .description(description)
      .argument('<dag>', dagArgument)
      .option('--run-id <id>', 'id of the run')
      .option(...dagsFlag)
      .action(async (dag: string, { runId, dags }: AddressFlags) => {
        exit(await execute({ ...createStoreCommand(host, { dags }), dag, runId }));
      });
  }
}

function addListCommands(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('status')
    .description('print how a run stands, with its steps')
    .argument('<dag>', dagArgument)
    .option('--run-id <id>', 'id of the run; without it, the newest run')
    .option(...dagsFlag)
    .action(async (dag: string, { runId, dags }: AddressFlags) => {
      exit(await showStatus({ ...createStoreCommand(host, { dags }), dag, runId }));
    });
  program
    .command('history')
    .description('list runs, newest first')
    .argument('[dag]', dagArgument)
    .option('--run-id <id>', 'only the run of this id')
    .option('--status <words>', `only these states, with commas: ${runStatus.all.join(', ')}`, parseStatuses)
    .option('--from <time>', 'only runs made at this time or later', parseTime)
    .option('--to <time>', 'only runs made before this time', parseTime)
    .option('--limit <number>', 'runs at the most, up to 1000', parseLimit, defaultLimit)
    .addOption(formatOption())
    .option(...dagsFlag)
    .action(async (dag: string | undefined, flags: HistoryFlags) => {
      exit(await showHistory({ ...createStoreCommand(host, flags), ...flags, dag }));
    });
  program
    .command('ps')
    .description('list the runs that are queued, running or waiting')
    .addOption(formatOption())
    .action(async ({ format }: ListFlags) => exit(await showActive({ ...createStoreCommand(host, {}), format })));
  program
    .command('ls')
    .description('list the DAG files, with their errors and next starts')
    .addOption(formatOption())
    .option(...dagsFlag)
    .action(async (flags: ListFlags) => exit(await listDagFiles({ ...createStoreCommand(host, flags), ...flags })));
}

function addRemoveCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('rm')
    .description('forget runs that have ended, with their logs')
    .argument('[dag]', dagArgument)
    .option('--run-id <id>', 'the run of this id')
    .option('--history', 'every run that has ended', false)
    .option('--older-than <time>', 'only runs that ended longer ago, such as 30d', parseDuration)
    .option(...dagsFlag)
    .action(async (dag: string | undefined, flags: RemoveFlags) => {
      exit(await removeRuns({ ...createStoreCommand(host, flags), ...flags, dag }));
    });
}

function formatOption(): Option {
  return new Option('--format <format>', 'how it is printed').choices(listFormats).default('text');
}

function parseStatuses(text: string): readonly RunStatus[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !runStatus.is(word));
  if (unknown !== undefined) throw new InvalidArgumentError(`Use words out of ${runStatus.all.join(', ')}.`);
  return words.filter(runStatus.is);
}

function parseLimit(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 1000) throw new InvalidArgumentError('Use a number from 1 to 1000.');
  return number;
}
