import type { Command } from 'commander';
import type { ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

interface ListFlags {
  readonly queue?: string;
  readonly format: ListFormat;
}

interface RedriveFlags {
  readonly all?: boolean;
  readonly queue?: string;
  readonly runId?: string;
}

const queueFlag = ['--queue <name>', 'only those of this queue'] as const;

/** Adds the commands about queues. */
export function addQueueCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const queue = program.command('queue').description('show and queue again the runs that were given up');
  queue
    .command('dead-letters')
    .description('list the runs that were given up because workers failed too often')
    .option(...queueFlag)
    .addOption(listFormatOption())
    .action(async (flags: ListFlags) => {
      const { listDeadLetters } = await import('../../bundles/runs.js');
      exit(await listDeadLetters({ ...(await createStoreCommand(host, {})), ...flags }));
    });
  queue
    .command('redrive')
    .description('queue runs again that were given up; steps that passed are not executed again')
    .option('--all', 'all of them')
    .option(...queueFlag)
    .option('-r, --run-id <id>', 'only the run with this id')
    .action(async (flags: RedriveFlags) => {
      const { redriveDeadLetters } = await import('../../bundles/runs.js');
      exit(await redriveDeadLetters({ ...(await createStoreCommand(host, {})), ...flags }));
    });
}
