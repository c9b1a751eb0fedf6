import { useQuery } from '@tanstack/react-query';
import type { ForestNode } from '@weir/rollout-contract';
import { Tabs } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { useMemo, type ReactElement } from 'react';
import { interactionQuery, rowsQuery, tokensQuery } from '../../api/queries';
import type { TokenPath } from '../../api/read-tokens';
import { TokenView } from '../../tokens/token-view';
import { toChoices, type SessionSearch } from './search';
import { Conversation } from './conversation';
import { useSessionMessages } from './session-messages';
import { Raw } from './raw';

export interface InteractionPaneProps {
  readonly sessionId: string;
  readonly node: ForestNode;
  readonly search: SessionSearch;
  readonly onChange: (changes: SessionSearch) => void;
}

/** One interaction: as messages, as exact tokens, or as it is stored. */
export function InteractionPane(props: InteractionPaneProps): ReactElement {
  const t = useSessionMessages();
  const { search, onChange } = props;
  return (
    <Tabs
      isFilling
      label={t('interaction.panes')}
      selected={search.pane ?? 'messages'}
      onSelect={(pane) => onChange({ pane })}
      tabs={[
        { id: 'messages', label: t('interaction.messages'), content: <MessagesPane {...props} /> },
        { id: 'tokens', label: t('interaction.tokens'), content: <TokensPane {...props} /> },
        { id: 'raw', label: t('interaction.raw'), content: <RawPane {...props} /> },
      ]}
    />
  );
}

function MessagesPane({ sessionId, node }: InteractionPaneProps): ReactElement {
  const query = useQuery(interactionQuery(sessionId, node.interaction_id));
  return <QueryPanel query={query}>{(interaction) => <Conversation interaction={interaction} />}</QueryPanel>;
}

function RawPane({ sessionId, node }: InteractionPaneProps): ReactElement {
  const query = useQuery(interactionQuery(sessionId, node.interaction_id));
  return <QueryPanel query={query}>{(interaction) => <Raw interaction={interaction} />}</QueryPanel>;
}

function TokensPane(props: InteractionPaneProps): ReactElement {
  const query = useQuery(tokensQuery(props.sessionId, props.node.interaction_id));
  return <QueryPanel query={query}>{(path) => <Tokens path={path} {...props} />}</QueryPanel>;
}

function Tokens({ path, sessionId, node, search, onChange }: InteractionPaneProps & { readonly path: TokenPath }) {
  const mask = useRowMask({ path, sessionId, node, search });
  return (
    <TokenView
      path={path}
      address={{ sessionId, interactionId: node.interaction_id }}
      mask={mask}
      quarantine={node.quarantine}
      colour={search.colour ?? 'logprob'}
      onColour={(colour) => onChange({ colour })}
      active={search.at}
      onActivate={(at) => onChange({ at })}
    />
  );
}

/** Beside the rows, what the row of the interaction trains; else what its own row would. */
function useRowMask({ path, sessionId, node, search }: Omit<InteractionPaneProps, 'onChange'> & { path: TokenPath }) {
  const isRow = search.view === 'rows';
  const { data } = useQuery({ ...rowsQuery(sessionId, toChoices(search)), enabled: isRow });
  const row = isRow ? data?.rows.find((one) => one.interaction_id === node.interaction_id) : undefined;
  return useMemo(() => {
    if (row === undefined) return undefined;
    const mask = new Uint8Array(path.count);
    for (const { from, to } of row.spans) mask.fill(1, from, to);
    return mask;
  }, [row, path]);
}
