import { useQuery } from '@tanstack/react-query';
import { defineMessages, QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { useMemo, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { RunLink } from '../../parts/run-link';
import { RunStatus } from '../../parts/run-status';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import messages from './messages.json';
import styles from './search.module.css';

const useSearchMessages = defineMessages(messages);

/** Runs that have all words of a text, with what contains them. */
export function FoundRuns({ q }: { readonly q: string }): ReactElement {
  const t = useSearchMessages();
  const query = { ...useWorkspaceScope(), q };
  const runs = useQuery<Schemas['DAGRunSearchFeedResponse'], Failure>({
    queryKey: ['search', 'dag-runs', query],
    queryFn: ({ signal }) => unwrap(api.GET('/search/dag-runs', { params: { query }, signal })),
  });
  const words = useMemo(() => beginningsOfWords(q), [q]);
  return (
    <QueryPanel query={runs}>
      {({ results, hasMore }) => (
        <>
          {results.length === 0 ? <p className={styles.muted}>{t('search.noRuns')}</p> : null}
          {results.map(({ name, dagRunId, statusLabel, createdAt, matches }) => (
            <section key={`${name}/${dagRunId}`} className={styles.hit}>
              <div className={styles.run}>
                <h3>
                  <RunLink name={name} dagRunId={dagRunId} />
                </h3>
                <RunStatus status={statusLabel} />
                <span className={styles.muted}>
                  <Age value={createdAt} />
                </span>
              </div>
              <dl className={styles.fields}>
                {matches.map(({ field, step = '', excerpt }, index) => (
                  <div key={index}>
                    <dt>{t(`search.field.${field}`, { step })}</dt>
                    <dd>
                      <MarkedWords text={excerpt} words={words} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          {hasMore ? <p className={styles.muted}>{t('search.furtherRuns')}</p> : null}
        </>
      )}
    </QueryPanel>
  );
}

/** Matches what a search for runs does: words of letters and digits, by their beginnings. */
function beginningsOfWords(q: string): RegExp | undefined {
  const words = q.match(/[\p{L}\p{M}\p{N}]+/gu);
  return words === null ? undefined : new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(${words.join('|')})`, 'giu');
}

function MarkedWords({ text, words }: { readonly text: string; readonly words: RegExp | undefined }): ReactElement {
  if (words === undefined) return <>{text}</>;
  // Every second part is one of the words, because the expression has a group.
  const parts = text.split(words);
  return <>{parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}</>;
}
