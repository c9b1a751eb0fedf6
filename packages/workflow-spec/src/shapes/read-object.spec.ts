import { parseDag } from '../dag/document/parse-dag';

const findings = (text: string) => parseDag(text).findings;
const codes = (text: string) => findings(text).map(({ code }) => code);
const fixes = (text: string) => findings(text).map(({ code, fix }) => [code, fix?.text]);

describe('the keys of an object', () => {
  it.each([
    ['of the DAG', 'stepss: [make]'],
    ['of a step', 'steps: [{acton: noop}]'],
    ['of an old form', 'steps: [{comand: make}]'],
    ['of a policy', 'steps: [{run: make, retry_policy: {limt: 1, interval_sec: 2}}]'],
    ['of settings', 'steps: [{action: http.request, with: {metod: GET, url: "http://localhost"}}]'],
    ['of a definition', 'actions: {greet: {tmplate: {run: make}}}\nsteps: [{action: greet}]'],
    ['that another key needs', 'steps: [{idd: a, run: make, outputs: [{name: x, type: string}]}]'],
  ])('that are misspelled do not count as missing: one %s', (_, text) => {
    expect(codes(text)).toEqual(['unknown_key']);
  });

  it.each([
    ['a step', 'steps: [{command: make, rnu: make}]', ['deprecated_key', 'unknown_key']],
    ['settings', 'steps: [{action: template.render, with: {template: a, templte_ref: b}}]', ['unknown_key']],
  ])('that are misspelled do not conflict with another in %s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it.each([
    ['a merge key', 'steps:\n  - <<: one\n    name: two', 'merge_key'],
    ['a string with a colon', 'steps:\n  - run: echo a: b', 'yaml_syntax'],
    ['a line with a wrong indent', 'steps:\n  - name: a\n     run: make', 'yaml_syntax'],
  ])('suppress missing keys beside %s', (_, text, code) => {
    expect(codes(text)).toEqual([code]);
  });

  it('that are equal are reported in their spelling', () => {
    const [finding] = findings('steps: [make]\nhandler_on: {cancel: make, abort: make}').slice(-1);
    expect(finding?.message).toBe('"abort" and "cancel" are the same key; keep one of them');
  });

  it('with swapped letters are recognised', () => {
    expect(fixes('steps: [{rnu: make}]')).toEqual([['unknown_key', 'run']]);
    expect(fixes('steps: [{action: log.write, wiht: {message: hello}}]')).toEqual([['unknown_key', 'with']]);
  });

  it('that already exist are no fix for another key', () => {
    expect(fixes('stepps: [make]\nsteps: [make]')).toEqual([['unknown_key', undefined]]);
    expect(fixes('tags: a\nlabels: b\nsteps: [make]')).toEqual([
      ['deprecated_key', undefined],
      ['conflicting_keys', undefined],
    ]);
  });
});
