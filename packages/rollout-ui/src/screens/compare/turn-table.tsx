import { Link } from '@tanstack/react-router';
import { Table, type TableColumn } from '@weir/ui-kit';
import { useMemo, type ReactElement } from 'react';
import type { TokenPath } from '../../api/read-tokens';
import { formatCount } from '../../parts/format-number';
import { Reward } from '../../parts/session-facts';
import { tokenText } from '../../tokens/token-text';
import { useCompareMessages } from './compare-messages';
import { compareTurns, type ComparedSide, type ComparedTurn, type TurnSide } from './compare-turns';
import styles from './compare.module.css';

export interface ShownSide extends ComparedSide {
  readonly sessionId: string;
  readonly path: TokenPath;
}

export interface TurnTableProps {
  readonly left: ShownSide;
  readonly right: ShownSide;
}

/** The turns of both paths side by side: how long they are, what they were rewarded with and where they part. */
export function TurnTable({ left, right }: TurnTableProps): ReactElement {
  const t = useCompareMessages();
  const turns = useMemo(() => compareTurns(left, right), [left, right]);
  const sides = [
    { side: left, turnOf: (turn: ComparedTurn) => turn.left },
    { side: right, turnOf: (turn: ComparedTurn) => turn.right },
  ] as const;
  const columns: readonly TableColumn<ComparedTurn>[] = [
    { id: 'turn', name: t('compare.turn'), isRowHeader: true, render: ({ number }) => number },
    {
      id: 'difference',
      name: t('compare.firstDifference'),
      width: 'grow',
      render: (turn) => <Difference turn={turn} left={left.path} right={right.path} />,
    },
    ...sides.map(({ side, turnOf }, index): TableColumn<ComparedTurn> => ({
      id: `side-${index}`,
      name: side.sessionId,
      align: 'end',
      render: (turn) => <OneTurn sessionId={side.sessionId} turn={turnOf(turn)} />,
    })),
  ];
  return (
    <div className={styles.turns}>
      <Table label={t('compare.turns')} items={turns} getId={({ number }) => String(number)} columns={columns} />
    </div>
  );
}

interface OneTurnProps {
  readonly sessionId: string;
  readonly turn: TurnSide | undefined;
}

function OneTurn({ sessionId, turn }: OneTurnProps): ReactElement {
  const t = useCompareMessages();
  if (turn === undefined) return <span className={styles.muted}>{t('compare.noTurn')}</span>;
  return (
    <span className={styles.turn}>
      <Link to="/sessions/$sessionId" params={{ sessionId }} search={{ call: turn.interactionId }}>
        {t('compare.tokens', { count: formatCount(turn.sampledTokens) })}
      </Link>
      <Reward reward={turn.reward} />
      <code className={styles.muted}>{turn.finishReason}</code>
    </span>
  );
}

interface DifferenceProps {
  readonly turn: ComparedTurn;
  readonly left: TokenPath;
  readonly right: TokenPath;
}

function Difference({ turn, left, right }: DifferenceProps): ReactElement {
  const t = useCompareMessages();
  const { difference } = turn;
  if (turn.left === undefined || turn.right === undefined) return <span className={styles.muted}>–</span>;
  if (difference === undefined) return <span className={styles.muted}>{t('compare.equalTurn')}</span>;
  const position = t(difference.isSampled ? 'compare.atAnswer' : 'compare.atRequest', {
    position: formatCount(difference.left + 1),
  });
  return (
    <span className={styles.turn}>
      <code>{textAt(left, difference.left, turn.left.interactionId)}</code>
      <span>≠</span>
      <code>{textAt(right, difference.right, turn.right.interactionId)}</code>
      <span className={styles.muted}>{position}</span>
    </span>
  );
}

/** A sign for the end where the turn has no more tokens. */
function textAt(path: TokenPath, position: number, interactionId: string): string {
  const segment = path.segments.find(({ interaction_id: id }) => id === interactionId);
  return segment !== undefined && position < segment.to ? tokenText(path.bytesOf(position)) : '∅';
}
