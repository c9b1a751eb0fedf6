import { Link } from '@tanstack/react-router';
import { StatusShape } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { useAppMessages } from '../../parts/text/app-messages';
import { hourCountsSource, openCountsSource } from './home-data';
import { useHomeMessages } from './home-messages';
import styles from './home.module.css';

const tiles = ['failed', 'waiting', 'running', 'queued'] as const;

/** The number of runs in the statuses that need attention; each links to those runs. */
export function StatusTiles({ lastHour }: { readonly lastHour: number }): ReactElement {
  const t = useHomeMessages();
  const app = useAppMessages();
  const scope = useWorkspaceScope();
  const { data: open } = useLiveQuery(openCountsSource(scope));
  const { data: day } = useLiveQuery(hourCountsSource(lastHour, scope));
  return (
    <nav aria-label={t('home.tiles')} className={styles.tiles}>
      {tiles.map((status) => (
        <Tile
          key={status}
          status={status}
          counts={status === 'failed' ? day : open}
          name={status === 'failed' ? t('home.tile.failed') : app(`app.status.${status}`)}
        />
      ))}
    </nav>
  );
}

/** Returns the query for the runs that the tile counts. */
function queryOf(status: TileProps['status']): string {
  return `status:${status} since:${status === 'failed' ? '24h' : 'ever'}`;
}

interface TileProps {
  readonly status: (typeof tiles)[number];
  readonly name: string;
  readonly counts: Schemas['DAGRunCountsResponse'] | undefined;
}

function Tile({ status, name, counts }: TileProps): ReactElement {
  const t = useHomeMessages();
  const count = counts?.statuses.find(({ statusLabel }) => statusLabel === status)?.count ?? 0;
  const text = counts?.isComplete === false ? t('home.more', { count }) : String(count);
  return (
    <Link to="/runs" search={{ q: queryOf(status) }} className={styles.tile} data-empty={count === 0}>
      <StatusShape kind={status} size={22} />
      <span className={styles.count}>{counts === undefined ? '…' : text}</span>
      <span>{name}</span>
    </Link>
  );
}
