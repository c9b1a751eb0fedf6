import { paginate, pageRequest } from '@weir/workflow-contract';
import type { CreateSoulRequest, UpdateSoulRequest } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { AuditedOperation } from '../../access/audited-operation';
import { settingBlank, settingNotFound } from './agent-setting-errors';
import type { AgentSoul } from './agent-settings';
import type { SoulRepository } from './agent-stores';
import { createSettingId } from './setting-id';

export interface SoulServicePorts {
  readonly agentStores: { readonly souls: SoulRepository };
  readonly clock: Clock;
}

export interface SoulQuery {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly q?: string | undefined;
}

export type SoulService = ReturnType<typeof createSoulService>;

/** Serves the operations of admins on souls. */
export function createSoulService({ agentStores: { souls }, clock }: SoulServicePorts) {
  return {
    async list(query: SoulQuery) {
      const text = query.q?.trim().toLowerCase() ?? '';
      const found = (await souls.list()).filter((soul) => mentions(soul, text));
      const request = pageRequest(query);
      const begin = (request.page - 1) * request.perPage;
      return { souls: found.slice(begin, begin + request.perPage), pagination: paginate(request, found.length) };
    },

    async get(id: string): Promise<AgentSoul> {
      const soul = await souls.find(id);
      if (soul === undefined) throw settingNotFound('soul', id);
      return soul;
    },

    async create(request: CreateSoulRequest, audit: AuditedOperation): Promise<AgentSoul> {
      const { description = '', content } = request;
      const name = request.name.trim();
      if (name === '') throw settingBlank('name');
      if (content.trim() === '') throw settingBlank('content');
      const taken = new Set((await souls.list()).map((one) => one.id));
      const now = clock.now();
      const id = request.id ?? createSettingId(name, 'soul', taken);
      const soul = { id, name, description, content, createdAt: now, updatedAt: now };
      await souls.insert(soul, audit);
      return soul;
    },

    update(id: string, { name, description, content }: UpdateSoulRequest, audit: AuditedOperation): Promise<AgentSoul> {
      const changes = {
        ...(name === undefined || name.trim() === '' ? {} : { name: name.trim() }),
        ...(description === undefined ? {} : { description }),
        ...(content === undefined || content.trim() === '' ? {} : { content }),
        updatedAt: clock.now(),
      };
      return souls.update(id, changes, audit);
    },

    remove: (id: string, audit: AuditedOperation) => souls.remove(id, audit),
  };
}

function mentions({ id, name, description }: AgentSoul, text: string): boolean {
  return [id, name, description].some((field) => field.toLowerCase().includes(text));
}
