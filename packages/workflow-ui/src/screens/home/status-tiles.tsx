import { Link } from '@tanstack/react-router';
import { StatusShape } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useLiveQuery } from '../../api/live-query';
import { useAppMessages } from '../../app/text/app-messages';
import { runListSource } from '../run-list/run-list-data';
import styles from './home.module.css';

const tiles = ['failed', 'waiting', 'running', 'queued'] as const;

export interface StatusTilesProps {
  readonly label: string;
  /** Writes a count of which there are more than were read. */
  readonly more: (count: number) => string;
}

/** How many runs there are of the statuses that ask for attention; each leads to those runs. */
export function StatusTiles({ label, more }: StatusTilesProps): ReactElement {
  return (
    <nav aria-label={label} className={styles.tiles}>
      {tiles.map((status) => (
        <Tile key={status} status={status} more={more} />
      ))}
    </nav>
  );
}

interface TileProps extends Pick<StatusTilesProps, 'more'> {
  readonly status: (typeof tiles)[number];
}

function Tile({ status, more }: TileProps): ReactElement {
  const app = useAppMessages();
  const { data } = useLiveQuery(runListSource({ status }));
  const count = data?.dagRuns.length;
  return (
    <Link to="/runs" search={{ status }} className={styles.tile} data-empty={count === 0}>
      <StatusShape kind={status} size={22} />
      <span className={styles.count}>
        {count === undefined ? '…' : data?.nextCursor === undefined ? count : more(count)}
      </span>
      <span>{app(`app.status.${status}`)}</span>
    </Link>
  );
}
