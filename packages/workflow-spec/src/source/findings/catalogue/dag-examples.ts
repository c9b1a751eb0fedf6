import type { FindingExample } from './catalogue-entry';
import type { dagFindings } from './dag-findings';

export const dagExamples = {
  invalid_dag_name: {
    summary: 'A DAG name with a wrong length or character.',
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
    summary: 'A document after the first one without a name.',
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
    summary: 'Two documents of one file with the same name.',
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
    summary:
      'Several steps without `type` and `depends` in a file with keys of 1.x, where they execute one after another.',
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
    summary: 'Several steps without `type` and `depends`, which execute at the same time.',
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
    summary: 'A label with a wrong length or character.',
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
    summary: 'An invalid name of an environment variable.',
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
    summary: 'A step that needs artifacts in a DAG that switches them off.',
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
    summary: 'An entry of `env` or a secret with the name of a variable about the run, which the run sets itself.',
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
    summary: 'An entry of `env` that reads itself, or an entry below it: entries are resolved from top to bottom.',
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
    summary: 'An environment entry that is not NAME=value.',
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
    summary: 'Two entries of one list with the same name.',
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
    summary: 'An invalid schedule.',
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
    summary: 'A setting that this version reads and does not apply.',
    bad: `ssh: {host: build.example.com, user: ci}
steps:
  - run: make report
`,
    good: `ssh: {host: build.example.com, user: ci}
steps:
  - action: ssh.run
    with: {command: make report}
`,
  },
  schedule_never_due: {
    summary: 'A schedule for a date that never comes.',
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
    summary: 'A minute step that does not divide the hour.',
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
