import { useNavigate, useSearch } from '@tanstack/react-router';
import { Skeleton, Tabs } from '@weir/ui-kit';
import { Suspense, useState, type ReactElement } from 'react';
import { useAppMessages } from '../../parts/text/app-messages';
import type { RunAddress } from '../../parts/run/run-address';
import type { Run } from '../../parts/run/run-data';
import { RunActions } from './run-actions';
import { RunHeader } from './run-header';
import { useRunMessages } from '../../parts/run/run-messages';
import { runTabs, type RunSearch, type RunTab } from './search';
import { findFollowedStep, findOpeningStep, listStepRows, type StepRow } from '../../parts/run/step-rows';
import { StepsTab } from './steps-tab';
import styles from './run-page.module.css';
import { lazyPart } from '../../parts/lazy-part';

// Parts that few visits need are loaded when their tab is opened.
const LogTab = lazyPart(() => import('./log-tab'), 'LogTab');
const OutputsTab = lazyPart(() => import('./outputs-tab'), 'OutputsTab');
const ArtifactsTab = lazyPart(() => import('./artifacts-tab'), 'ArtifactsTab');
const InputsTab = lazyPart(() => import('./inputs-tab'), 'InputsTab');
const EventsTab = lazyPart(() => import('./events-tab'), 'EventsTab');
const SpecTab = lazyPart(() => import('./spec-tab'), 'SpecTab');

export interface RunPageProps {
  readonly address: RunAddress;
  readonly run: Run;
  /** Changes whenever the run has changed. */
  readonly version: number;
}

/** The server has these for child runs too; the others only for root runs. */
const tabsOfChildren: readonly RunTab[] = ['steps', 'log', 'artifacts'];

/** The page of a run. Its tab, view and selection are in the address. */
export function RunPage({ address, run, version }: RunPageProps): ReactElement {
  const t = useRunMessages();
  const app = useAppMessages();
  const search = useSearch({ from: '/dag-runs/$name/$runId' });
  const navigate = useNavigate({ from: '/dag-runs/$name/$runId' });
  const show = (changes: RunSearch): void =>
    void navigate({
      // A person who selects something stops to follow, and another step has other attempts.
      search: (before) => ({
        ...before,
        ...('stream' in changes ? {} : { follow: undefined }),
        ...('step' in changes ? { attempt: undefined } : {}),
        ...changes,
      }),
      replace: true,
    });
  const rows = listStepRows(run);
  const row = useSelectedRow(rows, search);
  const common = { address, run, version, rows, row, search, show };
  const contents: Readonly<Record<RunTab, ReactElement>> = {
    steps: <StepsTab {...common} />,
    log: <LogTab {...common} />,
    outputs: <OutputsTab {...common} />,
    artifacts: <ArtifactsTab {...common} file={search.file} onSelect={(file) => show({ file })} />,
    inputs: <InputsTab {...common} />,
    events: <EventsTab {...common} />,
    spec: <SpecTab {...common} />,
  };
  const shown = address.sub === undefined ? runTabs : tabsOfChildren;
  const { tab = 'steps' } = search;
  return (
    <div className={styles.page}>
      <RunHeader address={address} run={run}>
        <RunActions address={address} run={run} />
      </RunHeader>
      <Tabs
        label={t('run.tabs')}
        isFilling
        selected={shown.includes(tab) ? tab : 'steps'}
        onSelect={(chosen) => show({ tab: chosen })}
        tabs={shown.map((id) => ({
          id,
          label: t(`run.tab.${id}`),
          content: <Suspense fallback={<Skeleton label={app('app.loading')} />}>{contents[id]}</Suspense>,
        }))}
      />
    </div>
  );
}

/**
 * Returns the selected step: that of the address, else the one that the run opened on. A run that had none at first
 * opens on its first step; after that, the selection moves by itself only where the run is followed.
 */
function useSelectedRow(rows: readonly StepRow[], { step, follow }: RunSearch): StepRow | undefined {
  const [opening, setOpening] = useState(() => findOpeningStep(rows)?.id);
  const found = follow === true ? findFollowedStep(rows, opening)?.id : (opening ?? findOpeningStep(rows)?.id);
  if (found !== opening) setOpening(found);
  const id = step ?? found;
  return rows.find((row) => row.id === id);
}
