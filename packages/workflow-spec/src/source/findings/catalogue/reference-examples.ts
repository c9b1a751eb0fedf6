import type { FindingExample } from './catalogue-entry';
import type { referenceFindings } from './reference-findings';

export const referenceExamples = {
  reference_unknown_step: {
    summary: 'A reference to a step that does not exist.',
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
    summary: 'A reference to an output that the step does not have.',
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
    summary: 'A reference to a parameter, a constant or a loop item that is not declared.',
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
    summary: 'A reference to a step that may not have ended when its value is used.',
    bad: `type: graph
steps:
  - id: count
    run: wc -l data.csv
  - run: cat \${steps.count.stdout}
`,
    good: `steps:
  - id: count
    run: wc -l data.csv
  - depends: count
    run: cat \${steps.count.stdout}
`,
  },
  reference_orders_steps: {
    summary: 'A step that waits for another one because it reads its output.',
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
    summary: 'A step that refers to its own outputs.',
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
    summary: 'A reference to a value that is not available in this context.',
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
    summary: 'A reference to a field that the context of a run does not have.',
    bad: `steps:
  - run: echo \${context.run.di}
`,
    good: `steps:
  - run: echo \${context.run.id}
`,
  },
  reference_at_run_time: {
    summary: 'A reference whose value is known only at run time.',
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
    summary: 'A value that becomes a part of the code of a command.',
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
    summary: 'A parameter by its position, such as `$1`, in a script of a language that does not read it.',
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
    summary: 'A reference in code that another program executes: a run fails when the value is more than a plain word.',
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
