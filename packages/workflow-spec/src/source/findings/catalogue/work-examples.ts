import type { FindingExample } from './catalogue-entry';
import type { workFindings } from './work-findings';

export const workExamples = {
  action_not_locked: {
    summary: 'A packaged action whose commit and checksum are not in `action_lock`.',
    bad: `steps:
  - name: tell
    action: acme/notify@v1.2.0
    with: {text: done}
`,
    good: `action_lock:
  acme/notify@v1.2.0:
    commit: 8d3f0c1e2a4b5c6d7e8f90123456789abcdef012
    checksum: sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
steps:
  - name: tell
    action: acme/notify@v1.2.0
    with: {text: done}
`,
  },
  unknown_action: {
    summary: 'An action or deprecated step type that does not exist.',
    bad: `steps:
  - name: ping
    action: http.requst
    with: {method: GET, url: "https://shop.example/health"}
`,
    good: `steps:
  - name: ping
    action: http.request
    with: {method: GET, url: "https://shop.example/health"}
`,
  },
  invalid_route: {
    summary: 'A route that a router cannot take.',
    bad: `steps:
  - id: choose
    action: router.route
    with:
      value: \${params.REGION}
      routes: {eu: deploy_eu, us: choose}
  - id: deploy_eu
    run: ./deploy eu
  - id: deploy_us
    run: ./deploy us
params: REGION=eu
`,
    good: `steps:
  - id: choose
    action: router.route
    with:
      value: \${params.REGION}
      routes: {eu: deploy_eu, us: deploy_us}
  - id: deploy_eu
    run: ./deploy eu
  - id: deploy_us
    run: ./deploy us
params: REGION=eu
`,
  },
  human_task_not_allowed: {
    summary: 'A human task where it is not allowed: in a loop.',
    bad: `steps:
  - foreach:
      items: [north, south]
      steps:
        - id: check
          action: human.task
          with: {prompt: Is the shop open?}
`,
    good: `steps:
  - id: check
    action: human.task
    with: {prompt: Are both shops open?}
  - depends: check
    foreach:
      items: [north, south]
      steps:
        - ./report
`,
  },
  invalid_custom_action: {
    summary: 'A custom action with an invalid name or a name already in use.',
    bad: `actions:
  log.write:
    template: {run: echo done}
steps:
  - action: log.write
    with: {message: done}
`,
    good: `actions:
  log.done:
    template: {run: echo done}
steps:
  - action: log.done
`,
  },
  invalid_template: {
    summary: 'A template of a custom action that cannot be filled.',
    bad: `actions:
  greet:
    template:
      run: echo {{ name }}
steps:
  - action: greet
    with: {name: Ada}
`,
    good: `actions:
  greet:
    template:
      run: echo {{ .input.name }}
steps:
  - action: greet
    with: {name: Ada}
`,
  },
} as const satisfies Record<keyof typeof workFindings, FindingExample>;
