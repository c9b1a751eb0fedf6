import { Skeleton } from '@weir/ui-kit';
import { lazy, Suspense, type ReactElement } from 'react';
import { useEditorMessages } from '../editor-messages';
import type { TextDiffProps } from './text-diff';

const Loaded = lazy(async () => ({ default: (await import('./text-diff')).TextDiff }));

/** Comparing texts is loaded when it is needed. */
export function TextDiff(props: TextDiffProps): ReactElement {
  const t = useEditorMessages();
  return (
    <Suspense fallback={<Skeleton label={t('editor.loading')} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
