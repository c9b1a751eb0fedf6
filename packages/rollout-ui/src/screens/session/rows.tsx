import { useQuery } from '@tanstack/react-query';
import type { RowsResponse, TrainingRow } from '@weir/rollout-contract';
import { EmptyState, ShortId } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { rowsQuery } from '../../api/queries';
import { formatCount, formatReward } from '../../parts/format-number';
import { toChoices, type SessionViewProps } from './search';
import { useSessionMessages } from './session-messages';
import styles from './session.module.css';

/** The rows that an export with these choices would hold, and what it leaves out. */
export function Rows({ sessionId, search, onChange }: SessionViewProps): ReactElement {
  const query = useQuery(rowsQuery(sessionId, toChoices(search)));
  return (
    <QueryPanel query={query}>
      {(answer) => (
        <Content
          answer={answer}
          selected={search.call}
          onSelect={(call) => onChange({ call, pane: 'tokens', colour: 'mask' })}
        />
      )}
    </QueryPanel>
  );
}

interface ContentProps {
  readonly answer: RowsResponse;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

function Content({ answer: { rows, left_out: leftOut }, selected, onSelect }: ContentProps): ReactElement {
  const t = useSessionMessages();
  const trained = rows.reduce((sum, row) => sum + row.trained_tokens, 0);
  const longest = Math.max(1, ...rows.map((row) => row.tokens));
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState title={t('session.rowsEmpty.title')}>{t('session.rowsEmpty.text')}</EmptyState>
      ) : (
        <>
          <p className={styles.note}>{t('session.rowsNote', { rows: rows.length, trained: formatCount(trained) })}</p>
          <ListBox
            aria-label={t('session.rows')}
            selectionMode="single"
            selectionBehavior="replace"
            selectedKeys={selected === undefined ? [] : [selected]}
            onSelectionChange={(keys) => {
              const [key] = keys === 'all' ? [] : [...keys];
              if (key !== undefined) onSelect(String(key));
            }}
          >
            {rows.map((row, index) => (
              <ListBoxItem
                key={row.interaction_id}
                id={row.interaction_id}
                textValue={t('session.row', { number: index + 1 })}
                className={styles.row ?? ''}
              >
                <Row row={row} number={index + 1} longest={longest} />
              </ListBoxItem>
            ))}
          </ListBox>
        </>
      )}
      {leftOut.length === 0 ? null : <LeftOut leftOut={leftOut} />}
    </>
  );
}

interface RowProps {
  readonly row: TrainingRow;
  readonly number: number;
  readonly longest: number;
}

function Row({ row, number, longest }: RowProps): ReactElement {
  const t = useSessionMessages();
  return (
    <>
      <span className={styles.line}>
        <span>
          <strong>{t('session.row', { number })}</strong> <ShortId id={row.interaction_id} />
        </span>
        <strong>{formatReward(row.reward)}</strong>
      </span>
      <svg aria-hidden viewBox={`0 0 ${longest} 8`} preserveAspectRatio="none" className={styles.map}>
        <rect width={row.tokens} height="8" className={styles.ground} />
        {row.spans.map(({ from, to }) => (
          <rect key={from} x={from} width={to - from} height="8" />
        ))}
      </svg>
      <span className={styles.small}>
        {t('session.rowTokens', { trained: formatCount(row.trained_tokens), tokens: formatCount(row.tokens) })}
      </span>
    </>
  );
}

function LeftOut({ leftOut }: { readonly leftOut: RowsResponse['left_out'] }): ReactElement {
  const t = useSessionMessages();
  return (
    <section aria-labelledby="left-out">
      <h2 id="left-out" className={styles.title}>
        {t('session.leftOut')}
      </h2>
      <ul>
        {leftOut.map(({ interaction_id: id, reason, sampled_tokens: tokens }) => (
          <li key={id} className={styles.left}>
            <span>
              <ShortId id={id} />{' '}
              <span>{reason === 'retry_orphan' ? t('session.retryOrphan') : <code>{reason}</code>}</span>
            </span>
            <span className={styles.small}>{t('session.leftOutTokens', { count: formatCount(tokens) })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
