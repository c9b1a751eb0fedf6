import type { FindingExample } from './catalogue-entry';
import type { flowFindings } from './flow-findings';

export const flowExamples = {
  policy_without_effect: {
    summary: 'A policy, or part of one, that has no effect.',
    bad: `steps:
  - name: fetch
    run: ./fetch
    retry_policy: {limit: 3, interval_sec: 60, backoff: 2, max_interval_sec: 10}
`,
    good: `steps:
  - name: fetch
    run: ./fetch
    retry_policy: {limit: 3, interval_sec: 60, backoff: 2, max_interval_sec: 600}
`,
  },
  condition_is_text: {
    summary: 'A command in a condition that is compared as a string and never executed.',
    bad: `preconditions:
  - condition: "\`date +%u\`"
    expected: 5
steps:
  - ./report
`,
    good: `preconditions:
  - eval: "\`date +%u\`"
    expected: 5
steps:
  - ./report
`,
  },
  not_in_handler: {
    summary: 'A key or an action that a lifecycle step cannot have.',
    bad: `handler_on:
  failure:
    run: ./tell-the-team
    approval: {prompt: Send it?}
steps:
  - run: ./build
`,
    good: `handler_on:
  failure:
    run: ./tell-the-team
steps:
  - run: ./build
`,
  },
  approval_not_here: {
    summary: 'An approval of a step that is executed by a worker or in a loop.',
    bad: `worker_selector: {region: eu}
steps:
  - name: release
    run: ./release
    approval: {prompt: Is it live?}
`,
    good: `worker_selector: local
steps:
  - name: release
    run: ./release
    approval: {prompt: Is it live?}
`,
  },
  rewind_not_upstream: {
    summary: 'A push-back to a step that is not upstream of the approval.',
    bad: `steps:
  - name: draft
    run: ./draft
    approval: {prompt: Good enough?, rewind_to: publish}
  - name: publish
    run: ./publish
    depends: draft
`,
    good: `steps:
  - name: draft
    run: ./draft
  - name: publish
    run: ./publish
    depends: draft
    approval: {prompt: Good enough?, rewind_to: draft}
`,
  },
} as const satisfies Record<keyof typeof flowFindings, FindingExample>;
