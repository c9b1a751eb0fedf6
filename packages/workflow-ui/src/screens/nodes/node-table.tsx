import { useQuery } from '@tanstack/react-query';
import { IconButton, Menu, StatusName, Table, type TableColumn } from '@weir/ui-kit';
import { Ellipsis, ExternalLink } from 'lucide-react';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { useAction } from '../../parts/use-action';
import { interfaceAddress } from './interface-address';
import type { NodeAction } from './node-dialogs';
import { nodeCountsQuery, type RemoteNode } from './nodes-data';
import { useNodesMessages } from './nodes-messages';
import styles from '../../parts/screen-body.module.css';

type Label = Schemas['DAGRunStatusCount']['statusLabel'];

interface Row {
  readonly id: string;
  /** Missing for this server. */
  readonly node?: RemoteNode;
}

export interface NodeTableProps {
  readonly nodes: readonly RemoteNode[];
  readonly onAction: (action: NodeAction) => void;
}

export function NodeTable({ nodes, onAction }: NodeTableProps): ReactElement {
  const t = useNodesMessages();
  const rows: readonly Row[] = [{ id: 'local' }, ...nodes.map((node) => ({ id: node.id, node }))];
  const count = (id: string, name: string, labels: readonly Label[]): TableColumn<Row> => ({
    id,
    name,
    align: 'end',
    render: ({ node }) => <Count node={node} labels={labels} />,
  });
  const columns: readonly TableColumn<Row>[] = [
    {
      id: 'name',
      name: t('nodes.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ node }) => <NodeName node={node} />,
    },
    { id: 'state', name: t('nodes.state'), render: ({ node }) => <NodeState node={node} /> },
    count('running', t('nodes.running'), ['running']),
    count('waiting', t('nodes.waiting'), ['waiting', 'queued']),
    count('failed', t('nodes.failed'), ['failed']),
    count('succeeded', t('nodes.succeeded'), ['succeeded', 'partially_succeeded']),
    {
      id: 'actions',
      isButtons: true,
      name: t('nodes.actionsColumn'),
      align: 'end',
      render: ({ node }) => (node === undefined ? null : <NodeMenu node={node} onAction={onAction} />),
    },
  ];
  return <Table label={t('nodes.title')} items={rows} getId={({ id }) => id} columns={columns} />;
}

interface OfNode {
  readonly node: RemoteNode | undefined;
}

function NodeName({ node }: OfNode): ReactElement {
  const t = useNodesMessages();
  if (node === undefined) return <strong>{t('nodes.here')}</strong>;
  const { name, description = '', apiBaseUrl } = node;
  return (
    <span title={apiBaseUrl}>
      <a href={interfaceAddress(node)} target="_blank" rel="noreferrer" title={t('nodes.open', { name })}>
        <strong>{name}</strong> <ExternalLink aria-hidden size={12} />
      </a>{' '}
      <span className={styles.muted}>{description}</span>
    </span>
  );
}

function NodeState({ node }: OfNode): ReactElement {
  const t = useNodesMessages();
  const { data, error } = useQuery(nodeCountsQuery(node?.name));
  if (error !== null) {
    return (
      <span title={error.message}>
        <StatusName kind="failed" name={t('nodes.failing')} />
      </span>
    );
  }
  return data === undefined ? (
    <StatusName kind="not_started" name={t('nodes.asking')} />
  ) : (
    <StatusName kind="succeeded" name={t('nodes.reachable')} />
  );
}

function Count({ node, labels }: OfNode & { readonly labels: readonly Label[] }): ReactElement {
  const { data, error } = useQuery(nodeCountsQuery(node?.name));
  if (data === undefined || error !== null) return <span className={styles.muted}>–</span>;
  const counted = data.statuses.filter(({ statusLabel }) => labels.includes(statusLabel));
  return <span>{counted.reduce((sum, { count }) => sum + count, 0)}</span>;
}

interface NodeMenuProps {
  readonly node: RemoteNode;
  readonly onAction: (action: NodeAction) => void;
}

function NodeMenu({ node, onAction }: NodeMenuProps): ReactElement {
  const t = useNodesMessages();
  const { id, name, source } = node;
  const label = t('nodes.actions', { name });
  const isConfigured = source === 'config';
  const test = useAction({
    run: () =>
      unwrap(api.POST('/remote-nodes/{remoteNodeId}/test-connection', { params: { path: { remoteNodeId: id } } })),
    done: (_input, { success, error = '' }) =>
      success
        ? t('nodes.test.ok', { name })
        : { message: t('nodes.test.failed', { name, error }), tone: 'failed' as const },
    changes: ['remote-nodes', 'run-counts'],
  });
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
      entries={[
        { id: 'test', label: t('nodes.test'), onSelect: () => test.mutate() },
        {
          id: 'edit',
          label: t('nodes.edit'),
          isDisabled: isConfigured,
          onSelect: () => onAction({ kind: 'edit', node }),
        },
        {
          id: 'delete',
          label: t('nodes.delete'),
          isDisabled: isConfigured,
          onSelect: () => onAction({ kind: 'delete', node }),
        },
      ]}
    />
  );
}
