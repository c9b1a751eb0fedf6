import { languageTour } from './language-tour';

export interface Example {
  readonly fileName: string;
  /** What it shows, in a line. */
  readonly about: string;
  readonly spec: string;
}

const helloParams = `# Parameters and environment. Start it with {"params": "name=Ada times=3"}.
description: Says hello as often as it is told to
labels: example
params:
  - name: name
    default: world
    description: Whom to greet
  - name: times
    type: integer
    default: 2
    minimum: 1
    maximum: 10
env:
  - GREETING: "Hello, \${params.name}!"
steps:
  - name: greet
    run: |
      for i in $(seq 1 "$times"); do
        echo "$i: $GREETING"
      done
  - name: sign
    depends: greet
    env:
      - SIGNATURE: "run $DAG_RUN_ID of $DAG_NAME"
    run: echo "$SIGNATURE"
`;

const parallelReport = `# A graph: both counts run at the same time, the report waits for them.
description: Counts the words of two files side by side and adds them up
labels:
  - example
  - kind=report
steps:
  - id: fetch
    run:
      - printf 'the quick brown fox\\njumps over the lazy dog\\n' > first.txt
      - printf 'a journey of a thousand miles\\nbegins with a single step\\n' > second.txt
  - id: count_first
    depends: fetch
    run: wc -w < first.txt > first.count
  - id: count_second
    depends: fetch
    run: wc -w < second.txt > second.count
  - id: report
    depends: [count_first, count_second]
    run: |
      total=$(( $(cat first.count) + $(cat second.count) ))
      echo "words in all: $total"
`;

const nightlyChain = `# A chain: each step after the one before it; the first failure ends the run.
description: Makes an archive, checks it, and lists what is in it
labels: example, kind=backup
type: chain
env:
  - ARCHIVE: backup.tar
steps:
  - name: collect
    run: |
      mkdir -p data
      date > data/made-at.txt
      uname -a > data/host.txt
  - name: pack
    run: tar -cf "$ARCHIVE" data
  - name: check
    run: tar -tf "$ARCHIVE" > contents.txt
  - name: list
    run: cat contents.txt
`;

/** Where to begin. */
export const firstExample = 'hello-params';

/** Small DAGs that show the main features and run anywhere with a POSIX shell. */
export const examples: readonly Example[] = [
  { fileName: firstExample, about: 'parameters and environment', spec: helloParams },
  { fileName: 'parallel-report', about: 'steps side by side, and one that waits for them', spec: parallelReport },
  { fileName: 'nightly-chain', about: 'steps one after the other', spec: nightlyChain },
];

/** Also those that show more than every machine can carry out, which are only printed. */
export const allExamples: readonly Example[] = [
  ...examples,
  { fileName: 'language-tour', about: 'most of the language, with comments', spec: languageTour },
];
