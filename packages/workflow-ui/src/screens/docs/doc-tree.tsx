import { useNavigate } from '@tanstack/react-router';
import { ChevronRight, FileText, Folder } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import type { DocNode } from './docs-data';
import { useDocsMessages } from './docs-messages';
import styles from './docs.module.css';

export interface DocTreeProps {
  readonly nodes: readonly DocNode[];
  readonly chosen: string | undefined;
}

/** The documents by folder; the folders of the chosen one are open. */
export function DocTree({ nodes, chosen = '' }: DocTreeProps): ReactElement {
  const t = useDocsMessages();
  const navigate = useNavigate();
  const folders = chosen.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  return (
    <Tree
      aria-label={t('docs.tree')}
      className={styles.tree ?? ''}
      defaultExpandedKeys={[...folders, ...nodes.map(({ id }) => id)]}
      onAction={(key) => {
        if (findNode(nodes, String(key))?.type === 'file') {
          void navigate({ to: '/docs', search: { doc: String(key) } });
        }
      }}
    >
      {nodes.map((node) => (
        <Node key={node.id} node={node} chosen={chosen} />
      ))}
    </Tree>
  );
}

function Node({ node, chosen }: { readonly node: DocNode; readonly chosen: string }): ReactElement {
  const { id, name, title = name, type, children = [] } = node;
  const Icon = type === 'directory' ? Folder : FileText;
  return (
    <TreeItem id={id} textValue={title} className={styles.node ?? ''} data-chosen={id === chosen}>
      <TreeItemContent>
        <span className={styles.label}>
          {type === 'directory' ? (
            <Button slot="chevron" className={styles.chevron ?? ''}>
              <ChevronRight aria-hidden size={14} />
            </Button>
          ) : (
            <span className={styles.chevron} />
          )}
          <Icon aria-hidden size={16} />
          <span className={styles.name}>{title}</span>
        </span>
      </TreeItemContent>
      {children.map((child) => (
        <Node key={child.id} node={child} chosen={chosen} />
      ))}
    </TreeItem>
  );
}

function findNode(nodes: readonly DocNode[], id: string): DocNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findNode(node.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}
