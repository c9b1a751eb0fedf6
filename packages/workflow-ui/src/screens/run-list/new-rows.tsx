import { Button } from '@weir/ui-kit';
import { ArrowUp } from 'lucide-react';
import type { ReactElement } from 'react';
import { useAppMessages } from '../../parts/text/app-messages';
import styles from '../../parts/screen-body.module.css';

export interface NewRowsProps {
  readonly count: number;
  readonly onShow: () => void;
}

/** Shows the number of rows that wait above the list; renders nothing without any. */
export function NewRows({ count, onShow }: NewRowsProps): ReactElement {
  const app = useAppMessages();
  return (
    <div role="status" className={styles.newRows}>
      {count === 0 ? null : (
        <Button
          onPress={() => {
            onShow();
            document.getElementById('content')?.scrollTo({ top: 0 });
          }}
        >
          <ArrowUp aria-hidden size={14} />
          {app('app.newRows', { count })}
        </Button>
      )}
    </div>
  );
}
