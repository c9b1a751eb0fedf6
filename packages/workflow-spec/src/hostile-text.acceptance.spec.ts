import { limits } from './model/limits';
import { parseDag } from './dag/document/parse-dag';

const million = 1_000_000;

// Ten values, each ten times the previous one: 10^10 in total.
const billionLaughs = Array.from('bcdefghij').reduce(
  (text, name, index) =>
    `${text}${name}: &${name} [${Array(10)
      .fill(`*${'abcdefghij'.charAt(index)}`)
      .join(',')}]\n`,
  'a: &a [x,x,x,x,x,x,x,x,x,x]\n',
);

const hostile: readonly (readonly [name: string, text: string, code: string])[] = [
  ['a spec over the limit', `# ${'x'.repeat(limits.textBytes)}`, 'text_too_large'],
  ['a spec whose bytes are over the limit', `# ${'€'.repeat(limits.textBytes / 2)}`, 'text_too_large'],
  ['open brackets', '['.repeat(million), 'nesting_too_deep'],
  ['open braces', '{a: '.repeat(million / 4), 'nesting_too_deep'],
  ['nested list marks', '- '.repeat(million / 2), 'nesting_too_deep'],
  ['nested explicit keys', '? '.repeat(million / 2), 'nesting_too_deep'],
  ['nested maps', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), 'nesting_too_deep'],
  ['empty keys', ': '.repeat(million / 2), 'nesting_too_deep'],
  ['closing brackets', ']'.repeat(million), 'text_too_complex'],
  ['commas', `[${','.repeat(million)}]`, 'text_too_complex'],
  ['documents', '---\n'.repeat(million / 4), 'text_too_complex'],
  ['many keys', Array.from({ length: 120_000 }, (_, index) => `k${index}:\n`).join(''), 'unknown_key'],
  ['anchors', '&a '.repeat(million / 5), 'yaml_syntax'],
  ['aliases', '*a '.repeat(million / 5), 'yaml_syntax'],
  ['directives', '%a\n'.repeat(million / 5), 'yaml_warning'],
  ['tabs as indentation', `steps:\n${'\t- a\n'.repeat(200)}`, 'yaml_syntax'],
  ['billion laughs', billionLaughs, 'alias_expansion'],
  [
    'a long text many times',
    `steps:\n  - {run: x, env: {A: &long ${'x'.repeat(500_000)}}}\n${'  - {run: x, env: {A: *long}}\n'.repeat(3_000)}`,
    'alias_expansion',
  ],
  ['an alias inside its own value', 'steps: &a [*a]', 'recursive_alias'],
  ['an alias without anchor', 'steps: *nowhere', 'unknown_alias'],
  ['an alias before its anchor', 'env: *later\nsteps: &later [x]', 'unknown_alias'],
  ['an alias as a key', 'a: &a x\n*a : y', 'invalid_key'],
  ['a list as a key', '? [a]\n: b', 'invalid_key'],
  ['a long key', `${'k'.repeat(1_000)}: 1`, 'invalid_key'],
  ['a NUL character', 'steps: [a\0b]', 'invalid_character'],
  ['a bell', 'description: \u0007', 'invalid_character'],
  ['an escaped NUL character', 'steps: ["a\\0b"]', 'invalid_character'],
  ['half of a surrogate pair', 'description: \uD800', 'invalid_character'],
  ['an escaped half of a surrogate pair', 'description: "\\uD800"', 'invalid_character'],
  ['a binary tag', 'steps: !!binary aGk=', 'unsupported_tag'],
  ['a tag of its own', 'steps: !ruby/object:Gem {a: b}', 'unsupported_tag'],
  ['repeated keys', 'name: a\n'.repeat(50_000), 'duplicate_key'],
  ['a prototype key', '__proto__: {steps: [x]}\nconstructor: 1', 'unknown_key'],
  ['a prototype key in a step', 'steps: [{__proto__: x, toString: y}]', 'unknown_key'],
  ['a step type that every object has', 'steps: [{type: constructor, command: x}]', 'unknown_action'],
  ['an executor that every object has', 'steps: [{executor: toString, command: x}]', 'unknown_action'],
  ['an open quote', `steps: ["${'a'.repeat(1_000)}`, 'yaml_syntax'],
  ['steps beyond the limit', `steps: [${'a,'.repeat(limits.steps + 1)}]`, 'too_many_steps'],
  [
    'a chain of two wide groups',
    `type: chain\nsteps: [[${'a,'.repeat(4_000)}], [${'a,'.repeat(4_000)}]]`,
    'too_many_dependencies',
  ],
  ['impossible dates', `schedule:\n${'- 0 0 31 2 *\n'.repeat(1_000)}`, 'invalid_schedule'],
  ['a long cron text', `schedule: "${'1,'.repeat(10_000)}1 * * * *"`, 'invalid_schedule'],
  ['more parameters than allowed', `params: ${'a '.repeat(limits.params + 1)}`, 'invalid_param'],
  [
    'a pattern that backtracks for ever elsewhere',
    `params: [{name: a, pattern: "^(a+)+$", default: "${'a'.repeat(200)}!"}]`,
    'invalid_param',
  ],
  ['more labels than allowed', `labels: ${'a,'.repeat(limits.labels + 1)}\nsteps: [x]`, 'invalid_label'],
  ['more environment than allowed', `env: [${'A=b,'.repeat(limits.envEntries + 1)}]\nsteps: [x]`, 'invalid_env_entry'],
  [
    'more environment in maps than allowed',
    `env: [${'{A: b},'.repeat(limits.envEntries)} {B: c, C: d}]\nsteps: [x]`,
    'invalid_env_entry',
  ],
  [
    'more dependencies of a step than allowed',
    `steps: [{run: x, depends: [${'a,'.repeat(limits.stepDependencies + 1)}]}]`,
    'too_many_dependencies',
  ],
  ['unknown dependencies', `steps:\n${wrongDependencies(4_000)}`, 'too_many_findings'],
];

function wrongDependencies(count: number): string {
  return Array.from({ length: count }, (_, index) => `- {name: s${index}, run: x, depends: t${index}}\n`).join('');
}

describe('a hostile text', () => {
  it.each(hostile)('of %s is refused with a finding', (_, text, code) => {
    const { dag, findings } = parseDag(text, { name: 'hostile' });

    expect(dag.name).toBeTruthy();
    expect(findings.length).toBeLessThanOrEqual(limits.findings + 1);
    expect(findings.map((finding) => finding.code)).toContain(code);
  });

  it('stops at the limit of findings instead of creating an error for each of them', () => {
    const { findings } = parseDag('&a '.repeat(100_000));
    expect(findings).toHaveLength(limits.findings + 1);
    expect(findings.filter((finding) => finding.code === 'yaml_syntax')).toHaveLength(limits.findings);
  });

  it('with long paths gives findings that are short in total', () => {
    const long = `{${'k'.repeat(250)}: `;
    const { findings } = parseDag(`env: {a: ${long.repeat(55)}[${'!x y,'.repeat(2_000)}]${'}'.repeat(56)}\nsteps: [x]`);

    expect(findings.map((finding) => finding.code)).toContain('too_many_findings');
    expect(JSON.stringify(findings).length).toBeLessThan(2 * limits.findingCharacters);
  });

  it('with more steps than allowed reads none of them', () => {
    const steps = Array.from(
      { length: 15_000 },
      (_, index) => `- {name: s${index}, depends: s${(index + 1) % 15_000}}`,
    );
    const { dag, findings } = parseDag(`steps:\n${steps.join('\n')}`);

    expect(dag.steps).toEqual([]);
    expect(findings.map((finding) => finding.code)).toEqual(['too_many_steps']);
  });

  it('with a cycle of ten thousand steps gives a short message', () => {
    const steps = Array.from(
      { length: limits.steps },
      (_, index) =>
        `- {name: ${'n'.repeat(20)}${index}, run: x, depends: ${'n'.repeat(20)}${(index + 1) % limits.steps}}`,
    );
    const { findings } = parseDag(`steps:\n${steps.join('\n')}`);

    expect(findings.map((finding) => finding.code)).toEqual(['dependency_cycle']);
    expect(findings[0]?.message.length).toBeLessThan(2_000);
  });

  it('is cut in messages', () => {
    const { findings } = parseDag(`${'k'.repeat(200)}: 1\nsteps: [x]`);
    expect(findings[0]?.message.length).toBeLessThan(150);
  });
});
