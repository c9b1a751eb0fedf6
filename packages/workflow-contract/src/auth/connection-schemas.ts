import { z } from 'zod';

/** What a chat client may do: read, or all that its person may. */
export const connectionAccesses = ['read', 'full'] as const;
const ConnectionAccess = z
  .enum(connectionAccesses)
  .describe('`read` for what changes nothing, `full` for all that the person may do with the tools.');
export type ConnectionAccess = z.output<typeof ConnectionAccess>;

const request = z
  .string()
  .min(1)
  .max(2048)
  .describe('The query of the address with which the chat client has opened the browser.');

export const ClientRequestQuery = z.object({ request });

export const ClientRequestResponse = z
  .object({
    clientName: z.string().describe('The chat client, as it names itself.'),
    documentAddress: z
      .string()
      .nullable()
      .describe('Where it describes itself, which its server vouches for; null for one that has registered itself.'),
    redirectAddress: z.string().describe('Where the browser goes afterwards, with a code for the chat client.'),
    isLocal: z.boolean().describe('Whether that is a program of the machine of the browser.'),
    resource: z.string().describe('What is connected: the address of the tools.'),
    accesses: z.array(ConnectionAccess).describe('What the person may choose from.'),
  })
  .meta({ id: 'ClientRequestResponse', description: 'The request of a chat client to be connected.' });

export const AnswerClientRequest = z
  .object({
    request,
    access: ConnectionAccess.nullable().describe('Null to refuse.'),
  })
  .meta({ id: 'AnswerClientRequest', description: 'The answer of a person to a chat client.' });

export const ClientAnswerResponse = z
  .object({ redirectAddress: z.string().describe('The page that the browser opens next.') })
  .meta({ id: 'ClientAnswerResponse', description: 'Where the browser goes after the answer.' });

const ClientConnection = z
  .object({
    id: z.string().describe('Id of the connection.'),
    clientName: z.string().describe('The chat client, as it names itself.'),
    redirectAddress: z.string().describe('Where its code was sent to.'),
    access: ConnectionAccess,
    createdAt: z.iso.datetime({ offset: true }).describe('When the person has connected it.'),
    lastUsedAt: z.iso.datetime({ offset: true }).describe('When it was used last, to the minute.'),
    expiresAt: z.iso.datetime({ offset: true }).describe('When it ends, unless it is used before.'),
  })
  .meta({ id: 'ClientConnection', description: 'A chat client that uses the tools with the rights of a person.' });
export type ClientConnection = z.output<typeof ClientConnection>;

export const ClientConnectionsResponse = z
  .object({
    connections: z.array(ClientConnection).describe('Newest first.'),
    resource: z.string().nullable().describe('The address to give a chat client; null where none can sign in.'),
    unavailableReason: z.string().nullable().describe('Why no chat client can sign in; null where they can.'),
  })
  .meta({ id: 'ClientConnectionsResponse', description: 'The connected chat clients of a person.' });
