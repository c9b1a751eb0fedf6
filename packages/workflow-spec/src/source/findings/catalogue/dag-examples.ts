import type { FindingExample } from './catalogue-entry';
import type { dagFindings } from './dag-findings';

export const dagExamples = {
  invalid_dag_name: {
    bad: `name: nightly report
steps:
  - run: make report
`,
    good: `name: nightly-report
steps:
  - run: make report
`,
  },
  missing_dag_name: {
    bad: `steps:
  - action: dag.run
    with: { dag: cleanup }
---
steps:
  - run: rm -rf build
`,
    good: `steps:
  - action: dag.run
    with: { dag: cleanup }
---
name: cleanup
steps:
  - run: rm -rf build
`,
  },
  duplicate_dag_name: {
    bad: `name: report
steps:
  - run: make report
---
name: report
steps:
  - run: make clean
`,
    good: `name: report
steps:
  - run: make report
---
name: cleanup
steps:
  - run: make clean
`,
  },
  chain_assumed: {
    bad: `tags: [reports]
steps:
  - run: make report
  - run: make archive
`,
    good: `type: chain
labels: [reports]
steps:
  - run: make report
  - run: make archive
`,
  },
  graph_assumed: {
    bad: `steps:
  - run: make report
  - run: make archive
`,
    good: `type: chain
steps:
  - run: make report
  - run: make archive
`,
  },
  invalid_label: {
    bad: `labels: [team=data & reports]
steps:
  - run: make report
`,
    good: `labels: [team=data]
steps:
  - run: make report
`,
  },
  invalid_env_name: {
    bad: `env:
  BUILD-DIR: /srv/build
steps:
  - run: make report
`,
    good: `env:
  BUILD_DIR: /srv/build
steps:
  - run: make report
`,
  },
  artifacts_off: {
    bad: `artifacts: {enabled: false}
steps:
  - run: make report
    stdout: {artifact: report.txt}
`,
    good: `artifacts: {enabled: true}
steps:
  - run: make report
    stdout: {artifact: report.txt}
`,
  },
  reserved_env_name: {
    bad: `env:
  DAG_RUN_ID: nightly
steps:
  - run: make report
`,
    good: `env:
  REPORT_ID: nightly
steps:
  - run: make report
`,
  },
  env_order: {
    bad: `env:
  - TARGET: \${BUCKET}/daily
  - BUCKET: reports
steps:
  - run: make report
`,
    good: `env:
  - BUCKET: reports
  - TARGET: \${BUCKET}/daily
steps:
  - run: make report
`,
  },
  invalid_env_entry: {
    bad: `env:
  - BUILD_DIR
steps:
  - run: make report
`,
    good: `env:
  - BUILD_DIR=/srv/build
steps:
  - run: make report
`,
  },
  duplicate_name: {
    bad: `consts:
  - region: eu
  - region: us
steps:
  - run: make report
`,
    good: `consts:
  - region: eu
  - fallback_region: us
steps:
  - run: make report
`,
  },
  invalid_schedule: {
    bad: `schedule: "0 25 * * *"
steps:
  - run: make report
`,
    good: `schedule: "0 23 * * *"
steps:
  - run: make report
`,
  },
  setting_without_effect: {
    bad: `resources:
  limits: {memory: 512Mi}
steps:
  - run: make report
`,
    good: `steps:
  - run: make report
`,
  },
  schedule_never_due: {
    bad: `schedule: "0 6 31 4 *"
steps:
  - run: make report
`,
    good: `schedule: "0 6 30 4 *"
steps:
  - run: make report
`,
  },
  uneven_schedule: {
    bad: `schedule: "*/25 * * * *"
steps:
  - run: make report
`,
    good: `schedule: "*/20 * * * *"
steps:
  - run: make report
`,
  },
} as const satisfies Record<keyof typeof dagFindings, FindingExample>;
