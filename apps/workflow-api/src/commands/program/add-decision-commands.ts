import { InvalidArgumentError, type Command } from 'commander';
import { decisions } from '../shared/formats';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

interface RetryFlags {
  readonly runId: string;
  readonly step?: string;
  readonly downstream?: boolean;
  readonly bypassPreconditions?: string;
  readonly dags?: string;
}

interface TaskFlags extends Omit<StepFlags, 'runId'> {
  readonly runId?: string;
}

interface StepFlags {
  readonly runId: string;
  readonly step: string;
  readonly input?: Readonly<Record<string, string>>;
  readonly inputsJson?: string;
  readonly reason?: string;
  readonly comment?: string;
  readonly to?: string;
  readonly dags?: string;
}

const dagsFlag = ['--dags <folder>', 'folder of the DAG files, instead of WEIR_DAGS_DIR'] as const;
const toFlag = ['--to <step>', 'the step to return to; default: that of the file'] as const;
const commentFlag = ['--comment <text>', 'what is to be changed'] as const;
const dagArgument = 'name of a DAG, or its file';
const descriptions = {
  approve: 'approve a step, so that its run continues',
  reject: 'reject the work of a step, which ends its run',
  'push-back': 'send the work of a step back, so that it is executed again',
} as const;

/** Adds the commands about runs that wait or have ended. */
export function addDecisionCommands(program: Command, host: ProgramHost, exit: Exit): void {
  addRetryCommands(program, host, exit);
  addHumanTask(program, host, exit);
  addApproval(program, host, exit);
}

function addRetryCommands(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('retry')
    .description('execute an ended run again, except the steps that succeeded')
    .argument('<dag>', dagArgument)
    .requiredOption('-r, --run-id <id>', 'id of the run')
    .option('--step <name>', 'only this step')
    .option('--downstream', 'with --step: also the steps after it')
    .option('--bypass-preconditions <reason>', 'with --step: execute it without checking its preconditions')
    .option(...dagsFlag)
    .action(async (dag: string, { downstream, ...flags }: RetryFlags, command: Command) => {
      const needsStep = downstream ? '--downstream' : flags.bypassPreconditions && '--bypass-preconditions';
      if (needsStep && flags.step === undefined) command.error(`error: ${needsStep} needs --step`);
      const { retryRun } = await import('../../bundles/runs.js');
      exit(await retryRun({ ...(await createStoreCommand(host, flags)), ...flags, downstream, dag }));
    });
  program
    .command('restart')
    .description('stop the newest run of a DAG, or a given one, and start another with the same parameters')
    .argument('<dag>', 'a DAG file, or the name of a DAG in the DAGs folder')
    .option('-r, --run-id <id>', 'id of the run')
    .option(...dagsFlag)
    .action(async (dag: string, flags: { readonly runId?: string; readonly dags?: string }) => {
      const { restartRun } = await import('../../bundles/runs.js');
      exit(await restartRun({ ...(await createStoreCommand(host, flags)), runId: flags.runId, dag }));
    });
}

function addHumanTask(program: Command, host: ProgramHost, exit: Exit): void {
  const humanTask = program.command('human-task').description('human tasks');
  humanTask
    .command('push-back')
    .description('return the run to a step before the task')
    .argument('[dag]', dagArgument)
    .requiredOption('-r, --run-id <id>', 'id of the run')
    .requiredOption('--step <id>', 'id of the step')
    .option(...toFlag)
    .option(...commentFlag)
    .option(...dagsFlag)
    .action(async (dag: string | undefined, flags: StepFlags) => {
      const { decideApproval } = await import('../../bundles/runs.js');
      const command = await createStoreCommand(host, flags);
      exit(await decideApproval({ ...command, ...flags, decision: 'push-back', dag }));
    });
  humanTask
    .command('complete')
    .description('complete a human task')
    .argument('[dag]', dagArgument)
    .option('-r, --run-id <id>', 'id of the run; without it, the only run that waits for the step')
    .requiredOption('--step <id>', 'id of the step')
    .option('--input <name=value>', 'a field of the form; may be repeated', addInput)
    .option('--inputs-json <object>', 'all fields as one JSON object')
    .option(...dagsFlag)
    .action(async (dag: string | undefined, flags: TaskFlags, command: Command) => {
      if (flags.input !== undefined && flags.inputsJson !== undefined) {
        command.error('error: give fields with --input or with --inputs-json, not both');
      }
      const { completeTask } = await import('../../bundles/runs.js');
      exit(await completeTask({ ...(await createStoreCommand(host, flags)), ...flags, dag }));
    });
}

function addApproval(program: Command, host: ProgramHost, exit: Exit): void {
  const approval = program.command('approval').description('steps that wait for an approval');
  for (const decision of decisions) {
    const command = approval
      .command(decision)
      .description(descriptions[decision])
      .argument('[dag]', dagArgument)
      .requiredOption('-r, --run-id <id>', 'id of the run')
      .requiredOption('--step <name>', 'the step')
      .option(...dagsFlag);
    if (decision === 'reject') command.option('--reason <text>', 'why');
    else command.option('--input <name=value>', 'an input of the step; may be repeated', addInput);
    if (decision === 'push-back') command.option(...toFlag).option(...commentFlag);
    command.action(async (dag: string | undefined, flags: StepFlags) => {
      const { decideApproval } = await import('../../bundles/runs.js');
      exit(await decideApproval({ ...(await createStoreCommand(host, flags)), ...flags, decision, dag }));
    });
  }
}

function addInput(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const cut = text.indexOf('=');
  if (cut < 1) throw new InvalidArgumentError('Use name=value.');
  const name = text.slice(0, cut);
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`"${name}" is given twice.`);
  return { ...before, [name]: text.slice(cut + 1) };
}
