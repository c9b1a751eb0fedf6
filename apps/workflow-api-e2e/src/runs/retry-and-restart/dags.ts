/** Writes its name down, then succeeds when there is a file of this name. */
const needs = (step: string, file: string): string => `'echo ${step} >> "$MARKS/done"; test -e "$MARKS/${file}"'`;
/** Their steps note in this folder what ran, and look there for what lets them succeed. */
export const dagsIn = (marks: string) => ({
  chain: `env: [{MARKS: "${marks}"}]
handler_on:
  failure: {run: 'echo failure >> "$MARKS/done"'}
steps:
  - {name: first, run: 'echo first >> "$MARKS/done"'}
  - {name: second, run: ${needs('second', 'go')}, depends: first}
  - {name: third, run: 'echo third >> "$MARKS/done"', depends: second}
`,
  guarded: `type: chain
steps:
  - {name: free, run: "true"}
  - {name: held, run: "echo done", preconditions: ["test -e /nowhere"]}
  - {name: after, run: "echo after"}
`,
  flaky: `env: [{MARKS: "${marks}"}]
retry_policy: {limit: 3, interval_sec: 1, backoff: 2}
handler_on:
  failure: {run: 'echo failure >> "$MARKS/flaky"'}
steps:
  - {name: try, run: 'echo try >> "$MARKS/flaky"; test "$(grep -c try "$MARKS/flaky")" -ge 3'}
`,
  hopeless: `env: [{MARKS: "${marks}"}]
retry_policy: {limit: 1, interval_sec: 1}
handler_on:
  failure: {run: 'echo failure >> "$MARKS/hopeless"'}
steps:
  - {run: 'echo try >> "$MARKS/hopeless"; false'}
`,
  patient: 'retry_policy: {limit: 5, interval_sec: 600}\nsteps:\n  - {run: "false"}\n',
  soon: 'retry_policy: {limit: 5, interval_sec: 2}\nsteps:\n  - {run: "false"}\n',
  handler: `env: [{MARKS: "${marks}"}]
handler_on:
  success: {run: 'test -e "$MARKS/handler-go"'}
steps:
  - {name: work, run: 'echo work >> "$MARKS/handler"'}
`,
  parent: `env: [{MARKS: "${marks}"}]
steps:
  - {name: call, action: dag.run, with: {dag: child}}
---
name: child
env: [{MARKS: "${marks}"}]
steps:
  - {name: once, run: 'echo once >> "$MARKS/child"'}
  - {name: inner, run: 'test -e "$MARKS/child-go"', depends: once}
`,
  service: `params: WHO=nobody
restart_wait_sec: 1
steps:
  - {run: 'echo "$WHO"; if test "$WHO" = long; then exec sleep 300; fi'}
`,
});
