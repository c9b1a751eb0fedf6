/** Specs of DAGs whose runs the page of a run is shown with. */

/** Retried twice before it fails; a handler and steps after it. */
export const failing = `params:
  - { name: DAY, default: monday }
steps:
  - id: fetch
    run: echo 412 orders
    output: { rows: { from: stdout } }
  - id: check
    depends: fetch
    run: echo checking; echo "row 7 has no amount" >&2; exit 3
    retry_policy: { limit: 1, interval_sec: 1 }
  - id: load
    depends: check
    run: echo loaded
handler_on:
  failure:
    run: echo somebody is told
`;

/** The same with a check that passes. */
export const mended = failing.replace('; exit 3', '');

/** Goes on when somebody approves. */
export const gated = `steps:
  - id: build
    run: echo built
    approval: { prompt: Release it?, input: [NOTE], required: [NOTE] }
  - id: deploy
    depends: build
    run: echo deployed
`;

export const task = `steps:
  - id: survey
    action: human.task
    with:
      prompt: How many customers come first?
      form:
        properties:
          percent: { type: integer, title: Percentage, minimum: 1, maximum: 100, default: 10 }
          reason: { type: string, title: Reason, maxLength: 20 }
        required: [reason]
`;

export const endless = `max_active_runs: 1
steps:
  - id: first
    run: sleep 600
  - id: second
    depends: first
    run: echo never
`;

/** Child runs, a loop, outputs, artifacts of all kinds and a secret. */
export const rich = `env:
  - STAGE: production
secrets:
  - { name: API_TOKEN, provider: env, key: PATH }
artifacts: { enabled: true }
steps:
  - id: regions
    call: region
    params: "name=\${ITEM}"
    parallel: { items: [eu, us], max_concurrent: 2 }
  - id: turns
    foreach:
      items: [a, b]
      steps:
        - { id: print, run: 'echo \${foreach.item}' }
  - id: report
    depends: [regions, turns]
    run: |
      cd "$DAG_RUN_ARTIFACTS_DIR"; mkdir tables
      printf 'region,orders\\neu,12\\n"us, west",30\\n' > tables/regions.csv
      printf '# Totals\\n\\n**42** orders <img src=x onerror="document.title=1">\\n' > report.md
      printf '{"total":42,"regions":[{"name":"eu"}]}' > summary.json
      printf '<h1>Totals</h1><script>parent.document.title="taken"</script>' > page.html
      printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' > chart.svg
      printf 'plain words' > notes.txt
      echo '{"total": 42, "regions": [{"name": "eu"}]}'
    output: { summary: { from: stdout, decode: json } }
---
name: region
params: name=none
steps:
  - id: collect
    run: echo "collecting $name"
  - id: render
    depends: collect
    run: echo rendered
`;
