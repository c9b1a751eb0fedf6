import { Play } from 'lucide-react';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Button, IconButton } from '../button/button';
import { Checkbox } from '../checkbox/checkbox';
import { Switch } from '../checkbox/switch';
import { ConfirmDialog } from '../dialog/dialog';
import { Facts } from '../facts/facts';
import { SearchField } from '../field/search-field';
import { SelectField } from '../field/select-field';
import { TextField } from '../field/text-field';
import { Meter } from '../meter/meter';
import { Menu } from '../menu/menu';
import { SplitPane } from '../panes/split-pane';
import { EmptyState, ErrorState, NoPermission, Skeleton, StaleBar } from '../states/states';
import { statusKinds } from '../status/status-kind';
import { StatusName, StatusShape } from '../status/status-shape';
import { Table } from '../table/table';
import { Tabs } from '../tabs/tabs';
import { useToast } from '../toast/toasts';
import { TokenStrip, TokenSwatch, tokenShades } from '../token-strip/token-strip';
import { Tooltip } from '../tooltip/tooltip';
import styles from './catalogue.module.css';

const nothing = (): void => undefined;

/** Every component in its states, for developers who change one. It is not translated. */
export function Catalogue(): ReactElement {
  return (
    <div className={styles.catalogue}>
      <h1>Components</h1>
      <Section title="Status">
        {statusKinds.map((kind) => (
          <StatusName key={kind} kind={kind} name={kind} />
        ))}
        {statusKinds.map((kind) => (
          <StatusShape key={kind} kind={kind} label={kind} size={14} />
        ))}
      </Section>
      <Section title="Buttons">
        <Button variant="primary">Primary</Button>
        <Button>Plain</Button>
        <Button variant="danger">Danger</Button>
        <Button variant="quiet">Quiet</Button>
        <Button isDisabled>Disabled</Button>
        <Button disabledReason="This needs the role operator or a higher one.">Not permitted</Button>
        <Tooltip text="Starts the DAG with its defaults">
          <IconButton icon={<Play aria-hidden size={16} />} label="Start" />
        </Tooltip>
      </Section>
      <Section title="Fields">
        <TextField label="Name" description="Letters, digits and dashes" />
        <TextField label="Name" defaultValue="a b" error="A name has no spaces." />
        <SearchField aria-label="Filter" placeholder="Filter" />
        <SelectExample />
        <Checkbox defaultSelected>Only failed</Checkbox>
        <Switch defaultSelected>Single keys are shortcuts</Switch>
      </Section>
      <Section title="Overlays">
        <Overlays />
      </Section>
      <Section title="Values">
        <Meter label="Slots" value={3} max={4} text="3 of 4" />
        <Facts
          facts={[
            { name: 'Version', value: '0.1.0' },
            { name: 'Database', value: 'SQLite' },
          ]}
        />
      </Section>
      <Section title="Table">
        <TableExample />
      </Section>
      <Section title="Tokens">
        <TokensExample />
      </Section>
      <Section title="Tabs and panes">
        <TabsExample />
      </Section>
      <Section title="States">
        <States />
      </Section>
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className={styles.section}>
      <h2>{title}</h2>
      <div className={styles.examples}>{children}</div>
    </section>
  );
}

function SelectExample(): ReactElement {
  const [value, setValue] = useState('light');
  const options = ['light', 'dark'].map((theme) => ({ value: theme, label: theme }));
  return <SelectField label="Theme" value={value} options={options} onChange={setValue} />;
}

function Overlays(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  return (
    <>
      <Menu
        label="Actions"
        trigger={<Button>Menu</Button>}
        entries={[
          { id: 'start', label: 'Start', onSelect: nothing },
          { id: 'delete', label: 'Delete (needs developer)', isDisabled: true, onSelect: nothing },
        ]}
      />
      <Button onPress={() => setOpen(true)}>Dialog</Button>
      <Button onPress={() => toast({ message: 'The run was started.', action: { label: 'Undo', onPress: nothing } })}>
        Toast
      </Button>
      <ConfirmDialog
        title="Delete 3 runs"
        message="The logs and artifacts of 3 runs of nightly are deleted. This cannot be undone."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => setOpen(false)}
        closeLabel="Close"
        cancelLabel="Cancel"
        confirmLabel="Delete 3 runs"
      />
    </>
  );
}

const rows = [
  { name: 'nightly', status: 'succeeded' },
  { name: 'a-dag-with-a-rather-long-name-of-many-words', status: 'running' },
  { name: 'backup', status: 'failed' },
] as const;

function TableExample(): ReactElement {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['backup']));
  return (
    <Table
      label="DAGs"
      items={rows}
      getId={({ name }) => name}
      onOpen={nothing}
      selection={{ selected, onChange: setSelected }}
      sort={{ column: 'name', direction: 'ascending' }}
      onSort={nothing}
      columns={[
        { id: 'name', name: 'Name', isRowHeader: true, isSortable: true, width: 'grow', render: ({ name }) => name },
        { id: 'status', name: 'Status', render: ({ status }) => <StatusName kind={status} name={status} /> },
      ]}
    />
  );
}

const tokenTexts = ['<|user|>', 'How', ' high', '?', ' 2', ',', '962', ' m'];
const tokenMarks = {
  shades: Int8Array.of(-1, -1, -1, -1, 0, 2, 5, 7),
  hatched: Uint8Array.of(1, 1, 1, 1, 0, 0, 0, 0),
  control: Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0),
};

function TokensExample(): ReactElement {
  const [active, setActive] = useState<number>();
  return (
    <div className={styles.wide}>
      <TokenStrip label="Tokens" texts={tokenTexts} marks={tokenMarks} active={active} onActivate={setActive} />
      <TokenSwatch isHatched>template</TokenSwatch>
      {tokenShades.map((shade) => (
        <TokenSwatch key={shade} shade={shade}>
          {shade}
        </TokenSwatch>
      ))}
    </div>
  );
}

function TabsExample(): ReactElement {
  const [selected, setSelected] = useState<'graph' | 'table'>('graph');
  return (
    <div className={styles.wide}>
      <Tabs
        label="Views"
        selected={selected}
        onSelect={setSelected}
        tabs={[
          {
            id: 'graph',
            label: 'Graph',
            content: <SplitPane label="Width" first={<p>First pane</p>} second={<p>Second pane</p>} />,
          },
          { id: 'table', label: 'Table', content: <p>A table</p> },
        ]}
      />
    </div>
  );
}

function States(): ReactElement {
  return (
    <div className={styles.wide}>
      <StaleBar message="Not live since 12:03:10, retrying." refreshLabel="Refresh" onRefresh={nothing} />
      <Skeleton label="Loading" rows={3} />
      <EmptyState title="No DAG matches" action={<Button variant="primary">Clear the filter</Button>}>
        No name contains “etl”.
      </EmptyState>
      <ErrorState
        message="The DAG nightly could not be loaded."
        requestId="6f0c"
        requestIdLabel="Request"
        retryLabel="Retry"
        onRetry={nothing}
      />
      <NoPermission title="Users are managed by admins">Your role is operator.</NoPermission>
    </div>
  );
}
