import type { ForestNode, InteractionDetail } from '@weir/rollout-contract';
import { unwrap } from '@weir/ui-kit/app';
import { api } from './client';
import { readInteraction } from './queries';
import { toQuery, type RowChoices } from './reward-choices';

const maxInteractions = 500;

/** A page of its own with the conversations and rewards of a session. It loads nothing, and runs nothing. */
export async function readSessionPage(sessionId: string, choices: RowChoices): Promise<Blob> {
  const params = { path: { sessionId }, query: toQuery(choices) };
  const { nodes } = await unwrap(api.GET('/rl/sessions/{sessionId}/forest', { params }));
  const parts: string[] = [];
  for (const node of nodes.slice(0, maxInteractions)) {
    parts.push(renderInteraction(node, await readInteraction({ sessionId, interactionId: node.interaction_id })));
  }
  return new Blob([renderPage(sessionId, parts)], { type: 'text/html' });
}

export function renderPage(title: string, parts: readonly string[]): string {
  const style =
    'body{font:15px/1.5 system-ui;max-width:80ch;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}h2{border-top:1px solid #8888;padding-top:1rem}small{opacity:.75}';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${style}</style><h1>${escapeHtml(title)}</h1>${parts.join('')}</html>\n`;
}

export function renderInteraction(
  node: Pick<
    ForestNode,
    'index' | 'interaction_id' | 'reward' | 'discounted_reward' | 'prompt_tokens' | 'sampled_tokens'
  >,
  { messages, new_messages: count, output }: Pick<InteractionDetail, 'messages' | 'new_messages' | 'output'>,
): string {
  const rewards = `reward ${node.reward ?? 'none'}, discounted ${node.discounted_reward ?? 'none'}`;
  const tokens = `${node.prompt_tokens} + ${node.sampled_tokens} tokens`;
  const shown = [...messages.slice(messages.length - count), output];
  const texts = shown.map(({ role, reasoning, content, tool_calls: calls = [] }) => {
    const called = calls.map((call) => `${call.name}(${call.arguments})`);
    const text = [reasoning, content, ...called].filter((part) => part !== undefined && part !== '').join('\n\n');
    return `<h3>${escapeHtml(role)}</h3><pre>${escapeHtml(text)}</pre>`;
  });
  const head = `<h2>${node.index + 1}. ${escapeHtml(node.interaction_id)}</h2><small>${rewards}; ${tokens}</small>`;
  return `<section>${head}${texts.join('')}</section>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}
