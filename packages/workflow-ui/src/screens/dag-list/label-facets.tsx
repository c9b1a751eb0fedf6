import { useQuery } from '@tanstack/react-query';
import { Button, ToggleButton } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { useAppMessages } from '../../app/text/app-messages';
import { valuesOf, withValues } from '../../parts/query-text/query-terms';
import { labelsQuery } from './dag-list-data';
import { useDagListMessages } from './dag-list-messages';
import styles from './dag-list.module.css';

export interface LabelFacetsProps {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

const shownAtFirst = 10;

/** The labels in use, the most frequent first; those that are pressed must all be there. Nothing where there is none. */
export function LabelFacets({ q, onChange }: LabelFacetsProps): ReactElement | null {
  const t = useDagListMessages();
  const app = useAppMessages();
  const { data } = useQuery(labelsQuery);
  const [showsAll, setShowsAll] = useState(false);
  const chosen = valuesOf(q, 'label');
  const counts = [...(data?.counts ?? [])].sort((one, other) => other.count - one.count);
  if (counts.length === 0) return null;
  const shown = counts.filter(({ label }, index) => showsAll || index < shownAtFirst || chosen.includes(label));
  const change = (label: string, isChosen: boolean): void =>
    onChange(withValues(q, 'label', isChosen ? [...chosen, label] : chosen.filter((other) => other !== label)));
  return (
    <div role="group" aria-label={t('dags.labels')} className={styles.facets}>
      {shown.map(({ label, count }) => (
        <ToggleButton key={label} isSelected={chosen.includes(label)} onChange={(isChosen) => change(label, isChosen)}>
          {label} <span className={styles.facetCount}>{count}</span>
        </ToggleButton>
      ))}
      {shown.length === counts.length ? null : (
        <Button variant="quiet" onPress={() => setShowsAll(true)}>
          {app('app.more')}
        </Button>
      )}
    </div>
  );
}
