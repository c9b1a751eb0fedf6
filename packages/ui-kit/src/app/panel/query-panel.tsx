import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { ErrorState, NoPermission, Skeleton } from '../../states/states';
import { useAppMessages } from '../text/app-messages';
import { ServerUnreachable, statusOf } from './failure';
import { useFailureProps } from './failure-props';

interface QueryPanelProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** One panel of a screen, with its loading, failed and forbidden states. A failed panel does not affect the others. */
export function QueryPanel<Data>({ query, children }: QueryPanelProps<Data>): ReactElement {
  const t = useAppMessages();
  const { data, error, refetch } = query;
  const failure = useFailureProps(error, () => void refetch());
  // Earlier data stays while the server does not answer; the bar above the page explains that.
  const isKept = error === null || error instanceof ServerUnreachable || statusOf(error) === 401;
  if (data !== undefined && isKept) return <>{children(data)}</>;
  if (error !== null && statusOf(error) === 403)
    return <NoPermission title={t('app.noPermission')}>{error.message}</NoPermission>;
  if (error !== null) return <ErrorState {...failure} />;
  return <Skeleton label={t('app.loading')} />;
}
