import type { FindingExample } from './catalogue-entry';
import type { referenceFindings } from './reference-findings';

export const referenceExamples = {
  reference_unknown_step: {
    bad: `steps:
  - id: count
    run: wc -l data.csv
    output: {rows: {from: stdout}}
  - depends: count
    run: echo \${steps.cuont.outputs.rows}
`,
    good: `steps:
  - id: count
    run: wc -l data.csv
    output: {rows: {from: stdout}}
  - depends: count
    run: echo \${steps.count.outputs.rows}
`,
  },
  reference_unknown_output: {
    bad: `steps:
  - id: count
    run: wc -l data.csv
    output: {rows: {from: stdout}}
  - depends: count
    run: echo \${steps.count.outputs.lines}
`,
    good: `steps:
  - id: count
    run: wc -l data.csv
    output: {rows: {from: stdout}}
  - depends: count
    run: echo \${steps.count.outputs.rows}
`,
  },
  reference_unknown_name: {
    bad: `params: {region: eu}
steps:
  - run: ./deploy --to \${params.regoin}
`,
    good: `params: {region: eu}
steps:
  - run: ./deploy --to \${params.region}
`,
  },
  reference_not_upstream: {
    bad: `steps:
  - id: count
    run: wc -l data.csv
    output: {rows: {from: stdout}}
  - run: echo \${steps.count.outputs.rows}
`,
    good: `steps:
  - id: count
    run: wc -l data.csv
    output: {rows: {from: stdout}}
  - depends: count
    run: echo \${steps.count.outputs.rows}
`,
  },
  reference_self: {
    bad: `steps:
  - id: count
    run: echo \${steps.count.outputs.rows}
    output: {rows: {from: stdout}}
`,
    good: `steps:
  - id: count
    run: wc -l data.csv
    output: {rows: {from: stdout}}
`,
  },
  reference_namespace_unavailable: {
    bad: `steps:
  - run: echo \${context.run.status}
`,
    good: `handler_on:
  exit: echo \${context.run.status}
steps:
  - run: ./work
`,
  },
  reference_unknown_context_field: {
    bad: `steps:
  - run: echo \${context.run.di}
`,
    good: `steps:
  - run: echo \${context.run.id}
`,
  },
  reference_at_run_time: {
    bad: `working_dir: \${DATA_HOME}
steps:
  - run: ls
`,
    good: `env: {DATA_HOME: /srv/data}
working_dir: \${DATA_HOME}
steps:
  - run: ls
`,
  },
  reference_raw: {
    bad: `params: {COMMAND: ls}
steps:
  - run: \${raw.params.COMMAND}
`,
    good: `params: {FOLDER: .}
steps:
  - run: ls "\${params.FOLDER}"
`,
  },
  reference_positional_in_script: {
    bad: `params: Ada
steps:
  - run: print("Hello $1")
    with: {shell: python3}
`,
    good: `params: Ada
steps:
  - run: print("Hello \${params.1}")
    with: {shell: python3}
`,
  },
  reference_in_nested_code: {
    bad: `params: {NAME: Ada}
steps:
  - run: bash -c "echo \${params.NAME}"
`,
    good: `params: {NAME: Ada}
steps:
  - run: bash -c 'echo "$1"' bash "\${params.NAME}"
`,
  },
} as const satisfies Record<keyof typeof referenceFindings, FindingExample>;
