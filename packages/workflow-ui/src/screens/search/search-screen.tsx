import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState, Panel } from '@weir/ui-kit';
import { defineMessages, FilterField, QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { useCallback, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { ScreenHeader } from '../../parts/screen-header';
import { FoundRuns } from './found-runs';
import messages from './messages.json';
import styles from './search.module.css';

const useSearchMessages = defineMessages(messages);

/** Lines of DAGs and documents that contain a text, and runs that have its words. */
export function SearchScreen(): ReactElement {
  const t = useSearchMessages();
  const navigate = useNavigate();
  const { q = '' } = useSearch({ from: '/search' });
  const show = useCallback(
    (text: string) => void navigate({ to: '/search', search: text === '' ? {} : { q: text }, replace: true }),
    [navigate],
  );
  return (
    <>
      <ScreenHeader title={t('search.title')}>
        <FilterField label={t('search.field')} value={q} onChange={show} />
      </ScreenHeader>
      {q.trim() === '' ? (
        <EmptyState title={t('search.empty.title')}>{t('search.empty.text')}</EmptyState>
      ) : (
        <Results q={q.trim()} />
      )}
    </>
  );
}

function Results({ q }: { readonly q: string }): ReactElement {
  const t = useSearchMessages();
  const query = { ...useWorkspaceScope(), q };
  const dags = useQuery<Schemas['DAGSearchFeedResponse'], Failure>({
    queryKey: ['search', 'dags', query],
    queryFn: ({ signal }) => unwrap(api.GET('/search/dags', { params: { query }, signal })),
  });
  const docs = useQuery<Schemas['DocSearchFeedResponse'], Failure>({
    queryKey: ['search', 'docs', query],
    queryFn: ({ signal }) => unwrap(api.GET('/search/docs', { params: { query }, signal })),
  });
  return (
    <>
      <Panel title={t('search.dags')}>
        <QueryPanel query={dags}>{(found) => <FoundDags found={found} q={q} />}</QueryPanel>
      </Panel>
      <Panel title={t('search.runs')}>
        <FoundRuns q={q} />
      </Panel>
      <Panel title={t('search.docs')}>
        <QueryPanel query={docs}>{(found) => <FoundDocs found={found} q={q} />}</QueryPanel>
      </Panel>
    </>
  );
}

interface FoundProps<Found> {
  readonly found: Found;
  readonly q: string;
}

function FoundDags({ found: { results, hasMore }, q }: FoundProps<Schemas['DAGSearchFeedResponse']>): ReactElement {
  const t = useSearchMessages();
  return (
    <>
      {results.length === 0 ? <p className={styles.muted}>{t('search.none')}</p> : null}
      {results.map(({ fileName, name, matches, hasMoreMatches }) => (
        <section key={fileName} className={styles.hit}>
          <h3>
            <Link to="/dags/$fileName" params={{ fileName }}>
              {name}
            </Link>
          </h3>
          <Matches
            {...{ matches, q, hasMore: hasMoreMatches }}
            renderLink={(line, text) => (
              <Link to="/dags/$fileName" params={{ fileName }} search={{ tab: 'spec', line }}>
                {text}
              </Link>
            )}
          />
        </section>
      ))}
      {hasMore ? <p className={styles.muted}>{t('search.furtherDags')}</p> : null}
    </>
  );
}

function FoundDocs({ found: { results }, q }: FoundProps<Schemas['DocSearchFeedResponse']>): ReactElement {
  const t = useSearchMessages();
  return (
    <>
      {results.length === 0 ? <p className={styles.muted}>{t('search.none')}</p> : null}
      {results.map(({ id, title, workspace, matches, hasMoreMatches }) => (
        <section key={`${workspace ?? ''}/${id}`} className={styles.hit}>
          <h3>
            <Link to="/docs" search={{ doc: id }}>
              {title}
            </Link>
          </h3>
          <Matches
            {...{ matches, q, hasMore: hasMoreMatches }}
            renderLink={(line, text) => (
              <Link to="/docs" search={{ doc: id, line }}>
                {text}
              </Link>
            )}
          />
        </section>
      ))}
    </>
  );
}

interface MatchesProps {
  readonly matches: readonly Schemas['SearchMatchItem'][];
  readonly q: string;
  readonly hasMore: boolean;
  /** Renders the link to a line. */
  readonly renderLink: (line: number, text: string) => ReactElement;
}

function Matches({ matches, q, hasMore, renderLink }: MatchesProps): ReactElement {
  const t = useSearchMessages();
  return (
    <>
      {matches.map(({ line, lineNumber, startLine }) => (
        <div key={lineNumber}>
          <p className={styles.place}>{renderLink(lineNumber, t('search.line', { line: lineNumber }))}</p>
          <pre className={styles.lines} tabIndex={0} aria-label={t('search.line', { line: lineNumber })}>
            {line.split('\n').map((text, index) => (
              <span key={index} className={styles.line} data-match={startLine + index === lineNumber}>
                <span aria-hidden className={styles.number}>
                  {startLine + index}
                </span>
                <Marked text={text} q={q} />
                {'\n'}
              </span>
            ))}
          </pre>
        </div>
      ))}
      {hasMore ? <p className={styles.muted}>{t('search.more')}</p> : null}
    </>
  );
}

function Marked({ text, q }: { readonly text: string; readonly q: string }): ReactElement {
  const start = text.toLowerCase().indexOf(q.toLowerCase());
  if (start < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, start + q.length)}</mark>
      {text.slice(start + q.length)}
    </>
  );
}
