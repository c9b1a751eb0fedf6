import { Button, Skeleton } from '@weir/ui-kit';
import { lazy, Suspense, useState, type ReactElement } from 'react';
import { useAppMessages } from '../../../app/text/app-messages';
import type { RunAddress } from '../run-address';
import type { Run } from '../run-data';
import { useRunMessages } from '../run-messages';

const RerunDialog = lazy(async () => ({ default: (await import('./rerun-dialog')).RerunDialog }));

export interface RerunButtonProps {
  readonly address: RunAddress;
  readonly run: Run;
  /** The step to begin with. */
  readonly step?: string;
}

/** Opens the dialog in which a run is executed again. Everybody may look at what it would do. */
export function RerunButton({ address, run, step }: RerunButtonProps): ReactElement {
  const t = useRunMessages();
  const app = useAppMessages();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t(step === undefined ? 'run.rerun' : 'run.rerun.fromHere')}</Button>
      {isOpen ? (
        <Suspense fallback={<Skeleton label={app('app.loading')} rows={1} />}>
          <RerunDialog {...{ address, run, step }} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
