import { limits } from '../../../model/limits';
import type { FindingExample } from './catalogue-entry';
import type { textFindings } from './text-findings';

export const textExamples = {
  text_too_large: {
    bad: `steps: [echo ${'a'.repeat(limits.textBytes)}]\n`,
    good: `steps: [./say-it]
`,
  },
  text_too_complex: {
    bad: `steps: [${'[], '.repeat(limits.lexemes / 3)}]\n`,
    good: `steps: [./do-it-all]
`,
  },
  nesting_too_deep: {
    bad: `steps: ${'['.repeat(limits.depth + 1)}${']'.repeat(limits.depth + 1)}\n`,
    good: `steps: [echo flat]
`,
  },
  too_many_findings: {
    bad: `steps: [${'{}, '.repeat(limits.findings + 1)}]\n`,
    good: `steps: [echo one thing]
`,
  },
  invalid_character: {
    bad: 'steps: ["echo \u0007"]\n',
    good: `steps: [printf '\\a']
`,
  },
  yaml_syntax: {
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
    bad: `steps:
  - run: !include build.sh
`,
    good: `steps:
  - run: ./build.sh
`,
  },
  unknown_alias: {
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
    bad: `env: &many [${'{A: b}, '.repeat(200)}]\nsteps:\n${'  - {run: make, env: *many}\n'.repeat(200)}`,
    good: `env:
  - A: b
steps:
  - run: make
`,
  },
  merge_key: {
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
    bad: `steps:
  - run: make
    [a, b]: c
`,
    good: `steps:
  - run: make
`,
  },
  duplicate_key: {
    bad: `steps:
  - run: make
    run: make check
`,
    good: `steps:
  - run: [make, make check]
`,
  },
  empty_document: {
    bad: `# To be written.
`,
    good: `steps: [echo written]
`,
  },
} as const satisfies Record<keyof typeof textFindings, FindingExample>;
