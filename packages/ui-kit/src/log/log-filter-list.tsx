import { Fragment, type ReactElement } from 'react';
import { Button } from '../button/button';
import { numberAt } from './log-pane';
import { LogRow, type RowLook } from './log-row';
import type { LogFind } from './use-log-find';
import styles from './log-view.module.css';

/** Limits the rows that are drawn at once; a narrower search shows the others. */
const maxRows = 3000;

export interface LogFilterListProps {
  readonly find: LogFind;
  readonly look: RowLook;
  /** Shows a line among those around it. */
  readonly onOpen: (line: number) => void;
}

/** Shows only the matching lines, with their context. */
export function LogFilterList({ find, look, onOpen }: LogFilterListProps): ReactElement {
  const { findings, isSearching, readMore } = find;
  const groups = findings?.groups ?? [];
  const rows = groups.reduce((sum, group) => sum + group.length, 0);
  return (
    <div role="region" aria-label={look.texts.log} tabIndex={0} className={styles.pane}>
      <div
        data-digits={String(groups.at(-1)?.at(-1)?.number ?? 1).length}
        onClick={(event) => {
          const number = numberAt(event);
          if (number !== undefined) onOpen(number);
        }}
      >
        {groups.map((group) => (
          <Fragment key={group[0]?.number ?? 0}>
            {group.map((line) => (
              <LogRow
                key={line.number}
                number={line.number}
                line={line}
                spans={line.isMatch ? line.spans : undefined}
                look={look}
              />
            ))}
            <div className={styles.gap} />
          </Fragment>
        ))}
      </div>
      {findings?.nextCursor === undefined ? null : (
        <div className={styles.more}>
          {rows >= maxRows ? (
            look.texts.tooManyMatches
          ) : (
            <Button isDisabled={isSearching} onPress={readMore}>
              {look.texts.moreMatches}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
