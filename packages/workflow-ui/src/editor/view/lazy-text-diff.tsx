import { Skeleton } from '@weir/ui-kit';
import { Suspense, type ReactElement } from 'react';
import { useAppMessages } from '../../parts/text/app-messages';
import { useIsNarrow } from '../../parts/use-is-narrow';
import type { TextDiffProps } from './text-diff';
import { lazyPart } from '../../parts/lazy-part';

const Loaded = lazyPart(() => import('./text-diff'), 'TextDiff');

/** The code for comparing texts is loaded on demand, and the view is created again for other texts. */
export function TextDiff(props: Omit<TextDiffProps, 'isNarrow'>): ReactElement {
  const app = useAppMessages();
  const isNarrow = useIsNarrow();
  return (
    <Suspense fallback={<Skeleton label={app('app.loading')} />}>
      <Loaded key={`${isNarrow}\n${props.before}\n${props.after}`} {...props} isNarrow={isNarrow} />
    </Suspense>
  );
}
