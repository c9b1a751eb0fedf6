import { limits } from '../../../model/limits';
import type { FindingExample } from './catalogue-entry';
import type { textFindings } from './text-findings';

export const textExamples = {
  text_too_large: {
    summary: 'The text is longer than the limit.',
    bad: `steps: [echo ${'a'.repeat(limits.textBytes)}]\n`,
    good: `steps: [./say-it]
`,
  },
  text_too_complex: {
    summary: 'The text has too many tokens, documents or values.',
    bad: `steps: [${'[], '.repeat(limits.lexemes / 3)}]\n`,
    good: `steps: [./do-it-all]
`,
  },
  nesting_too_deep: {
    summary: 'Lists and maps are nested deeper than the limit.',
    bad: `steps: ${'['.repeat(limits.depth + 1)}${']'.repeat(limits.depth + 1)}\n`,
    good: `steps: [echo flat]
`,
  },
  too_many_findings: {
    summary: 'There are more findings than are shown.',
    bad: `steps: [${'{}, '.repeat(limits.findings + 1)}]\n`,
    good: `steps: [echo one thing]
`,
  },
  invalid_character: {
    summary: 'A control character or half of a surrogate pair.',
    bad: 'steps: ["echo \u0007"]\n',
    good: `steps: [printf '\\a']
`,
  },
  yaml_syntax: {
    summary: 'The text is not valid YAML.',
    bad: `steps:
  - name: build
    run: "make
`,
    good: `steps:
  - name: build
    run: "make"
`,
  },
  yaml_warning: {
    summary: 'YAML that is valid, but probably not read as intended.',
    bad: `%YAML 3.0
---
steps:
  - run: make
`,
    good: `steps:
  - run: make
`,
  },
  unsupported_tag: {
    summary: 'A YAML tag other than those of the core schema.',
    bad: `steps:
  - run: !include build.sh
`,
    good: `steps:
  - run: ./build.sh
`,
  },
  unknown_alias: {
    summary: 'An alias whose anchor does not come before it.',
    bad: `env: *common
steps:
  - run: make
`,
    good: `env: &common
  - STAGE: test
steps:
  - run: make
    env: *common
`,
  },
  recursive_alias: {
    summary: 'An alias inside its own value.',
    bad: `steps: &all
  - run: make
  - *all
`,
    good: `steps:
  - run: make
  - run: make again
`,
  },
  alias_expansion: {
    summary: 'Aliases repeat more values than the limit.',
    bad: `env: &many [${'{A: b}, '.repeat(200)}]\nsteps:\n${'  - {run: make, env: *many}\n'.repeat(200)}`,
    good: `env:
  - A: b
steps:
  - run: make
`,
  },
  merge_key: {
    summary: 'A merge key whose value is no map.',
    bad: `steps:
  - run: &build make
    name: build
  - <<: *build
    name: again
    depends: build
`,
    good: `steps:
  - &build
    run: make
    name: build
  - <<: *build
    name: again
    depends: build
`,
  },
  invalid_key: {
    summary: 'A key that is not a short string.',
    bad: `steps:
  - run: make
    [a, b]: c
`,
    good: `steps:
  - run: make
`,
  },
  duplicate_key: {
    summary: 'The same key twice in one map.',
    bad: `steps:
  - run: make
    run: make check
`,
    good: `steps:
  - run: [make, make check]
`,
  },
  empty_document: {
    summary: 'There is no DAG in the text.',
    bad: `# To be written.
`,
    good: `steps: [echo written]
`,
  },
} as const satisfies Record<keyof typeof textFindings, FindingExample>;
