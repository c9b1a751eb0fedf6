import { parseDag } from '../../dag/document/parse-dag';
import { nextRunAt } from './next-run-at';

const read = (text: string) => parseDag(`${text}\nsteps: [x]\n`);
const cron = (expression: string) => ({ kind: 'cron', expression }) as const;
const after = (iso: string) => new Date(iso);

describe('schedule', () => {
  it.each([
    ['schedule: "0 3 * * *"', [cron('0 3 * * *')]],
    [
      'schedule: ["0 3 * * *", "CRON_TZ=Asia/Tokyo 0 9 * JAN-MAR MON"]',
      [cron('0 3 * * *'), cron('CRON_TZ=Asia/Tokyo 0 9 * JAN-MAR MON')],
    ],
    ['schedule: "@Daily"', [cron('@Daily')]],
    ['schedule: "CRON_TZ=Asia/Tokyo @every 1h30m"', [cron('CRON_TZ=Asia/Tokyo @every 1h30m')]],
    ['schedule: {kind: cron, expression: "5 * * * *"}', [cron('5 * * * *')]],
    ['schedule: [{expression: "5 * * * *"}]', [cron('5 * * * *')]],
    ['schedule: {kind: at, at: "2027-01-01T09:00:00Z"}', [{ kind: 'at', at: '2027-01-01T09:00:00Z' }]],
    ['schedule: {start: ["0 3 * * *"]}', [cron('0 3 * * *')]],
    ['schedule:', []],
  ])('%s is read', (line, schedule) => {
    const { dag, findings } = read(line);
    expect([dag.schedule, findings]).toEqual([schedule, []]);
  });

  it.each([
    ['schedule: "* * * *"', 'five fields'],
    ['schedule: "* * * * * *"', 'five fields'],
    ['schedule: "@reboot"', 'it must be one of: @hourly, @daily'],
    ['schedule: "@every 90s"', 'whole minutes'],
    ['schedule: "@every 0m"', 'whole minutes'],
    ['schedule: "@every"', 'whole minutes'],
    ['schedule: "@every 3651d"', 'at most ten years'],
    ['schedule: "0 24/2 * * *"', '24-23/2'],
    ['schedule: "60 * * * *"', 'minute'],
    ['schedule: "0 0 * * FRI-MON"', 'invalid schedule'],
    ['schedule: "CRON_TZ=Nowhere/City 0 0 * * *"', 'time zone "Nowhere/City" is not known'],
    ['schedule: {kind: at, at: "2027-02-30T09:00:00Z"}', 'RFC 3339'],
    ['schedule: {kind: at, at: "2027-01-01T09:00:30Z"}', 'seconds 00'],
    ['schedule: {kind: at, at: "2027-01-01 09:00"}', 'RFC 3339'],
    ['schedule: {kind: weekly, expression: x}', 'must be one of: cron, at'],
    ['schedule: {kind: at}', 'at is required'],
    ['schedule: {kind: at, at: "2027-01-01T09:00:00Z", expression: "0 0 * * *"}', 'takes only at'],
  ])('%s is refused', (line, phrase) => {
    const { findings } = read(line);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toContain('invalid schedule');
    expect(findings[0]?.message).toContain(phrase);
  });

  it.each([
    ['schedule: "*/7 * * * *"', 'uneven_schedule'],
    ['schedule: "0 0 31 4 *"', 'schedule_never_due'],
  ])('%s is read with a warning', (line, code) => {
    const { dag, findings } = read(line);
    expect(findings).toEqual([expect.objectContaining({ code, severity: 'warning' })]);
    expect(dag.schedule).toHaveLength(1);
  });

  it('reads start, stop and restart', () => {
    const { dag, findings } = read(
      'schedule: {start: "0 3 * * *", stop: ["0 4 * * *"], restart: {expression: "0 5 * * *"}}',
    );
    expect(findings).toEqual([]);
    expect(dag).toMatchObject({
      schedule: [cron('0 3 * * *')],
      stopSchedule: [cron('0 4 * * *')],
      restartSchedule: [cron('0 5 * * *')],
    });
  });

  it('reads the profile of an entry of any form', () => {
    const { dag, findings } = read(
      'schedule: {start: [{expression: "0 3 * * *", profile: prod}, {at: "2026-03-01T09:00:00Z", profile: p.1}]}',
    );
    expect(findings).toEqual([]);
    expect(dag).toMatchObject({
      schedule: [
        { ...cron('0 3 * * *'), profile: 'prod' },
        { kind: 'at', profile: 'p.1' },
      ],
    });
  });

  it('refuses the profile of a stop, which starts nothing', () => {
    const { findings } = read('schedule: {stop: [{expression: "0 3 * * *", profile: prod}]}');
    expect(findings).toEqual([expect.objectContaining({ code: 'invalid_schedule' })]);
  });
});

describe('catchup_window', () => {
  it.each([
    ['6h', 21_600],
    ['2d12h', 216_000],
    ['1d1h1m1s', 90_061],
    ['90m', 5_400],
    ['45s', 45],
    ['3650d', 315_360_000],
  ])('%s is read as %d seconds', (text, seconds) => {
    const { dag, findings } = read(`catchup_window: ${text}`);
    expect([dag.catchupWindowSec, findings]).toEqual([seconds, []]);
  });

  it.each(['0h', '12h2d', '6', '-6h', '1.5h', '6 h', '3651d', `${'9'.repeat(400)}d`, 'h', "''"])(
    '%s is refused',
    (text) => {
      const { dag, findings } = read(`catchup_window: ${text}`);
      expect(findings).toEqual([expect.objectContaining({ code: 'invalid_value', path: '/catchup_window' })]);
      expect(dag).not.toHaveProperty('catchupWindowSec');
    },
  );
});

describe('nextRunAt', () => {
  it('is strictly after the given time', () => {
    const next = nextRunAt([cron('0 3 * * *')], after('2026-05-01T03:00:00Z'), 'UTC');
    expect(next?.toISOString()).toBe('2026-05-02T03:00:00.000Z');
  });

  it('is the earliest of all entries', () => {
    const schedule = [cron('0 3 * * *'), { kind: 'at', at: '2026-05-01T02:00:00+01:00' } as const];
    expect(nextRunAt(schedule, after('2026-05-01T00:30:00Z'), 'UTC')?.toISOString()).toBe('2026-05-01T01:00:00.000Z');
    expect(nextRunAt(schedule, after('2026-05-01T01:00:00Z'), 'UTC')?.toISOString()).toBe('2026-05-01T03:00:00.000Z');
  });

  it('uses the zone of the prefix before the given one', () => {
    const schedule = [cron('CRON_TZ=Asia/Tokyo 0 9 * * *')];
    expect(nextRunAt(schedule, after('2026-05-01T00:30:00Z'), 'UTC')?.toISOString()).toBe('2026-05-02T00:00:00.000Z');
  });

  it('reads a question mark as every value', () => {
    const next = nextRunAt([cron('0 3 ? * ?')], after('2026-05-01T04:00:00Z'), 'UTC');
    expect(next?.toISOString()).toBe('2026-05-02T03:00:00.000Z');
  });

  it.each([[[]], [[cron('0 0 31 4 *')]], [[{ kind: 'at', at: '2020-01-01T00:00:00Z' } as const]]])(
    'is undefined when nothing is due again: %j',
    (schedule) => {
      expect(nextRunAt(schedule, after('2026-05-01T00:00:00Z'), 'UTC')).toBeUndefined();
    },
  );
});
