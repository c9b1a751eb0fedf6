import { Button, IconButton, Skeleton, Tooltip, useToast } from '@weir/ui-kit';
import { Play } from 'lucide-react';
import { Suspense, useState, type ReactElement } from 'react';
import { useAppMessages } from '../text/app-messages';
import { useRefusal } from '../use-refusal';
import { useFollowRun, useStart, useStopStarted } from './start-data';
import { useStartMessages } from './start-messages';
import { lazyPart } from '../lazy-part';

const StartDialog = lazyPart(() => import('./start-dialog'), 'StartDialog');

export interface StartButtonProps {
  readonly fileName: string;
  /** Name of the DAG. */
  readonly name: string;
  readonly workspace?: string | undefined;
  /** Whether it has parameters: then a form asks for them; otherwise it is started at once, with an undo. */
  readonly hasParams: boolean;
  /** Whether its file has errors. */
  readonly isBroken?: boolean;
  /** Whether the label is shown, where the page is that of the DAG: then a start leads to the run. */
  readonly isLarge?: boolean;
}

/** Starts a DAG. */
export function StartButton(props: StartButtonProps): ReactElement {
  const { fileName, name, workspace, hasParams, isBroken = false, isLarge = false } = props;
  const t = useStartMessages();
  const app = useAppMessages();
  const toast = useToast();
  const start = useStart();
  const stop = useStopStarted();
  const follow = useFollowRun();
  const [isAsking, setIsAsking] = useState(false);
  const refusal = useRefusal('executeDAG', workspace) ?? (isBroken ? t('start.broken') : undefined);
  const startNow = (): void =>
    start.mutate(
      { fileName, body: {} },
      {
        onSuccess: ({ dagRunId }) => {
          const run = { name, dagRunId };
          toast({
            message: t('start.started', { name }),
            ...(isLarge ? {} : { next: { label: t('start.follow'), onPress: () => follow(run) } }),
            action: { label: t('start.undo'), onPress: () => stop.mutate(run) },
          });
          // In a list, further DAGs may be started.
          if (isLarge) follow(run);
        },
        onError: ({ message }) => toast({ message: t('start.failed', { name, message }), tone: 'failed' }),
      },
    );
  const label = t(hasParams ? 'start.ofWith' : 'start.of', { name });
  const common = {
    shortcut: 's',
    disabledReason: refusal,
    isPending: start.isPending,
    onPress: hasParams ? () => setIsAsking(true) : startNow,
  };
  return (
    <>
      {isLarge ? (
        <Button variant="primary" {...common}>
          <Play aria-hidden size={14} />
          {t('start.start')}
        </Button>
      ) : (
        <Tooltip text={label}>
          <IconButton icon={<Play aria-hidden size={16} />} label={label} {...common} />
        </Tooltip>
      )}
      {isAsking ? (
        <Suspense fallback={<Skeleton label={app('app.loading')} rows={1} />}>
          <StartDialog {...{ fileName, name }} onClose={() => setIsAsking(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
