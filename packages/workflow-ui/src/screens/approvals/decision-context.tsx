import { useQuery } from '@tanstack/react-query';
import { Facts, ToggleButton } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import { Suspense, useState, type ReactElement, type ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import type { DecisionAddress } from '../../api/open-decisions';
import { formatBytes } from '../../parts/log/format-bytes';
import { listFiles, useArtifacts } from '../../parts/artifacts/artifact-data';
import { outputsQuery, runOfDecisionQuery, stepLogQuery } from './decision-context-data';
import { useApprovalsMessages } from './approvals-messages';
import styles from './decision-context.module.css';
import { lazyPart } from '../../parts/lazy-part';

const ArtifactPreview = lazyPart(() => import('../../parts/artifacts/artifact-preview'), 'ArtifactPreview');

/** The context for a person's decision: the end of the log, the outputs, and earlier push-backs. */
export function DecisionContext({ address }: { readonly address: DecisionAddress }): ReactElement {
  const t = useApprovalsMessages();
  return (
    <div className={styles.context}>
      <PushBacks address={address} />
      <Part title={t('approvals.log')}>
        <QueryPanel query={useQuery(stepLogQuery(address))}>
          {({ content }) =>
            content === '' ? (
              <p className={styles.muted}>{t('approvals.log.empty')}</p>
            ) : (
              <pre className={styles.log} tabIndex={0} role="region" aria-label={t('approvals.log')}>
                {content}
              </pre>
            )
          }
        </QueryPanel>
      </Part>
      <Files address={address} />
      <Part title={t('approvals.outputs')}>
        <QueryPanel query={useQuery(outputsQuery(address))}>
          {({ outputs }) =>
            Object.keys(outputs).length === 0 ? (
              <p className={styles.muted}>{t('approvals.outputs.empty')}</p>
            ) : (
              <Facts
                facts={Object.entries(outputs).map(([name, value]) => ({
                  name,
                  value: <code key={name}>{value}</code>,
                }))}
              />
            )
          }
        </QueryPanel>
      </Part>
    </div>
  );
}

/** Renders nothing where the run has left no files. */
function Files({ address }: { readonly address: DecisionAddress }): ReactElement | null {
  const t = useApprovalsMessages();
  const [shown, setShown] = useState<string | undefined>();
  const { name, dagRunId: runId, subDAGRunId: sub } = address;
  const { data } = useArtifacts({ name, runId, sub }, 0);
  const files = listFiles(data?.items ?? []);
  if (files.length === 0) return null;
  return (
    <Part title={t('approvals.files')}>
      <ul className={styles.files}>
        {files.map(({ path, size = 0 }) => (
          <li key={path}>
            <ToggleButton isSelected={path === shown} onChange={(isShown) => setShown(isShown ? path : undefined)}>
              {path} <span className={styles.muted}>{formatBytes(size)}</span>
            </ToggleButton>
          </li>
        ))}
      </ul>
      {shown === undefined ? null : (
        <div className={styles.file}>
          <Suspense>
            <ArtifactPreview key={shown} address={{ name, runId, sub }} file={shown} />
          </Suspense>
        </div>
      )}
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** Renders nothing where the step was never pushed back. */
function PushBacks({ address }: { readonly address: DecisionAddress }): ReactElement | null {
  const t = useApprovalsMessages();
  const { data } = useQuery(runOfDecisionQuery(address));
  const node = data?.dagRunDetails.nodes.find(({ step }) => step.name === address.step);
  const { pushBackHistory = [] } = node ?? {};
  if (pushBackHistory.length === 0) return null;
  return (
    <Part title={t('approvals.history')}>
      <ol>
        {pushBackHistory.map((entry) => (
          <PushBack key={entry.iteration} entry={entry} />
        ))}
      </ol>
    </Part>
  );
}

function PushBack({
  entry: { iteration, by, at, comment, inputs = {} },
}: {
  readonly entry: Schemas['PushBackHistoryEntry'];
}) {
  const t = useApprovalsMessages();
  return (
    <li>
      {t('approvals.history.entry', { iteration, by: by ?? '?' })} <Time value={at} />{' '}
      <span className={styles.inputs}>
        {Object.entries(inputs)
          .map(([name, value]) => `${name}=${value}`)
          .join(' ')}
      </span>
      {comment === undefined ? null : <blockquote className={styles.prompt}>{comment}</blockquote>}
    </li>
  );
}
