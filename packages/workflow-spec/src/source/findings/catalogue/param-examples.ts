import type { FindingExample } from './catalogue-entry';
import type { paramFindings } from './param-findings';

export const paramExamples = {
  invalid_param: {
    summary: 'A parameter whose declaration contradicts itself.',
    bad: `params:
  - {name: size, type: integer, minimum: 1, default: 0}
steps:
  - run: ./resize \${params.size}
`,
    good: `params:
  - {name: size, type: integer, minimum: 1, default: 1}
steps:
  - run: ./resize \${params.size}
`,
  },
  command_is_text: {
    summary: 'A command in the default of a parameter or in env, where it is a plain string and is never executed.',
    bad: `params:
  - DAY: "\`date +%F\`"
steps:
  - run: ./report \${params.DAY}
`,
    good: `params:
  - name: DAY
    eval: "\`date +%F\`"
steps:
  - run: ./report \${params.DAY}
`,
  },
  duplicate_param: {
    summary: 'Two parameters with the same name.',
    bad: `params: [region=eu, region=us]
steps:
  - run: ./deploy \${params.region}
`,
    good: `params: [region=eu, zone=b]
steps:
  - run: ./deploy \${params.region} \${params.zone}
`,
  },
} as const satisfies Record<keyof typeof paramFindings, FindingExample>;
