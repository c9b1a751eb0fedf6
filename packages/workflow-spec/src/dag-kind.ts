import type { DagType } from './dag';
import { readParams } from './params/read-params';
import { quote } from './quote';
import { keySpec, objectKind } from './read/object-kind';
import { readCount, readFilledText, readLater, readText, readTextList, type Reader } from './read/readers';
import { readSchedule } from './schedule/read-schedule';
import { dagNameProblem } from './values/dag-name';
import { readEnv } from './values/env';
import { readLabels } from './values/labels';
import { readShell } from './values/shell';
import { report } from './yaml/yaml-value';

const dagTypes = ['graph', 'chain'] as const satisfies readonly DagType[];
const unsupportedTypes = new Set(['agent', 'build', 'controller']);

const readDagName: Reader<string> = (value) => {
  const name = readText(value);
  const problem = name === undefined ? undefined : dagNameProblem(name);
  if (problem === undefined) return name;
  report(value, 'invalid_dag_name', problem);
  return undefined;
};

const readDagType: Reader<DagType> = (value) => {
  const text = readText(value);
  const type = dagTypes.find((known) => known === text);
  if (type || text === undefined) return type;
  const choices = `type must be one of: ${dagTypes.join(', ')}`;
  if (unsupportedTypes.has(text))
    report(value, 'unsupported_value', `type ${quote(text)} is not supported by this version; ${choices}`);
  else report(value, 'invalid_value', `${choices} (value: ${quote(text)})`);
  return undefined;
};

/** The root keys of a DAG document. */
export const dagKind = objectKind({
  title: 'DAG',
  keys: {
    name: keySpec('Name of the DAG; by default the name of the file', readDagName),
    description: keySpec('What the DAG does', readText),
    group: keySpec('Group in lists', readText),
    labels: keySpec('Labels: a comma text, a list, or a map', readLabels),
    tags: keySpec('Old form of labels', readLabels, { replacedBy: 'labels' }),
    type: keySpec('graph (default): depends decides; chain: each step after the one before it', readDagType),
    params: keySpec('Inputs of a run', readParams),
    env: keySpec('Environment of all steps', readEnv),
    working_dir: keySpec('Folder the steps run in', readFilledText),
    shell: keySpec('Shell of all steps, with its arguments', readShell),
    shell_args: keySpec('More arguments of the shell', readTextList),
    schedule: keySpec('When runs start: cron texts, or entries with kind', readSchedule),
    max_active_steps: keySpec('Steps of one run at the same time; 0 is no limit', readCount),
    // Read last: what the list may hold depends on the type.
    steps: keySpec('The work: a list, or a map from name to step', readLater),
  },
  unsupported: {
    consts: 'constants',
    dotenv: 'environment files',
    secrets: 'secret environment variables',
    skip_if_successful: 'leaving out a scheduled run after a success',
    catchup_window: 'scheduled runs missed while the server was down',
    overlap_policy: 'what happens when scheduled runs overlap',
    queue: 'the queue of the runs',
    max_active_runs: 'the number of runs at the same time',
    timeout_sec: 'the time limit of a run',
    delay_sec: 'a pause between steps',
    restart_wait_sec: 'a pause in a restart',
    max_clean_up_time_sec: 'the time a stopped step has to end',
    retry_policy: 'retries of a failed run',
    defaults: 'settings for all steps',
    preconditions: 'conditions for the run to start',
    handler_on: 'steps at the start and end of a run',
    mail_on: 'mail at the end of a run',
    smtp: 'the mail server',
    error_mail: 'the mail about a failure',
    info_mail: 'the mail about a success',
    wait_mail: 'the mail about a waiting run',
    log_dir: 'the folder of the logs',
    log_output: 'the layout of the logs',
    max_output_size: 'the size limit of captured output',
    artifacts: 'files kept from a run',
    hist_retention_days: 'the days that runs are kept',
    hist_retention_runs: 'the number of runs that are kept',
    container: 'a container for all steps',
    registry_auths: 'sign-in to image registries',
    ssh: 'defaults of the ssh action',
    s3: 'defaults of the s3 actions',
    redis: 'defaults of the redis actions',
    kubernetes: 'defaults of the kubernetes action',
    llm: 'defaults of the chat action',
    harness: 'defaults of the harness action',
    harnesses: 'named harnesses',
    resources: 'limits of processor and memory',
    tools: 'command-line tools installed for a run',
    actions: 'actions of its own',
    step_types: 'step types of its own, in the old form',
    worker_selector: 'the choice of a worker',
    run_config: 'the start form',
    webhook: 'settings of the webhook',
    otel: 'tracing',
    tasks: 'goals of an agent DAG',
  },
});
