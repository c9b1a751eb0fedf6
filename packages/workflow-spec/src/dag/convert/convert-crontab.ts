import { stringify } from 'yaml';
import { compact } from '../../model/compact';
import { parseDag } from '../document/parse-dag';
import { formatFinding } from '../../source/findings/format-finding';
import { limits } from '../../model/limits';
import { namedSchedules } from '../../values/schedule/cron';
import { readCrontab, type CrontabJob, type CrontabOptions, type CrontabProblem } from './crontab-lines';

export interface CrontabDag {
  readonly name: string;
  readonly spec: string;
}

export interface ConvertedCrontab {
  /** One DAG for each line that starts a command. */
  readonly dags: readonly CrontabDag[];
  /** Lines without a counterpart; they are in none of the DAGs. */
  readonly problems: readonly CrontabProblem[];
  /** Describes what works differently in the DAGs. */
  readonly notes: readonly CrontabProblem[];
}

/** Variables that cron reads itself. */
const cronVariables: readonly string[] = ['SHELL', 'CRON_TZ', 'MAILTO', 'MAILFROM', 'HOME', 'RANDOM_DELAY'];

/** Converts each line of a crontab to the spec of a DAG. Never throws, whatever the text. */
export function convertCrontab(text: string, options: CrontabOptions = {}): ConvertedCrontab {
  const { jobs, problems } = readCrontab(text, options);
  const dags: CrontabDag[] = [];
  const found: CrontabProblem[] = [...problems];
  const notes: CrontabProblem[] = [];
  const names = new Set<string>();
  for (const job of jobs) {
    const name = freeName(job.command, names);
    const spec = toSpec(job);
    const problem = spec === undefined ? noCounterpart(job) : firstError(spec, name);
    if (spec === undefined || problem !== undefined) found.push({ line: job.line, message: problem ?? '' });
    else {
      names.add(name);
      dags.push({ name, spec });
      notes.push(...notesOf(job));
    }
  }
  return { dags, problems: found.sort((left, right) => left.line - right.line), notes };
}

/** Returns `undefined` where no schedule has the same meaning. */
function toSpec(job: CrontabJob): string | undefined {
  const { env, comment } = job;
  const expression = job.schedule.startsWith('@') ? namedSchedules[job.schedule.toLowerCase()] : job.schedule;
  if (expression === undefined) return undefined;
  const zone = env.get('CRON_TZ');
  const own = [...env].filter(([name]) => !cronVariables.includes(name)).map(([name, value]) => ({ [name]: value }));
  const document = compact({
    description: comment,
    schedule: zone === undefined ? expression : `CRON_TZ=${zone} ${expression}`,
    // Cron starts its commands in this folder.
    working_dir: env.get('HOME') ?? '~',
    // Cron uses this shell, independently of the login shell.
    shell: env.get('SHELL') ?? '/bin/sh',
    env: own.length === 0 ? undefined : own,
    steps: [{ run: toCommand(job) }],
  });
  return stringify(document, { lineWidth: 0 });
}

function toCommand({ command, input }: CrontabJob): string {
  if (input === undefined) return command;
  const lines = input.split('\n');
  let end = 'END_OF_INPUT';
  while (lines.includes(end)) end += '_';
  return `{ ${command}\n} <<'${end}'\n${input}${end}\n`;
}

function noCounterpart({ schedule }: CrontabJob): string {
  return schedule.toLowerCase() === '@reboot'
    ? '"@reboot" has no counterpart: a service manager starts what must run after a boot'
    : `"${schedule}" is not a schedule`;
}

function firstError(spec: string, name: string): string | undefined {
  const error = parseDag(spec, { name }).findings.find(({ severity }) => severity === 'error');
  return error && formatFinding(error);
}

const systemHint =
  '"root" is taken for the command; if it is the user of a crontab of the system, use --from system-cron';

function notesOf({ line, command, user, env }: CrontabJob): readonly CrontabProblem[] {
  const dollars = [...env].filter(([name, value]) => !cronVariables.includes(name) && value.includes('$'));
  const mail = env.get('MAILTO') ?? '';
  const messages = [
    ...(user === undefined ? [] : [`cron runs the command as ${user}; a step runs as the user of the server`]),
    ...(user === undefined && /^root\s/.test(command) ? [systemHint] : []),
    ...dollars.map(([name]) => `cron uses the value of ${name} as it is; a DAG replaces variables in it`),
    ...(mail === '' ? [] : [`the output is not mailed to ${mail}: see mail_on`]),
    ...(env.has('RANDOM_DELAY') ? ['RANDOM_DELAY has no effect'] : []),
  ];
  return messages.map((message) => ({ line, message }));
}

/** Returns a free name made of the program that the command starts: `/usr/bin/backup.sh --all` gives `backup`. */
function freeName(command: string, taken: ReadonlySet<string>): string {
  const words = command.split(/\s+/).filter((word) => !/^\w+=/.test(word));
  const base = (words[0] ?? '').split('/').at(-1) ?? '';
  const cleaned = base
    .replace(/\.\w+$/, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const stem = (cleaned === '' ? 'job' : cleaned).slice(0, limits.dagNameLength - 5);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem}-${count}`;
    if (!taken.has(name)) return name;
  }
}
