import { z } from 'zod';
import { DagName } from '../run-inputs/identity';

/** The maximum length of one memory, in characters. */
const maxMemoryLength = 262_144;
/** The number of lines of a memory that are returned and given to the agent. */
export const readMemoryLines = 200;

export const AgentMemoryResponse = z
  .object({
    globalMemory: z.string().describe('The first 200 lines of what counts for every session.'),
    dagMemories: z.array(DagName).describe('The DAGs that have a memory of their own, by name.'),
    memoryDir: z.string().describe('Empty: memories are in the database.'),
  })
  .meta({ id: 'AgentMemoryResponse', description: 'What the agent knows from earlier sessions.' });

export const AgentDagMemoryResponse = z
  .object({ dagName: DagName, content: z.string().describe('The first 200 lines; empty where there is none.') })
  .meta({ id: 'AgentDAGMemoryResponse', description: 'What the agent knows about a DAG.' });

export const UpdateAgentMemoryRequest = z
  .object({ content: z.string().max(maxMemoryLength).describe('The whole text, at most 262,144 characters.') })
  .meta({ id: 'UpdateAgentMemoryRequest', description: 'A new memory in place of the former one.' });
