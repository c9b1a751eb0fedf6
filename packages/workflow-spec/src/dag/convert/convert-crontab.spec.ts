import fc from 'fast-check';
import { parseDag } from '../document/parse-dag';
import { hasErrors } from '../../source/findings/format-finding';
import { convertCrontab } from './convert-crontab';

const only = (text: string) => {
  const { dags, problems } = convertCrontab(text);
  expect(problems).toEqual([]);
  const [found] = dags;
  if (!found || dags.length !== 1) throw new Error('The crontab has not exactly one job.');
  return { ...found, dag: parseDag(found.spec, { name: found.name }).dag };
};

describe('a crontab of the system', () => {
  it('has a user before each command, which is no part of it', () => {
    const text = 'SHELL=/bin/bash\n17 * * * * root cd / && run-parts /etc/cron.hourly\n@daily www-data /srv/clean\n';
    const { dags, notes, problems } = convertCrontab(text, { isSystem: true });

    expect(problems).toEqual([]);
    expect(dags.map(({ name, spec }) => [name, parseDag(spec, { name }).dag.steps[0]?.run])).toEqual([
      ['cd', { kind: 'commands', commands: ['cd / && run-parts /etc/cron.hourly'] }],
      ['clean', { kind: 'commands', commands: ['/srv/clean'] }],
    ]);
    expect(notes.map(({ line, message }) => `${line}: ${message.split(';')[0] ?? ''}`)).toEqual([
      '2: cron runs the command as root',
      '3: cron runs the command as www-data',
    ]);
  });

  it('is asked for where the command of a user would be "root"', () => {
    expect(convertCrontab('0 0 * * * root /srv/clean\n').notes).toEqual([
      { line: 1, message: expect.stringContaining('--from system-cron') as unknown },
    ]);
  });

  it('names lines without a command', () => {
    expect(convertCrontab('0 0 * * * root\n', { isSystem: true }).problems).toEqual([
      { line: 1, message: 'it is neither a variable nor a schedule with a user and a command' },
    ]);
  });
});

describe('a crontab', () => {
  it('becomes a DAG per line, named after its program', () => {
    const { dags } = convertCrontab(
      '0 3 * * * /opt/backup.sh --all\n5 3 * * * LANG=C /opt/backup.sh\n* * * * * [ -e x ] && y\n',
    );
    expect(dags.map(({ name }) => name)).toEqual(['backup', 'backup-2', 'job']);
  });

  it('keeps the schedule, its zone, the shell, variables, the comment and the folder', () => {
    const { spec } = only(
      'SHELL=/bin/bash\nCRON_TZ=Europe/Berlin\nPATH=/usr/bin:/bin\nGREETING = "two words"\n# Copies it\n15 2 * * 1-5 ./copy\n',
    );
    expect(spec).toBe(
      [
        'description: Copies it',
        'schedule: CRON_TZ=Europe/Berlin 15 2 * * 1-5',
        'working_dir: "~"',
        'shell: /bin/bash',
        'env:',
        '  - PATH: /usr/bin:/bin',
        '  - GREETING: two words',
        'steps:',
        '  - run: ./copy',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
  ])('reads %s', (name, expression) => {
    expect(only(`${name} x\n`).dag.schedule).toEqual([expect.objectContaining({ expression })]);
  });

  it('ends a command at a percent sign, after which its input begins', () => {
    expect(only('0 0 * * * mail -s "50\\% off" ada%Hello%Bye\n').dag.steps[0]?.run).toEqual({
      kind: 'script',
      script: '{ mail -s "50% off" ada\n} <<\'END_OF_INPUT\'\nHello\nBye\nEND_OF_INPUT\n',
    });
  });

  it('applies a variable to the lines below it', () => {
    const { dags } = convertCrontab('0 0 * * * a\nX=1\n0 0 * * * b\nX=2\n0 0 * * * c\n');
    expect(dags.map(({ spec }) => /X: .*/.exec(spec)?.[0])).toEqual([undefined, 'X: "1"', 'X: "2"']);
  });

  it('names the lines that have no counterpart, and converts the others', () => {
    const { dags, problems } = convertCrontab('@reboot x\n0 0 * * *\n61 * * * * y\n@often z\n0 0 * * * fine\n');
    expect(dags.map(({ name }) => name)).toEqual(['fine']);
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  it('describes what works differently', () => {
    const { notes } = convertCrontab('MAILTO=ada@example.org\nX=$HOME/x\n0 0 * * * x\n');
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringContaining('X as it is'),
      expect.stringContaining('ada@example.org'),
    ]);
  });

  it('becomes valid DAGs, for any text', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 30, unit: 'binary' }),
      fc.string({ maxLength: 20 }).map((command) => `* * * * * ${command}`),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const { dags } = convertCrontab(lines.join('\n'));
        for (const { name, spec } of dags) expect(hasErrors(parseDag(spec, { name }).findings)).toBe(false);
        expect(new Set(dags.map(({ name }) => name)).size).toBe(dags.length);
      }),
    );
  });
});
