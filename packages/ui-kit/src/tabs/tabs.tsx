import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import styles from './tabs.module.css';

interface TabEntry<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** The single key that selects it, where the page listens for keys. */
  readonly shortcut?: string | undefined;
  readonly content: ReactNode;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  readonly tabs: readonly TabEntry<Id>[];
  /** Whether it fills the remaining height; the panel scrolls by itself. */
  readonly isFilling?: boolean;
}

/** Views of one object, of which one is shown. */
export function Tabs<Id extends string>(props: TabsProps<Id>): ReactElement {
  const { label, selected, onSelect, tabs, isFilling = false } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => keepInView(list.current), [selected]);
  return (
    <AriaTabs
      className={isFilling ? (styles.filling ?? '') : ''}
      selectedKey={selected}
      onSelectionChange={(key) => {
        const chosen = tabs.find(({ id }) => id === key);
        if (chosen !== undefined) onSelect(chosen.id);
      }}
    >
      <TabList ref={list} aria-label={label} className={styles.list ?? ''}>
        {tabs.map(({ id, label: name, shortcut }) => (
          <Tab key={id} id={id} className={styles.tab ?? ''} data-shortcut={shortcut}>
            {name}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ''}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

/** Scrolls to the selected tab where there is no room for all, also when the room becomes smaller. */
function keepInView(list: HTMLElement | null): (() => void) | undefined {
  if (list === null) return undefined;
  const observer = new ResizeObserver(() => {
    const tab = list.querySelector<HTMLElement>('[data-selected]');
    if (tab !== null) list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  });
  observer.observe(list);
  return () => observer.disconnect();
}
