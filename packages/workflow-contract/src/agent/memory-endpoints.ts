import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { AgentDagMemoryResponse, AgentMemoryResponse, UpdateAgentMemoryRequest } from './memory-schemas';
import { adminOnly as access, nodeQuery as query, usualErrors as errors } from './shared';
import { DagName } from '../run-inputs/identity';

const tag = 'settings';
const path = '/settings/agent/memory';
const pathOfDag = `${path}/dags/{dagName}` as const;
const params = z.object({ dagName: DagName.describe('Name of the DAG.') });
const stored = { status: 200, description: 'The memory is stored.' } as const;
const deleted = { status: 200, description: 'There is no memory any more.' } as const;

export const getAgentMemory = endpoint({
  method: 'GET',
  path,
  operationId: 'getAgentMemory',
  tag,
  summary: 'Get what the agent knows from earlier sessions',
  access,
  query,
  success: { status: 200, description: 'The memory.', schema: AgentMemoryResponse },
  errors,
});

export const updateAgentMemory = endpoint({
  method: 'PUT',
  path,
  operationId: 'updateAgentMemory',
  audit: { category: 'agent', action: 'agent_memory_update' },
  tag,
  summary: 'Replace what the agent knows from earlier sessions',
  access,
  query,
  body: UpdateAgentMemoryRequest,
  success: stored,
  errors,
});

export const deleteAgentMemory = endpoint({
  method: 'DELETE',
  path,
  operationId: 'deleteAgentMemory',
  audit: { category: 'agent', action: 'agent_memory_delete' },
  tag,
  summary: 'Delete what the agent knows from earlier sessions',
  description: 'Memories of DAGs stay.',
  access,
  query,
  success: deleted,
  errors,
});

export const getAgentDagMemory = endpoint({
  method: 'GET',
  path: pathOfDag,
  operationId: 'getAgentDAGMemory',
  tag,
  summary: 'Get what the agent knows about a DAG',
  access,
  params,
  query,
  success: { status: 200, description: 'The memory.', schema: AgentDagMemoryResponse },
  errors,
});

export const updateAgentDagMemory = endpoint({
  method: 'PUT',
  path: pathOfDag,
  operationId: 'updateAgentDAGMemory',
  audit: { category: 'agent', action: 'agent_dag_memory_update' },
  tag,
  summary: 'Replace what the agent knows about a DAG',
  access,
  params,
  query,
  body: UpdateAgentMemoryRequest,
  success: stored,
  errors,
});

export const deleteAgentDagMemory = endpoint({
  method: 'DELETE',
  path: pathOfDag,
  operationId: 'deleteAgentDAGMemory',
  audit: { category: 'agent', action: 'agent_dag_memory_delete' },
  tag,
  summary: 'Delete what the agent knows about a DAG',
  access,
  params,
  query,
  success: deleted,
  errors,
});
