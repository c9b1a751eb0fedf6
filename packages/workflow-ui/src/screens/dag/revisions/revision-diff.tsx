import { useQuery } from '@tanstack/react-query';
import { Button, SelectField, useToast } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { RotateCcw } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { TextDiff } from '../../../editor/view/lazy-text-diff';
import { useRefusal } from '../../../parts/use-refusal';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { revisionDiffQuery, useRestoreRevision } from './revisions-data';
import styles from './revisions.module.css';

type Revision = Schemas['DAGRevision'];

export interface RevisionDiffProps {
  readonly fileName: string;
  readonly revisions: readonly Revision[];
  readonly shown: Revision;
  readonly newest: Revision;
  /** The revision to compare with. Default: the previous one. */
  readonly from: number | undefined;
  readonly onCompare: (from: number | undefined) => void;
}

/** The changes of a revision, or its differences to another one. */
export function RevisionDiff(props: RevisionDiffProps): ReactElement {
  const { fileName, revisions, shown, newest, from, onCompare } = props;
  const t = useDagMessages();
  const query = useQuery(revisionDiffQuery(fileName, { revision: shown.revision, from }));
  const others = revisions.filter(({ revision }) => revision !== shown.revision);
  const options = [
    { value: 'before', label: t('dag.revisions.before') },
    ...others.map(({ revision }) => ({ value: String(revision), label: t('dag.revisions.with', { revision }) })),
  ];
  return (
    <section aria-label={t('dag.revisions.shown', { revision: shown.revision })} className={styles.diff}>
      <header className={styles.head}>
        <h2>{t('dag.revisions.shown', { revision: shown.revision })}</h2>
        <SelectField
          label={t('dag.revisions.compare')}
          isLabelHidden
          value={from === undefined ? 'before' : String(from)}
          options={options}
          onChange={(value) => onCompare(value === 'before' ? undefined : Number(value))}
        />
        {shown.revision === newest.revision || shown.change === 'deleted' ? null : (
          <Restore fileName={fileName} revision={shown.revision} current={newest.revision} />
        )}
      </header>
      <QueryPanel query={query}>
        {({ before, beforeRevision, after }) =>
          before === after ? (
            <p className={styles.same}>{t('dag.revisions.same')}</p>
          ) : (
            <TextDiff
              before={before}
              beforeLabel={
                beforeRevision === undefined
                  ? t('dag.revisions.nothing')
                  : t('dag.revisions.shown', { revision: beforeRevision })
              }
              after={after}
              afterLabel={t('dag.revisions.shown', { revision: shown.revision })}
            />
          )
        }
      </QueryPanel>
    </section>
  );
}

interface RestoreProps {
  readonly fileName: string;
  readonly revision: number;
  readonly current: number;
}

/** The text becomes a new revision, so that this can be undone as well. */
function Restore({ fileName, revision, current }: RestoreProps): ReactElement {
  const t = useDagMessages();
  const toast = useToast();
  const reason = useRefusal('restoreDAGRevision');
  const { mutate, isPending } = useRestoreRevision(fileName);
  const onError = ({ message }: Error): void => toast({ message, tone: 'failed' });
  const restore = (): void =>
    mutate(revision, {
      onSuccess: ({ errors }) =>
        errors.length > 0
          ? toast({ message: t('dag.revisions.refused', { error: errors[0] ?? '' }), tone: 'failed' })
          : toast({
              message: t('dag.revisions.restoredNow', { revision }),
              action: { label: t('dag.undo'), onPress: () => mutate(current, { onError }) },
            }),
      onError,
    });
  return (
    <Button disabledReason={reason} isPending={isPending} onPress={restore}>
      <RotateCcw aria-hidden size={16} />
      {t('dag.revisions.restore')}
    </Button>
  );
}
