/** A commented tour of the language. It is valid; parts of it need a mail server and a container engine. */
export const languageTour = `# The name defaults to the file name. Labels are "key" or "key=value", as a string, a list or a map.
description: Loads the orders of a day, checks them, and notifies people
group: warehouse
labels: [team=data, nightly]

# When runs start automatically: a cron expression in the server's time zone, or a list of them.
schedule: "15 3 * * *"
overlap_policy: skip          # an occurrence is skipped while a run is active
queue: warehouse              # runs of one queue wait for each other
hist_retention_days: 60

# Parameters of a run. The short form is "params: DAY=today LIMIT=100".
params:
  - name: day
    description: The day to load
    default: yesterday
  - name: limit
    type: integer
    default: 1000
    minimum: 1
    maximum: 100000
  - name: mode
    enum: [full, changes]
    default: changes

# Environment of every step. Values may refer to parameters and to earlier entries.
env:
  - TARGET: "orders-\${params.day}"
  - TARGET_FILE: "\${TARGET}.csv"

# Step defaults; a step's own setting wins.
defaults:
  timeout_sec: 600
  retry_policy:
    limit: 2
    interval_sec: 10

max_active_steps: 4
timeout_sec: 3600             # of the whole run

# Must hold, or the run does not start.
preconditions:
  - condition: "test -d /tmp"

steps:
  # "id" is the short name by which other steps refer to this one.
  - id: fetch
    run: |
      printf 'id,total\\n1,20\\n2,22\\n' > "$TARGET_FILE"
      wc -l < "$TARGET_FILE"
    output: LINES               # captures standard output as a variable of later steps

  - id: check
    depends: fetch
    run: test "$LINES" -le "$limit"
    # Only this exit code is retried.
    retry_policy:
      limit: 3
      interval_sec: 5
      backoff: 2
      exit_code: [75]

  # An action instead of a command, with its settings.
  - id: notify
    depends: check
    action: http.request
    with:
      method: POST
      url: https://hooks.example.com/orders
      timeout: 30
      body: '{"day": "\${params.day}"}'
    continue_on: failed         # later steps run even if it fails

  # One iteration per item.
  - id: regions
    depends: check
    foreach:
      items: [north, south]
      as: region
      max_concurrent: 2
      steps:
        - name: count
          run: grep -c "\${region}" "$TARGET_FILE" || true

  # Skipped unless the value is as expected.
  - id: rebuild
    depends: [notify, regions]
    preconditions:
      - condition: "\${params.mode}"
        expected: full
    run:
      - echo rebuilding
      - sleep 1

# Lifecycle handlers of a run.
handler_on:
  failure:
    run: echo "run $DAG_RUN_ID failed"
  exit:
    run: rm -f "$TARGET_FILE"

mail_on:
  failure: true
error_mail:
  from: weir@example.com
  to: data-team@example.com
  prefix: "[orders]"
`;
