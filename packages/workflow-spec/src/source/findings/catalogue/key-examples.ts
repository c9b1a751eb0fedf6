import type { FindingExample } from './catalogue-entry';
import type { keyFindings } from './key-findings';

export const keyExamples = {
  unknown_key: {
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
    bad: `
tasks:
  - name: report
steps:
  - run: make report
`,
    good: `
steps:
  - run: make report
`,
  },
  unsupported_value: {
    bad: `
type: agent
steps:
  - run: make report
`,
    good: `
type: graph
steps:
  - run: make report
`,
  },
  deprecated_key: {
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
