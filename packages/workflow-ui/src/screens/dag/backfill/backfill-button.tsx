import { Button } from '@weir/ui-kit';
import { History } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useRefusal } from '../../../parts/use-refusal';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { BackfillDialog } from './backfill-dialog';

/** Starts runs for past occurrences without one. */
export function BackfillButton({ fileName }: { readonly fileName: string }): ReactElement {
  const t = useDagMessages();
  const [isOpen, setIsOpen] = useState(false);
  const reason = useRefusal('startBackfill');
  return (
    <>
      <Button disabledReason={reason} onPress={() => setIsOpen(true)}>
        <History aria-hidden size={16} />
        {t('dag.backfill')}
      </Button>
      {isOpen ? <BackfillDialog fileName={fileName} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
