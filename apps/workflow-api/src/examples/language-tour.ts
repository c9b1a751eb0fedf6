/** A commented tour of the language. It is valid; parts of it need a mail server and a container engine. */
export const languageTour = `# The name defaults to the one of the file. Labels are "key" or "key=value"; a list and a map work too.
description: Loads the orders of a day, checks them, and tells people about it
group: warehouse
labels: [team=data, nightly]

# When it starts by itself: cron, in the server's time zone. More than one is a list.
schedule: "15 3 * * *"
overlap_policy: skip          # a slot that comes while a run is active is left out
queue: warehouse              # runs of one queue wait for each other
hist_retention_days: 60

# What a start may set. A short form is "params: DAY=today LIMIT=100".
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

# For every step, in this order. Values may refer to parameters and to entries before.
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

# Must hold, or the run does not begin.
preconditions:
  - condition: "test -d /tmp"

steps:
  # "id" is the short name by which other steps refer to this one.
  - id: fetch
    run: |
      printf 'id,total\\n1,20\\n2,22\\n' > "$TARGET_FILE"
      wc -l < "$TARGET_FILE"
    output: LINES               # standard output as a variable of later steps

  - id: check
    depends: fetch
    run: test "$LINES" -le "$limit"
    # Tried again only for this exit code.
    retry_policy:
      limit: 3
      interval_sec: 5
      backoff: 2
      exit_code: [75]

  # An action in place of a command, with its settings.
  - id: notify
    depends: check
    action: http.request
    with:
      method: POST
      url: https://hooks.example.com/orders
      timeout: 30
      body: '{"day": "\${params.day}"}'
    continue_on: failed         # what comes after does not depend on it

  # One turn for each item.
  - id: regions
    depends: check
    foreach:
      items: [north, south]
      as: region
      max_concurrent: 2
      steps:
        - name: count
          run: grep -c "\${region}" "$TARGET_FILE" || true

  # Skipped unless the text is what is expected.
  - id: rebuild
    depends: [notify, regions]
    preconditions:
      - condition: "\${params.mode}"
        expected: full
    run:
      - echo rebuilding
      - sleep 1

# Steps of the ends of a run.
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
