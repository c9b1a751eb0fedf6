import { readMemoryLines } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine/model';
import type { AuditedOperation } from '../../access/audited-operation';
import { globalMemory, type MemoryRepository } from './agent-stores';

export interface MemoryServicePorts {
  readonly agentStores: { readonly memories: MemoryRepository };
  readonly clock: Clock;
}

export type MemoryService = ReturnType<typeof createMemoryService>;

/** Serves the texts that the agent remembers from earlier sessions; without a DAG, the text for every session. */
export function createMemoryService({ agentStores: { memories }, clock }: MemoryServicePorts) {
  return {
    listDagNames: () => memories.listDagNames(),
    /** Returns the first lines. */
    read: async (dagName = globalMemory) => firstLines(await memories.read(dagName)),
    write: (content: string, audit: AuditedOperation, dagName = globalMemory) =>
      memories.write(dagName, { content, at: clock.now() }, audit),
    remove: (audit: AuditedOperation, dagName = globalMemory) => memories.remove(dagName, audit),
  };
}

function firstLines(text: string): string {
  return text.split('\n', readMemoryLines).join('\n');
}
