import { Link } from '@tanstack/react-router';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useStartedBy } from '../../parts/started-by/use-started-by';
import type { Run } from '../../parts/run/run-data';
import { useRunMessages } from '../../parts/run/run-messages';

/** The trigger of the run: a person, a key, its schedule with the time of the occurrence, or a step of another run. */
export function RunTrigger({ run }: { readonly run: Run }): ReactElement {
  const t = useRunMessages();
  const sayStartedBy = useStartedBy();
  const { scheduleTime, parentDAGRunId, parentDAGRunName = '', autoRetryCount } = run;
  const retries = autoRetryCount === 0 ? null : <> · {t('run.autoRetries', { count: autoRetryCount })}</>;
  if (parentDAGRunId !== undefined) {
    const { rootDAGRunName, rootDAGRunId } = run;
    const isRoot = parentDAGRunId === rootDAGRunId;
    return (
      <span>
        <Link
          to="/dag-runs/$name/$runId"
          params={{ name: rootDAGRunName, runId: rootDAGRunId }}
          search={isRoot ? {} : { sub: parentDAGRunId }}
        >
          {t('run.trigger.parent', { name: parentDAGRunName })}
        </Link>
        {retries}
      </span>
    );
  }
  return (
    <span>
      {sayStartedBy(run)}
      {scheduleTime === undefined ? null : (
        <>
          {' · '}
          <Time value={scheduleTime} />
        </>
      )}
      {retries}
    </span>
  );
}
