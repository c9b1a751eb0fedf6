/** A line of a crontab that starts a command. */
export interface CrontabJob {
  /** Lines are counted from 1. */
  readonly line: number;
  /** Five fields, or a name such as `@daily`. */
  readonly schedule: string;
  /** The command as the shell gets it: `\%` is a percent sign. */
  readonly command: string;
  /** The standard input of the command, when the line has a percent sign. */
  readonly input: string | undefined;
  /** Variables that the lines above set. */
  readonly env: ReadonlyMap<string, string>;
  /** The user that a crontab of the system names; `undefined` in one of a user. */
  readonly user: string | undefined;
  /** The comment directly above. */
  readonly comment: string | undefined;
}

export interface CrontabProblem {
  readonly line: number;
  readonly message: string;
}

export interface Crontab {
  readonly jobs: readonly CrontabJob[];
  readonly problems: readonly CrontabProblem[];
}

const variable = /^([A-Za-z_]\w*|"[^"]*"|'[^']*')\s*=\s*(.*)$/;
const job = /^(@\w+|\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+()(\S.*)$/;
const systemJob = /^(@\w+|\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(\S+)\s+(\S.*)$/;

const noSystemJob = 'it is neither a variable nor a schedule with a user and a command';

export interface CrontabOptions {
  /** Whether each schedule is followed by the user who runs the command, as in `/etc/crontab`. Default false. */
  readonly isSystem?: boolean | undefined;
}

/** Reads the lines of a crontab. A line that cannot be read is a problem, and the others are still read. */
export function readCrontab(text: string, { isSystem = false }: CrontabOptions = {}): Crontab {
  const jobs: CrontabJob[] = [];
  const problems: CrontabProblem[] = [];
  let env = new Map<string, string>();
  let comments: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    const number = index + 1;
    if (line.startsWith('#')) comments.push(line.replace(/^#+\s?/, '').trim());
    else {
      const [, name, value] = variable.exec(line) ?? [];
      const [, schedule, user, command] = (isSystem ? systemJob : job).exec(line) ?? [];
      const comment = comments.filter((each) => each !== '').join('\n') || undefined;
      if (name !== undefined && value !== undefined) env = new Map([...env, [unquote(name), unquote(value)]]);
      else if (schedule !== undefined && command !== undefined) {
        const named = user === '' ? undefined : user;
        jobs.push({
          line: number,
          schedule: schedule.replaceAll(/\s+/g, ' '),
          user: named,
          env,
          comment,
          ...splitInput(command),
        });
      } else if (line !== '')
        problems.push({
          line: number,
          message: isSystem ? noSystemJob : 'it is neither a variable nor a schedule with a command',
        });
      comments = [];
    }
  }
  return { jobs, problems };
}

/** The first percent sign ends the command, each further one is a line break of its input; `\%` is a percent sign. */
function splitInput(text: string): Pick<CrontabJob, 'command' | 'input'> {
  const [command = '', ...lines] = text.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'));
  return { command: command.trim(), input: lines.length === 0 ? undefined : `${lines.join('\n')}\n` };
}

function unquote(text: string): string {
  const trimmed = text.trim();
  const [, quoted] = /^(?:"(.*)"|'.*')$/.exec(trimmed) ?? [];
  return quoted ?? (/^'.*'$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed);
}
