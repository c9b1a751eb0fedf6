import { listChatProblems, type SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';

type Settings = SettingsFor<'chat.completion'>;

/** One model that can be asked. */
export interface ChatModel {
  readonly name: string;
  readonly provider: string;
  readonly hasOwnAddress: boolean;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
}

interface Provider {
  readonly baseUrl: string;
  /** The variable that holds the key; without one, none is needed. */
  readonly keyName?: string;
}

/** All of them offer the interface of OpenAI. */
const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  ['openai', { baseUrl: 'https://api.openai.com/v1', keyName: 'OPENAI_API_KEY' }],
  ['anthropic', { baseUrl: 'https://api.anthropic.com/v1', keyName: 'ANTHROPIC_API_KEY' }],
  ['gemini', { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', keyName: 'GEMINI_API_KEY' }],
  ['openrouter', { baseUrl: 'https://openrouter.ai/api/v1', keyName: 'OPENROUTER_API_KEY' }],
  ['local', { baseUrl: 'http://localhost:11434/v1' }],
]);

/** The models in the order in which they are asked. Keys come from the settings or the environment of the step only. */
export function chatModels(settings: Settings, env: Readonly<Record<string, string>>): readonly ChatModel[] {
  const { model: given = [] } = settings;
  if (given.length === 0) throw actionFailed('model is missing, here and in the llm of the DAG.');
  return given.map((each) => {
    const own = typeof each === 'string' ? { name: each } : each;
    const access = accessOf(settings, own);
    const maxTokens = own.max_tokens ?? settings.max_tokens;
    const { provider = 'openai' } = access;
    const [problem] = listChatProblems({
      ...settings,
      provider,
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    });
    if (problem !== undefined) throw actionFailed(`${own.name}: ${problem}.`);
    return {
      name: own.name,
      provider,
      hasOwnAddress: access.base_url !== undefined,
      ...findAccess(access, env),
      temperature: own.temperature ?? settings.temperature,
      maxTokens,
    };
  });
}

type Access = Pick<Settings, 'provider' | 'base_url' | 'api_key' | 'api_key_name'>;

/** A model of another provider does not get the key and the address of the step. */
function accessOf(settings: Access, own: Access): Access {
  return own.provider === undefined || own.provider === settings.provider ? { ...settings, ...own } : own;
}

function findAccess(access: Access, env: Readonly<Record<string, string>>): Pick<ChatModel, 'baseUrl' | 'apiKey'> {
  const { provider: name = 'openai', base_url: url, api_key: key, api_key_name: keyName } = access;
  const provider = providers.get(name);
  const baseUrl = url ?? provider?.baseUrl;
  if (baseUrl === undefined) {
    throw actionFailed(`base_url is missing: only ${[...providers.keys()].join(', ')} are known providers.`);
  }
  // The key of a provider is not sent to another address.
  const variable = keyName ?? (url === undefined ? provider?.keyName : undefined);
  const found = key ?? (variable === undefined ? '' : env[variable]);
  if (found === undefined || (found === '' && variable !== undefined)) {
    throw actionFailed(`api_key is missing, and the step has no variable ${variable ?? ''}.`);
  }
  return { baseUrl, apiKey: found };
}
