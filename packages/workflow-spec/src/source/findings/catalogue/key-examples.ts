import type { FindingExample } from './catalogue-entry';
import type { keyFindings } from './key-findings';

export const keyExamples = {
  unknown_key: {
    summary: 'A key that the language does not have.',
    bad: `
descripton: Nightly report
steps:
  - run: make report
`,
    good: `
description: Nightly report
steps:
  - run: make report
`,
  },
  unsupported_key: {
    summary: 'A key of the language that this version does not support.',
    bad: `
resources:
  limits: {memory: 1Gi}
steps:
  - run: make report
`,
    good: `
steps:
  - run: make report
`,
  },
  unsupported_value: {
    summary: 'A value of the language that this version does not support.',
    bad: `
steps:
  - action: log.write
    with: {message: done}
    container: alpine:3
`,
    good: `
steps:
  - action: log.write
    with: {message: done}
`,
  },
  deprecated_key: {
    summary: 'A deprecated spelling of a key.',
    bad: `
steps:
  - name: report
    command: make report
`,
    good: `
steps:
  - name: report
    run: make report
`,
  },
  conflicting_keys: {
    summary: 'Keys that exclude each other.',
    bad: `
container:
  image: postgres:17
  exec: database
steps:
  - run: pg_dump reports
`,
    good: `
container:
  exec: database
steps:
  - run: pg_dump reports
`,
  },
  invalid_type: {
    summary: 'A value of the wrong type.',
    bad: `
container: [alpine]
steps:
  - run: make report
`,
    good: `
container: alpine
steps:
  - run: make report
`,
  },
  invalid_value: {
    summary: 'A value that the key does not accept.',
    bad: `
container:
  image: postgres:17
  ports: [5432:70000]
steps:
  - run: pg_dump reports
`,
    good: `
container:
  image: postgres:17
  ports: [5432:7000]
steps:
  - run: pg_dump reports
`,
  },
  missing_key: {
    summary: 'A required key is missing.',
    bad: `
steps:
  - name: report
`,
    good: `
steps:
  - name: report
    run: make report
`,
  },
} as const satisfies Record<keyof typeof keyFindings, FindingExample>;
