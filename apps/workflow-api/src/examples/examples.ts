import { languageTour } from './language-tour';

export interface Example {
  readonly fileName: string;
  /** Says in one line what the example demonstrates. */
  readonly about: string;
  readonly spec: string;
}

const mergeSources = `# Two sources are fetched in parallel and retried on failure; the report depends on both.
description: Fetches two price lists, merges them and reports the total
labels: example, kind=report
params:
  - name: rate
    type: number
    default: 1.1
    description: Factor applied to all prices
steps:
  - id: fetch_shop
    # Simulates a service that is slow to start: the first attempt fails, the second succeeds.
    run: |
      if [ ! -e asked ]; then touch asked; echo "the shop is not available yet" >&2; exit 1; fi
      echo '[{"item":"apple","price":3},{"item":"pear","price":4}]'
    retry_policy: { limit: 3, interval_sec: 1, backoff: 2 }
    output: { prices: { from: stdout, decode: json } }
  - id: fetch_market
    run: echo '[{"item":"plum","price":5}]'
    retry_policy: { limit: 3, interval_sec: 1, backoff: 2 }
    output: { prices: { from: stdout, decode: json } }
  - id: merge
    depends: [fetch_shop, fetch_market]
    action: js.run
    with:
      input:
        shop: \${steps.fetch_shop.outputs.prices}
        market: \${steps.fetch_market.outputs.prices}
        rate: \${params.rate}
      code: |
        export default ({ shop, market, rate }) => {
          const prices = [...JSON.parse(shop), ...JSON.parse(market)];
          const total = prices.reduce((sum, { price }) => sum + price * Number(rate), 0);
          return { count: prices.length, total: total.toFixed(2) };
        };
  - id: report
    depends: merge
    run: echo "\${steps.merge.outputs.count} prices, \${steps.merge.outputs.total} in all"
handler_on:
  failure: echo "the report of run $DAG_RUN_ID is missing" >&2
`;

const fanOutRegions = `# One iteration per region, two at a time; their results are collected into a list.
description: Counts the orders of every region and adds them up
labels: example, kind=fan-out
steps:
  - id: regions
    run: echo '["north","south","east","west"]'
    output: REGIONS
  - id: counts
    depends: regions
    foreach:
      items: \${REGIONS}
      as: region
      max_concurrent: 2
      steps:
        - id: orders
          # Simulates a query: a region has as many orders as its name has letters.
          run: printf '%s' "\${foreach.region}" | wc -c | tr -d ' '
          output: { count: { from: stdout } }
        - id: check
          depends: orders
          run: test "\${steps.orders.outputs.count}" -gt 0
      collect:
        orders: \${steps.orders.outputs.count}
  - id: sum
    depends: counts
    action: jq.filter
    with:
      input: \${steps.counts.outputs.orders}
      filter: 'map(tonumber) | { regions: length, orders: add }'
  - id: report
    depends: sum
    action: dag.run
    with: { dag: report, params: { regions: "\${REGIONS}", orders: "\${steps.counts.outputs.orders}" } }
---
# A DAG of the same file: its child run receives only its parameters.
name: report
params:
  - name: regions
  - name: orders
steps:
  - run: echo "orders of $regions are $orders"
`;

const releaseApproval = `# The release waits for a person. Approve it with
#   curl -X POST $API/dag-runs/release-approval/RUN_ID/steps/review/approve -d '{"inputs":{"VERSION":"1.2.0"}}' …
# and the run resumes with the given inputs; reject it, and the failure handler runs.
description: Builds an archive, checks it, and publishes it after approval
labels: example, kind=release
type: chain
env:
  - ARCHIVE: release.tar
steps:
  - id: build
    run: |
      mkdir -p site
      echo "<h1>built by run $DAG_RUN_ID</h1>" > site/index.html
      tar -cf "$ARCHIVE" site
  - id: review
    run: tar -tf "$ARCHIVE"
    approval:
      prompt: Publish this archive?
      input: [VERSION, NOTE]
      required: [VERSION]
      rewind_to: build
  - id: publish
    run: |
      mkdir -p published
      cp "$ARCHIVE" "published/site-$VERSION.tar"
      echo "published version $VERSION"
handler_on:
  wait: echo "waiting for $DAG_WAITING_STEPS"
  failure: echo "nothing was published"
`;

export const firstExample = 'merge-sources';

/** Small pipelines that show the main features and run on any machine with a POSIX shell. */
export const examples: readonly Example[] = [
  { fileName: firstExample, about: 'parallel fetches with retries, merged by a function', spec: mergeSources },
  {
    fileName: 'fan-out-regions',
    about: 'a loop over a list, collected outputs, and a child run',
    spec: fanOutRegions,
  },
  { fileName: 'release-approval', about: 'an approval before the last step', spec: releaseApproval },
];

/** Includes the examples that not every machine can execute; those are only printed. */
export const allExamples: readonly Example[] = [
  ...examples,
  { fileName: 'language-tour', about: 'most of the language, with comments', spec: languageTour },
];
