import { parseDag } from '@weir/workflow-spec';
import { runLogFolder } from './run-log-folder';

const resolve = (
  settings: string,
  changes: { readonly fileName?: string; readonly home?: string | undefined } = {},
) => {
  const { dag } = parseDag(`${settings}\nsteps: [echo]\n`);
  const params = [{ name: 'region', value: 'eu' }];
  return runLogFolder({
    dag,
    params,
    fileName: 'demo',
    dagsDir: '/dags',
    logDir: '/logs',
    home: '/home/a',
    ...changes,
  });
};

describe('runLogFolder', () => {
  it.each([
    ['the folder of the server', '', '/logs'],
    ['an absolute one', 'log_dir: /var/log/weir', '/var/log/weir'],
    ['a relative one, by the folder of the file', 'log_dir: logs/../mine', '/dags/mine'],
    ['one in the home folder', 'log_dir: ~/logs', '/home/a/logs'],
    ['one with a parameter', 'params: {region: us}\nlog_dir: /l/${params.region}', '/l/eu'],
    ['one with a constant', 'consts: [{base: /l}]\nlog_dir: ${consts.base}/x', '/l/x'],
    ['one with a variable of the DAG', 'env: [{BASE: "/l/${params.region}"}]\nlog_dir: ${BASE}/x', '/l/eu/x'],
  ])('returns %s', (_, settings, expected) => {
    expect(resolve(settings)).toBe(expected);
  });

  it('is relative to the folder of a file that is named by its path', () => {
    expect(resolve('log_dir: logs', { fileName: '/home/b/demo.yaml' })).toBe('/home/b/logs');
  });

  it.each([
    ['a reference without a value', 'log_dir: /l/${TODAY}', '${TODAY} is not known when the run is made'],
    ['nothing', 'params: {none: ""}\nenv: [{NONE: ""}]\nlog_dir: ${NONE}', 'it is empty'],
  ])('refuses %s', (_, settings, message) => {
    expect(() => resolve(settings)).toThrow(message);
  });

  it('refuses ~ without a home folder', () => {
    expect(() => resolve('log_dir: ~/logs', { home: undefined })).toThrow('the server has no HOME');
  });
});
