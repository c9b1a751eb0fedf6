import { parseDag } from '@weir/workflow-spec';
import { presentDagDetails } from './dag-presenter';

describe('presentDagDetails', () => {
  it('shows the settings that affect a run', () => {
    const text = `
delay_sec: 3
type: graph
log_dir: /var/log/orders
hist_retention_days: 9
queue: orders
artifacts: {enabled: true, dir: /srv/artifacts}
run_config: {disable_param_edit: true}
preconditions: {condition: "\${params.mode}", expected: full}
params: mode=full
handler_on:
  failure: {run: echo failed}
steps:
  - name: load
    run: echo
    preconditions: "test -d /tmp"
    timeout_sec: 60
    mail_on_error: true
    output: LOADED
    repeat_policy: {repeat: until, interval_sec: 5, limit: 3, condition: "true"}
    approval: {prompt: Good?, input: [reason]}
  - name: child
    action: dag.run
    with: {dag: other, params: a=1}
    parallel: {items: [1, two], max_concurrent: 2}
`;
    const { dag, findings } = parseDag(text);

    expect(findings).toEqual([]);
    expect(presentDagDetails(dag, undefined)).toMatchObject({
      delay: 3,
      logDir: '/var/log/orders',
      histRetentionDays: 9,
      queue: 'orders',
      artifacts: { enabled: true, dir: '/srv/artifacts' },
      runConfig: { disableParamEdit: true, disableRunIdEdit: false },
      preconditions: [{ condition: '${params.mode}', expected: 'full', negate: false }],
      handlerOn: { failure: { commands: [{ command: 'echo failed' }] } },
      steps: [
        {
          name: 'load',
          preconditions: [{ condition: 'test -d /tmp', negate: false }],
          timeoutSec: 60,
          mailOnError: true,
          output: 'LOADED',
          repeatPolicy: { repeat: 'until', interval: 5, limit: 3, condition: { condition: 'true' } },
          approval: { prompt: 'Good?', input: ['reason'], required: [] },
        },
        {
          name: 'child',
          call: 'other',
          params: 'a=1',
          parallel: { items: ['1', 'two'], maxConcurrent: 2 },
          executorConfig: { type: 'dag.run', config: { dag: 'other' } },
        },
      ],
    });
  });
});
