import { actionFragments } from './action-fragments';
import { dagKeyFragments } from './dag-key-fragments';
import { indent, type Fragment } from './fragment';
import { stepKeyFragments } from './step-key-fragments';

export interface CorpusFile {
  /** `depends-list-chain.yaml`: row, form and position. */
  readonly name: string;
  readonly row: string;
  readonly text: string;
  /** The code of the error that is expected. */
  readonly refused: string | undefined;
  readonly action: string | undefined;
  /** Whether it is an older way to write a key of today. */
  readonly isOlderSpelling: boolean;
  /** Whether it is in the first position, in which a run shows what it does. */
  readonly isFirst: boolean;
  readonly writes: string | undefined;
}

type Position = readonly [name: string, place: (fragment: Fragment) => string | undefined];

const hasSteps = ({ yaml }: Fragment): boolean => /^steps:/m.test(yaml);
const stepsOf = (fragment: Fragment): string => (hasSteps(fragment) ? '' : 'steps:\n  - run: "true"\n');
const camelCase = (key: string): string => key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The spelling of older versions, for keys that have one; names of actions have none. */
function inCamelCase({ row, yaml }: Fragment): string | undefined {
  const key = camelCase(row);
  return key === row || row.includes('.') ? undefined : yaml.replace(new RegExp(`^${row}:`, 'm'), `${key}:`);
}

const dagPositions: readonly Position[] = [
  ['top', (fragment) => `${fragment.yaml}\n${stepsOf(fragment)}`],
  ['below', (fragment) => (hasSteps(fragment) ? undefined : `${stepsOf(fragment)}${fragment.yaml}\n`)],
  [
    'local',
    (fragment) => {
      const name = fragment.row === 'name' ? '' : 'name: local\n';
      return `steps:\n  - run: "true"\n---\n${name}${fragment.yaml}\n${stepsOf(fragment)}`;
    },
  ],
  [
    'camel',
    (fragment) => {
      const yaml = inCamelCase(fragment);
      return yaml === undefined ? undefined : `${yaml}\n${stepsOf(fragment)}`;
    },
  ],
];

const asItem = (yaml: string, by: number): string => `${' '.repeat(by)}- ${indent(yaml, by + 2).trimStart()}\n`;
const others = ({ dag }: Fragment): string => (dag === undefined ? '' : `${dag}\n`);

const stepPositions: readonly Position[] = [
  ['step', (fragment) => `steps:\n${asItem(fragment.yaml, 2)}${others(fragment)}`],
  [
    'after',
    (fragment) => {
      if (fragment.row === 'depends') return undefined;
      return `type: graph\nsteps:\n  - {name: first, run: "true"}\n${asItem(`depends: first\n${fragment.yaml}`, 2)}${others(fragment)}`;
    },
  ],
  [
    'chain',
    (fragment) => `type: chain\nsteps:\n  - {name: first, run: "true"}\n${asItem(fragment.yaml, 2)}${others(fragment)}`,
  ],
  ['handler', (fragment) => `handler_on:\n  exit:\n${indent(fragment.yaml, 4)}\nsteps:\n  - run: "true"\n`],
  ['loop', (fragment) => `steps:\n  - foreach:\n      items: [1]\n      steps:\n${asItem(fragment.yaml, 8)}`],
  [
    'camel',
    (fragment) => {
      const yaml = inCamelCase(fragment);
      return yaml === undefined ? undefined : `steps:\n${asItem(yaml, 2)}${others(fragment)}`;
    },
  ],
];

const tables = {
  'Keys of a DAG': [dagKeyFragments, dagPositions],
  'Keys of a step': [stepKeyFragments, stepPositions],
  Actions: [actionFragments, stepPositions],
} as const;

/** Every form of every row below a heading, in every position. */
export function documentsOf(heading: keyof typeof tables): readonly CorpusFile[] {
  const [fragments, positions] = tables[heading];
  return fragments.flatMap((fragment) =>
    positions.flatMap(([position, place], index): readonly CorpusFile[] => {
      const text = place(fragment);
      if (text === undefined) return [];
      const { row, form, refused, action, writes, isOlder = false } = fragment;
      const name = `${row}-${form}-${position}.yaml`.replaceAll(/[^\w.-]+/g, '_');
      const expected = refused?.[position] ?? refused?.['*'];
      return [
        {
          name,
          row,
          text,
          action,
          writes,
          refused: expected,
          isOlderSpelling: isOlder || position === 'camel',
          isFirst: index === 0,
        },
      ];
    }),
  );
}
