import { SelectField } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { ServerLog } from '../../parts/log/server-log';
import type { RunAddress } from '../../parts/run/run-address';
import { isActive, type Run } from '../../parts/run/run-data';
import { useRunMessages } from '../../parts/run/run-messages';
import type { RunSearch } from './search';
import type { StepRow } from '../../parts/run/step-rows';
import styles from './tabs.module.css';

export interface LogTabProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly rows: readonly StepRow[];
  /** The selected step; when missing, the log of the run itself is shown. */
  readonly row: StepRow | undefined;
  readonly search: RunSearch;
  readonly show: (changes: RunSearch) => void;
}

/** The log of the selected step, or of the run. */
export function LogTab({ address, run, rows, row, search, show }: LogTabProps): ReactElement {
  const t = useRunMessages();
  const isOfRun = search.log === 'run' || row === undefined;
  const step = isOfRun ? undefined : row.name;
  const hasEnded = !isActive(run) || (!isOfRun && row.node.finishedAt !== '');
  const hasSucceeded = (isOfRun ? run : row.node).statusLabel === 'succeeded';
  // The log of the run has an empty name, which no step has.
  const options = [
    { value: '', label: t('run.log.ofRun') },
    ...rows.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className={styles.log}>
      <ServerLog
        log={{
          name: address.name,
          dagRunId: address.runId,
          subDAGRunId: address.sub,
          stepName: step,
          stream: isOfRun ? undefined : (search.stream ?? 'both'),
          attempt: isOfRun ? undefined : search.attempt,
        }}
        isGrowing={!hasEnded}
        opensAt={hasEnded && hasSucceeded ? 'start' : 'end'}
        startedAt={isOfRun ? run.startedAt : row.node.startedAt}
        onStreamChange={isOfRun ? undefined : (stream) => show({ stream })}
        onAttemptChange={isOfRun ? undefined : (attempt) => show({ attempt })}
      >
        <SelectField
          label={t('run.log.choose')}
          isLabelHidden
          value={isOfRun ? '' : row.id}
          options={options}
          onChange={(id) => show(id === '' ? { log: 'run' } : { log: 'step', step: id })}
        />
      </ServerLog>
    </div>
  );
}
