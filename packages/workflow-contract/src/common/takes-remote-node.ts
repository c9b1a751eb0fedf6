import type { Endpoint } from '@weir/http-contract';
import { remoteNode } from './parameters';

/** Whether the operation can be passed to another node, which its parameter says. */
export function takesRemoteNode({ query }: Pick<Endpoint, 'query'>): boolean {
  return query?.shape.remoteNode === remoteNode;
}
