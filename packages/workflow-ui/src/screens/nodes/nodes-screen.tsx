import { useQuery } from '@tanstack/react-query';
import { Button, EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { Network, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import { NodeDialog, type NodeAction } from './node-dialogs';
import { NodeTable } from './node-table';
import { nodesQuery } from './nodes-data';
import { useNodesMessages } from './nodes-messages';

/** This server and those that it passes requests on to, with the runs on each. */
export function NodesScreen(): ReactElement {
  const t = useNodesMessages();
  const refusal = useRefusal('createRemoteNode');
  const query = useQuery(nodesQuery);
  const [action, setAction] = useState<NodeAction | undefined>();
  const total = query.error === null ? query.data?.remoteNodes.length : undefined;
  const add = (
    <Button variant="primary" disabledReason={refusal} onPress={() => setAction({ kind: 'add' })}>
      <Plus aria-hidden size={16} />
      {t('nodes.add')}
    </Button>
  );
  return (
    <>
      <ScreenHeader title={t('nodes.title')} note={total === undefined ? undefined : t('nodes.count', { total })}>
        {total === 0 ? null : add}
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ remoteNodes }) =>
          remoteNodes.length === 0 ? (
            <EmptyState title={t('nodes.empty.title')} icon={<Network aria-hidden size={32} />} action={add}>
              {t('nodes.empty.text')}
            </EmptyState>
          ) : (
            <NodeTable nodes={remoteNodes} onAction={setAction} />
          )
        }
      </QueryPanel>
      {action === undefined ? null : <NodeDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}
