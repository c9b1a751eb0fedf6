import { useQuery } from '@tanstack/react-query';
import { Button, ToggleButton } from '@weir/ui-kit';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useAppMessages } from '../../parts/text/app-messages';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { valuesOf, withValues } from '../../parts/query-text/query-terms';
import { labelsQuery } from './dag-list-data';
import { useDagListMessages } from './dag-list-messages';
import styles from './dag-list.module.css';

export interface FacetsProps {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

const shownAtFirst = 10;

/** The groups and labels in use, each with the number of its DAGs. Renders nothing where there are none. */
export function Facets(props: FacetsProps): ReactElement {
  return (
    <div className={styles.facetRows}>
      <GroupFacets {...props} />
      <LabelFacets {...props} />
    </div>
  );
}

/** A DAG is in one group, so only one can be chosen. */
function GroupFacets({ q, onChange }: FacetsProps): ReactElement | null {
  const t = useDagListMessages();
  const { data } = useQuery(labelsQuery(useWorkspaceScope()));
  const groups = data?.groups ?? [];
  if (groups.every(({ group }) => group === '')) return null;
  const chosen = valuesOf(q, 'group').at(-1);
  return (
    <FacetRow
      name={t('dags.groups')}
      facets={groups.map(({ group, count }) => ({ value: group, name: group || t('dags.groups.none'), count }))}
      chosen={chosen === undefined ? [] : [chosen]}
      onChange={(group, isChosen) => onChange(withValues(q, 'group', isChosen ? [group] : []))}
    />
  );
}

/** The most frequent come first; DAGs must have all pressed labels. */
function LabelFacets({ q, onChange }: FacetsProps): ReactElement | null {
  const t = useDagListMessages();
  const { data } = useQuery(labelsQuery(useWorkspaceScope()));
  const chosen = valuesOf(q, 'label');
  const counts = [...(data?.counts ?? [])].sort((one, other) => other.count - one.count);
  if (counts.length === 0) return null;
  return (
    <FacetRow
      name={t('dags.labels')}
      facets={counts.map(({ label, count }) => ({ value: label, name: label, count }))}
      chosen={chosen}
      onChange={(label, isChosen) =>
        onChange(withValues(q, 'label', isChosen ? [...chosen, label] : chosen.filter((other) => other !== label)))
      }
    />
  );
}

interface FacetRowProps {
  readonly name: string;
  readonly facets: readonly { readonly value: string; readonly name: ReactNode; readonly count: number }[];
  readonly chosen: readonly string[];
  readonly onChange: (value: string, isChosen: boolean) => void;
}

function FacetRow({ name, facets, chosen, onChange }: FacetRowProps): ReactElement {
  const app = useAppMessages();
  const [showsAll, setShowsAll] = useState(false);
  const shown = facets.filter(({ value }, index) => showsAll || index < shownAtFirst || chosen.includes(value));
  return (
    <div role="group" aria-label={name} className={styles.facets}>
      <span aria-hidden className={styles.facetsName}>
        {name}
      </span>
      {shown.map((facet) => (
        <ToggleButton
          key={facet.value}
          isSelected={chosen.includes(facet.value)}
          onChange={(isChosen) => onChange(facet.value, isChosen)}
        >
          {facet.name} <span className={styles.facetCount}>{facet.count}</span>
        </ToggleButton>
      ))}
      {shown.length === facets.length ? null : (
        <Button variant="quiet" onPress={() => setShowsAll(true)}>
          {app('app.more')}
        </Button>
      )}
    </div>
  );
}
