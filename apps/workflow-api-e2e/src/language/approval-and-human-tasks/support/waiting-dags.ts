/** DAGs that wait for a person. */
export const dags = {
  gate: `handler_on:
  wait: {run: 'echo "$DAG_WAITING_STEPS"'}
  failure: {run: 'echo "handler: $DAG_RUN_STATUS"'}
  exit: {run: "true"}
steps:
  - name: draft
    run: 'echo draft'
  - name: review
    run: 'echo looked'
    depends: draft
    approval: {prompt: Publish it?, input: [COMMENT, WHO], required: [COMMENT]}
  - name: publish
    run: 'echo "published: $COMMENT by \${WHO:-nobody}, \${EXTRA:-nothing else}"'
    depends: review
`,
  reviewed: `type: chain
steps:
  - {name: fetch, run: echo fetched}
  - id: write
    run: |
      echo "\${WEIR_PUSHBACK_COMMENT:-none}" '\${context.pushback.comment}'
  - {name: polish, run: echo polished}
  - id: check
    action: human.task
    with: {prompt: Is it good?, form: {properties: {ok: {type: boolean}}}, rewind_to: write}
  - {name: publish, run: echo published}
`,
  sent: `steps:
  - name: before
    run: 'echo one >> "$DAG_RUN_WORK_DIR/befores"; wc -l < "$DAG_RUN_WORK_DIR/befores"'
  - name: draft
    run: 'echo "draft \${DAG_PUSHBACK_ITERATION:-0} \${FEEDBACK:-none} $(cat "\${DAG_PUSHBACK_PREVIOUS_STDOUT_FILE:-/dev/null}")"'
    depends: before
  - name: review
    run: 'echo "review \${FEEDBACK:-none}"'
    depends: draft
    approval: {input: [FEEDBACK], required: [FEEDBACK], rewind_to: draft}
  - name: publish
    run: 'echo "after \${FEEDBACK:-none}"'
    depends: review
`,
  two: `type: graph
steps:
  - {name: left, run: "true", approval: {}}
  - {name: right, run: "true", approval: {}}
  - {name: after-left, run: "true", depends: left}
  - {name: last, run: "true", depends: [left, right]}
`,
  busy: `type: graph
steps:
  - {name: quick, run: "true", approval: {}}
  - {name: slow, run: 'touch at-work; until test -e go; do sleep 0.05; done'}
  - {name: last, run: "true", depends: [quick, slow]}
`,
  parent: `steps:
  - {name: call, action: dag.run, with: {dag: child}}
  - {name: last, run: "true", depends: call}
---
name: child
steps:
  - {name: inner, run: "true", approval: {}}
  - {name: end, run: "echo done", depends: inner}
`,
  asking: `steps:
  - {id: call, action: dag.run, with: {dag: asked-below}}
  - {name: last, run: 'echo "\${steps.call.outputs.outputs.reason}"', depends: call}
---
name: asked-below
steps:
  - id: ask
    action: human.task
    with: {prompt: Why?, form: {properties: {reason: {type: string}}, required: [reason]}}
`,
  checked: `steps:
  - {name: call, action: dag.run, with: {dag: small}, approval: {}}
  - {name: last, run: "true", depends: call}
---
name: small
steps:
  - {run: "true"}
`,
  task: `steps:
  - id: check
    action: human.task
    with:
      prompt: |
        May it
        go out?
      form:
        properties:
          percent: {type: integer, minimum: 1, maximum: 100, default: 10}
          reason: {type: string, maxLength: 20}
          urgent: {type: boolean}
        required: [reason]
  - name: deploy
    depends: check
    run: 'echo "\${steps.check.outputs.percent} \${steps.check.outputs.reason} \${steps.check.outputs.urgent}"'
`,
  asked: `params: {TARGET: shop}
steps:
  - {id: count, run: echo 3, output: {found: {from: stdout}}}
  - id: confirm
    depends: count
    action: human.task
    with:
      prompt: 'Deploy \${steps.count.outputs.found} changes to \${params.TARGET}?'
      form:
        properties:
          host: {type: string, default: '\${TARGET}.example.org', title: 'Host of \${TARGET}', pattern: '^[a-z.]+$'}
        additionalProperties: true
  - {id: sign, depends: count, action: human.task, with: {prompt: Signed?}}
  - {name: deploy, run: 'printf "%s" "\${steps.confirm.outputs.host}"', depends: [confirm, sign]}
`,
  ack: 'steps:\n  - {id: seen, action: human.task, with: {prompt: Seen?}}\n  - {name: after, run: "true", depends: seen}\n',
};
