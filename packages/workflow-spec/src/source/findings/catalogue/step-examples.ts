import { limits } from '../../../model/limits';
import type { FindingExample } from './catalogue-entry';
import type { stepFindings } from './step-findings';

export const stepExamples = {
  too_many_steps: {
    summary: 'More steps than the limit.',
    bad: `steps:\n${'  - make\n'.repeat(limits.steps + 1)}`,
    good: `steps:
  - make all
`,
  },
  too_many_dependencies: {
    summary: 'More dependencies than the limit.',
    bad: `steps:\n  - name: fetch\n    run: ./fetch\n  - run: make\n    depends: [${'fetch, '.repeat(limits.stepDependencies + 1)}]\n`,
    good: `steps:
  - name: fetch
    run: ./fetch
  - run: make
    depends: [fetch]
`,
  },
  invalid_step_name: {
    summary: 'A step name with a wrong length or character.',
    bad: `steps:
  - name: "build\\nand test"
    run: make
`,
    good: `steps:
  - name: build and test
    run: make
`,
  },
  duplicate_step_name: {
    summary: 'Two steps with the same name.',
    bad: `steps:
  - name: build
    run: make
  - name: build
    run: make check
`,
    good: `steps:
  - name: build
    run: make
  - name: check
    run: make check
`,
  },
  invalid_step_id: {
    summary: 'A step ID with a wrong form, or a reserved word.',
    bad: `steps:
  - id: build-all
    run: make
`,
    good: `steps:
  - id: build_all
    run: make
`,
  },
  reserved_step_id: {
    summary: 'A step ID that short references read as something else.',
    bad: `steps:
  - id: context
    run: ./collect
`,
    good: `steps:
  - id: collect
    run: ./collect
`,
  },
  duplicate_step_id: {
    summary: 'Two steps with the same ID.',
    bad: `steps:
  - id: build
    run: make
  - id: build
    run: make check
`,
    good: `steps:
  - id: build
    run: make
  - id: check
    run: make check
`,
  },
  parallel_group: {
    summary: 'A nested list of steps where none is allowed.',
    bad: `type: graph
steps:
  - [make docs, make code]
`,
    good: `type: chain
steps:
  - [make docs, make code]
`,
  },
  depends_not_allowed: {
    summary: 'Dependencies in a chain, or between the steps of an agent.',
    bad: `type: chain
steps:
  - name: build
    run: make
  - run: make check
    depends: build
`,
    good: `type: chain
steps:
  - name: build
    run: make
  - run: make check
`,
  },
  unknown_dependency: {
    summary: 'A dependency on a step that does not exist.',
    bad: `steps:
  - name: build
    run: make
  - run: make check
    depends: biuld
`,
    good: `steps:
  - name: build
    run: make
  - run: make check
    depends: build
`,
  },
  unknown_step: {
    summary: 'A reference by name to a step that does not exist.',
    bad: `steps:
  - name: draft
    run: ./draft
  - name: publish
    run: ./publish
    depends: draft
    approval: {rewind_to: drfat}
`,
    good: `steps:
  - name: draft
    run: ./draft
  - name: publish
    run: ./publish
    depends: draft
    approval: {rewind_to: draft}
`,
  },
  self_dependency: {
    summary: 'A step that depends on itself.',
    bad: `steps:
  - name: build
    run: make
    depends: build
`,
    good: `steps:
  - name: build
    run: make
`,
  },
  duplicate_dependency: {
    summary: 'A duplicate dependency.',
    bad: `steps:
  - name: build
    run: make
  - run: make check
    depends: [build, build]
`,
    good: `steps:
  - name: build
    run: make
  - run: make check
    depends: [build]
`,
  },
  untrimmed_dependency: {
    summary: 'White space around the name of a dependency.',
    bad: `steps:
  - name: build
    run: make
  - run: ./deploy
    depends: "build "
`,
    good: `steps:
  - name: build
    run: make
  - run: ./deploy
    depends: build
`,
  },
  dependency_cycle: {
    summary: 'Steps that wait for each other.',
    bad: `steps:
  - name: build
    run: make
    depends: check
  - name: check
    run: make check
    depends: build
`,
    good: `steps:
  - name: build
    run: make
  - name: check
    run: make check
    depends: build
`,
  },
} as const satisfies Record<keyof typeof stepFindings, FindingExample>;
