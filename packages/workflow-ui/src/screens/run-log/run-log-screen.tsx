import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Button, EmptyState, SelectField } from '@weir/ui-kit';
import { defineMessages, QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { readAttempt } from '../../parts/log/log-address';
import { ServerLog } from '../../parts/log/server-log';
import { RunStatus } from '../../parts/run-status';
import { runSource } from '../../parts/run/run-data';
import type { RunLogSearch } from './search';
import messages from './messages.json';
import styles from './run-log.module.css';

const useRunLogMessages = defineMessages(messages);

const from = '/dag-runs/$name/$runId/log';

/** One log of a run or of a step, at full width. */
export function RunLogScreen(): ReactElement {
  const { name, runId } = useParams({ from });
  const { sub } = useSearch({ from });
  const query = useLiveQuery(runSource({ name, runId, sub }));
  return (
    <div className={styles.screen}>
      <QueryPanel query={query}>{(details) => <LogOfRun details={details} />}</QueryPanel>
    </div>
  );
}

function LogOfRun({ details }: { readonly details: Schemas['DAGRunDetailsResponse'] }): ReactElement {
  const t = useRunLogMessages();
  const { name, runId } = useParams({ from });
  const search = useSearch({ from });
  const { sub, step, stream = 'both' } = search;
  const navigate = useNavigate({ from });
  const show = (next: RunLogSearch): void => void navigate({ search: next, hash: '' });
  const writer = writerOf(details, step);
  const ofSub = sub === undefined ? {} : { sub };
  if (writer === undefined) {
    return (
      <EmptyState
        level={1}
        title={t('runLog.noStep', { step: step ?? '' })}
        action={<Button onPress={() => show(ofSub)}>{t('runLog.noStep.action')}</Button>}
      >
        {t('runLog.noStep.text')}
      </EmptyState>
    );
  }
  return (
    <>
      <LogHeader run={details.dagRunDetails} writer={writer} onShow={(chosen) => show({ ...ofSub, ...chosen })} />
      <div className={styles.log}>
        <ServerLog
          log={{
            name,
            dagRunId: runId,
            subDAGRunId: sub,
            stepName: step,
            stream: step === undefined ? undefined : stream,
            attempt: step === undefined ? undefined : search.attempt,
          }}
          isGrowing={!writer.hasEnded}
          opensAt={writer.hasEnded && writer.status === 'succeeded' ? 'start' : 'end'}
          startedAt={writer.startedAt}
          {...(step === undefined
            ? {}
            : {
                onStreamChange: (chosen) => show({ ...search, stream: chosen }),
                onAttemptChange: (chosen) => show({ ...ofSub, step, stream, ...readAttempt({ attempt: chosen }) }),
              })}
        />
      </div>
    </>
  );
}

interface LogHeaderProps {
  readonly run: Schemas['DAGRunDetails'];
  readonly writer: Writer;
  readonly onShow: (search: Pick<RunLogSearch, 'step'>) => void;
}

function LogHeader({ run, writer, onShow }: LogHeaderProps): ReactElement {
  const t = useRunLogMessages();
  const { name, runId } = useParams({ from });
  const { sub, step } = useSearch({ from });
  const ofSub = sub === undefined ? {} : { sub };
  const ofStep = step === undefined ? {} : { step };
  const title = step === undefined ? t('runLog.ofRun') : t('runLog.title', { step });
  // The log of the run has an empty name, which no step has.
  const options = [
    { value: '', label: t('runLog.run') },
    ...allNodes(run).map((node) => ({ value: node.step.name, label: node.step.name })),
  ];
  return (
    <header className={styles.header}>
      <title>{`${title} · ${run.name} · Weir`}</title>
      <h1>{title}</h1>
      <RunStatus status={writer.status} />
      <Link
        to="/dag-runs/$name/$runId"
        params={{ name, runId }}
        search={{ ...ofSub, ...ofStep }}
        className={styles.run ?? ''}
      >
        {t('runLog.run.of', { id: run.dagRunId, name: run.name })}
      </Link>
      <div className={styles.tools}>
        <SelectField
          label={t('runLog.choose')}
          isLabelHidden
          value={step ?? ''}
          options={options}
          onChange={(chosen) => onShow(chosen === '' ? {} : { step: chosen })}
        />
      </div>
    </header>
  );
}

type Details = Schemas['DAGRunDetailsResponse'];

/** The step or the run that writes the log. */
interface Writer {
  readonly status: Schemas['StatusLabel'] | Schemas['NodeStatusLabel'];
  readonly startedAt: string;
  readonly hasEnded: boolean;
}

/** Returns `undefined` where the run has no such step. */
function writerOf({ dagRunDetails: run }: Details, step: string | undefined): Writer | undefined {
  const hasEnded = run.finishedAt !== '';
  if (step === undefined) return { status: run.statusLabel, startedAt: run.startedAt, hasEnded };
  const node = allNodes(run).find((candidate) => candidate.step.name === step);
  return node === undefined
    ? undefined
    : { status: node.statusLabel, startedAt: node.startedAt, hasEnded: hasEnded || node.finishedAt !== '' };
}

/** Lists the steps, and the handlers that have run. */
function allNodes(run: Schemas['DAGRunDetails']): readonly Schemas['Node'][] {
  const { onInit, onSuccess, onFailure, onAbort, onExit, onWait } = run;
  return [
    ...run.nodes,
    ...[onInit, onSuccess, onFailure, onAbort, onExit, onWait].filter((node) => node !== undefined),
  ];
}
