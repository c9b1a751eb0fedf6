import type { JsonObject } from '../../model/json';
import type { ActionName } from './action-catalogue';
import { checkSettings } from './check-settings';

const check = (action: ActionName, settings: JsonObject) => {
  const checked = checkSettings(action, settings);
  return 'problems' in checked ? checked : { settings: { ...checked.settings }, problems: [] };
};
const listProblems = (action: ActionName, settings: JsonObject) => check(action, settings).problems;

describe('checkSettings', () => {
  it('returns valid settings unchanged', () => {
    const settings = { method: 'GET', url: 'https://example.org/x', timeout: 5, headers: { A: '1' }, body: { a: [1] } };
    expect(check('http.request', settings)).toEqual({ settings, problems: [] });
  });

  it('accepts a number or a boolean that a reference gave as text', () => {
    const found = check('http.request', {
      method: 'post',
      url: 'https://example.org',
      timeout: '2.5',
      silent: 'true',
    });
    expect(found).toEqual({
      settings: { method: 'POST', url: 'https://example.org', timeout: 2.5, silent: true },
      problems: [],
    });
    expect(check('wait.http', { url: 'http://x', status: ['200', 204] })).toMatchObject({
      settings: { status: [200, 204] },
    });
  });

  it('keeps strings that only look like numbers where any value is allowed', () => {
    const settings = { values: { A: '007', B: 'true' } };
    expect(check('outputs.write', settings)).toMatchObject({ settings });
    expect(check('exec', { command: 'echo', args: ['007'] })).toMatchObject({ settings: { args: ['007'] } });
  });

  it.each<[string, ActionName, JsonObject, string]>([
    ['no number', 'http.request', { method: 'GET', url: 'http://x', timeout: 'hunter2' }, 'timeout must be'],
    ['a number out of range', 'file.read', { path: 'a', max_bytes: '0' }, 'max_bytes'],
    ['no address', 'http.request', { method: 'GET', url: 'ftp://hunter2' }, 'url'],
    ['no word of the list', 'wait.file', { path: 'a', state: 'hunter2' }, 'exists, missing'],
    ['no time', 'wait.until', { until: 'hunter2' }, 'RFC 3339'],
    ['no duration', 'wait.duration', { duration: 'hunter2' }, 'must be seconds'],
    [
      'a number that is left as a reference',
      'http.request',
      { method: 'GET', url: 'http://x', timeout: '${x}' },
      'timeout',
    ],
    ['an empty text', 'exec', { command: '' }, 'command must not be empty'],
    ['a key that is missing', 'exec', {}, 'command is required'],
    ['a key that there is not', 'noop', { hunter: 1 }, 'invalid keys'],
  ])('refuses %s, without its value', (_, action, settings, phrase) => {
    const problems = listProblems(action, settings).join();
    expect(problems).toContain(phrase);
    expect(problems).not.toContain('hunter2');
  });

  it('accepts a string that still looks like a reference as a string', () => {
    expect(listProblems('log.write', { message: '${nope}' })).toEqual([]);
    expect(listProblems('http.request', { method: 'GET', url: 'http://x/$a?b=${c}' })).toEqual([]);
  });

  it('accepts any text for a reference to a template', () => {
    expect(listProblems('template.render', { template_ref: 'Dear {{ .name }}' })).toEqual([]);
  });
});
