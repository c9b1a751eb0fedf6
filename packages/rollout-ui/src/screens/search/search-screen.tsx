import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchMatch } from '@weir/rollout-contract';
import { Button, EmptyState, ErrorState, Skeleton } from '@weir/ui-kit';
import { defineMessages, FilterField, ScreenHeader, useAppMessages, useFailureProps } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { searchQuery } from '../../api/queries';
import messages from './messages.json';
import styles from './search.module.css';

const useSearchMessages = defineMessages(messages);

/** Finds a text in what all sessions hold. */
export function SearchScreen(): ReactElement {
  const t = useSearchMessages();
  const navigate = useNavigate({ from: '/search' });
  const { text = '' } = useSearch({ from: '/search' });
  return (
    <>
      <ScreenHeader title={t('search.title')}>
        <FilterField
          label={t('search.field')}
          value={text}
          onChange={(next) => void navigate({ search: next === '' ? {} : { text: next }, replace: true })}
        />
      </ScreenHeader>
      {text === '' ? (
        <EmptyState title={t('search.empty.title')}>{t('search.empty.text')}</EmptyState>
      ) : (
        <Results text={text} />
      )}
    </>
  );
}

function Results({ text }: { readonly text: string }): ReactElement {
  const t = useSearchMessages();
  const app = useAppMessages();
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(searchQuery(text));
  const failure = useFailureProps(error, () => void refetch());
  if (error !== null) return <ErrorState {...failure} />;
  if (data === undefined) return <Skeleton label={app('app.loading')} />;
  const matches = data.pages.flatMap((page) => page.matches);
  const searched = data.pages.reduce((sum, page) => sum + page.searched_interactions, 0);
  return (
    <>
      <p role="status" className={styles.count}>
        {t('search.count', { count: matches.length, searched })}
      </p>
      {matches.length === 0 && !hasNextPage ? (
        <EmptyState title={t('search.none.title')}>{t('search.none.text')}</EmptyState>
      ) : (
        <ul aria-label={t('search.results')} className={styles.list}>
          {matches.map((match, at) => (
            <li key={at}>
              <Match match={match} />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage ? (
        <div className={styles.more}>
          <Button isPending={isFetching} onPress={() => void fetchNextPage()}>
            {t('search.more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Match({ match }: { readonly match: SearchMatch }): ReactElement {
  const t = useSearchMessages();
  const { session_id: sessionId, interaction_id: call } = match;
  return (
    <Link to="/sessions/$sessionId" params={{ sessionId }} search={{ call }} className={styles.match}>
      <span className={styles.place}>
        <strong>{sessionId}</strong>
        <span>{match.role}</span>
        <span>{t(`search.part.${match.part}`)}</span>
      </span>
      <span className={styles.text}>
        {match.before}
        <mark>{match.match}</mark>
        {match.after}
      </span>
    </Link>
  );
}
