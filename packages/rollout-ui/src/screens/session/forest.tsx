import { useQuery } from '@tanstack/react-query';
import type { ForestNode } from '@weir/rollout-contract';
import { Button, EmptyState, TokenSwatch, classNames } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { forestQuery } from '../../api/queries';
import { formatCount, formatReward } from '../../parts/format-number';
import { LaneLines, laneWidth } from './lane-lines';
import { placeInLanes } from './lanes';
import { toChoices, type SessionViewProps } from './search';
import { useSessionMessages } from './session-messages';
import styles from './session.module.css';

const nodesAtOnce = 500;

/** The interactions of a session: time runs down, branches stand side by side. */
export function Forest({ sessionId, search, onChange }: SessionViewProps): ReactElement {
  const t = useSessionMessages();
  const query = useQuery(forestQuery(sessionId, toChoices(search)));
  return (
    <QueryPanel query={query}>
      {({ nodes }) => {
        if (nodes.length === 0) {
          return <EmptyState title={t('session.empty.title')}>{t('session.empty.text')}</EmptyState>;
        }
        const selected = nodes.some((one) => one.interaction_id === search.call)
          ? search.call
          : nodes.at(-1)?.interaction_id;
        return <Nodes nodes={nodes} selected={selected} onSelect={(call) => onChange({ call })} />;
      }}
    </QueryPanel>
  );
}

interface NodesProps {
  readonly nodes: readonly ForestNode[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

function Nodes({ nodes, selected, onSelect }: NodesProps): ReactElement {
  const t = useSessionMessages();
  const [limit, setLimit] = useState(nodesAtOnce);
  const shown = nodes.slice(0, limit);
  const places = placeInLanes(shown);
  const inset = laneWidth(places);
  const shadeOf = createRewardShading(nodes);
  return (
    <div className={styles.forest}>
      <ListBox
        aria-label={t('session.trees')}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={selected === undefined ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : [...keys];
          if (key !== undefined) onSelect(String(key));
        }}
        className={styles.list ?? ''}
      >
        {shown.map((node) => (
          <ListBoxItem
            key={node.interaction_id}
            id={node.interaction_id}
            textValue={node.answer_text}
            className={styles.node ?? ''}
            style={{ paddingInlineStart: inset }}
          >
            <Node node={node} shade={shadeOf(node.discounted_reward)} />
          </ListBoxItem>
        ))}
      </ListBox>
      <LaneLines places={places} selected={shown.findIndex((node) => node.interaction_id === selected)} />
      {nodes.length > limit ? (
        <div className={styles.more}>
          <Button onPress={() => setLimit(limit + nodesAtOnce)}>{t('session.more')}</Button>
        </div>
      ) : null}
    </div>
  );
}

function Node({ node, shade }: { readonly node: ForestNode; readonly shade: number }): ReactElement {
  const t = useSessionMessages();
  const doubts = [
    ...(node.quarantine === null ? [] : [t('session.quarantine', { reason: node.quarantine })]),
    ...(node.retry === null ? [] : [t(`session.${node.retry}`)]),
    ...(node.fork_reason === null ? [] : [t('session.forked', { reason: node.fork_reason })]),
  ];
  const tokens = t('session.tokensOf', {
    prompt: formatCount(node.prompt_tokens),
    sampled: formatCount(node.sampled_tokens),
  });
  const details = [
    tokens,
    node.versions.map((version) => `v${version}`).join(' '),
    node.finish_reason,
    ...(node.tool_names.length === 0 ? [] : [t('session.calls', { names: node.tool_names.join(', ') })]),
  ];
  return (
    <>
      <span className={classNames(styles.small, styles.excerpt)}>
        {node.request_role}: {node.request_text}
      </span>
      <span className={styles.line}>
        <span className={classNames(styles.excerpt, styles.answer)}>
          {node.answer_text === '' ? `→ ${node.tool_names.join(', ')}` : node.answer_text}
        </span>
        <Rewards node={node} shade={shade} />
      </span>
      <span className={styles.small}>
        {details.filter((text) => text !== '').join(' · ')}
        {doubts.length === 0 ? null : <span className={styles.doubt}> · {doubts.join(', ')}</span>}
      </span>
    </>
  );
}

function Rewards({ node, shade }: { readonly node: ForestNode; readonly shade: number }): ReactElement {
  const t = useSessionMessages();
  const { reward, discounted_reward: discounted } = node;
  return (
    <span className={styles.rewards}>
      {reward === null ? null : <span>{`${formatReward(reward)} ${t('session.own')} →`}</span>}
      {discounted === null ? null : <TokenSwatch shade={shade}>{formatReward(discounted)}</TokenSwatch>}
    </span>
  );
}

const steps = 7;

/** Shades by the place of a reward between the smallest and the largest one of the session. */
function createRewardShading(nodes: readonly ForestNode[]): (reward: number | null) => number {
  const rewards = nodes.flatMap(({ discounted_reward: reward }) => reward ?? []);
  const [low, high] = [Math.min(...rewards), Math.max(...rewards)];
  return (reward) => (reward === null || high === low ? 0 : Math.round(((reward - low) / (high - low)) * steps));
}
