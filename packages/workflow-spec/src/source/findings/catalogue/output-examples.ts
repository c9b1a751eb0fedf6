import type { FindingExample } from './catalogue-entry';
import type { outputFindings } from './output-findings';

export const outputExamples = {
  invalid_output_name: {
    summary: 'A name of an output with a wrong character.',
    bad: `steps:
  - id: measure
    run: ./measure
    outputs:
      - name: file-size
`,
    good: `steps:
  - id: measure
    run: ./measure
    outputs:
      - name: file_size
`,
  },
  invalid_json_schema: {
    summary: 'A JSON Schema that cannot be used.',
    bad: `steps:
  - run: ./measure
    output_schema:
      type: objekt
`,
    good: `steps:
  - run: ./measure
    output_schema:
      type: object
`,
  },
  deprecated_value: {
    summary: 'A deprecated form of a value.',
    bad: `steps:
  - run: git describe
    output: $VERSION
`,
    good: `steps:
  - run: git describe
    output: VERSION
`,
  },
} as const satisfies Record<keyof typeof outputFindings, FindingExample>;
