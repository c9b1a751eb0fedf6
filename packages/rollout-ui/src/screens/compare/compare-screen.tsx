import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ForestNode } from '@weir/rollout-contract';
import { EmptyState, SelectField, TokenStrip, ToggleButton, type TokenMarks } from '@weir/ui-kit';
import { QueryPanel, ScreenHeader } from '@weir/ui-kit/app';
import { useMemo, useState, type ReactElement } from 'react';
import { forestQuery, tokensQuery } from '../../api/queries';
import type { TokenPath } from '../../api/read-tokens';
import { formatCount, formatReward } from '../../parts/format-number';
import { tokenTexts } from '../../tokens/token-text';
import { useCompareMessages } from './compare-messages';
import { diffTokens } from './diff-tokens';
import { TurnTable } from './turn-table';
import styles from './compare.module.css';

const none: readonly ForestNode[] = [];
const plain = { discount: 1, rule: 'sum', drop: false } as const;

/** Two paths of tokens side by side from where they part. */
export function CompareScreen(): ReactElement {
  const t = useCompareMessages();
  const { a, b, callA, callB } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const [chosenA, chosenB] = [useChosen(a, callA), useChosen(b, callB)];
  if (a === undefined || b === undefined) {
    return (
      <EmptyState
        level={1}
        title={t('compare.empty.title')}
        action={
          <Link to="/" search={{ group: 'task' }}>
            {t('compare.empty.action')}
          </Link>
        }
      >
        {t('compare.empty.text')}
      </EmptyState>
    );
  }
  return (
    <>
      <ScreenHeader title={t('compare.title')} />
      <div className={styles.chooser}>
        <Chooser
          sessionId={a}
          chosen={chosenA}
          onChoose={(id) => void navigate({ search: (now) => ({ ...now, callA: id }) })}
        />
        <Chooser
          sessionId={b}
          chosen={chosenB}
          onChoose={(id) => void navigate({ search: (now) => ({ ...now, callB: id }) })}
        />
      </div>
      {chosenA === undefined || chosenB === undefined ? null : (
        <Paths left={{ sessionId: a, interactionId: chosenA }} right={{ sessionId: b, interactionId: chosenB }} />
      )}
    </>
  );
}

/** The chosen interaction of a session, else its last one. */
function useChosen(sessionId: string | undefined, call: string | undefined): string | undefined {
  const nodes = useNodes(sessionId);
  return (nodes.find((node) => node.interaction_id === call) ?? nodes.at(-1))?.interaction_id;
}

function useNodes(sessionId: string | undefined): readonly ForestNode[] {
  const { data } = useQuery({ ...forestQuery(sessionId ?? '', plain), enabled: sessionId !== undefined });
  return data?.nodes ?? none;
}

interface ChooserProps {
  readonly sessionId: string;
  readonly chosen: string | undefined;
  readonly onChoose: (interactionId: string) => void;
}

function Chooser({ sessionId, chosen, onChoose }: ChooserProps): ReactElement {
  const t = useCompareMessages();
  const query = useQuery(forestQuery(sessionId, plain));
  return (
    <QueryPanel query={query}>
      {({ nodes }) =>
        chosen === undefined ? (
          <p>{t('compare.none')}</p>
        ) : (
          <SelectField
            label={t('compare.sample', { session: sessionId })}
            value={chosen}
            options={nodes.map(({ interaction_id: id, index, answer_text: text, discounted_reward: reward }) => ({
              value: id,
              label: `${index + 1}. ${text.slice(0, 40)} (${reward === null ? '–' : formatReward(reward)})`,
            }))}
            onChange={onChoose}
          />
        )
      }
    </QueryPanel>
  );
}

interface Side {
  readonly sessionId: string;
  readonly interactionId: string;
}

function Paths({ left, right }: { readonly left: Side; readonly right: Side }): ReactElement {
  const leftQuery = useQuery(tokensQuery(left.sessionId, left.interactionId));
  const rightQuery = useQuery(tokensQuery(right.sessionId, right.interactionId));
  const [leftNodes, rightNodes] = [useNodes(left.sessionId), useNodes(right.sessionId)];
  return (
    <QueryPanel query={leftQuery}>
      {(leftPath) => (
        <QueryPanel query={rightQuery}>
          {(rightPath) => (
            <>
              <TurnTable
                left={{ sessionId: left.sessionId, path: leftPath, nodes: leftNodes }}
                right={{ sessionId: right.sessionId, path: rightPath, nodes: rightNodes }}
              />
              <Diff left={leftPath} right={rightPath} names={[left.sessionId, right.sessionId]} />
            </>
          )}
        </QueryPanel>
      )}
    </QueryPanel>
  );
}

interface DiffProps {
  readonly left: TokenPath;
  readonly right: TokenPath;
  readonly names: readonly [string, string];
}

function Diff({ left, right, names }: DiffProps): ReactElement {
  const t = useCompareMessages();
  const [isWhole, setWhole] = useState(false);
  const diff = useMemo(() => diffTokens(left.ids, right.ids), [left, right]);
  const from = isWhole ? 0 : diff.fork;
  if (diff.fork === left.count && diff.fork === right.count) return <EmptyState title={t('compare.same')} />;
  const differing = [...diff.left, ...diff.right].filter((one) => one === 1).length;
  const rest = left.count + right.count - 2 * diff.fork;
  return (
    <>
      <p className={styles.note}>
        {t('compare.equal', { count: formatCount(diff.fork) })},{' '}
        {t('compare.differ', { count: formatCount(differing), of: formatCount(rest) })}
        <ToggleButton isSelected={isWhole} onChange={setWhole}>
          {t('compare.showPrefix')}
        </ToggleButton>
      </p>
      <div className={styles.sides}>
        <OneSide name={names[0]} path={left} differs={diff.left} from={from} />
        <OneSide name={names[1]} path={right} differs={diff.right} from={from} />
      </div>
    </>
  );
}

interface OneSideProps {
  readonly name: string;
  readonly path: TokenPath;
  readonly differs: Uint8Array;
  readonly from: number;
}

function OneSide({ name, path, differs, from }: OneSideProps): ReactElement {
  const [active, setActive] = useState<number | undefined>();
  const texts = useMemo(() => tokenTexts(path).slice(from), [path, from]);
  const marks = useMemo(() => markDifferences(path, differs, from), [path, differs, from]);
  return (
    <section aria-label={name} className={styles.side}>
      <h2 className={styles.name}>{name}</h2>
      <TokenStrip label={name} texts={texts} marks={marks} active={active} onActivate={setActive} />
    </section>
  );
}

const differingShade = 6;

/** What differs is shaded, and nothing else. */
function markDifferences({ control, count }: TokenPath, differs: Uint8Array, from: number): TokenMarks {
  return {
    shades: Int8Array.from(differs.subarray(from), (one) => (one === 1 ? differingShade : -1)),
    hatched: new Uint8Array(count - from),
    control: control.subarray(from),
    differs: differs.subarray(from),
  };
}
