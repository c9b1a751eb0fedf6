import { Button, Skeleton } from '@weir/ui-kit';
import { Suspense, useState, type ReactElement } from 'react';
import { useAppMessages } from '../../../parts/text/app-messages';
import type { RunAddress } from '../../../parts/run/run-address';
import type { Run } from '../../../parts/run/run-data';
import { useRunMessages } from '../../../parts/run/run-messages';
import { lazyPart } from '../../../parts/lazy-part';

const RerunDialog = lazyPart(() => import('./rerun-dialog'), 'RerunDialog');

export interface RerunButtonProps {
  readonly address: RunAddress;
  readonly run: Run;
}

/** Opens the dialog for executing a run again. Everybody may see its plan. */
export function RerunButton({ address, run }: RerunButtonProps): ReactElement {
  const t = useRunMessages();
  const app = useAppMessages();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button shortcut="r" onPress={() => setIsOpen(true)}>
        {t('run.rerun')}
      </Button>
      {isOpen ? (
        <Suspense fallback={<Skeleton label={app('app.loading')} rows={1} />}>
          <RerunDialog {...{ address, run }} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
