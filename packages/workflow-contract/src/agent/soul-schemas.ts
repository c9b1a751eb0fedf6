import { z } from 'zod';
import { Pagination } from '../common/paging';
import { settingDescription, settingName, slug } from './model-schemas';

const content = z.string().max(65_536);

export const SoulResponse = z
  .object({
    id: z.string().describe('Stable id.'),
    name: z.string().describe('Unique name.'),
    description: z.string().optional().describe('Purpose of the soul.'),
    content: z.string().optional().describe('What the agent is told about itself. Left out of lists.'),
  })
  .meta({ id: 'SoulResponse', description: 'How the agent presents itself and works.' });
export type SoulResponse = z.output<typeof SoulResponse>;

export const ListSoulsResponse = z
  .object({ souls: z.array(SoulResponse).describe('By name, without their content.'), pagination: Pagination })
  .meta({ id: 'ListSoulsResponse', description: 'A page of souls.' });

export const CreateSoulRequest = z
  .object({
    id: slug.optional().describe('Stable id. Default: made of the name.'),
    name: settingName.describe('Unique name.'),
    description: settingDescription.optional().describe('Purpose of the soul.'),
    content: content.describe('What the agent is told about itself.'),
  })
  .meta({ id: 'CreateSoulRequest', description: 'A new soul.' });
export type CreateSoulRequest = z.output<typeof CreateSoulRequest>;

export const UpdateSoulRequest = z
  .object({
    name: settingName.optional().describe('New unique name; a blank one changes nothing.'),
    description: settingDescription.optional().describe('New purpose.'),
    content: content.optional().describe('New content; a blank one changes nothing.'),
  })
  .meta({ id: 'UpdateSoulRequest', description: 'The fields to change; omitted fields are not changed.' });
export type UpdateSoulRequest = z.output<typeof UpdateSoulRequest>;
