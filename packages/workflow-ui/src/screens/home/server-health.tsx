import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StatusName } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { healthQuery } from '../../api/health';
import { useHomeMessages } from './home-messages';
import styles from './home.module.css';

/** How the server is, in one line that leads to the details. */
export function ServerHealth(): ReactElement | null {
  const t = useHomeMessages();
  const { data } = useQuery(healthQuery);
  if (data === undefined) return null;
  const isHealthy = data.status === 'healthy';
  const name = t(`home.health.${isHealthy ? 'healthy' : (data.reason ?? 'unhealthy')}`);
  return (
    <Link to="/status" className={styles.health}>
      <StatusName kind={isHealthy ? 'succeeded' : 'failed'} name={name} />
    </Link>
  );
}
